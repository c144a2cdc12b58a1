# t/mcp.bash: a client of the MCP server, written in bash. Load it after lib.bash.

# printf composes the requests. METHOD and NAME are plain words, and the other arguments
# are JSON on one line.

# call ID METHOD [PARAMS]: print a request of a legacy session on one line.
call() {
	printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\n' \
		"$1" "$2" "${3:-{\}}"
}

# hello [VERSION] [CAPABILITIES]: print the request that begins a legacy session.
hello() {
	call '"hello"' initialize "{\"protocolVersion\":\"${1:-2025-11-25}\",\
\"capabilities\":${2:-{\}},\"clientInfo\":{\"name\":\"shell\",\"version\":\"1\"}}"
	echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
}

# modern ID METHOD [PARAMS] [CAPABILITIES]: print a request of version 2026-07-28.
modern() {
	local params=${3:-{\}}
	params=${params%\}}
	[ "$params" = '{' ] || params+=,
	call "$1" "$2" "$params\"_meta\":{\
\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\
\"io.modelcontextprotocol/clientCapabilities\":${4:-{\}},\
\"io.modelcontextprotocol/clientInfo\":{\"name\":\"new\",\"version\":\"1\"}}}"
}

# tool NAME [ARGUMENTS]: print the params of a tool call.
tool() {
	printf '{"name":"%s","arguments":%s}\n' "$1" "${2:-{\}}"
}

# session: start a server. say() sends lines to it, and heard() reads its lines.
session() {
	coproc SERVER { exec co mcp 2>errors; }
	server=$SERVER_PID
	# Bash closes its own ends when the server has ended.
	exec {ears}<&"${SERVER[0]}" {mouth}>&"${SERVER[1]}"
	eval "exec ${SERVER[1]}>&- ${SERVER[0]}<&-"
}

say() {
	printf '%s\n' "$@" >&"$mouth"
}

# heard: read the next line of the server within a minute, set $line to it and print it.
heard() {
	IFS= read -r -t 60 line <&"$ears" && printf '%s\n' "$line"
}

# hang_up: close the server's input and wait until it ends.
hang_up() {
	exec {mouth}>&-
	wait "$server"
}

# result: print the result of the answer on standard input, or null.
result() {
	local line
	IFS= read -r line || [ -n "$line" ] || return
	if [[ $line =~ ^'{"jsonrpc":"2.0","id":'[^,]*',"result":'(.*)'}'$ ]]; then
		printf '%s\n' "${BASH_REMATCH[1]}"
	else
		echo null
	fi
}

# text ID: print the text of the answer to the call ID, from the answers on standard
# input.
text() {
	local line
	while IFS= read -r line; do
		[[ $line != *"\"id\":$1,\"result\":"* ]] || value text <<<"$line"
	done
}

# A client that can ask its user with a form.
# shellcheck disable=SC2034 # used by files that load this
forms='{"elicitation":{"form":{}}}'

# propose ARGUMENTS [CAPABILITIES]: print the answer to a stateless call of the
# tool $proposes.
propose() {
	modern 1 tools/call "$(tool "$proposes" "$1")" "${2:-{\}}" |
		co mcp 2>>errors
}

# again ARGUMENTS STATE ACTION: print the answer to the repeated call, which has the
# decision of the user.
again() {
	modern 2 tools/call "{\"name\":\"$proposes\",\"arguments\":$1,\
\"requestState\":\"$2\",\"inputResponses\":\
{\"approve\":{\"action\":\"$3\",\"content\":{}}}}" "$forms" |
		co mcp 2>>errors
}

# outcome: print the status and the text of the answer on standard input.
outcome() {
	value status text
}
