# PID 1 of a node that is its own world: run by `unshare` in a mount and a PID namespace of its own. When it ends, in
# whatever way, the kernel ends kubelet, containerd and every container, and with them go all mounts and devices.
# usage: sh init.sh CLUSTER_DIR PACKAGES KUBELET CGROUP NODE_NAME
set -eu
dir=$1
packages=$2
kubelet=$3
cgroup=$4
name=$5
node=$dir/node
programs=$(dirname "$kubelet")

# Held open, to be found again should a file system mounted below cover them.
cd /
exec 4<"$dir" 5<"$packages" 6<"$programs"
# containerd needs a shared tree; being a slave of the host's keeps it from showing there.
mount --make-rshared /
# Paths that cannot be configured away: /run/containerd/s, /run/netns, /var/lib/cni, /var/lib/kubelet/device-plugins,
# /var/log/containers. Each node has its own.
for covered in /run /var/lib /var/log; do
    mount -t tmpfs -o mode=755 node "$covered"
done
number=4
for path in "$dir" "$packages" "$programs"; do
    # -c: the link's text names the covered path, so it must not be resolved.
    [ "$path" -ef "/proc/self/fd/$number" ] || {
        mkdir -p "$path"
        mount -c --bind "/proc/self/fd/$number" "$path"
    }
    number=$((number + 1))
done
exec 4<&- 5<&- 6<&-
mkdir -p /run/lock /run/containerd /run/sys "$node/containerd" "$node/kubelet" "$node/pod-logs"

# kubelet and the network plugin would change these for the whole machine and never change them back: here they see a
# file of their own in place of each.
mask() {
    echo "$2" >"/run/sys/$(basename "$1")"
    mount --bind "/run/sys/$(basename "$1")" "/proc/sys/$1"
}
mask vm/overcommit_memory 1
mask vm/panic_on_oom 0
mask kernel/panic 10
mask kernel/panic_on_oops 1
mask kernel/keys/root_maxkeys 1000000
mask kernel/keys/root_maxbytes 25000000
mask net/ipv4/ip_forward 1

# kubelet wants its control group to exist: with version 1 in each hierarchy, with version 2 once.
if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
    mkdir -p "/sys/fs/cgroup/$cgroup"
    for controller in $(cat /sys/fs/cgroup/cgroup.controllers); do
        echo "+$controller" >/sys/fs/cgroup/cgroup.subtree_control || :
    done 2>/dev/null
else
    for hierarchy in /sys/fs/cgroup/*/; do
        [ -f "$hierarchy/cgroup.procs" ] && mkdir -p "$hierarchy$cgroup" || :
        [ -f "$hierarchy/cpuset.cpus" ] &&
            cat "$hierarchy/cpuset.cpus" >"$hierarchy$cgroup/cpuset.cpus" &&
            cat "$hierarchy/cpuset.mems" >"$hierarchy$cgroup/cpuset.mems" || :
        # Each thread outside of a group has 1024 shares, as many as all pods together would have: they would hardly start
        # on a busy machine.
        [ -f "$hierarchy$cgroup/cpu.shares" ] && echo 10240 >"$hierarchy$cgroup/cpu.shares" || :
    done
fi

# containerd looks for its shim in the PATH.
export PATH="$packages/usr/bin:$packages/usr/sbin:$PATH"
# PID 1 ignores what it does not trap; without it `kill 1` below would do nothing.
trap 'exit 1' TERM INT

{
    containerd --config "$node/containerd.toml" >>"$dir/logs/containerd.log" 2>&1 || :
    echo "containerd ended; see $dir/logs/containerd.log"
    kill 1
} &
tries=0
until ctr version >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { echo "containerd does not answer"; exit 3; }
    sleep 0.1
done
for image in "$packages"/images/*.tar; do
    ctr -n k8s.io images import "$image" >/dev/null
done
{
    "$kubelet" --config="$node/kubelet.yaml" --kubeconfig="$node/kubeconfig" --root-dir="$node/kubelet" \
        --cert-dir="$node/kubelet/pki" --hostname-override="$name" >>"$dir/logs/kubelet.log" 2>&1 || :
    echo "kubelet ended; see $dir/logs/kubelet.log"
    kill 1
} &
# Waiting reaps the containers' shims, whose parent this process becomes.
sleep infinity &
wait $!
