#!/usr/bin/env bash
# Runs the pinned wrangler on this machine only: no account, no telemetry, no look-ups.
#   wrangler.sh dev PORT STATE   the worker on 127.0.0.1:PORT, its database below the folder STATE
#   wrangler.sh size             what a deployment would upload, without deploying
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
wrangler="$here/node_modules/.bin/wrangler"
[ -x "$wrangler" ] || { echo "wrangler is not installed: run \`make tools\`" >&2; exit 1; }

export WRANGLER_SEND_METRICS=false WRANGLER_SEND_ERROR_REPORTS=false WRANGLER_HIDE_BANNER=true
export CLOUDFLARE_CF_FETCH_ENABLED=false CI=1 NO_COLOR=1
export WRANGLER_LOG_PATH="$root/build/edge-logs" XDG_CONFIG_HOME="$root/build/edge-config"

case "${1-}" in
dev)
	port=$2
	mkdir -p "$3"
	state=$(cd "$3" && pwd)
	cd "$here"
	"$wrangler" d1 migrations apply hadarlab --local --persist-to "$state" </dev/null
	exec "$wrangler" dev --local --ip 127.0.0.1 --port "$port" --persist-to "$state" \
		--show-interactive-dev-session=false </dev/null
	;;
size)
	cd "$here"
	exec "$wrangler" deploy --dry-run --outdir "$root/build/edge-upload" </dev/null
	;;
*)
	sed -n '2,4s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
