# co.fish: completion of co and its programs for fish.
#
# Nothing about them is written here: each is asked for its --spec, lines of
# fields between tabs, when the tab key is pressed.

# What files say must not act on the terminal.
function __co_clean
    LC_ALL=C awk '{
        gsub(/[\001-\010\013-\037\177]|\302[\200-\237]/, "?"); print
    }'
end

# __co_value WHAT BEFORE: words for WHAT as the manuals call it, an ID, a FILE,
# one of `a|b`, each with BEFORE in front.
function __co_value
    switch $argv[1]
        case '*COMMAND*'
            # Those for pipelines come after a hyphen, or where no other one fits.
            $__co_suite --spec 2>/dev/null | awk -F '\t' -v typed="$__co_typed" '
                $1 != "command" || !sub(/^co-/, "", $2) { next }
                $3 == "plumbing" { low = low $2 "\t" $4 "\n"; next }
                { print $2 "\t" $4; fits += index($2, typed) == 1 }
                END { if (!fits || typed ~ /-/) printf "%s", low }' | __co_clean
        case KEY '[KEY]'
            $__co_suite config -l 2>/dev/null |
                string replace -r '=(.*)' '\t$1' | __co_clean |
                string replace -r '^' -- "$argv[2]"
        case TAG
            set -l list tag
            contains -- --global $__co_words; and set -a list --global
            $__co_suite $list 2>/dev/null |
                string replace -r '^ *(\d+)  (.*)' '$2\t$1' |
                __co_clean | string replace -r '^' -- "$argv[2]"
        case '*ID*'
            set -l list memory-list
            contains -- --global $__co_words; and set -a list --global
            string match -q '*restore' $__co_words[1]; and set -a list --trash
            string match -q '*review' $__co_words[1]; and set -a list --drafts
            $__co_suite $list --format='%(id)%09%(summary)' 2>/dev/null |
                __co_clean | string replace -r '^' -- "$argv[2]"
            string match -q '*PATH*' $argv[1]; and __co_value PATH $argv[2]
        case '*DIR*'
            __fish_complete_directories (string replace -- "$argv[2]" '' "$__co_typed") |
                string replace -r '^' -- "$argv[2]"
        case '*PATH*' '*FILE*' PLACE
            __fish_complete_path (string replace -- "$argv[2]" '' "$__co_typed") |
                string replace -r '^' -- "$argv[2]"
        case '*|*'
            # What is in capitals is no word to type.
            string split '|' (string replace -ra '[][.]' '' $argv[1]) |
                string match -r '^[a-z].*' | string replace -r '^' -- "$argv[2]"
    end
end

# __co_option WORD: what the value of the option that WORD spells is; empty for
# a flag, and false where there is no such option.
function __co_option
    for line in $__co_spec
        set -l f (string split \t -- $line)
        # Not by `test`, which would take -r for a word of its own.
        if test $f[1] = option; and contains -- $argv[1] --$f[3] -$f[2]
            if test $f[4] = flag
                echo ''
            else if test -n "$f[6]"
                echo $f[6]
            else
                echo $f[5]
            end
            return 0
        end
    end
    return 1
end

function __co_options
    for line in $__co_spec
        set -l f (string split \t -- $line)
        test $f[1] = option; or continue
        set -l equals =
        test $f[4] = flag; and set equals ''
        test -n "$f[2]"; and printf '%s\t%s\n' -$f[2] $f[7]
        test -n "$f[3]"; and printf '%s\t%s\n' --$f[3]$equals $f[7]
    end
    printf '%s\t%s\n' --help 'the manual'
end

# Complete an argument of the program that $__co_spec is of.
function __co_arguments
    set -l operand 1
    set -l pending
    set -l options 1
    for word in $__co_words[2..-1]
        set -l value
        if test -n "$pending"
            set pending
        else if test $options = 0; or not string match -q -- '-?*' $word
            set operand (math $operand + 1)
        else if test "$word" = --
            set options 0
        else if set value (__co_option $word); and test -n "$value"
            set pending $value
        end
    end
    if test -n "$pending"
        __co_value $pending ''
    else if test $options = 1; and string match -q -- '--*=*' $__co_typed
        set -l name (string split -m 1 = -- $__co_typed)[1]
        set -l value (__co_option $name); and __co_value $value $name=
    else if test $options = 1; and string match -q -- '-*' $__co_typed
        __co_options
    else
        set -l operands (string split ' ' -- (string replace -rf '^operands\t' '' -- $__co_spec))
        test $operand -le (count $operands); or set operand (count $operands)
        test $operand -eq 0; or __co_value $operands[$operand] ''
    end
end

function __co_complete
    set -g __co_typed (commandline -ct)
    set -g __co_words (commandline -opc)
    set -g __co_suite (string replace -r 'co(-[a-z-]*)?$' co -- $__co_words[1])
    set -l name (string replace -rf '^.*co-' '' -- $__co_words[1])
    if test -z "$name"
        set -l at 2
        while string match -q -- '-*' $__co_words[$at]
            if contains -- -C $__co_words[$at]; and test $at -lt (count $__co_words)
                set at (math $at + 1)
                set -a __co_suite -C $__co_words[$at]
            end
            set at (math $at + 1)
        end
        set name $__co_words[$at]
        test -n "$name"; and set __co_words $__co_words[$at..-1]
    end
    set -g __co_spec ($__co_suite --spec 2>/dev/null)
    if test -n "$name"
        # Other people's programs are not asked.
        string match -qr "^command\tco-$name\tp" -- $__co_spec; or return
        set __co_spec ($__co_suite $name --spec 2>/dev/null)
    end
    __co_arguments
end

complete -c co -f -k -a '(__co_complete)'
for __co_name in (co --spec 2>/dev/null | string replace -rf '^command\t(co-[a-z-]*)\tp.*' '$1')
    complete -c $__co_name -f -k -a '(__co_complete)'
end
set -e __co_name
