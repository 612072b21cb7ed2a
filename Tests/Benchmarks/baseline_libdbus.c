// A service on libdbus alone that answers Properties.Get with a boolean. argv[1]: the name to own.
#include <dbus/dbus.h>
#include <string.h>

static DBusHandlerResult answer(DBusConnection *bus, DBusMessage *call, void *data) {
    (void)data;
    if (!dbus_message_is_method_call(call, "org.freedesktop.DBus.Properties", "Get"))
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    const char *interface, *name;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID)
        || strcmp(interface, "org.smileauth.Auth1.Authenticator") || strcmp(name, "IsAuthenticated"))
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    DBusMessage *reply = dbus_message_new_method_return(call);
    DBusMessageIter items, value;
    dbus_bool_t yes = TRUE;
    dbus_message_iter_init_append(reply, &items);
    dbus_message_iter_open_container(&items, DBUS_TYPE_VARIANT, "b", &value);
    dbus_message_iter_append_basic(&value, DBUS_TYPE_BOOLEAN, &yes);
    dbus_message_iter_close_container(&items, &value);
    dbus_connection_send(bus, reply, NULL);
    dbus_message_unref(reply);
    return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int count, char **arguments) {
    DBusConnection *bus = count == 2 ? dbus_bus_get(DBUS_BUS_SESSION, NULL) : NULL;
    if (!bus) return 1;
    DBusObjectPathVTable table = {.message_function = answer};
    dbus_connection_register_object_path(bus, "/org/smileauth/Auth1/session", &table, NULL);
    if (dbus_bus_request_name(bus, arguments[1], DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL) != 1) return 1;
    while (dbus_connection_read_write_dispatch(bus, -1)) {}
}
