/* probe NAME PATH COUNT: reads IsAuthenticated COUNT times; prints the mean, the median and the 99th percentile in µs. */
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    const char *interface = "org.smileauth.Auth1.Authenticator", *property = "IsAuthenticated";
    DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
    int count = argc == 4 ? atoi(argv[3]) : 0;
    double *times = calloc(count ? count : 1, sizeof *times), start, all;
    if (!bus || count <= 0 || !times) return 1;
    all = now();
    for (int i = 0; i < count; i++) {
        DBusMessage *call = dbus_message_new_method_call(argv[1], argv[2], "org.freedesktop.DBus.Properties", "Get"), *reply;
        dbus_message_append_args(call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property, DBUS_TYPE_INVALID);
        start = now();
        reply = dbus_connection_send_with_reply_and_block(bus, call, 10000, NULL);
        times[i] = now() - start;
        dbus_message_unref(call);
        if (!reply) return 1;
        dbus_message_unref(reply);
    }
    all = now() - all;
    qsort(times, count, sizeof *times, compare);
    printf("%f %f %f\n", all / count, times[count / 2], times[count * 99 / 100]);
    return 0;
}
