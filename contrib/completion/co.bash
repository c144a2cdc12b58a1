# co.bash: completion of co and its programs for bash.
#
# Nothing about them is written here: each is asked for its --spec, lines of
# fields between tabs, when the tab key is pressed.  Works without the package
# bash-completion, from bash 4.4 on.

# What files say must not act on the terminal.
_co_clean() {
	LC_ALL=C awk '{
		gsub(/[\001-\010\013-\037\177]|\302[\200-\237]/, "?"); print
	}'
}

# Set fields to those of the line $1; `read` alone would join empty ones.
_co_fields() {
	IFS=$'\037' read -r -a fields <<<"${1//$'\t'/$'\037'}"
}

# Keep those of the lines on standard input that begin with what was typed;
# where several remain, what follows a tab is shown beside them.
_co_offer() {
	local line
	while IFS= read -r line; do
		[[ ${line%%$'\t'*} != "$typed"* ]] || COMPREPLY+=("$line")
	done
	if ((${#COMPREPLY[@]} == 1)); then
		COMPREPLY=("${COMPREPLY[0]%%$'\t'*}")
	else
		COMPREPLY=("${COMPREPLY[@]/$'\t'/  -- }")
		compopt -o nosort 2>/dev/null
	fi
}

# Those for pipelines come after a hyphen, or where no other one fits.
_co_commands() {
	"${suite[@]}" --spec 2>/dev/null |
		awk -F '\t' -v typed="$typed" '
			$1 != "command" || !sub(/^co-/, "", $2) { next }
			$3 == "plumbing" { low = low $2 "\t" $4 "\n"; next }
			{ print $2 "\t" $4; fits += index($2, typed) == 1 }
			END { if (!fits || typed ~ /-/) printf "%s", low }
		' | _co_clean
}

# Print the table of co-$1; other people's programs are not asked.
_co_spec() {
	"${suite[@]}" --spec 2>/dev/null | awk -F '\t' -v name="co-$1" '
		$2 == name && $3 != "other" { found = 1 }
		END { exit !found }' &&
		"${suite[@]}" "$1" --spec 2>/dev/null
}

_co_ids() {
	local list=(memory-list)
	[[ " ${words[*]} " != *' --global '* ]] || list+=(--global)
	[[ ${words[0]} != *restore ]] || list+=(--trash)
	[[ ${words[0]} != *review ]] || list+=(--drafts)
	"${suite[@]}" "${list[@]}" --format='%(id)%09%(summary)' 2>/dev/null |
		_co_clean
}

_co_tags() {
	local list=(tag)
	[[ " ${words[*]} " != *' --global '* ]] || list+=(--global)
	"${suite[@]}" "${list[@]}" 2>/dev/null |
		awk '{ n = $1; sub(/^ *[0-9]+  /, ""); print $0 "\t" n }' | _co_clean
}

# Complete $typed as the manuals call it: an ID, a FILE, one of `a|b`.
_co_value() {
	case $1 in
	*COMMAND*) _co_offer < <(_co_commands) ;;
	KEY | '[KEY]') _co_offer < <("${suite[@]}" config -l 2>/dev/null |
		sed 's/=.*//' | _co_clean) ;;
	TAG) _co_offer < <(_co_tags) ;;
	*ID*)
		[[ $typed == */* ]] || _co_offer < <(_co_ids)
		[[ $1 != *PATH* ]] || ((${#COMPREPLY[@]})) || _co_value PATH
		;;
	*DIR*)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$typed")
		;;
	*PATH* | *FILE* | PLACE)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$typed")
		;;
	*'|'*) # what is in capitals is no word to type
		_co_offer < <(tr -d '[].' <<<"${1//|/$'\n'}" | sed '/^[A-Z]/d')
		;;
	esac
}

# The option of $spec that the word $1 spells, in fields; false for none.
_co_option() {
	local line
	while IFS= read -r line; do
		_co_fields "$line"
		[[ ${fields[0]} == option ]] || continue
		[[ $1 != "--${fields[2]}" || -z ${fields[2]} ]] || return 0
		[[ $1 != "-${fields[1]}" || -z ${fields[1]} ]] || return 0
	done <<<"$spec"
	return 1
}

_co_options() {
	local line
	while IFS= read -r line; do
		_co_fields "$line"
		[[ ${fields[0]} == option ]] || continue
		if [[ -z ${fields[2]} ]]; then
			printf -- '-%s\t%s\n' "${fields[1]}" "${fields[6]}"
		elif [[ ${fields[3]} == flag ]]; then
			printf -- '--%s\t%s\n' "${fields[2]}" "${fields[6]}"
		else
			printf -- '--%s=\t%s\n' "${fields[2]}" "${fields[6]}"
		fi
	done <<<"$spec"
	printf -- '--help\tthe manual\n'
}

# Complete the last of $words, the arguments of the program that $spec is of.
_co_arguments() {
	local i operands operand=0 options=1 word last=$((${#words[@]} - 1))
	for ((i = 1; i < last; i++)); do
		word=${words[i]}
		if ((!options)) || [[ $word != -?* ]]; then
			((operand++))
		elif [[ $word == -- ]]; then
			options=0
		elif _co_option "$word" && [[ ${fields[3]} != flag ]]; then
			((++i == last)) || continue
			_co_value "${fields[5]:-${fields[4]}}"
			return
		fi
	done
	if ((options)) && [[ $typed == --*=* ]]; then
		word=${typed%%=*} typed=${typed#*=}
		_co_option "$word" || return
		_co_value "${fields[5]:-${fields[4]}}"
		[[ $COMP_WORDBREAKS == *=* ]] ||
			COMPREPLY=("${COMPREPLY[@]/#/$word=}")
	elif ((options)) && [[ $typed == -* ]]; then
		_co_offer < <(_co_options)
		[[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace 2>/dev/null
	else
		IFS=' ' read -r -a operands < <(
			sed -n 's/^operands\t//p' <<<"$spec")
		((operand < ${#operands[@]})) ||
			operand=$((${#operands[@]} - 1))
		((operand < 0)) || _co_value "${operands[operand]}"
	fi
}

_co() {
	local words=() fields=() suite spec typed word at=1
	COMPREPLY=()
	# "--sort=id" may come as three words.
	for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
		if ((${#words[@]})) && [[ ${words[-1]} == --* && ($word == =* ||
			${words[-1]} == *=) ]]; then
			words[-1]+=$word
		else
			words+=("$word")
		fi
	done
	typed=${words[-1]}
	words[0]=${words[0]/#\~\//$HOME/}
	suite=("${words[0]%co*}co")
	if [[ ${words[0]##*/} == co ]]; then
		suite=("${words[0]}")
		while [[ ${words[at]-} == -* ]] && ((at < ${#words[@]} - 1)); do
			[[ ${words[at]} != -C ]] || suite+=(-C "${words[++at]}")
			((at++))
		done
	fi
	if [[ ${words[0]##*/} != co ]]; then
		word=${words[0]##*/}
		spec=$(_co_spec "${word#co-}")
	elif ((at < ${#words[@]} - 1)); then
		words=("${words[@]:at}")
		spec=$(_co_spec "${words[0]}")
	else
		spec=$("${suite[@]}" --spec 2>/dev/null)
	fi
	[[ -z $spec ]] || _co_arguments
}

_co_install() {
	local program
	complete -F _co co
	while read -r program; do
		complete -F _co "$program"
	done < <(co --spec 2>/dev/null | awk -F '\t' '
		$1 == "command" && $3 != "other" { print $2 }')
}

((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)) || _co_install
