#!/usr/bin/env bash
# Prepares the browser's build: go-app without what the page never calls, each of which brings much with it:
# the server half (handler, static site, resources: net/http and TLS), patterns of routes (regular
# expressions), the store of states and encrypted storage, addresses (net/url), formats of time, the table of HTML entities, and random ids (hashes, SQL). A quarter of app.wasm.
#   slim.sh DIR: writes DIR/goapp, a copy of the pinned go-app, DIR/uuid, and DIR/wasm.mod, which points at them
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dir=$1 module=github.com/maxence-charriere/go-app/v9
source=$(${GO:-go} list -m -f '{{.Dir}}' $module)
mkdir -p "$dir/goapp"
chmod -R u+w "$dir/goapp"
rm -rf "$dir/goapp"
cp -r "$source" "$dir/goapp"
chmod -R u+w "$dir/goapp"
cd "$dir/goapp/pkg/app"
rm -f ./*_test.go static.go resource.go
for f in http route crypto state notfound ticker; do cp "$here/$f.go.txt" "$f.go"; done
sed -i "s|\"net/url\"|\"$module/pkg/url\"|; s|\"context\"|\"$module/pkg/context\"|; s|^\t\"html\"$|\t\"$module/pkg/html\"|" ./*.go
sed -i 's/time\.NewTicker(/newTicker(/' engine.go
# Typed elements bring a hundred methods each; what the page shows is made of untyped ones.
sed -i 's/\bhtmlBody\b/htmlElem/; s/&htmlDiv{/\&htmlElem{/' app.go
sed -i 's/\bBody HTMLBody\b/Body *htmlElem/; s/e\.Body\.(\*htmlBody)/e.Body/; s/Body()\.privateBody(Div())/Elem("body").Body(Elem("div")).(*htmlElem)/' engine.go
sed -i '/^func (c \*Compo) Render() UI {$/,/^}$/c func (c *Compo) Render() UI { return Text(c.name() + " has no Render") }' component.go
cd - >/dev/null
mkdir -p "$dir/goapp/pkg/url" "$dir/goapp/pkg/html" "$dir/goapp/pkg/context"
cp "$here/context.go.txt" "$dir/goapp/pkg/context/context.go"
cp "$here/url.go.txt" "$dir/goapp/pkg/url/url.go"
cp "$here/html.go.txt" "$dir/goapp/pkg/html/html.go"
mkdir -p "$dir/uuid"
cp "$here/uuid.go.txt" "$dir/uuid/uuid.go"
echo "module github.com/google/uuid" >"$dir/uuid/go.mod"
cp go.sum "$dir/wasm.sum"
cp go.mod "$dir/wasm.mod"
${GO:-go} mod edit -replace "$module=./$dir/goapp" "$dir/wasm.mod"
${GO:-go} mod edit -replace "github.com/google/uuid=./$dir/uuid" "$dir/wasm.mod"
