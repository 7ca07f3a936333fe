#!/bin/sh
# Small runs of the program under valgrind: no invalid or uninitialised memory is used, and nothing is lost.
command -v valgrind > /dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
[ -x "$HEDDLE_PROGRAM" ] || { echo "skipped: no program"; exit 77; }
# what a sanitizer watches already, valgrind cannot run
if [ "${HEDDLE_SANITIZED:-}" ]; then echo "skipped: built with a sanitizer"; exit 77; fi

out=$(mktemp)
trap 'rm -f "$out"' EXIT
# the instruction set valgrind knows, and no plugins, which hwloc leaves loaded
export HEDDLE_ISA=v3 HWLOC_PLUGINS_PATH=/nonexistent
for run in "svdvals s 70x70" "svdvals d 90x65" "svdvals d 40x200" "svdvals c 33x64" "svdvals z 130x20" \
	"eigvals s 70" "eigvals d 90" "eigvals c 65 --uplo U" "eigvals z 40" \
	"trsm s 70x9" "trsm d 90 --side R --trans T" "trsm c 33x64 --uplo U --trans C" "trsm z 40x200 --side R --diag U"; do
	# shellcheck disable=SC2086 # several words
	set -- $run
	echo "$@"
	command=$1 type=$2 size=$3
	shift 3
	[ "$command" = trsm ] || set -- "$@" --band 8 --route graph
	valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
		"$HEDDLE_PROGRAM" "$command" --random "$size" --type "$type" "$@" --tile 24 --check > "$out" 2>&1 || {
		cat "$out"
		exit 1
	}
done
