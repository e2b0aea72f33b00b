# Becomes a component, and leaves its identity behind before it does.
# usage: sh launch.sh DIR NAME PROGRAM ARGUMENT...
dir=$1
name=$2
shift 2
stat=$(cat "/proc/$$/stat")
start=$(set -- ${stat##*) }; echo "${20}")
echo "$$ $start" >"$dir/pids/.$name" && mv "$dir/pids/.$name" "$dir/pids/$name" || exit 1
# Written first, looked at second: either the guard finds our record, or we find the guard's file.
[ -e "$dir/closing" ] && exit 1
exec "$@"
