# t/lib.bash: loaded by every test file.
#
# Each test has its own world: a fresh HOME, an empty working directory outside any git
# work tree, a fixed clock, no locale, and the built programs first in PATH. Tests read
# and write none of the caller's files.
bats_require_minimum_version 1.5.0

CO_SOURCE=${BATS_TEST_DIRNAME%/*}
CO_BIN=${CO_BIN:-$CO_SOURCE/build/bin}
[[ $CO_BIN == /* ]] || CO_BIN=$(cd "$CO_BIN" && pwd)
export CO_BIN CO_SOURCE

# trace_less: record the position of a test only when a command fails. bats records it
# before each command, in a trap that took a third of the processor time of all tests.
# bats --trace still does.
trace_less() {
	[ "${BATS_TRACE_LEVEL:-0}" -eq 0 ] || return 0
	declare -F bats_capture_stack_trace >/dev/null || return 0
	trap - DEBUG
	BATS_DEBUG_LASTLAST_STACK_TRACE=()
	bats_error_trap() {
		bats_check_status_from_trap
		bats_capture_stack_trace
		BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
	}
}
# For setup_file: bats sets this variable while it runs one.
[ -z "${BATS_SOURCE_FILE_COMPLETED+is}" ] || trace_less

# bats would start three processes before each test to read the clock.
[ -z "${EPOCHREALTIME-}" ] || get_mills_since_epoch() {
	printf '%s\n' $((${EPOCHREALTIME/[.,]/} / 1000))
}

# jq: gojq starts in an eighth of the time of jq 1.6. It sorts the members of the objects
# that it prints and lacks three functions, so jq does what may depend on these.
! command -v gojq >/dev/null || jq() {
	if [[ " $* " =~ \ -[a-z]*[cS][a-z]*\ |\ \.\ |_entries|keys_unsorted|input_line ]]; then
		command jq "$@"
	else
		gojq "$@"
	fi
}

world() {
	trace_less
	export HOME=$BATS_TEST_TMPDIR/home LC_ALL=C TZ=UTC
	export CO_NOW=2026-02-09T14:30:00Z TERM=dumb
	unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_DATA_HOME
	unset XDG_RUNTIME_DIR SUDO_UID
	unset CLAUDE_CONFIG_DIR CODEX_HOME COPILOT_HOME QWEN_HOME
	unset CONTINUE_GLOBAL_DIR CLINE_DIR CLINE_DATA_DIR
	unset PI_CODING_AGENT_DIR PI_CODING_AGENT_SESSION_DIR
	unset GOOSE_PATH_ROOT CRUSH_GLOBAL_DATA KIRO_HOME
	unset CLAUDE_PROJECT_DIR GEMINI_PROJECT_DIR
	unset VISUAL EDITOR PAGER MANPAGER NO_COLOR
	export GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$BATS_TEST_TMPDIR
	PATH=$CO_BIN:$PATH
	mkdir -p "$HOME" "$BATS_TEST_TMPDIR/project"
	cd -P "$BATS_TEST_TMPDIR/project" || return 1
	oplog=$PWD/.co-cli
	oplog=${oplog//%/%25}
	oplog=$HOME/.local/state/co-cli/log/${oplog//\//%2F}
	cd "$BATS_TEST_TMPDIR/project" || return 1
	memories=.co-cli/knowledge/memories
	drafts=.co-cli/knowledge/drafts
	trash=.co-cli/knowledge/trash
	archive=.co-cli/knowledge/archive
	global=$HOME/.config/co-cli
}

# place PATH: print PATH as one file name, like the directories of the log and of
# drafts.
place() {
	local path=${1//%/%25}
	printf '%s\n' "${path//\//%2F}"
}

setup() {
	world
}

# expect: compare $output (of `run`) with standard input, byte for byte, except for
# newlines at the end, which `run` drops.
expect() {
	local got=${output:+$output$'\n'} want
	# read succeeds if it finds a NUL byte, which $output never has.
	if ! IFS= read -r -d '' want && [ "$want" = "$got" ]; then
		return 0
	fi
	diff -u <(printf '%s' "$want") <(printf '%s' "$got")
	return 1
}

# copy: print standard input without starting a process.
copy() {
	local text
	while IFS= read -r -d '' text; do
		printf '%s\0' "$text"
	done
	printf '%s' "$text"
}

# memory ID CREATED TAGS [FILE] <BODY: write a memory file as a person might.
memory() {
	local file=${4-}
	[ -n "$file" ] || printf -v file '%s/%03d-m.md' "$memories" "$1"
	[[ $file != */* || -d ${file%/*} ]] || mkdir -p "${file%/*}"
	{
		printf -- '---\nid: %s\ncreated: %s\n' "$1" "$2"
		printf 'tags: [%s]\nsource: user-told\n---\n\n' "$3"
		copy
	} >"$file"
}

# tree DIR: print the names of all files below DIR, then each with its content, to
# compare two stores. Times are left out, and so is the project id, which is random.
tree() {
	local files
	(
		cd "$1" || exit
		mapfile -t files < <(find . -type f -print | LC_ALL=C sort)
		[ "${#files[@]}" != 0 ] || exit 0
		printf '== %s\n' "${files[@]}"
		sed -sE '1F;s/("id": ")[a-z2-7]{20}"/\1ID"/' "${files[@]}"
	)
}

# need_strace: skip if strace is missing or cannot trace the programs, for instance
# because they have a leak checker.
need_strace() {
	strace -o /dev/null co-memory-next-id >/dev/null 2>&1 ||
		skip "strace is missing or cannot trace these programs"
}

# context FILE <BODY: write a valid context.
context() {
	[[ $1 != */* || -d ${1%/*} ]] || mkdir -p "${1%/*}"
	{
		printf -- '---\nversion: 1\nupdated: 2026-02-09T14:30:00Z\n'
		printf -- '---\n\n'
		copy
	} >"$1"
}

# commit MESSAGE: commit all changes of the work tree to git.
commit() {
	git add -A .
	git commit -qm "$1"
}

# forget_make: make sure that a make that a test runs inherits nothing from the make
# that runs the tests.
forget_make() {
	unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES T B CC CFLAGS
	unset DEV SAN COV STATIC
}

# age_litter: make the temporary files of killed writers so old that the next writer
# removes them.
age_litter() {
	find .co-cli -name '.co-tmp*' -exec touch -h -d '2 hours ago' {} +
}

# value KEY...: print the value of the first KEY, at any depth, in the line on standard
# input, or null. It must be a string, a number, true, false or null. Unlike jq, this
# starts no process.
value() {
	local line key rest
	IFS= read -r line || [ -n "$line" ] || return
	for key; do
		if [[ ! $line =~ \"$key\":(.*) ]]; then
			echo null
			continue
		fi
		rest=${BASH_REMATCH[1]}
		if [[ $rest != \"* ]]; then
			printf '%s\n' "${rest%%[],\}]*}"
			continue
		fi
		# Hide escaped characters, to find the quote that ends the string.
		rest=${rest#\"}
		rest=${rest//\\\\/$'\1'}
		rest=${rest//\\\"/$'\2'}
		rest=${rest%%\"*}
		rest=${rest//$'\2'/\"}
		printf '%b\n' "${rest//$'\1'/\\\\}"
	done
}

# hook_event SESSION NAME [MEMBERS]: print an event that an agent of this directory
# reports, with more MEMBERS of JSON.
hook_event() {
	printf '{"session_id":"%s","cwd":%s,"hook_event_name":"%s"%s}\n' "$1" \
		"$(json_string "$PWD")" "$2" "${3:+,$3}"
}

# json_string TEXT: print TEXT as a string of JSON.
json_string() {
	local text=${1//\\/\\\\}
	text=${text//\"/\\\"}
	text=${text//$'\n'/\\n}
	text=${text//$'\t'/\\t}
	text=${text//$'\1'/\\u0001}
	printf '"%s"' "${text//$'\e'/\\u001b}"
}
