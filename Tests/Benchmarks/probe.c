// Reads IsAuthenticated argv[2] times from the service argv[1] and prints the median round-trip in nanoseconds.
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int order(const void *a, const void *b) {
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

int main(int count, char **arguments) {
    DBusConnection *bus = count == 3 ? dbus_bus_get(DBUS_BUS_SESSION, NULL) : NULL;
    if (!bus) return 1;
    int times = atoi(arguments[2]);
    long *took = calloc(times, sizeof *took);
    const char *interface = "org.smileauth.Auth1.Authenticator", *name = "IsAuthenticated";
    for (int i = 0; i < times; i++) {
        DBusMessage *call = dbus_message_new_method_call(arguments[1], "/org/smileauth/Auth1/session",
                                                         "org.freedesktop.DBus.Properties", "Get");
        dbus_message_append_args(call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 5000, NULL);
        clock_gettime(CLOCK_MONOTONIC, &to);
        if (!reply) return 1;
        took[i] = (to.tv_sec - from.tv_sec) * 1000000000L + to.tv_nsec - from.tv_nsec;
        dbus_message_unref(reply);
        dbus_message_unref(call);
    }
    qsort(took, times, sizeof *took, order);
    printf("%ld\n", took[times / 2]);
}
