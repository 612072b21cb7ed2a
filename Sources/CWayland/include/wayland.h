#pragma once
#include <wayland-client.h>
#include <xkbcommon/xkbcommon.h>
#include <xkbcommon/xkbcommon-compose.h>
#include <xkbcommon/xkbcommon-keysyms.h>

#include "ext-session-lock-v1-client-protocol.h"

#pragma clang assume_nonnull begin

/* Interfaces are told by their address, which a Swift copy of the global does not have. */
static inline struct wl_compositor *_Nullable smile_bind_compositor(struct wl_registry *registry, uint32_t name,
                                                                    uint32_t version) {
    return (struct wl_compositor *)wl_registry_bind(registry, name, &wl_compositor_interface, version);
}

static inline struct wl_shm *_Nullable smile_bind_shm(struct wl_registry *registry, uint32_t name) {
    return (struct wl_shm *)wl_registry_bind(registry, name, &wl_shm_interface, 1);
}

static inline struct wl_seat *_Nullable smile_bind_seat(struct wl_registry *registry, uint32_t name,
                                                        uint32_t version) {
    return (struct wl_seat *)wl_registry_bind(registry, name, &wl_seat_interface, version);
}

static inline struct wl_output *_Nullable smile_bind_output(struct wl_registry *registry, uint32_t name,
                                                            uint32_t version) {
    return (struct wl_output *)wl_registry_bind(registry, name, &wl_output_interface, version);
}

static inline struct ext_session_lock_manager_v1 *_Nullable smile_bind_lock_manager(struct wl_registry *registry,
                                                                                   uint32_t name) {
    return (struct ext_session_lock_manager_v1 *)wl_registry_bind(registry, name,
                                                                  &ext_session_lock_manager_v1_interface, 1);
}

/* Memory for a buffer that can be neither shrunk nor grown by anybody: a compositor that maps it cannot be made to
   fault. A descriptor, or -1 with errno. */
int smile_sealed_memory(size_t size);

#pragma clang assume_nonnull end
