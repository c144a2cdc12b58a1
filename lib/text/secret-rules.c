/* secret-rules.c: key blocks, tokens in headers and URLs, and strings that the
 * words before them call a secret.
 *
 * Known limits: a password of letters only is found only in a URL; one on a
 * line of its own is not found.
 */
#include "text/secret-rules.h"

#define FORM(id, keywords, pattern, what, value)                 \
	{                                                        \
		id, keywords, pattern, what, value, false, false \
	}
/* Found by a word, which may be the end of a longer one: DB_PASSWORD. */
#define CALLED(id, keywords, pattern, what, value)             \
	{                                                      \
		id, keywords, pattern, what, value, true, true \
	}

/* Separates the header of a block from its base64: line ends, also written as
 * \n, indentation and quoting. */
#define BREAK "[\\s\\\\nr\"'`>|+,#]{0,200}+"
#define HEADERS "(?:[A-Z][A-Za-z-]{2,20}: [^\\n\\\\]{1,100}+" BREAK "){0,6}+"

/* Words after which no secret follows: next page token, csrf token. */
#define NOT_AFTER                                           \
	"(?<!csrf|xsrf|page|next|sync|public|cache|prompt|" \
	"csrf[_ -]|xsrf[_ -]|page[_ -]|next[_ -]|sync[_ -]|public[_ -])"
#define KEY_REST                                              \
	"(?:[_ -]?(?:access[_ -]?)?key(?:[_ -]?base)?|[_ -]?" \
	"(?:token|value|string|v?\\d{1,2}))?s?"
#define KEY_VALUE "([A-Za-z0-9_+/.=~-]{16,200})(?=[\\s\"'`,;&)\\]}<>*|\\\\]|$)"
#define KEY_NAMES                                                         \
	"(?i:secret|token|(?:api|access|auth|private|signing|encryption|" \
	"master|account|license|storage)[_ -]?key|credentials?)"
#define PASSWORD "(?i:passw(?:or)?d|passphrase|passwort|pwd)s?"
#define PASSWORD_VALUE                                                    \
	"(?|\"([^\"\\s]{8,128})\"|'([^'\\s]{8,128})'|`([^`\\s]{8,128})`|" \
	"([^\\s\"'`<>(){}\\[\\],;]{8,128})(?=[\\s\"'`<,;)\\]}]|$))"

