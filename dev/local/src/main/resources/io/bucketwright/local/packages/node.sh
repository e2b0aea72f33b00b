# Downloads Debian's packages for a node and unpacks them; nothing is installed, and no root is needed.
# usage: sh packages.sh DESTINATION
set -eu
mkdir -p "$1"
destination=$(cd "$1" && pwd)
work=$destination/work
mkdir -p "$work/debs" "$work/lists/partial" "$work/cache/archives/partial"
packages="containerd runc containernetworking-plugins busybox-static"
# A cache of our own and no lock: apt's own state is not touched. Sandbox user: no warning when root runs it.
# Error-Mode: `update` otherwise says that all is well when a list could not be fetched.
options="-q -o Dir::Cache=$work/cache -o Debug::NoLocking=1 -o APT::Sandbox::User=root -o Acquire::Retries=2
 -o Acquire::Languages=none -o APT::Update::Error-Mode=any
 -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
 -o Acquire::IndexTargets::deb::DEP-11-icons-small::DefaultEnabled=false
 -o Acquire::IndexTargets::deb::CNF::DefaultEnabled=false"
cd "$work/debs"
if ! apt-get $options download $packages; then
    # No lists, or lists older than the mirror: fetch some, for us alone.
    echo "fetching package lists"
    lists="-o Dir::State::lists=$work/lists"
    apt-get $options $lists update
    apt-get $options $lists download $packages
fi
for package in *.deb; do
    dpkg -x "$package" "$destination"
done
cd "$destination"

# The point-to-point plugin, and forwarding on the pod's own device, so that pods reach each other while the machine's
# forwarding stays as it is. The setting goes with the device.
cat >usr/lib/cni/bucketwright-ptp <<'PLUGIN'
#!/bin/sh
answer=$("$(dirname "$0")/ptp")
code=$?
if [ "$code" = 0 ] && [ "$CNI_COMMAND" = ADD ]; then
    for device in $(printf '%s' "$answer" | grep -o 'veth[0-9a-f]*' | sort -u); do
        echo 1 >"/proc/sys/net/ipv4/conf/$device/forwarding"
    done 2>/dev/null
fi
printf '%s\n' "$answer"
exit "$code"
PLUGIN
chmod 755 usr/lib/cni/bucketwright-ptp

# Two images in docker's archive format: one layer with a static busybox, and a description of it.
busybox=bin/busybox
[ -x "$busybox" ] || busybox=usr/bin/busybox
layer=$work/layer
mkdir -p "$layer/bin" "$layer/etc" "$layer/tmp" "$layer/root" images
chmod 1777 "$layer/tmp"
cp "$busybox" "$layer/bin/busybox"
chmod 755 "$layer/bin/busybox"
for applet in $("$busybox" --list); do
    [ "$applet" = busybox ] || ln -s busybox "$layer/bin/$applet"
done
printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' >"$layer/etc/passwd"
printf 'root:x:0:\nnobody:x:65534:\n' >"$layer/etc/group"
tar -C "$layer" --owner=0 --group=0 --numeric-owner --sort=name --mtime=@0 -cf "$work/layer.tar" .
digest=$(sha256sum "$work/layer.tar" | cut -d ' ' -f 1)
archive() {
    printf '{"architecture":"%s","os":"linux","config":{"Env":["PATH=/bin"],"Cmd":%s},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]},"history":[{"created_by":"bucketwright"}]}' \
        "$(dpkg --print-architecture)" "$2" "$digest" >"$work/config.json"
    printf '[{"Config":"config.json","RepoTags":["bucketwright.local/%s:1"],"Layers":["layer.tar"]}]' "$1" >"$work/manifest.json"
    tar -C "$work" -cf "images/$1.tar" manifest.json config.json layer.tar
}
archive busybox '["/bin/sh"]'
archive pause '["/bin/sleep","2147483647"]'
rm -rf "$work" usr/share
