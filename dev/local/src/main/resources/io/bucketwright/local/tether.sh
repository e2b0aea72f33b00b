# Runs a command that must not outlive the process that asked for it.
# usage: setsid sh tether.sh PROGRAM ARGUMENT...
# When standard input, a pipe held by that process, closes, the whole process group is ended.
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
(
    cat >/dev/null
    kill -KILL "-$$"
) <&3 >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$child"
code=$?
kill -KILL "$watcher" 2>/dev/null
exit "$code"
