# Downloads gcp-storage-emulator into a virtual environment of its own.
# usage: sh gcs-emulator.sh DESTINATION
set -eu
mkdir -p "$1"
python3 -m venv "$1/python"
"$1/python/bin/python" -m pip install --no-cache-dir --progress-bar off --only-binary :all: \
    gcp-storage-emulator==2026.7.19
"$1/python/bin/python" -c 'import gcp_storage_emulator.server'
