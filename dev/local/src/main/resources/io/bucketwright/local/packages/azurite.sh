# Downloads Azurite, the emulator of Azure Blob Storage, into a directory of its own.
# usage: sh azurite.sh DESTINATION
set -eu
mkdir -p "$1"
cd "$1"
# --ignore-scripts: the packages need none, and none may run here.
npm install --prefix "$1" --cache "$1/cache" --ignore-scripts --omit=dev --no-audit --no-fund --no-update-notifier \
    --loglevel=http azurite@3.37.0
rm -rf cache
node node_modules/azurite/dist/src/blob/main.js --version
