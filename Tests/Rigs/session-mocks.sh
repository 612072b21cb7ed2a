#!/bin/bash
# The screen savers org.freedesktop.ScreenSaver and org.gnome.ScreenSaver (python3-dbusmock) on a private session bus.
#
#   session-mocks.sh start DIR        the bus and both; prints the bus address
#   session-mocks.sh start-bus DIR    the bus alone
#   session-mocks.sh saver DIR NAME   starts one: freedesktop or gnome; prints its pid
#   session-mocks.sh stop DIR         ends all of it
#
# Both have SetActive(b), which emits ActiveChanged, and GetActive.
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
DIR=$(realpath -m "$2")
export DBUS_SESSION_BUS_ADDRESS=unix:path=$DIR/sbus

start_bus() {
    mkdir -p "$DIR"
    rm -f "$DIR/sbus"
    sed -e "s#@SOCK@#$DIR/sbus#" -e 's#@TYPE@#session#' "$HERE/bus.conf" >"$DIR/sbus.conf"
    setsid dbus-daemon --config-file="$DIR/sbus.conf" --nofork --nopidfile </dev/null >"$DIR/sdbus.log" 2>&1 &
    echo $! >"$DIR/spids"
    for _ in $(seq 200); do [ -S "$DIR/sbus" ] && break; sleep .02; done
}
mock() {  # BUS-NAME ARGUMENTS…
    local name=$1
    shift
    setsid /usr/bin/python3 -m dbusmock --session "$@" </dev/null >"$DIR/$name.log" 2>&1 &
    echo $! >>"$DIR/spids"
    pid=$!
    gdbus wait --session -t 10 "$name"
}
saver() {
    case $1 in
    gnome) mock org.gnome.ScreenSaver --template gnome_screensaver ;;
    freedesktop)
        mock org.freedesktop.ScreenSaver org.freedesktop.ScreenSaver /org/freedesktop/ScreenSaver org.freedesktop.ScreenSaver
        gdbus call --session --dest org.freedesktop.ScreenSaver --object-path /org/freedesktop/ScreenSaver \
            --method org.freedesktop.DBus.Mock.AddMethods org.freedesktop.ScreenSaver "[
            ('GetActive', '', 'b', 'ret = getattr(self, \"active\", False)'),
            ('SetActive', 'b', 'b', 'self.active = args[0]; self.EmitSignal(\"org.freedesktop.ScreenSaver\", \"ActiveChanged\", \"b\", [args[0]]); ret = True')]" >/dev/null
        ;;
    esac
}
case $1 in
start-bus) start_bus; echo "$DBUS_SESSION_BUS_ADDRESS" ;;
start)
    start_bus
    saver gnome
    saver freedesktop
    echo "$DBUS_SESSION_BUS_ADDRESS"
    ;;
saver) saver "$3"; echo "$pid" ;;
stop) tac "$DIR/spids" | while read -r pid; do kill "$pid" 2>/dev/null; done ;;
esac
