// The same service on GDBus. argv[1]: the name to own.
#include <gio/gio.h>

static GVariant *get(GDBusConnection *c, const char *s, const char *p, const char *i, const char *n, GError **e,
                     void *d) {
    (void)c, (void)s, (void)p, (void)i, (void)n, (void)e, (void)d;
    return g_variant_new_boolean(TRUE);
}

int main(int count, char **arguments) {
    GDBusConnection *bus = count == 2 ? g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL) : NULL;
    if (!bus) return 1;
    GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(
        "<node><interface name='org.smileauth.Auth1.Authenticator'>"
        "<property name='IsAuthenticated' type='b' access='read'/></interface></node>", NULL);
    GDBusInterfaceVTable table = {.get_property = get};
    g_dbus_connection_register_object(bus, "/org/smileauth/Auth1/session", node->interfaces[0], &table, NULL, NULL,
                                      NULL);
    g_bus_own_name_on_connection(bus, arguments[1], 0, NULL, NULL, NULL, NULL);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
