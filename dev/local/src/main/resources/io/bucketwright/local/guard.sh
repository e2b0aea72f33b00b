# Ends a local cluster, whatever became of the process that started it.
# usage: sh guard.sh DIR ENTRIES COMPONENT...
# Waits on standard input, a pipe held by the owner. "release" lets the cluster go on without an owner; the end of
# the pipe, however the owner ended, stops the components in the given order and removes ENTRIES from DIR.
dir=$1
entries=$2
shift 2
# A Ctrl-C in the owner's terminal must not end the one that cleans up after it.
trap '' INT TERM HUP

while read -r word; do
    [ "$word" = release ] && exit 0
done

# From here on a component that is just being started sees this file and does not start.
: >"$dir/closing"

# running PID START: that very process still runs; another one with a reused pid does not count, nor does a zombie.
running() {
    pid_start=$2
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    # What follows the last ")" are the fields from the third on; the start time is the 22nd.
    set -- ${stat##*) }
    [ "$1" != Z ] && [ "${20}" = "$pid_start" ]
}

status=0
for name in "$@"; do
    [ -f "$dir/pids/$name" ] || continue
    read -r pid start <"$dir/pids/$name"
    if running "$pid" "$start"; then
        kill -KILL "$pid" 2>/dev/null
        tries=0
        while running "$pid" "$start"; do
            tries=$((tries + 1))
            if [ "$tries" -gt 200 ]; then
                echo "$name (pid $pid) does not end; end it by hand" >&2
                status=1
                break
            fi
            sleep 0.05
        done
    fi
    rm -f "$dir/pids/$name"
done

# Control groups outlive the processes of a node; they carry the cluster's own name, so these are ours. The last
# processes may still be ending, hence the repetition.
groups() {
    find /sys/fs/cgroup -depth -type d \( -path "*/$group" -o -path "*/$group/*" \) "$@" 2>/dev/null
}
if [ -f "$dir/node/cgroup" ]; then
    read -r group <"$dir/node/cgroup"
    tries=0
    while groups -exec rmdir {} +; [ -n "$(groups -print -quit)" ] && [ "$tries" -lt 100 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
fi

if [ "$status" = 0 ]; then
    for entry in $entries; do
        rm -rf "${dir:?}/$entry"
    done
    rmdir "$dir" 2>/dev/null
fi
exit "$status"
