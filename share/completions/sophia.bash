# Completion of sophia and sophia-* for bash. Commands, verbs and options come
# from the programs themselves (--list-options), so that this never drifts.

# Print what may come next: the names that PROGRAM lists for VERB ("-" for none).
_sophia_names() {
	"$1" --list-options 2>/dev/null |
		while IFS=$'\t' read -r verb name _; do
			[ "$verb" = "$2" ] && printf '%s\n' "$name"
		done
}

_sophia() {
	local cur=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} at=1 verb=- names
	if [ "${program##*/}" = sophia ] && [ "$COMP_CWORD" -gt 1 ]; then
		if [ "${COMP_WORDS[1]}" = help ]; then
			names=$(_sophia_names "$program" - | grep -vx help)
			[ "$COMP_CWORD" -eq 2 ] &&
				mapfile -t COMPREPLY < <(compgen -W "$names" -- "$cur")
			return
		fi
		program=sophia-${COMP_WORDS[1]} at=2
	fi
	names=$(_sophia_names "$program" -)
	if [ "$COMP_CWORD" -gt "$at" ] &&
		grep -qx -- "${COMP_WORDS[at]}" <<<"$names"; then
		case ${COMP_WORDS[at]} in
		-*) ;;
		*)
			verb=${COMP_WORDS[at]}
			names="$(_sophia_names "$program" "$verb")
$(grep -e '^-' <<<"$names")"
			;;
		esac
	fi
	case $cur in
	-*) ;;
	*) [ "$COMP_CWORD" -gt "$at" ] && names= || names=$(grep -v -e '^-' <<<"$names") ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$names" -- "$cur")
}

complete -o default -F _sophia sophia
while read -r name; do
	complete -o default -F _sophia "sophia-$name"
done < <(_sophia_names sophia - | grep -vx help)
unset name
