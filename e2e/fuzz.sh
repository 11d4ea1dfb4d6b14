#!/bin/sh
# Every fuzz target of the packages given for FUZZTIME. A target fails when an input does: one that was found, which is
# then written below testdata/fuzz, or one of the seeds. A fuzzer whose workers do not answer in its own time, as on a
# busy machine, has found nothing: that is said, and the other targets go on.
set -u
GO=${GO:-go}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
failed= late=
for p in $($GO list "$@"); do
	for f in $($GO test -list '^Fuzz' "$p" | grep '^Fuzz'); do
		echo "$p $f"
		if $GO test "$p" -run '^$' -fuzz "^$f\$" -fuzztime "${FUZZTIME:-30s}" -fuzzminimizetime 20x >"$out" 2>&1; then
			tail -n 1 "$out"
		elif grep -q '^ *context deadline exceeded$' "$out" &&
			! grep -q -e 'Failing input written to' -e '^ *--- FAIL: .*/' -e '^panic:' -e '^fatal error:' "$out"; then
			echo "$f found nothing and ended late: the machine is busy"
			late="$late $p.$f"
		else
			cat "$out"
			failed="$failed $p.$f"
		fi
	done
done
[ -z "$late" ] || echo "ended late, without a finding:$late"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
