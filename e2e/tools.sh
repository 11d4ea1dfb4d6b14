#!/usr/bin/env bash
# Installs what the tests need and is not there: Chromium, Node and an emulator, by the system's package manager.
#   tools.sh        all of it
#   tools.sh node   only Node
set -euo pipefail

fail() {
	echo "tools: $1" >&2
	exit 1
}

# install PACKAGE…: as root or through sudo, with fresh lists if the first try finds nothing.
updated=
install() {
	local as=()
	command -v apt-get >/dev/null || fail "cannot install $*: there is no apt-get here; install it by hand and run again"
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null || fail "cannot install $*: neither root nor sudo; install it by hand and run again"
		as=(sudo)
	fi
	if [ -z "$updated" ]; then
		"${as[@]}" apt-get update -q || true # old lists may still do
		updated=1
	fi
	DEBIAN_FRONTEND=noninteractive "${as[@]}" apt-get install -y -q --no-install-recommends "$@" ||
		fail "could not install $*: install it by hand and run again"
}

node_ok() {
	command -v node >/dev/null && command -v npm >/dev/null &&
		node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 3) ? 0 : 1)'
}
if ! node_ok; then
	command -v node >/dev/null || install nodejs npm
	node_ok || fail "Node 20.3 or later is needed by the edge runtime, here is $(node --version 2>/dev/null || echo none); install it and run again"
fi
[ "${1-}" != node ] || exit 0

command -v qemu-aarch64 >/dev/null && command -v qemu-x86_64 >/dev/null || install qemu-user

found=
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
	! command -v "$name" >/dev/null || found=$name
done
[ -n "${CHROMIUM-}" ] || [ -n "$found" ] || install chromium-headless-shell
