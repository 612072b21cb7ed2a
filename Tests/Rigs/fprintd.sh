#!/bin/bash
# The real fprintd with a virtual sensor of libfprint's, on a bus of its own that plays the system bus; polkit is
# dbusmock's and allows everything of fprintd's.
#   fprintd.sh start DIR            prints the bus's address; the sensor's commands go to the socket DIR/sensor
#   fprintd.sh start-fprintd DIR    after its pid (DIR/fprintd.pid) was killed
#   fprintd.sh stop DIR
# Settings, from the environment, of start: DRIVER (virtual_device, or virtual_device_storage, which identifies);
# MANNER (run; activatable: the bus starts it when it is called; none: there is no fprintd).
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
VERB=$1
mkdir -p "$2"
DIR=$(cd "$2" && pwd)
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$DIR/bus

has() { dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner "string:$1" 2>/dev/null | grep -q true; }
await() {
    for _ in $(seq 500); do has "$1" && return; sleep 0.02; done
    echo "no owner of $1" >&2
    exit 1
}

# Everything that fprintd sees, as words for env.
environment() {
    local name=FP_VIRTUAL_DEVICE driver
    driver=$(cat "$DIR/driver")
    [ "$driver" = virtual_device ] || name=FP_VIRTUAL_DEVICE_STORAGE
    echo "STATE_DIRECTORY=$DIR/state RUNTIME_DIRECTORY=$DIR/run $name=$DIR/sensor" \
        "FP_DRIVERS_WHITELIST=$driver FP_DRIVERS_ALLOWLIST=$driver DBUS_SYSTEM_BUS_ADDRESS=$DBUS_SYSTEM_BUS_ADDRESS" \
        "G_MESSAGES_DEBUG=all"
}

start_fprintd() {
    # shellcheck disable=SC2046
    setsid env $(environment) /usr/libexec/fprintd -t </dev/null >>"$DIR/fprintd.log" 2>&1 &
    echo $! >"$DIR/fprintd.pid"
    await net.reactivated.Fprint
}

case $VERB in
start)
    mkdir -p "$DIR/state" "$DIR/run" "$DIR/services"
    echo "${DRIVER:-virtual_device}" >"$DIR/driver"
    sed -e "s#@SOCK@#$DIR/bus#" -e 's#@TYPE@#system#' \
        -e "s#<auth>#<servicedir>$DIR/services</servicedir><auth>#" "$HERE/bus.conf" >"$DIR/bus.conf"
    if [ "${MANNER:-run}" = activatable ]; then
        printf '[D-BUS Service]\nName=net.reactivated.Fprint\nUser=root\nExec=%s\n' \
            "/usr/bin/env $(environment) /usr/libexec/fprintd" >"$DIR/services/net.reactivated.Fprint.service"
    fi
    setsid dbus-daemon --config-file="$DIR/bus.conf" --nofork --nopidfile </dev/null >"$DIR/bus.log" 2>&1 &
    echo $! >"$DIR/dbus.pid"
    for _ in $(seq 500); do [ -S "$DIR/bus" ] && break; sleep 0.01; done
    setsid /usr/bin/python3 -m dbusmock --system --template polkitd </dev/null >"$DIR/polkit.log" 2>&1 &
    echo $! >"$DIR/polkit.pid"
    await org.freedesktop.PolicyKit1
    dbus-send --system --print-reply --dest=org.freedesktop.PolicyKit1 /org/freedesktop/PolicyKit1/Authority \
        org.freedesktop.DBus.Mock.SetAllowed array:string:net.reactivated.fprint.device.verify,net.reactivated.fprint.device.enroll \
        >/dev/null
    [ "${MANNER:-run}" != run ] || start_fprintd
    echo "$DBUS_SYSTEM_BUS_ADDRESS"
    ;;
start-fprintd) start_fprintd ;;
stop)
    # An fprintd that the bus has started ends with the bus.
    for name in fprintd polkit dbus; do
        [ -f "$DIR/$name.pid" ] || continue
        pid=$(cat "$DIR/$name.pid")
        kill -CONT "$pid" 2>/dev/null
        kill "$pid" 2>/dev/null
    done
    true
    ;;
esac
