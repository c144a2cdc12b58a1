# package.jq: the package.json of the package, or of the part of it for Linux on
# $cpu, or of that with the model if $cpu is "model"; from about.json, for
# $version; $cpus are those that there are parts for.
.package as $name |
if $cpu == "" then {
	name: $name,
	version: $version,
	description,
	keywords,
	author,
	mcpName: .server,
	bin: {($name): "bin/memory.js", co: "bin/co.js", "co-hook": "bin/co-hook.js"},
	files: ["bin", "run.js"],
	engines: {node: ">=16"},
	optionalDependencies: ($cpus | map({key: "\($name)-linux-\(.)", value: $version}) | from_entries)
} elif $cpu == "model" then {
	name: "\($name)-model",
	version: $version,
	description: "The encoder of sentences of \($name).",
	author,
	files: ["models"],
	preferUnplugged: true
} else {
	name: "\($name)-linux-\($cpu)",
	version: $version,
	description: "The programs of \($name) for Linux on \($cpu).",
	author,
	files: ["bin", "share"],
	os: ["linux"],
	cpu: [$cpu],
	optionalDependencies: {"\($name)-model": $version},
	preferUnplugged: true
} end
