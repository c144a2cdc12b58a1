/* secret-services.c: the name of a service, an assignment, and a string in the
 * form of its keys: FASTLY_TOKEN=..., "algolia": "...".
 *
 * If that form is common, such as a UUID or a digest, a word such as key or
 * token must come between the two.
 */
#include "text/secret-rules.h"

/* From the name, with which each pattern begins, to the value. */
#define NAME "\\w{3}[\\w .-]{0,45}" ASSIGNED
#define NAME_AND_WORD                                                        \
	"\\w{3}[\\w .-]{0,30}?(?i:key|token|secret|pass|auth|pat|api|login)" \
	"[\\w .-]{0,16}" ASSIGNED
#define VALUE_END "(?![\\w=+/-])"

#define KEY(id, keywords, value)                                  \
	{                                                         \
		id, keywords, NAME "(" value ")" VALUE_END, NULL, \
			SECRET_PLAUSIBLE_KEY, true, false         \
	}
#define NAMED(id, keywords, value)                                         \
	{                                                                  \
		id, keywords, NAME_AND_WORD "(" value ")" VALUE_END, NULL, \
			SECRET_PLAUSIBLE_KEY, true, false                  \
	}

const struct secret_rule secret_services[] = {
	KEY("adafruit-key", "adafruit", "[a-z0-9_-]{32}"),
	NAMED("adobe-key", "adobe", HEX "{32}"),
	NAMED("airtable-key", "airtable", "[a-z0-9]{17}"),
	KEY("algolia-key", "algolia", "[a-z0-9]{32}"),
	KEY("alibaba-secret-key", "alibaba|aliyun", B62 "{30}"),
	KEY("asana-secret", "asana", "[a-z0-9]{32}"),
	NAMED("assemblyai-key", "assemblyai|assembly_ai", HEX "{32}"),
	KEY("beamer-token", "beamer", "b_[a-z0-9=_-]{44}"),
	KEY("binance-key", "binance", B62 "{64}"),
	NAMED("bitbucket-secret", "bitbucket",
	      "(?:[a-z0-9]{32}|[a-z0-9=_-]{64})"),
	KEY("bittrex-key", "bittrex", "[a-z0-9]{32}"),
	KEY("cloudflare-key", "cloudflare|cf_api",
	    "(?:(?!" HEX "{40})" WEB "{40}|" HEX "{37})"),
	NAMED("codecov-token", "codecov", "[a-z0-9-]{32,36}"),
	KEY("cohere-key", "cohere|co_api_key", B62 "{40}"),
	KEY("coinbase-token", "coinbase", "[a-z0-9_-]{64}"),
	NAMED("confluent-key", "confluent", "(?:" B64 "{64}|[A-Z0-9]{16})"),
	KEY("contentful-key", "contentful", WEB "{43}"),
	NAMED("datadog-key", "datadog|dd_api|dd_app",
	      HEX "{32}(?:" HEX "{8})?"),
	NAMED("discord-key", "discord", "(?:" HEX "{64}|" WEB "{32})"),
	KEY("drone-token", "droneci|drone_token|drone-token", B62 "{32}"),
	NAMED("dropbox-key", "dropbox", "[a-z0-9]{15}"),
	NAMED("etsy-token", "etsy", "[a-z0-9]{24}"),
	NAMED("facebook-secret", "facebook|fb_app", HEX "{32}"),
	NAMED("fastly-token", "fastly", WEB "{32}"),
	KEY("finicity-key", "finicity", "(?:" HEX "{32}|[a-z0-9]{20})"),
	KEY("finnhub-token", "finnhub", "[a-z0-9]{20}"),
	NAMED("flickr-key", "flickr", HEX "{32}"),
	KEY("freshbooks-token", "freshbooks", "[a-z0-9]{64}"),
	NAMED("gitter-token", "gitter", "[a-z0-9]{40}"),
	KEY("gocardless-token", "gocardless", "live_" WEB "{40}"),
	NAMED("heroku-key", "heroku", UUID),
	KEY("hetzner-token", "hetzner|hcloud", B62 "{64}"),
	NAMED("hubspot-key", "hubspot", UUID),
	KEY("intercom-key", "intercom", "[\\w=-]{60}"),
	NAMED("jenkins-token", "jenkins", "11" HEX "{32}"),
	NAMED("jfrog-secret", "jfrog|artifactory|bintray|xray",
	      B62 "{64}(?:" B62 "{9})?"),
	KEY("kraken-key", "kraken", "[A-Za-z0-9/=_+-]{80,90}"),
	NAMED("kucoin-key", "kucoin", "(?:" HEX "{24}|" UUID ")"),
	NAMED("launchdarkly-key", "launchdarkly",
	      "(?:[a-z]{3}-" UUID "|" WEB "{40})"),
	NAMED("linear-secret", "linear", HEX "{32}"),
	NAMED("linkedin-secret", "linkedin|linked_in|linked-in", B62 "{16}"),
	KEY("linode-token", "linode", HEX "{64}"),
	NAMED("looker-secret", "looker", "[A-Za-z0-9]{24}"),
	KEY("mandrill-key", "mandrill", "md-" WEB "{22}"),
	KEY("mailgun-signing-key", "mailgun", HEX "{32}-" HEX "{8}-" HEX "{8}"),
	KEY("mapbox-key", "mapbox", "pk\\." WEB "{60,500}\\." WEB "{22}"),
	NAMED("mattermost-token", "mattermost", "[a-z0-9]{26}"),
	KEY("meraki-key", "meraki", HEX "{40}"),
	NAMED("messagebird-key", "messagebird|message-bird|message_bird",
	      "(?:" B62 "{25}|" UUID ")"),
	NAMED("mistral-key", "mistral", B62 "{32}"),
	NAMED("netlify-key", "netlify", WEB "{40,46}"),
	KEY("newrelic-user-key", "newrelic|new-relic|new_relic",
	    "[a-z0-9]{64}"),
	KEY("ngrok-token", "ngrok", B62 "{25,32}_" B62 "{18,24}"),
	KEY("nytimes-key", "nytimes|newyorktimes|new-york-times",
	    "[A-Za-z0-9=_-]{32}"),
	KEY("okta-token", "okta", "00[\\w=-]{40}"),
	NAMED("opsgenie-key", "opsgenie", UUID),
	NAMED("pagerduty-key", "pagerduty", "[A-Za-z0-9_+-]{20}"),
	NAMED("plaid-key", "plaid", "[a-z0-9]{30}"),
	NAMED("postmark-token", "postmark", UUID),
	KEY("privateai-key", "privateai|private_ai|private-ai", "[a-z0-9]{32}"),
	KEY("rapidapi-token", "rapidapi", WEB "{50}"),
	NAMED("scaleway-key", "scaleway|scw_secret", UUID),
	NAMED("sendbird-token", "sendbird", "(?:" HEX "{40}|" UUID ")"),
	NAMED("sentry-key", "sentry", HEX "{64}"),
	KEY("shodan-key", "shodan", B62 "{32}"),
	NAMED("snyk-token", "snyk", UUID),
	NAMED("squarespace-token", "squarespace", UUID),
	NAMED("sonar-key", "sonar", WEB "{40}"),
	KEY("sumologic-key", "sumo", B62 "{64}"),
	NAMED("together-key", "together", HEX "{64}"),
	NAMED("travis-token", "travis", WEB "{22}"),
	NAMED("twilio-token", "twilio", HEX "{32}"),
	NAMED("twitch-token", "twitch", "[a-z0-9]{30}"),
	NAMED("twitter-key", "twitter",
	      "(?:\\d{15,25}-" B62 "{20,40}|" B62 "{25}|" B62 "{45}|" B62
	      "{50})"),
	NAMED("vercel-key", "vercel", B62 "{24}"),
	NAMED("virustotal-key", "virustotal", HEX "{64}"),
	NAMED("vonage-secret", "nexmo|vonage", B62 "{16}"),
	KEY("vultr-key", "vultr", "[A-Z0-9]{36}"),
	NAMED("wandb-key", "wandb", HEX "{40}"),
	NAMED("zendesk-token", "zendesk", B62 "{40}"),
};

const size_t secret_services_count = ARRAY_LEN(secret_services);
