# t/mcp.bash: an agent that is a shell; behind lib.bash.

# call ID METHOD [PARAMS]: a request of a legacy session, one line.
call() {
	jq -nc --argjson id "$1" --arg method "$2" --argjson params "${3:-{\}}" \
		'{jsonrpc: "2.0", id: $id, method: $method, params: $params}'
}

# hello [VERSION] [CAPABILITIES]: the request that begins a legacy session.
hello() {
	call '"hello"' initialize "$(jq -nc --arg v "${1:-2025-11-25}" \
		--argjson c "${2:-{\}}" '{protocolVersion: $v, capabilities: $c,
			clientInfo: {name: "shell", version: "1"}}')"
	echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
}

# modern ID METHOD [PARAMS] [CAPABILITIES]: a request of 2026-07-28.
modern() {
	local meta
	meta=$(jq -nc --argjson c "${4:-{\}}" '{
		"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": $c,
		"io.modelcontextprotocol/clientInfo": {name: "new", version: "1"}}')
	call "$1" "$2" "$(jq -nc --argjson p "${3:-{\}}" \
		--argjson m "$meta" '$p + {_meta: $m}')"
}

# tool NAME [ARGUMENTS]: the params of a tool's call.
tool() {
	jq -nc --arg name "$1" --argjson a "${2:-{\}}" '{name: $name, arguments: $a}'
}

# session: a server whose lines can be sent and read one by one.
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

# heard: the next line of the server, which must come within a minute.
heard() {
	IFS= read -r -t 60 line <&"$ears" && printf '%s\n' "$line"
}

# hang_up: close the server's input and wait for its end.
hang_up() {
	exec {mouth}>&-
	wait "$server"
}

# text ID: that of the result of the call ID on standard input.
text() {
	jq -r --argjson id "$1" 'select(.id == $id).result.content[0].text'
}

# A client that can ask its user by a form.
# shellcheck disable=SC2034 # used by who loads this
forms='{"elicitation":{"form":{}}}'

# propose ARGUMENTS [CAPABILITIES]: the answer to a stateless call of the tool
# $proposes.
propose() {
	modern 1 tools/call "$(tool "$proposes" "$1")" "${2:-{\}}" |
		co mcp 2>>errors
}

# again ARGUMENTS STATE ACTION: the call that comes back with the user's word.
again() {
	modern 2 tools/call "$(jq -nc --arg n "$proposes" --argjson a "$1" \
		--arg s "$2" --arg w "$3" '
		{name: $n, arguments: $a, requestState: $s,
		 inputResponses: {approve: {action: $w, content: {}}}}')" "$forms" |
		co mcp 2>>errors
}

# outcome: what came of it, of the answer on standard input.
outcome() {
	jq -r '.result.structuredContent.status, .result.content[0].text'
}
