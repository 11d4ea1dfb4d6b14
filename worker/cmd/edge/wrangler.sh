#!/usr/bin/env bash
# Runs the pinned wrangler for the two Workers, page and simulator.
#   wrangler.sh dev PORT STATE   both with their queue on 127.0.0.1:PORT, their database below the folder STATE
#   wrangler.sh size             what a deployment would upload, without deploying
#   wrangler.sh deploy           tables and Workers to Cloudflare, see worker/deploy/cloudflare.md; the only one with a network
# PLAN=free leaves out what Cloudflare's free plan has not: the queue, its clock, and the longer time of the processor.
# ENTRY=FOLDER, from the project's folder on: its page.mjs and simulator.mjs run in the Workers' places, where they are
# there, and wrap them: for tests.
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
case "${PLAN:-paid}" in
paid | free) ;;
*)
	echo "PLAN=$PLAN: there are paid and free" >&2
	exit 2
	;;
esac

# config WORKER names the Worker's configuration as plan and entry have it. It lies beside the one in the repository,
# whose paths begin there.
config() {
	local plan=${PLAN:-paid} entry="${ENTRY:-}/$1.mjs" edits=(-e "")
	[ "$plan" = paid ] || edits+=(-e '/^  \/\/ Paid plan only/,/^  \/\/ End of it/d' -e 's/"PLAN": "paid"/"PLAN": "free"/')
	[ ! -f "$root/$entry" ] || edits+=(-e "s#\"main\": \"[^\"]*\"#\"main\": \"../../../../$entry\"#")
	local at="$1/.wrangler.$plan.${entry//\//-}.jsonc"
	sed "${edits[@]}" "$1/wrangler.jsonc" >"$at.$$"
	# At once, since another may read it, and only where it differs: one that runs with it begins anew when it is written.
	if cmp -s "$at.$$" "$at"; then rm "$at.$$"; else mv "$at.$$" "$at"; fi
	echo "$at"
}

case "${1-}" in
dev)
	export XDG_CONFIG_HOME="$root/build/edge-config" # no account
	: "${ENTRY:=worker/cmd/edge/local}"
	port=$2
	case "$3" in /*) state=$3 ;; *) state="$root/$3" ;; esac
	mkdir -p "$state"
	page=$(config page) simulator=$(config simulator)
	"$wrangler" d1 migrations apply hadarlab --config "$page" --local --persist-to "$state" </dev/null
	exec "$wrangler" dev --config "$page" --config "$simulator" --local --ip 127.0.0.1 --port "$port" --persist-to "$state" \
		--show-interactive-dev-session=false </dev/null
	;;
size)
	export XDG_CONFIG_HOME="$root/build/edge-config"
	for worker in page simulator; do
		echo "$worker:"
		"$wrangler" deploy --config "$(config "$worker")" --dry-run --outdir "$root/build/edge-upload/$worker" </dev/null
	done
	;;
deploy)
	refuse() { echo "make deploy: $1 (worker/deploy/cloudflare.md says how)" >&2; exit 2; }
	for worker in page simulator; do
		! grep -q '"database_id": "00000000-' "$worker/wrangler.jsonc" ||
			refuse "worker/cmd/edge/$worker/wrangler.jsonc names no database: make one and put its id there"
		[ -f "$root/build/edge/$worker/app.wasm" ] || built=no
	done
	[ -n "${CLOUDFLARE_API_TOKEN-}" ] || [ -f "$login" ] ||
		refuse "nobody is logged in: run \`worker/cmd/edge/node_modules/.bin/wrangler login\`, or set CLOUDFLARE_API_TOKEN"
	[ -z "${built-}" ] && [ -f "$root/build/web/index.html" ] || refuse "nothing is built"
	"$wrangler" d1 migrations apply hadarlab --config "$(config page)" --remote </dev/null
	# The simulator first: the page's Worker is bound to it.
	for worker in simulator page; do
		"$wrangler" deploy --config "$(config "$worker")" </dev/null
	done
	;;
*)
	sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
