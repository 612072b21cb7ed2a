/* A service with one boolean property, in C on libdbus: what reading IsAuthenticated is measured against. */
#include <dbus/dbus.h>
#include <stdio.h>
#include <string.h>

static const char *INTERFACE = "org.smileauth.Auth1.Authenticator";

static DBusHandlerResult handle(DBusConnection *bus, DBusMessage *call, void *data) {
    const char *interface, *property;
    DBusMessage *reply;
    DBusMessageIter out, value;
    dbus_bool_t is_authenticated = FALSE;
    (void)data;
    if (!dbus_message_is_method_call(call, "org.freedesktop.DBus.Properties", "Get")) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property, DBUS_TYPE_INVALID) ||
        strcmp(interface, INTERFACE) != 0 || strcmp(property, "IsAuthenticated") != 0) {
        reply = dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_PROPERTY, "No such property");
    } else {
        reply = dbus_message_new_method_return(call);
        dbus_message_iter_init_append(reply, &out);
        dbus_message_iter_open_container(&out, DBUS_TYPE_VARIANT, "b", &value);
        dbus_message_iter_append_basic(&value, DBUS_TYPE_BOOLEAN, &is_authenticated);
        dbus_message_iter_close_container(&out, &value);
    }
    dbus_connection_send(bus, reply, NULL);
    dbus_message_unref(reply);
    return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int argc, char **argv) {
    DBusObjectPathVTable table = {0};
    DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
    if (argc != 2 || !bus) return 1;
    table.message_function = handle;
    dbus_connection_register_object_path(bus, "/org/smileauth/Auth1/session", &table, NULL);
    if (dbus_bus_request_name(bus, argv[1], DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL) != DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) return 1;
    while (dbus_connection_read_write_dispatch(bus, -1)) {}
    return 0;
}
