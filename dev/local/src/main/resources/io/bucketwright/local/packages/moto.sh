# Downloads moto, the emulator of AWS, into a virtual environment of its own.
# usage: sh moto.sh DESTINATION
set -eu
mkdir -p "$1"
python3 -m venv "$1/python"
"$1/python/bin/python" -m pip install --no-cache-dir --progress-bar off --only-binary :all: 'moto[server,iam,s3]==5.2.5'
"$1/python/bin/python" -c 'import moto.server'
