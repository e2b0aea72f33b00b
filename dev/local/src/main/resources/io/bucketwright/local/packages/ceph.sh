# Downloads Debian's packages of Ceph, with the libraries that this machine lacks, and unpacks them; nothing is
# installed, and no root is needed.
# usage: sh ceph.sh DESTINATION
set -eu
mkdir -p "$1"
destination=$(cd "$1" && pwd)
work=$destination/work
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
packages="ceph-mon ceph-osd radosgw ceph-common"
# A cache of our own and no lock: apt's own state is not touched. Sandbox user: no warning when root runs it.
# Error-Mode: `update` otherwise says that all is well when a list could not be fetched.
options="-q -o Dir::Cache=$work/cache -o Debug::NoLocking=1 -o APT::Sandbox::User=root -o Acquire::Retries=2
 -o Acquire::Languages=none -o APT::Update::Error-Mode=any
 -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
 -o Acquire::IndexTargets::deb::DEP-11-icons-small::DefaultEnabled=false
 -o Acquire::IndexTargets::deb::CNF::DefaultEnabled=false"
install="install -y --no-install-recommends --download-only"
if ! apt-get $options $install $packages; then
    # No lists, or lists older than the mirror: fetch some, for us alone.
    echo "fetching package lists"
    lists="-o Dir::State::lists=$work/lists"
    apt-get $options $lists update
    apt-get $options $lists $install $packages
fi
for package in "$work"/cache/archives/*.deb; do
    dpkg -x "$package" "$destination"
done
rm -rf "$work" "$destination/usr/share/doc" "$destination/usr/share/man"
for program in ceph-mon ceph-osd radosgw radosgw-admin monmaptool ceph; do
    [ -x "$destination/usr/bin/$program" ] || { echo "the packages have no $program" >&2; exit 1; }
done
