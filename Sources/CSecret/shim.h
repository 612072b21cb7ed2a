#pragma once
// By their path below /usr/include: libsecret's own pkg-config module brings -pthread, which SwiftPM warns about on
// every build. The parts that take D-Bus paths are what tells "no item" from "a locked one"; they are exported by
// every libsecret 0.x and 1.x, and named unstable only because they expose the Secret Service API as it is.
#define __SECRET_INSIDE_HEADER__
#include <libsecret-1/libsecret/secret-types.h>
#include <libsecret-1/libsecret/secret-value.h>
#include <libsecret-1/libsecret/secret-schema.h>
#include <libsecret-1/libsecret/secret-prompt.h>
#include <libsecret-1/libsecret/secret-service.h>
#include <libsecret-1/libsecret/secret-item.h>
#include <libsecret-1/libsecret/secret-collection.h>
#include <libsecret-1/libsecret/secret-enum-types.h>
#include <libsecret-1/libsecret/secret-paths.h>
#undef __SECRET_INSIDE_HEADER__

#pragma clang assume_nonnull begin

/// SecretService's constructor forces the process's shared session bus connection on every instance; GDBusProxy's own
/// takes the one it is given.
static inline GObject *smile_secret_service_constructor(GType type, guint count, GObjectConstructParam *properties) {
    GObjectClass *proxy = G_OBJECT_CLASS(g_type_class_peek(G_TYPE_DBUS_PROXY));
    return proxy->constructor(type, count, properties);
}

static inline void smile_secret_service_class_init(gpointer class, gpointer _Nullable data) {
    G_OBJECT_CLASS(class)->constructor = smile_secret_service_constructor;
    // SecretService reads a cached property in these without looking whether there is one: a signal, forged ones
    // included, that arrives while no provider runs ends the process.
    G_DBUS_PROXY_CLASS(class)->g_signal = NULL;
    G_DBUS_PROXY_CLASS(class)->g_properties_changed = NULL;
}

/// A proxy for the Secret Service on a connection of the caller's, not yet initialised: call
/// `g_async_initable_init_async`, which starts the provider where the bus can and opens a session with it. On one
/// thread only.
///
/// `secret_service_open` does the same on the process's shared session bus connection, which ends the process when the
/// bus goes, and which nobody can replace. (A subclass as it provides for; g_object_new is variadic, so Swift cannot
/// import it.)
static inline SecretService *_Nullable smile_secret_service_new(GDBusConnection *connection) {
    GType type = g_type_from_name("SmileSecretService");
    if (type == 0)
        type = g_type_register_static_simple(SECRET_TYPE_SERVICE, "SmileSecretService", sizeof(SecretServiceClass),
                                             (GClassInitFunc)smile_secret_service_class_init, sizeof(SecretService),
                                             NULL, (GTypeFlags)0);
    if (type == 0) return NULL;
    return (SecretService *)g_object_new(
        type, "g-connection", connection, "g-name", "org.freedesktop.secrets", "g-object-path",
        "/org/freedesktop/secrets", "g-interface-name", "org.freedesktop.Secret.Service", "g-flags",
        G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS, "flags",
        SECRET_SERVICE_OPEN_SESSION, NULL);
}

static inline GAsyncInitable *smile_async_initable(SecretService *service) { return G_ASYNC_INITABLE(service); }

#pragma clang assume_nonnull end
