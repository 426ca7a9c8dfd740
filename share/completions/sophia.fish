# Completion of sophia and sophia-* for fish. Commands, verbs and options come
# from the programs themselves (--list-options), so that this never drifts.

# Print NAME and HELP of what PROGRAM lists for VERB ("-" for none).
function __sophia_names
    $argv[1] --list-options 2>/dev/null | string match -e -r "^"(string escape --style=regex -- $argv[2])"\t" |
        string replace -r '^[^\t]*\t' ''
end

function __sophia_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '.*/' '' -- $words[1])
    set -l at 2
    if test "$program" = sophia
        if test (count $words) -lt 2
            __sophia_names sophia -
            return
        end
        if test "$words[2]" = help
            test (count $words) -eq 2; and __sophia_names sophia -
            return
        end
        set program sophia-$words[2]
        set at 3
    end
    if string match -q -- '-*' $current
        test (count $words) -ge $at; and __sophia_names $program $words[$at] | string match -- '-*'
        __sophia_names $program - | string match -- '-*'
    else if test (count $words) -lt $at
        __sophia_names $program - | string match -v -- '-*'
    end
end

complete -c sophia -a '(__sophia_complete)'
for name in (__sophia_names sophia - | string replace -r '\t.*' '')
    complete -c sophia-$name -a '(__sophia_complete)'
end
