load lib

@test "co version prints its version and those of the libraries" {
	run -0 co version
	[[ ${lines[0]} =~ ^version\ +[0-9]+\.[0-9]+\.[0-9]+$ ]]
	[[ $output == *libyaml\ [0-9]* && $output == *PCRE2\ [0-9]* ]]
	[[ $output == *jansson\ [0-9]* && $output == *SQLite\ [0-9]* &&
		$output == *utf8proc\ [0-9]* && $output == *zstd* ]]
	[[ ${lines[3]} == "programs   "*/ ]]
	[ "$(co --version)" = "co ${lines[0]##* }" ]
}

@test "co version --json prints the same facts as one JSON object" {
	run -0 jq -r 'to_entries[] | .key + " " + .value' <(co version --json)
	[ "$output" = "$(co version | sed 's/  */ /')" ]
}

@test "co version refuses operands" {
	run -2 co version 1
	[ "${lines[0]}" = "co-version: unexpected operand '1'" ]
}
