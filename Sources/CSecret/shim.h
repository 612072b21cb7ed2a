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

/// A proxy for the Secret Service on the process's shared session bus connection, not yet initialised: call
/// `g_async_initable_init_async`, which starts the provider where the bus can and opens a session with it.
///
/// libsecret sets the bus type by itself and then insists on the shared connection; another one aborts in GDBus.
/// (`g_object_new` is variadic, so Swift cannot import it.)
static inline SecretService *_Nullable smile_secret_service_new(void) {
    return (SecretService *)g_object_new(
        SECRET_TYPE_SERVICE, "g-name", "org.freedesktop.secrets", "g-object-path", "/org/freedesktop/secrets",
        "g-bus-type", G_BUS_TYPE_SESSION, "g-interface-name", "org.freedesktop.Secret.Service", "g-flags",
        G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES, "flags", SECRET_SERVICE_OPEN_SESSION, NULL);
}

static inline GAsyncInitable *_Nonnull smile_async_initable(SecretService *_Nonnull service) {
    return G_ASYNC_INITABLE(service);
}