const struct secret_rule secret_rules[] = {
	/* blocks and files */
	FORM("private-key", "-----begin ",
	     "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----" BREAK
		     HEADERS "([A-Za-z0-9+/=]{30,500})",
	     "private key in PEM, OpenSSH or PGP form",
	     SECRET_PLAUSIBLE_MARKED),
	FORM("putty-key", "private-lines: ",
	     "Private-Lines: \\d{1,4}" BREAK "(" B64 "{30,64})",
	     "PuTTY private key", SECRET_PLAUSIBLE_MARKED),
	FORM("age-key", "age-secret-key-1",
	     "AGE-SECRET-KEY-1([0-9A-Z]{58})" END, "age secret key",
	     SECRET_PLAUSIBLE_MARKED),
	FORM("minisign-key", "rwrty0iy", "RWRTY0Iy(" B64 "{100,500}={0,2})",
	     "minisign secret key", SECRET_PLAUSIBLE_MARKED),
	FORM("wireguard-key", "privatekey|presharedkey",
	     "(?i:PrivateKey|PresharedKey)" SPACE "=" SPACE "(" B64
	     "{43}=)" B64_END,
	     "WireGuard key", SECRET_PLAUSIBLE_MARKED),
	FORM("jwk-key", "\"kty\"",
	     "\"kty\"[^{}]{0,500}?\"[dk]\"\\s{0,4}:\\s{0,4}"
	     "\"(" WEB "{22,500})\"",
	     "private JSON Web Key", SECRET_PLAUSIBLE_MARKED),
	FORM("extended-key", "xprv", "xprv([1-9A-HJ-NP-Za-km-z]{107})" END,
	     "wallet's extended private key", SECRET_PLAUSIBLE_MARKED),
	FORM("kubernetes-secret",
	     "kind: secret|kind: \"secret\"|kind: 'secret'",
	     "(?s)(?i:kind: [\"']?secret)[\"'\\s].{0,400}?\\b"
	     "(?:data|stringData):\\s{1,9}[\\w.-]{1,99}:[ \\t]*[|>]?\\s{0,9}"
	     "[\"']?([A-Za-z0-9+/]{12,500}={0,2})",
	     "value of a Kubernetes Secret", SECRET_PLAUSIBLE_MARKED),
	FORM("docker-auth", "\"auth\"",
	     "\"auth\"\\s{0,4}:\\s{0,4}\"(" B64 "{12,500}={0,2})\"",
	     "login in a Docker configuration", SECRET_PLAUSIBLE_BASIC),
	FORM("nuget-password", "<add key=",
	     "(?i)<add key=\"(?:ClearText)?Password\"\\s{1,4}value="
	     "\"([^\"]{6,200})\"",
	     "password in a NuGet configuration", SECRET_PLAUSIBLE_URL),
	FORM("netrc-password", "machine ",
	     "machine (?!\\S*example)\\S{1,255}\\s{1,8}login \\S{1,128}\\s{1,8}"
	     "password (\\S{4,128})",
	     "password in a netrc", SECRET_PLAUSIBLE_URL),

	/* requests */
	FORM("jwt", "eyj",
	     "eyJ(" WEB "{10,3000}+\\.eyJ" WEB "{10,3000}+\\." WEB "{10,1000})",
	     "JSON Web Token", SECRET_PLAUSIBLE_MARKED),
	FORM("jwt-base64", "zxlk", "ZXlK(" B64 "{80,500}={0,2})",
	     "JSON Web Token in base64", SECRET_PLAUSIBLE_MARKED),
	FORM("bearer-token", "bearer ",
	     "(?i:bearer)[ \\t]{1,4}([\\w.~+/=-]{20,2000})", "bearer token",
	     SECRET_PLAUSIBLE_KEY),
	FORM("basic-auth", "basic ",
	     "(?i:basic)[ \\t]{1,4}(" B64 "{8,400}={0,2})" B64_END,
	     "login of HTTP's basic authentication", SECRET_PLAUSIBLE_BASIC),
	FORM("curl-user", "curl ",
	     "curl(?:[^\\n]|\\\\\\n){0,200}?[ "
	     "\\t](?:-u|--user|-U|--proxy-user)[ =]?"
	     "[\"']?[^\\s:\"'$<{]{1,60}[\"']?:[\"']?"
	     "([^\\s\"'$<{][^\\s\"']{3,80})",
	     "login on curl's command line", SECRET_PLAUSIBLE_URL),
	{"url-password", "://",
	 "://([^\\s/?#:@\"'`<>{}()\\[\\]]{0,128}:[^\\s/?#:@\"'`<>{}\\[\\]]"
	 "{3,200})@(?![<$\\{\\[*.])",
	 "password in a URL", SECRET_PLAUSIBLE_URL, true, false},
	CALLED("aws-secret-key",
	       "aws_secret|secret_access_key|secretaccesskey|"
	       "secret access key|secret-access-key",
	       "(?i:aws|secret)[\\w -]{0,30}" ASSIGNED
	       "([A-Za-z0-9/+]{40})" B64_END,
	       "AWS secret access key", SECRET_PLAUSIBLE_MARKED),
	CALLED("aws-session-token", "session_token|sessiontoken|session token",
	       "(?i:session[_ ]?token)" ASSIGNED "(" B64 "{100,500}={0,2})",
	       "AWS session token", SECRET_PLAUSIBLE_MARKED),

	CALLED("sidekiq-secret", "contribsys__com",
	       "\\w{15}" ASSIGNED "(" HEX "{8}:" HEX "{8})" END,
	       "Sidekiq secret", SECRET_PLAUSIBLE_ANY),

	/* anything called a secret */
	CALLED("assigned-secret",
	       "secret|token|credential|api_key|api-key|api key|apikey|"
	       "access_key|access-key|access key|accesskey|auth_key|auth-key|"
	       "auth key|authkey|private_key|private-key|private key|"
	       "privatekey|signing_key|signing-key|signing key|signingkey|"
	       "encryption_key|encryption-key|encryption key|encryptionkey|"
	       "master_key|master-key|master key|masterkey|account_key|"
	       "account-key|account key|accountkey|license_key|license-key|"
	       "license key|licensekey|storage_key|storage-key|storage key|"
	       "storagekey",
	       NOT_AFTER KEY_NAMES KEY_REST ASSIGNED KEY_VALUE,
	       "value of what is called a key, token or secret",
	       SECRET_PLAUSIBLE_KEY),
	CALLED("told-secret", "secret|token|api key|access key|private key",
	       NOT_AFTER KEY_NAMES KEY_REST QUOTE " is" SPACE
						  ":?" SPACE QUOTE KEY_VALUE,
	       "key, token or secret told in a sentence", SECRET_PLAUSIBLE_KEY),
	CALLED("assigned-password", "password|passwd|passphrase|passwort|pwd",
	       PASSWORD ASSIGNED PASSWORD_VALUE,
	       "value of what is called a password", SECRET_PLAUSIBLE_PASSWORD),
	CALLED("password-option", "--password |--passwd |--passphrase ",
	       "--pass\\w{1,6} {1,2}" PASSWORD_VALUE,
	       "password on a command line", SECRET_PLAUSIBLE_PASSWORD),
	CALLED("password-element", "password>|passwd>|passphrase>",
	       "[Pp]ass\\w{1,6}>([^<>\\s]{8,128})</",
	       "password in an XML element", SECRET_PLAUSIBLE_PASSWORD),
	CALLED("told-password", "password|passwd|passphrase|passwort",
	       PASSWORD QUOTE "[ \\t](?:is|ist)(?: now| still)?" SPACE
			      ":?" SPACE PASSWORD_VALUE,
	       "password told in a sentence", SECRET_PLAUSIBLE_SAID),
};

const size_t secret_rules_count = ARRAY_LEN(secret_rules);
