# Makes the root file system below the Java runtime of an image: the C library, a shell and what describes them. From
# Debian's packages; nothing is installed, and no root is needed.
# usage: sh packages.sh DESTINATION ARCHITECTURE
set -eu
mkdir -p "$1"
destination=$(cd "$1" && pwd)
architecture=$2
case $architecture in
amd64) triplet=x86_64-linux-gnu loader=ld-linux-x86-64.so.2 ;;
arm64) triplet=aarch64-linux-gnu loader=ld-linux-aarch64.so.1 ;;
*)
    echo "unknown architecture $architecture"
    exit 2
    ;;
esac
work=$destination/work
mkdir -p "$work/debs" "$work/lists/partial" "$work/cache/archives/partial" "$work/files"
# libgcc-s1: for the TLS library of gRPC. gcc-12-base has the license of libgcc-s1 in Debian 12.
packages="libc6 libc-bin libgcc-s1 dash base-files"
options="-q -o Dir::Cache=$work/cache -o Debug::NoLocking=1 -o APT::Sandbox::User=root -o Acquire::Retries=2
 -o Acquire::Languages=none -o APT::Update::Error-Mode=any
 -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
 -o Acquire::IndexTargets::deb::DEP-11-icons-small::DefaultEnabled=false
 -o Acquire::IndexTargets::deb::CNF::DefaultEnabled=false"
lists=
if [ "$architecture" != "$(dpkg --print-architecture)" ]; then
    # As if this machine had that architecture; its own lists of packages do not have it.
    options="$options -o APT::Architecture=$architecture -o APT::Architectures=$architecture -o Dir::State::status=/dev/null"
    lists="-o Dir::State::lists=$work/lists"
    echo "fetching package lists of $architecture"
    apt-get $options $lists update
fi
cd "$work/debs"
if ! apt-get $options $lists download $packages; then
    # No lists, or lists older than the mirror: fetch some, for us alone.
    lists="-o Dir::State::lists=$work/lists"
    echo "fetching package lists"
    apt-get $options $lists update
    apt-get $options $lists download $packages
fi
licenses=$(dpkg-deb -f "$(echo libgcc-s1_*.deb)" Depends | grep -o 'gcc-[0-9]*-base' | head -n 1)
[ -z "$licenses" ] || apt-get $options $lists download "$licenses"

root=$destination/root
libraries=$root/usr/lib/$triplet
mkdir -p "$libraries" "$root/usr/lib/locale" "$root/etc" "$root/tmp" "$root/home/nonroot" "$root/var/lib/dpkg/status.d" \
    "$destination/shell"
for package in *.deb; do
    dpkg -x "$package" "$work/files"
    name=$(dpkg-deb -f "$package" Package)
    # Where scanners look for packages in an image without a package manager.
    dpkg-deb -f "$package" >"$root/var/lib/dpkg/status.d/$name"
    if [ -f "$work/files/usr/share/doc/$name/copyright" ]; then
        mkdir -p "$root/usr/share/doc/$name"
        cp -L "$work/files/usr/share/doc/$name/copyright" "$root/usr/share/doc/$name/copyright"
    fi
done
# find_file NAME...: the path of the first that exists; packages have them below / or below /usr.
find_file() {
    for name; do
        for path in "$work/files/$name" "$work/files/usr/$name"; do
            if [ -f "$path" ]; then
                echo "$path"
                return
            fi
        done
    done
    echo "no $1 in the packages" >&2
    exit 1
}
# libnss_*, libresolv: names of hosts, which the C library loads when they are needed.
for library in "$loader" libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2 libnss_dns.so.2 \
    libnss_files.so.2 libgcc_s.so.1; do
    cp -L "$(find_file "lib/$triplet/$library")" "$libraries/$library"
done
ln -s usr/lib "$root/lib"
if [ "$architecture" = amd64 ]; then
    mkdir -p "$root/usr/lib64"
    ln -s usr/lib64 "$root/lib64"
    ln -s "../lib/$triplet/$loader" "$root/usr/lib64/$loader"
else
    ln -s "$triplet/$loader" "$root/usr/lib/$loader"
fi
cp -r "$work/files/usr/lib/locale/C.utf8" "$root/usr/lib/locale/C.utf8"
cp -L "$work/files/usr/lib/os-release" "$root/usr/lib/os-release"
ln -s ../usr/lib/os-release "$root/etc/os-release"
printf 'root:x:0:0:root:/:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n' >"$root/etc/passwd"
printf 'root:x:0:\nnobody:x:65534:\nnonroot:x:65532:\n' >"$root/etc/group"
printf 'passwd: files\ngroup: files\nhosts: files dns\n' >"$root/etc/nsswitch.conf"
chmod 1777 "$root/tmp"
# The shell of the launcher, for images on another base too.
cp "$(find_file bin/dash)" "$destination/shell/sh"
chmod 755 "$destination/shell/sh"
rm -rf "$work"
