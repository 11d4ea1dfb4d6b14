#!/usr/bin/env bash
# Runs a WebAssembly test binary in Node. Go's own script refuses when arguments and environment
# together pass about 8 KB, so the environment is cut to what it needs.
set -euo pipefail
exec env -i PATH="$PATH" HOME="${HOME-/}" "$("${GO:-go}" env GOROOT)/lib/wasm/go_js_wasm_exec" "$@"
