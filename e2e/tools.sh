#!/usr/bin/env bash
# Installs what the tests need and is not there: Chromium, Node, an emulator, a C compiler, two proxies, Python and buildah, by the system's package manager.
#   tools.sh        all of it
#   tools.sh node   only Node
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
	echo "tools: $1" >&2
	exit 1
}

# install PACKAGE…: as root or through sudo, with fresh lists. It fails where there is no such package.
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
	"${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

# What runs in Node needs 20.19. Ubuntu's is older (12 or 18); then npm brings one, into a folder that the Makefile has in
# its PATH, and the system's stays as it is.
node_ok() {
	command -v node >/dev/null && command -v npm >/dev/null &&
		node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
}
own_node() {
	local kind
	case "$(uname -m)" in
	x86_64) kind=x64 ;;
	aarch64 | arm64) kind=arm64 ;;
	*) return 1 ;;
	esac
	npm install --prefix build/node --no-audit --no-fund --no-save "node-linux-$kind@22.23.3" &&
		mkdir -p build/node/bin && ln -sf "../node_modules/node-linux-$kind/bin/node" build/node/bin/node
}
export PATH="$PWD/build/node/bin:$PATH"
if ! node_ok; then
	command -v node >/dev/null && command -v npm >/dev/null || install nodejs npm ||
		fail "could not install nodejs and npm: install Node 20.19 or later by hand and run again"
	node_ok || own_node || true
	hash -r
	node_ok || fail "the tests need Node 20.19 or later, here is $(node --version 2>/dev/null || echo none), and npm could not \
bring another: install one (on Ubuntu for example \`snap install node --classic\`) and run again"
fi
[ "${1-}" != node ] || exit 0

command -v qemu-aarch64 >/dev/null && command -v qemu-x86_64 >/dev/null || install qemu-user ||
	fail "could not install qemu-user, which runs the tests of other processors: install it by hand and run again"

# The race detector is the one thing here that needs C.
command -v gcc >/dev/null && [ -e /usr/include/stdlib.h ] || install gcc libc6-dev ||
	fail "could not install gcc and libc6-dev, which the race detector needs: install them by hand and run again"

# The blocks for proxies that worker/deploy/school.md prints are run, on ports of their own. Where systemd runs, Debian
# starts both programs as services, too; who does not want that stops them, or installs them by hand.
export PATH="$PATH:/usr/sbin"
proxies=()
command -v nginx >/dev/null || proxies+=(nginx-light)
command -v caddy >/dev/null || proxies+=(caddy)
if [ "${#proxies[@]}" -gt 0 ]; then
	install "${proxies[@]}" || fail "could not install ${proxies[*]}, whose printed settings are tested: install them by hand and run again"
fi

# The example of a scheduler as a program outside is in Python.
command -v python3 >/dev/null || install python3 ||
	fail "could not install python3, in which a scheduler is tried: install it by hand and run again"

# The container file is built with it; it needs no service.
command -v buildah >/dev/null || install buildah ||
	fail "could not install buildah, which builds the container file: install it by hand and run again"

browser() {
	[ -z "${CHROMIUM-}" ] || return 0
	for name in chromium-headless-shell chromium chromium-browser google-chrome; do
		! command -v "$name" >/dev/null || return 0
	done
	return 1
}
# Ubuntu has no such package, and its chromium-browser is an empty one that asks for a snap.
browser || install chromium-headless-shell || true
browser || fail "there is no package chromium-headless-shell here, as on Ubuntu: install Google Chrome, or Chromium by \
\`snap install chromium\`, and run again; a browser at another place is named by CHROMIUM=/path/to/it"
