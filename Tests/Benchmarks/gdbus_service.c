/* The same in C on GDBus. */
#include <gio/gio.h>

static const char XML[] =
    "<node><interface name='org.smileauth.Auth1.Authenticator'>"
    "<property name='IsAuthenticated' type='b' access='read'/></interface></node>";

static GVariant *get(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                     const char *property, GError **error, gpointer data) {
    (void)bus, (void)sender, (void)path, (void)interface, (void)property, (void)error, (void)data;
    return g_variant_new_boolean(FALSE);
}

static const GDBusInterfaceVTable TABLE = {.get_property = get};

static void acquired(GDBusConnection *bus, const char *name, gpointer data) {
    GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(XML, NULL);
    (void)name, (void)data;
    g_dbus_connection_register_object(bus, "/org/smileauth/Auth1/session", node->interfaces[0], &TABLE, NULL, NULL, NULL);
}

int main(int argc, char **argv) {
    if (argc != 2) return 1;
    g_bus_own_name(G_BUS_TYPE_SESSION, argv[1], G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE, acquired, NULL, NULL, NULL, NULL);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
    return 0;
}
