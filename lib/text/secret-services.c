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

#define KEY(id, keywords, value, what)                            \
	{                                                         \
		id, keywords, NAME "(" value ")" VALUE_END, what, \
			SECRET_PLAUSIBLE_KEY, true, false         \
	}
#define NAMED(id, keywords, value, what)                                   \
	{                                                                  \
		id, keywords, NAME_AND_WORD "(" value ")" VALUE_END, what, \
			SECRET_PLAUSIBLE_KEY, true, false                  \
	}

const struct secret_rule secret_services[] = {
	KEY("adafruit-key", "adafruit", "[a-z0-9_-]{32}", "Adafruit IO key"),
	NAMED("adobe-key", "adobe", HEX "{32}", "Adobe key"),
	NAMED("airtable-key", "airtable", "[a-z0-9]{17}", "Airtable key"),
	KEY("algolia-key", "algolia", "[a-z0-9]{32}", "Algolia key"),
	KEY("alibaba-secret-key", "alibaba|aliyun", B62 "{30}",
	    "Alibaba Cloud key"),
	KEY("asana-secret", "asana", "[a-z0-9]{32}", "Asana secret"),
	NAMED("assemblyai-key", "assemblyai|assembly_ai", HEX "{32}",
	      "AssemblyAI key"),
	KEY("beamer-token", "beamer", "b_[a-z0-9=_-]{44}", "Beamer token"),
	KEY("binance-key", "binance", B62 "{64}", "Binance key"),
	NAMED("bitbucket-secret", "bitbucket",
	      "(?:[a-z0-9]{32}|[a-z0-9=_-]{64})", "Bitbucket secret"),
	KEY("bittrex-key", "bittrex", "[a-z0-9]{32}", "Bittrex key"),
	KEY("cloudflare-key", "cloudflare|cf_api",
	    "(?:(?!" HEX "{40})" WEB "{40}|" HEX "{37})", "Cloudflare key"),
	NAMED("codecov-token", "codecov", "[a-z0-9-]{32,36}", "Codecov token"),
	KEY("cohere-key", "cohere|co_api_key", B62 "{40}", "Cohere key"),
	KEY("coinbase-token", "coinbase", "[a-z0-9_-]{64}", "Coinbase token"),
	NAMED("confluent-key", "confluent", "(?:" B64 "{64}|[A-Z0-9]{16})",
	      "Confluent key"),
	KEY("contentful-key", "contentful", WEB "{43}", "Contentful key"),
	NAMED("datadog-key", "datadog|dd_api|dd_app", HEX "{32}(?:" HEX "{8})?",
	      "Datadog key"),
	NAMED("discord-key", "discord", "(?:" HEX "{64}|" WEB "{32})",
	      "Discord key"),
	KEY("drone-token", "droneci|drone_token|drone-token", B62 "{32}",
	    "Drone CI token"),
	NAMED("dropbox-key", "dropbox", "[a-z0-9]{15}", "Dropbox key"),
	NAMED("etsy-token", "etsy", "[a-z0-9]{24}", "Etsy token"),
	NAMED("facebook-secret", "facebook|fb_app", HEX "{32}",
	      "Facebook secret"),
	NAMED("fastly-token", "fastly", WEB "{32}", "Fastly token"),
	KEY("finicity-key", "finicity", "(?:" HEX "{32}|[a-z0-9]{20})",
	    "Finicity key"),
	KEY("finnhub-token", "finnhub", "[a-z0-9]{20}", "Finnhub token"),
	NAMED("flickr-key", "flickr", HEX "{32}", "Flickr key"),
	KEY("freshbooks-token", "freshbooks", "[a-z0-9]{64}",
	    "FreshBooks token"),
	NAMED("gitter-token", "gitter", "[a-z0-9]{40}", "Gitter token"),
	KEY("gocardless-token", "gocardless", "live_" WEB "{40}",
	    "GoCardless token"),
	NAMED("heroku-key", "heroku", UUID, "Heroku key"),
	KEY("hetzner-token", "hetzner|hcloud", B62 "{64}",
	    "Hetzner Cloud token"),
	NAMED("hubspot-key", "hubspot", UUID, "HubSpot key"),
	KEY("intercom-key", "intercom", "[\\w=-]{60}", "Intercom key"),
	NAMED("jenkins-token", "jenkins", "11" HEX "{32}", "Jenkins token"),
	NAMED("jfrog-secret", "jfrog|artifactory|bintray|xray",
	      B62 "{64}(?:" B62 "{9})?", "JFrog secret"),
	KEY("kraken-key", "kraken", "[A-Za-z0-9/=_+-]{80,90}", "Kraken key"),
	NAMED("kucoin-key", "kucoin", "(?:" HEX "{24}|" UUID ")", "KuCoin key"),
	NAMED("launchdarkly-key", "launchdarkly",
	      "(?:[a-z]{3}-" UUID "|" WEB "{40})", "LaunchDarkly key"),
	NAMED("linear-secret", "linear", HEX "{32}", "Linear secret"),
	NAMED("linkedin-secret", "linkedin|linked_in|linked-in", B62 "{16}",
	      "LinkedIn secret"),
	KEY("linode-token", "linode", HEX "{64}", "Linode token"),
	NAMED("looker-secret", "looker", "[A-Za-z0-9]{24}", "Looker secret"),
	KEY("mandrill-key", "mandrill", "md-" WEB "{22}", "Mandrill API key"),
	KEY("mailgun-signing-key", "mailgun", HEX "{32}-" HEX "{8}-" HEX "{8}",
	    "Mailgun key"),
	KEY("mapbox-key", "mapbox", "pk\\." WEB "{60,500}\\." WEB "{22}",
	    "Mapbox key"),
	NAMED("mattermost-token", "mattermost", "[a-z0-9]{26}",
	      "Mattermost token"),
	KEY("meraki-key", "meraki", HEX "{40}", "Cisco Meraki key"),
	NAMED("messagebird-key", "messagebird|message-bird|message_bird",
	      "(?:" B62 "{25}|" UUID ")", "MessageBird key"),
	NAMED("mistral-key", "mistral", B62 "{32}", "Mistral key"),
	NAMED("netlify-key", "netlify", WEB "{40,46}", "Netlify key"),
	KEY("newrelic-user-key", "newrelic|new-relic|new_relic", "[a-z0-9]{64}",
	    "New Relic key"),
	KEY("ngrok-token", "ngrok", B62 "{25,32}_" B62 "{18,24}",
	    "ngrok token"),
	KEY("nytimes-key", "nytimes|newyorktimes|new-york-times",
	    "[A-Za-z0-9=_-]{32}", "New York Times key"),
	KEY("okta-token", "okta", "00[\\w=-]{40}", "Okta token"),
	NAMED("opsgenie-key", "opsgenie", UUID, "Opsgenie key"),
	NAMED("pagerduty-key", "pagerduty", "[A-Za-z0-9_+-]{20}",
	      "PagerDuty key"),
	NAMED("plaid-key", "plaid", "[a-z0-9]{30}", "Plaid key"),
	NAMED("postmark-token", "postmark", UUID, "Postmark token"),
	KEY("privateai-key", "privateai|private_ai|private-ai", "[a-z0-9]{32}",
	    "Private AI key"),
	KEY("rapidapi-token", "rapidapi", WEB "{50}", "RapidAPI token"),
	NAMED("scaleway-key", "scaleway|scw_secret", UUID, "Scaleway key"),
	NAMED("sendbird-token", "sendbird", "(?:" HEX "{40}|" UUID ")",
	      "Sendbird token"),
	NAMED("sentry-key", "sentry", HEX "{64}", "Sentry key"),
	KEY("shodan-key", "shodan", B62 "{32}", "Shodan key"),
	NAMED("snyk-token", "snyk", UUID, "Snyk token"),
	NAMED("squarespace-token", "squarespace", UUID, "Squarespace token"),
	NAMED("sonar-key", "sonar", WEB "{40}", "SonarQube key"),
	KEY("sumologic-key", "sumo", B62 "{64}", "Sumo Logic key"),
	NAMED("together-key", "together", HEX "{64}", "Together AI key"),
	NAMED("travis-token", "travis", WEB "{22}", "Travis CI token"),
	NAMED("twilio-token", "twilio", HEX "{32}", "Twilio token"),
	NAMED("twitch-token", "twitch", "[a-z0-9]{30}", "Twitch token"),
	NAMED("twitter-key", "twitter",
	      "(?:\\d{15,25}-" B62 "{20,40}|" B62 "{25}|" B62 "{45}|" B62
	      "{50})",
	      "Twitter key"),
	NAMED("vercel-key", "vercel", B62 "{24}", "Vercel key"),
	NAMED("virustotal-key", "virustotal", HEX "{64}", "VirusTotal key"),
	NAMED("vonage-secret", "nexmo|vonage", B62 "{16}", "Vonage secret"),
	KEY("vultr-key", "vultr", "[A-Z0-9]{36}", "Vultr key"),
	NAMED("wandb-key", "wandb", HEX "{40}", "Weights & Biases key"),
	NAMED("zendesk-token", "zendesk", B62 "{40}", "Zendesk token"),
};

const size_t secret_services_count = ARRAY_LEN(secret_services);
