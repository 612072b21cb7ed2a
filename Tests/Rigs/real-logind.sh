#!/bin/bash
# A real systemd-logind on a private system bus, in a mount namespace with a /run of its own. Needs root.
#
#   real-logind.sh start DIR          the bus, a stand-in for systemd, logind; prints the bus address
#   real-logind.sh stop DIR           ends all of it
#   real-logind.sh stop-logind DIR    ends logind alone (SIGTERM)
#   real-logind.sh kill-logind DIR    the same, with SIGKILL
#   real-logind.sh start-logind DIR   starts it again
#
# Environment: SLEEP_SECS, how long a suspend takes; LOGIND_CONF, lines of logind.conf; NOVT=1, a seat without virtual
# terminals; NOLOGIND=1, a bus without logind.
# DIR holds bus (the socket), NAME.pid of dbus, systemd1, logind and ns, and their logs.
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
VERB=$1
DIR=$(realpath -m "$2")
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$DIR/bus
export HERE DIR

has_owner() {
    gdbus call --address "$DBUS_SYSTEM_BUS_ADDRESS" --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \
        --method org.freedesktop.DBus.NameHasOwner "$1" 2>/dev/null | grep -q true
}
wait_for() {  # NAME LOG
    for _ in $(seq 200); do has_owner "$1" && return 0; sleep .05; done
    echo "$1 did not come up:" >&2
    tail -n 20 "$2" >&2
    return 1
}
wait_gone() {  # PID
    for _ in $(seq 200); do
        # A zombie counts as gone: its parent is the namespace's shell, which reaps it when that ends.
        [ -d "/proc/$1" ] && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null || return 0
        sleep .02
    done
    return 1
}
logind_in_namespace() {
    SYSTEMD_LOG_LEVEL=debug SYSTEMD_LOG_TARGET=console setsid nsenter -t "$(cat "$DIR/ns.pid")" -m \
        /lib/systemd/systemd-logind </dev/null >>"$DIR/logind.log" 2>&1 &
    echo $! >"$DIR/logind.pid"
    wait_for org.freedesktop.login1 "$DIR/logind.log"
}

case $VERB in
start)
    mkdir -p "$DIR"
    sed -e "s#@SOCK@#$DIR/bus#" -e 's#@TYPE@#system#' "$HERE/bus.conf" >"$DIR/bus.conf"
    printf 'freeze mem disk\n' >"$DIR/power_state"
    setsid unshare -m --propagation private bash -c '
        mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/{seats,users,sessions,inhibit} /run/dbus /run/user /run/udev
        mount --bind "$DIR/power_state" /sys/power/state
        if [ -n "${NOVT:-}" ]; then mkdir /run/sysvt; mount --bind /run/sysvt /sys/class/tty/tty0 2>/dev/null; fi
        if [ -n "${LOGIND_CONF:-}" ]; then
            mkdir -p /run/systemd/logind.conf.d
            printf "[Login]\n%b\n" "$LOGIND_CONF" >/run/systemd/logind.conf.d/test.conf
        fi
        ln -s "$DIR/bus" /run/dbus/system_bus_socket
        dbus-daemon --config-file="$DIR/bus.conf" --nofork --nopidfile >"$DIR/dbus.log" 2>&1 &
        echo $! >"$DIR/dbus.pid"
        for i in $(seq 200); do [ -S "$DIR/bus" ] && break; sleep .02; done
        /usr/bin/python3 "$HERE/fake_systemd1.py" >"$DIR/systemd1.log" 2>&1 &
        echo $! >"$DIR/systemd1.pid"
        echo $$ >"$DIR/ns.pid"
        wait' </dev/null >"$DIR/ns.log" 2>&1 &
    for _ in $(seq 200); do [ -s "$DIR/ns.pid" ] && break; sleep .02; done
    wait_for org.freedesktop.systemd1 "$DIR/systemd1.log" || exit 1
    if [ -z "${NOLOGIND:-}" ]; then logind_in_namespace || exit 1; fi
    echo "$DBUS_SYSTEM_BUS_ADDRESS"
    ;;
start-logind) logind_in_namespace ;;
stop-logind) kill "$(cat "$DIR/logind.pid")" && wait_gone "$(cat "$DIR/logind.pid")" ;;
kill-logind) kill -KILL "$(cat "$DIR/logind.pid")" && wait_gone "$(cat "$DIR/logind.pid")" ;;
stop)
    for name in logind systemd1 dbus ns; do
        [ -f "$DIR/$name.pid" ] || continue
        pid=$(cat "$DIR/$name.pid")
        kill "$pid" 2>/dev/null && wait_gone "$pid"
    done
    true
    ;;
esac
