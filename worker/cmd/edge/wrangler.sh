#!/usr/bin/env bash
# Runs the pinned wrangler.
#   wrangler.sh dev PORT STATE   the worker with its queue on 127.0.0.1:PORT, its database below the folder STATE
#   wrangler.sh size             what a deployment would upload, without deploying
#   wrangler.sh deploy           tables and worker to Cloudflare, see worker/deploy/cloudflare.md; the only one with a network
# PLAN=free leaves out what Cloudflare's free plan has not: the queue, its clock, and the longer time of the processor.
# ENTRY=FILE runs another script in the worker's place, one that wraps it, from the project's folder on: for tests.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
wrangler="$here/node_modules/.bin/wrangler"
[ -x "$wrangler" ] || { echo "wrangler is not installed: run \`make tools\`" >&2; exit 1; }

# No telemetry, no look-ups.
export WRANGLER_SEND_METRICS=false WRANGLER_SEND_ERROR_REPORTS=false WRANGLER_HIDE_BANNER=true
export CLOUDFLARE_CF_FETCH_ENABLED=false CI=1 NO_COLOR=1 WRANGLER_LOG_PATH="$root/build/edge-logs"
# No inspector, which only a debugger's presence turns off: it copies every answer of the database into a log, which grew
# to 260 MB in one lesson.
export VSCODE_INSPECTOR_OPTIONS='{}'
login="${XDG_CONFIG_HOME:-$HOME/.config}/.wrangler/config/default.toml"

cd "$here"
config=wrangler.jsonc
case "${PLAN:-paid}" in
paid) ;;
free)
	config=.wrangler.free.jsonc # beside the other, whose paths begin here
	sed -e '/^  \/\/ Paid plan only/,/^  \/\/ End of it/d' -e 's/"PLAN": "paid"/"PLAN": "free"/' wrangler.jsonc >"$config"
	;;
*)
	echo "PLAN=$PLAN: there are paid and free" >&2
	exit 2
	;;
esac

if [ -n "${ENTRY-}" ]; then
	sed -e "s#\"main\": \"[^\"]*\"#\"main\": \"../../../$ENTRY\"#" "$config" >.wrangler.entry.jsonc
	config=.wrangler.entry.jsonc
fi

case "${1-}" in
dev)
	export XDG_CONFIG_HOME="$root/build/edge-config" # no account
	port=$2
	case "$3" in /*) state=$3 ;; *) state="$root/$3" ;; esac
	mkdir -p "$state"
	"$wrangler" d1 migrations apply hadarlab --config "$config" --local --persist-to "$state" </dev/null
	exec "$wrangler" dev --config "$config" --local --ip 127.0.0.1 --port "$port" --persist-to "$state" \
		--test-scheduled --show-interactive-dev-session=false </dev/null
	;;
size)
	export XDG_CONFIG_HOME="$root/build/edge-config"
	exec "$wrangler" deploy --config "$config" --dry-run --outdir "$root/build/edge-upload" </dev/null
	;;
deploy)
	refuse() { echo "make deploy: $1 (worker/deploy/cloudflare.md says how)" >&2; exit 2; }
	! grep -q '"database_id": "00000000-' "$config" ||
		refuse "worker/cmd/edge/wrangler.jsonc names no database: make one and put its id there"
	[ -n "${CLOUDFLARE_API_TOKEN-}" ] || [ -f "$login" ] ||
		refuse "nobody is logged in: run \`worker/cmd/edge/node_modules/.bin/wrangler login\`, or set CLOUDFLARE_API_TOKEN"
	[ -f "$root/build/edge/app.wasm" ] && [ -f "$root/build/web/index.html" ] || refuse "nothing is built"
	"$wrangler" d1 migrations apply hadarlab --config "$config" --remote </dev/null
	exec "$wrangler" deploy --config "$config" </dev/null
	;;
*)
	sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
