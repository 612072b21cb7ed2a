// A compositor for tests: it shows nothing, offers the session lock and holds its clients to the protocol's rules.
// Orders come on stdin, a line each; what happens goes to stdout, a line each. See compositor.py.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#include <wayland-server.h>
#include <xkbcommon/xkbcommon.h>

#include "ext-session-lock-v1-server-protocol.h"

enum { most = 8, frame_time = 16 };

struct output {
    char name[32];
    int width, height, scale;
    struct wl_global *global;
    struct wl_list resources;
};

struct surface {
    struct wl_resource *resource;
    struct wl_resource *pending, *shown;
    struct wl_listener pending_gone, shown_gone;
    int has_pending, pending_scale, scale, has_content;
    struct wl_resource *frames[64];
    int frame_count;
    // The lock's role.
    struct wl_resource *role;
    struct output *output;
    uint32_t sent_serial, acked_serial;
    int sent_width, sent_height, width, height;
    struct { uint32_t serial; int width, height; } sent[64];
    int sent_count;
    // What is on the screen.
    uint32_t *pixels;
    int pixel_width, pixel_height, commits;
    struct surface *next;
};

struct lock {
    struct wl_resource *resource;
    struct wl_client *client;
    int is_locked;
};

static struct wl_display *display;
static struct output outputs[most];
static struct surface *surfaces;
static struct lock *holder;
static int is_locked, denials, is_held, is_late, is_frozen;
static struct wl_resource *keyboards[most], *pointers[most], *touches[most];
static struct surface *keyboard_focus, *pointer_focus;
static struct xkb_keymap *keymap;
static int capabilities = 7, repeat_rate = 25, repeat_delay = 300;

static void say(const char *format, ...) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    printf("%ld.%06ld ", (long)time.tv_sec, time.tv_nsec / 1000);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

static uint32_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint32_t)(time.tv_sec * 1000 + time.tv_nsec / 1000000);
}

static struct output *output_named(const char *name) {
    for (int i = 0; i < most; i++)
        if (outputs[i].global && !strcmp(outputs[i].name, name)) return &outputs[i];
    return NULL;
}

static struct surface *surface_on(struct output *output) {
    for (struct surface *s = surfaces; s; s = s->next)
        if (s->role && output && s->output == output) return s;
    return NULL;
}

static void destroy(struct wl_client *client, struct wl_resource *resource) {
    (void)client;
    wl_resource_destroy(resource);
}

static void remove_from(struct wl_resource **list, struct wl_resource *gone) {
    for (int i = 0; i < most; i++)
        if (list[i] == gone) list[i] = NULL;
}

static void add_to(struct wl_resource **list, struct wl_resource *one) {
    for (int i = 0; i < most; i++)
        if (!list[i]) {
            list[i] = one;
            return;
        }
}

/* A rule that was broken: the client is told and thrown out. */
#define BREAKS(resource, code, ...) (say("error " __VA_ARGS__), wl_resource_post_error(resource, code, __VA_ARGS__))

// ---- keyboard

static void send_keymap(struct wl_resource *keyboard) {
    char *text = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1);
    size_t size = strlen(text) + 1;
    int descriptor = memfd_create("keymap", MFD_CLOEXEC);
    if (write(descriptor, text, size) != (ssize_t)size) abort();
    wl_keyboard_send_keymap(keyboard, WL_KEYBOARD_KEYMAP_FORMAT_XKB_V1, descriptor, (uint32_t)size);
    close(descriptor);
    free(text);
}

static int same_client(struct wl_resource *resource, struct surface *surface) {
    return resource && surface && wl_resource_get_client(resource) == wl_resource_get_client(surface->resource);
}

static char on_focus[64];
static void play(const char *name, uint32_t more, int holds);

static void focus_keyboard(struct surface *next) {
    if (next == keyboard_focus) return;
    for (int i = 0; i < most; i++)
        if (same_client(keyboards[i], keyboard_focus))
            wl_keyboard_send_leave(keyboards[i], wl_display_next_serial(display), keyboard_focus->resource);
    keyboard_focus = next;
    struct wl_array none;
    wl_array_init(&none);
    for (int i = 0; i < most; i++)
        if (same_client(keyboards[i], next)) {
            wl_keyboard_send_enter(keyboards[i], wl_display_next_serial(display), next->resource, &none);
            wl_keyboard_send_modifiers(keyboards[i], wl_display_next_serial(display), 0, 0, 0, 0);
        }
    wl_array_release(&none);
    if (!next) return;
    say("focus %s", next->output->name);
    if (on_focus[0]) play(on_focus, 0, 0);
}

static void send_key(uint32_t code, int is_down) {
    for (int i = 0; i < most; i++)
        if (same_client(keyboards[i], keyboard_focus))
            wl_keyboard_send_key(keyboards[i], wl_display_next_serial(display), now(), code - 8, is_down);
}

static void send_modifiers(uint32_t down) {
    for (int i = 0; i < most; i++)
        if (same_client(keyboards[i], keyboard_focus))
            wl_keyboard_send_modifiers(keyboards[i], wl_display_next_serial(display), down, 0, 0, 0);
}

static uint32_t modifier(const char *name) {
    xkb_mod_index_t index = xkb_keymap_mod_get_index(keymap, name);
    return index == XKB_MOD_INVALID ? 0 : 1u << index;
}

/* Plays the key that types a symbol, with the modifiers that it takes and `more` of them. */
static void play(const char *name, uint32_t more, int holds) {
    xkb_keysym_t wanted = xkb_keysym_from_name(name, XKB_KEYSYM_NO_FLAGS);
    for (xkb_level_index_t level = 0; level < 4; level++)
        for (xkb_keycode_t code = xkb_keymap_min_keycode(keymap); code <= xkb_keymap_max_keycode(keymap); code++) {
            const xkb_keysym_t *symbols;
            int count = xkb_keymap_key_get_syms_by_level(keymap, code, 0, level, &symbols);
            if (count != 1 || symbols[0] != wanted) continue;
            xkb_mod_mask_t masks[1] = {0};
            xkb_keymap_key_get_mods_for_level(keymap, code, 0, level, masks, 1);
            uint32_t down = more | masks[0];
            if (down) send_modifiers(down);
            send_key(code, 1);
            if (!holds) send_key(code, 0);
            if (down) send_modifiers(0);
            return;
        }
    say("no key for %s", name);
}

// ---- surfaces

static void surface_attach(struct wl_client *client, struct wl_resource *resource, struct wl_resource *buffer,
                           int32_t x, int32_t y) {
    (void)client, (void)x, (void)y;
    struct surface *s = wl_resource_get_user_data(resource);
    if (s->pending) wl_list_remove(&s->pending_gone.link);
    s->pending = buffer;
    s->has_pending = 1;
    if (buffer) wl_resource_add_destroy_listener(buffer, &s->pending_gone);
}

static void pending_gone(struct wl_listener *listener, void *data) {
    (void)data;
    struct surface *s = wl_container_of(listener, s, pending_gone);
    s->pending = NULL;
}

static void shown_gone(struct wl_listener *listener, void *data) {
    (void)data;
    struct surface *s = wl_container_of(listener, s, shown_gone);
    s->shown = NULL;
}

static void surface_damage(struct wl_client *c, struct wl_resource *r, int32_t x, int32_t y, int32_t w, int32_t h) {
    (void)c, (void)r, (void)x, (void)y, (void)w, (void)h;
}

static void frame_gone(struct wl_resource *resource) {
    struct surface *s = wl_resource_get_user_data(resource);
    for (int i = 0; s && i < s->frame_count; i++)
        if (s->frames[i] == resource) s->frames[i] = NULL;
}

static void surface_frame(struct wl_client *client, struct wl_resource *resource, uint32_t id) {
    struct surface *s = wl_resource_get_user_data(resource);
    struct wl_resource *callback = wl_resource_create(client, &wl_callback_interface, 1, id);
    wl_resource_set_implementation(callback, NULL, s, frame_gone);
    if (s->frame_count < 64) s->frames[s->frame_count++] = callback;
}

static void surface_region(struct wl_client *client, struct wl_resource *resource, struct wl_resource *region) {
    (void)client, (void)resource, (void)region;
}

static void surface_transform(struct wl_client *client, struct wl_resource *resource, int32_t value) {
    (void)client, (void)resource, (void)value;
}

static void surface_scale(struct wl_client *client, struct wl_resource *resource, int32_t scale) {
    (void)client;
    ((struct surface *)wl_resource_get_user_data(resource))->pending_scale = scale;
}

static void keep_pixels(struct surface *s, struct wl_shm_buffer *buffer) {
    s->pixel_width = wl_shm_buffer_get_width(buffer);
    s->pixel_height = wl_shm_buffer_get_height(buffer);
    size_t line = (size_t)s->pixel_width * 4;
    s->pixels = realloc(s->pixels, line * (size_t)s->pixel_height);
    wl_shm_buffer_begin_access(buffer);
    const char *from = wl_shm_buffer_get_data(buffer);
    for (int y = 0; y < s->pixel_height; y++)
        memcpy((char *)s->pixels + line * (size_t)y, from + (size_t)wl_shm_buffer_get_stride(buffer) * (size_t)y, line);
    wl_shm_buffer_end_access(buffer);
}

static void show_lock(void);

static void surface_commit(struct wl_client *client, struct wl_resource *resource) {
    (void)client;
    struct surface *s = wl_resource_get_user_data(resource);
    s->scale = s->pending_scale;
    if (s->role && !s->acked_serial)
        return BREAKS(s->role, EXT_SESSION_LOCK_SURFACE_V1_ERROR_COMMIT_BEFORE_FIRST_ACK,
                      "commit before the first ack");
    if (s->has_pending) {
        if (s->role && !s->pending)
            return BREAKS(s->role, EXT_SESSION_LOCK_SURFACE_V1_ERROR_NULL_BUFFER, "a null buffer");
        struct wl_shm_buffer *buffer = s->pending ? wl_shm_buffer_get(s->pending) : NULL;
        if (s->role && buffer) {
            int width = wl_shm_buffer_get_width(buffer), height = wl_shm_buffer_get_height(buffer);
            if (width != s->width * s->scale || height != s->height * s->scale)
                return BREAKS(s->role, EXT_SESSION_LOCK_SURFACE_V1_ERROR_DIMENSIONS_MISMATCH,
                              "%dx%d at scale %d for %dx%d", width, height, s->scale, s->width, s->height);
            if (wl_shm_buffer_get_format(buffer) != WL_SHM_FORMAT_XRGB8888) say("note: translucent");
        }
        // A buffer is the client's again once another one has taken its place.
        if (s->shown && s->shown != s->pending) {
            wl_list_remove(&s->shown_gone.link);
            wl_buffer_send_release(s->shown);
            s->shown = NULL;
        }
        if (s->pending) {
            wl_list_remove(&s->pending_gone.link);
            if (!s->shown) wl_resource_add_destroy_listener(s->pending, &s->shown_gone);
            s->shown = s->pending;
            s->pending = NULL;
        }
        s->has_pending = 0;
        if (buffer) keep_pixels(s, buffer);
    }
    s->commits++;
    if (s->role && !s->has_content && s->shown) {
        say("mapped %s %dx%d", s->output ? s->output->name : "-", s->pixel_width, s->pixel_height);
        s->has_content = 1;
        if (is_locked && holder && !keyboard_focus) focus_keyboard(s);
        show_lock();
    }
    if (s->shown) s->has_content = 1;
}

static const struct wl_surface_interface surface_implementation = {
    .destroy = destroy, .attach = surface_attach, .damage = surface_damage, .frame = surface_frame,
    .set_opaque_region = surface_region, .set_input_region = surface_region, .commit = surface_commit,
    .set_buffer_transform = surface_transform, .set_buffer_scale = surface_scale, .damage_buffer = surface_damage,
};

static void surface_gone(struct wl_resource *resource) {
    struct surface *gone = wl_resource_get_user_data(resource);
    if (keyboard_focus == gone) keyboard_focus = NULL;
    if (pointer_focus == gone) pointer_focus = NULL;
    for (int i = 0; i < gone->frame_count; i++)
        if (gone->frames[i]) wl_resource_set_user_data(gone->frames[i], NULL);
    if (gone->pending) wl_list_remove(&gone->pending_gone.link);
    if (gone->shown) wl_list_remove(&gone->shown_gone.link);
    for (struct surface **at = &surfaces; *at; at = &(*at)->next)
        if (*at == gone) {
            *at = gone->next;
            break;
        }
    if (gone->role) wl_resource_set_user_data(gone->role, NULL);
    free(gone->pixels);
    free(gone);
}

static void create_surface(struct wl_client *client, struct wl_resource *resource, uint32_t id) {
    struct surface *s = calloc(1, sizeof *s);
    s->resource = wl_resource_create(client, &wl_surface_interface, wl_resource_get_version(resource), id);
    s->pending_scale = s->scale = 1;
    s->pending_gone.notify = pending_gone;
    s->shown_gone.notify = shown_gone;
    wl_resource_set_implementation(s->resource, &surface_implementation, s, surface_gone);
    s->next = surfaces;
    surfaces = s;
}

static void region_area(struct wl_client *c, struct wl_resource *r, int32_t x, int32_t y, int32_t w, int32_t h) {
    (void)c, (void)r, (void)x, (void)y, (void)w, (void)h;
}

static const struct wl_region_interface region_implementation = {destroy, region_area, region_area};

static void create_region(struct wl_client *client, struct wl_resource *resource, uint32_t id) {
    struct wl_resource *region =
        wl_resource_create(client, &wl_region_interface, wl_resource_get_version(resource), id);
    wl_resource_set_implementation(region, &region_implementation, NULL, NULL);
}

// Subsurfaces are kept and never shown: other lock clients want them.

static void subsurface_nothing(struct wl_client *client, struct wl_resource *resource) { (void)client, (void)resource; }

static void subsurface_position(struct wl_client *client, struct wl_resource *resource, int32_t x, int32_t y) {
    (void)client, (void)resource, (void)x, (void)y;
}

static const struct wl_subsurface_interface subsurface_implementation = {
    destroy, subsurface_position, surface_region, surface_region, subsurface_nothing, subsurface_nothing,
};

static void get_subsurface(struct wl_client *client, struct wl_resource *resource, uint32_t id,
                           struct wl_resource *surface, struct wl_resource *parent) {
    (void)surface, (void)parent;
    struct wl_resource *made =
        wl_resource_create(client, &wl_subsurface_interface, wl_resource_get_version(resource), id);
    wl_resource_set_implementation(made, &subsurface_implementation, NULL, NULL);
}

static const struct wl_subcompositor_interface subcompositor_implementation = {destroy, get_subsurface};

static void bind_subcompositor(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    struct wl_resource *resource = wl_resource_create(client, &wl_subcompositor_interface, (int)version, id);
    wl_resource_set_implementation(resource, &subcompositor_implementation, data, NULL);
}

static const struct wl_compositor_interface compositor_implementation = {create_surface, create_region};

static void bind_compositor(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    struct wl_resource *resource = wl_resource_create(client, &wl_compositor_interface, (int)version, id);
    wl_resource_set_implementation(resource, &compositor_implementation, data, NULL);
}

static struct wl_event_source *frames;

static int send_frames(void *data) {
    (void)data;
    for (struct surface *s = surfaces; s && !is_frozen; s = s->next) {
        struct wl_resource *due[64];
        int count = s->frame_count;
        memcpy(due, s->frames, sizeof due);
        s->frame_count = 0;
        for (int i = 0; i < count; i++)
            if (due[i]) {
                wl_callback_send_done(due[i], now());
                wl_resource_destroy(due[i]);
            }
    }
    wl_event_source_timer_update(frames, frame_time);
    return 0;
}

// ---- outputs

static void send_output(struct output *output, struct wl_resource *resource) {
    wl_output_send_geometry(resource, 0, 0, 300, 200, 0, "Tests", output->name, 0);
    wl_output_send_mode(resource, WL_OUTPUT_MODE_CURRENT, output->width * output->scale, output->height * output->scale,
                        60000);
    if (wl_resource_get_version(resource) >= 2) {
        wl_output_send_scale(resource, output->scale);
        if (wl_resource_get_version(resource) >= 4) wl_output_send_name(resource, output->name);
        wl_output_send_done(resource);
    }
}

static void output_resource_gone(struct wl_resource *resource) { wl_list_remove(wl_resource_get_link(resource)); }

static const struct wl_output_interface output_implementation = {destroy};

static void bind_output(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    struct output *output = data;
    struct wl_resource *resource = wl_resource_create(client, &wl_output_interface, (int)version, id);
    wl_resource_set_implementation(resource, &output_implementation, output, output_resource_gone);
    wl_list_insert(&output->resources, wl_resource_get_link(resource));
    send_output(output, resource);
}

static void add_output(const char *name, int width, int height, int scale) {
    for (int i = 0; i < most; i++) {
        struct output *output = &outputs[i];
        if (output->global) continue;
        snprintf(output->name, sizeof output->name, "%.31s", name);
        output->width = width, output->height = height, output->scale = scale;
        wl_list_init(&output->resources);
        output->global = wl_global_create(display, &wl_output_interface, 4, output, bind_output);
        return;
    }
}

static void configure(struct surface *s) {
    s->sent_serial = wl_display_next_serial(display);
    s->sent[s->sent_count % 64].serial = s->sent_serial;
    s->sent[s->sent_count % 64].width = s->output->width;
    s->sent[s->sent_count++ % 64].height = s->output->height;
    ext_session_lock_surface_v1_send_configure(s->role, s->sent_serial, (uint32_t)s->output->width,
                                               (uint32_t)s->output->height);
}

static void remove_output(struct output *output) {
    wl_global_remove(output->global);
    for (struct surface *s = surfaces; s; s = s->next)
        if (s->output == output) {
            if (keyboard_focus == s) focus_keyboard(NULL);
            s->output = NULL;
        }
    struct wl_resource *resource, *next;
    wl_resource_for_each_safe(resource, next, &output->resources) {
        wl_resource_set_user_data(resource, NULL);
        wl_list_remove(wl_resource_get_link(resource));
        wl_list_init(wl_resource_get_link(resource));
    }
    wl_global_destroy(output->global);
    output->global = NULL;
    for (struct surface *s = surfaces; s && !keyboard_focus; s = s->next)
        if (s->role && s->output && s->has_content) focus_keyboard(s);
}

// ---- the lock

static void role_ack(struct wl_client *client, struct wl_resource *resource, uint32_t serial) {
    (void)client;
    struct surface *s = wl_resource_get_user_data(resource);
    if (!s) return;
    for (int i = 0; i < 64; i++)
        if (serial && s->sent[i].serial == serial) {
            s->width = s->sent[i].width, s->height = s->sent[i].height;
            for (int j = 0; j < 64; j++)
                if (s->sent[j].serial <= serial) s->sent[j].serial = 0;
            s->acked_serial = serial;
            return;
        }
    BREAKS(resource, EXT_SESSION_LOCK_SURFACE_V1_ERROR_INVALID_SERIAL, "a serial that was not sent");
}

static const struct ext_session_lock_surface_v1_interface role_implementation = {destroy, role_ack};

static void role_gone(struct wl_resource *resource) {
    struct surface *s = wl_resource_get_user_data(resource);
    if (!s) return;
    if (s->output) say("unmapped %s", s->output->name);
    if (keyboard_focus == s) keyboard_focus = NULL;
    if (pointer_focus == s) pointer_focus = NULL;
    s->role = NULL;
    s->output = NULL;
}

static void show_lock(void) {
    if (!holder || holder->is_locked) return;
    for (int i = 0; i < most; i++) {
        struct surface *s = outputs[i].global ? surface_on(&outputs[i]) : NULL;
        if (is_late && outputs[i].global && (!s || !s->has_content)) return;
    }
    holder->is_locked = 1;
    is_locked = 1;
    ext_session_lock_v1_send_locked(holder->resource);
    say("locked");
    for (struct surface *s = surfaces; s && !keyboard_focus; s = s->next)
        if (s->role && s->output && s->has_content) focus_keyboard(s);
}

static void get_lock_surface(struct wl_client *client, struct wl_resource *resource, uint32_t id,
                             struct wl_resource *surface, struct wl_resource *output) {
    struct surface *s = wl_resource_get_user_data(surface);
    struct output *place = wl_resource_get_user_data(output);
    if (s->role) return BREAKS(resource, EXT_SESSION_LOCK_V1_ERROR_ROLE, "the surface has a role");
    if (s->has_content || s->pending)
        return BREAKS(resource, EXT_SESSION_LOCK_V1_ERROR_ALREADY_CONSTRUCTED, "the surface has a buffer");
    struct surface *other = place ? surface_on(place) : NULL;
    if (other && wl_resource_get_client(other->role) == client && wl_resource_get_user_data(resource))
        return BREAKS(resource, EXT_SESSION_LOCK_V1_ERROR_DUPLICATE_OUTPUT, "a second surface for an output");
    s->role = wl_resource_create(client, &ext_session_lock_surface_v1_interface, 1, id);
    wl_resource_set_implementation(s->role, &role_implementation, s, role_gone);
    s->output = place;
    if (!place) return;
    say("surface %s", place->name);
    configure(s);
}

static void lock_destroy(struct wl_client *client, struct wl_resource *resource) {
    (void)client;
    struct lock *lock = wl_resource_get_user_data(resource);
    if (lock && lock->is_locked)
        return BREAKS(resource, EXT_SESSION_LOCK_V1_ERROR_INVALID_DESTROY, "destroyed while locked");
    wl_resource_destroy(resource);
}

static void lock_unlock(struct wl_client *client, struct wl_resource *resource) {
    (void)client;
    struct lock *lock = wl_resource_get_user_data(resource);
    if (!lock || !lock->is_locked)
        return BREAKS(resource, EXT_SESSION_LOCK_V1_ERROR_INVALID_UNLOCK, "unlocked without a lock");
    if (lock == holder) {
        is_locked = 0;
        say("unlocked");
    }
    lock->is_locked = 0;
    wl_resource_destroy(resource);
}

static const struct ext_session_lock_v1_interface lock_implementation = {lock_destroy, get_lock_surface, lock_unlock};

static void lock_gone(struct wl_resource *resource) {
    struct lock *lock = wl_resource_get_user_data(resource);
    if (!lock) return;
    if (lock == holder) {
        holder = NULL;
        // SPEC of the protocol: the session stays locked when its client dies.
        if (lock->is_locked) say("abandoned locked=%d", is_locked);
    }
    free(lock);
}

static void manager_lock(struct wl_client *client, struct wl_resource *resource, uint32_t id) {
    (void)resource;
    struct lock *lock = calloc(1, sizeof *lock);
    lock->resource = wl_resource_create(client, &ext_session_lock_v1_interface, 1, id);
    lock->client = client;
    wl_resource_set_implementation(lock->resource, &lock_implementation, lock, lock_gone);
    pid_t pid;
    wl_client_get_credentials(client, &pid, NULL, NULL);
    if (holder || is_held || denials > 0) {
        if (denials > 0) denials--;
        say("denied %d", pid);
        return ext_session_lock_v1_send_finished(lock->resource);
    }
    say("asked %d", pid);
    holder = lock;
    // "Immediately", but a compositor may wait for the surfaces.
    if (!is_late) show_lock();
}

static const struct ext_session_lock_manager_v1_interface manager_implementation = {destroy, manager_lock};

static void bind_manager(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    struct wl_resource *resource =
        wl_resource_create(client, &ext_session_lock_manager_v1_interface, (int)version, id);
    wl_resource_set_implementation(resource, &manager_implementation, data, NULL);
}

// ---- the seat

static void keyboard_gone(struct wl_resource *resource) { remove_from(keyboards, resource); }
static void pointer_gone(struct wl_resource *resource) { remove_from(pointers, resource); }
static void touch_gone(struct wl_resource *resource) { remove_from(touches, resource); }

static const struct wl_keyboard_interface keyboard_implementation = {destroy};
static const struct wl_touch_interface touch_implementation = {destroy};

static void set_cursor(struct wl_client *client, struct wl_resource *resource, uint32_t serial,
                       struct wl_resource *surface, int32_t x, int32_t y) {
    (void)client, (void)resource, (void)serial;
    if (surface) say("cursor %d %d", x, y);
}

static const struct wl_pointer_interface pointer_implementation = {set_cursor, destroy};

static void get_pointer(struct wl_client *client, struct wl_resource *seat, uint32_t id) {
    struct wl_resource *made = wl_resource_create(client, &wl_pointer_interface, wl_resource_get_version(seat), id);
    wl_resource_set_implementation(made, &pointer_implementation, NULL, pointer_gone);
    add_to(pointers, made);
}

static void get_keyboard(struct wl_client *client, struct wl_resource *seat, uint32_t id) {
    struct wl_resource *made = wl_resource_create(client, &wl_keyboard_interface, wl_resource_get_version(seat), id);
    wl_resource_set_implementation(made, &keyboard_implementation, NULL, keyboard_gone);
    add_to(keyboards, made);
    send_keymap(made);
    if (wl_resource_get_version(made) >= 4) wl_keyboard_send_repeat_info(made, repeat_rate, repeat_delay);
}

static void get_touch(struct wl_client *client, struct wl_resource *seat, uint32_t id) {
    struct wl_resource *made = wl_resource_create(client, &wl_touch_interface, wl_resource_get_version(seat), id);
    wl_resource_set_implementation(made, &touch_implementation, NULL, touch_gone);
    add_to(touches, made);
}

static const struct wl_seat_interface seat_implementation = {get_pointer, get_keyboard, get_touch, destroy};

static void bind_seat(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    struct wl_resource *resource = wl_resource_create(client, &wl_seat_interface, (int)version, id);
    wl_resource_set_implementation(resource, &seat_implementation, data, NULL);
    wl_seat_send_capabilities(resource, (uint32_t)capabilities);
}

static void move_pointer(struct output *output, double x, double y) {
    struct surface *next = surface_on(output);
    wl_fixed_t across = wl_fixed_from_double(x), down = wl_fixed_from_double(y);
    for (int i = 0; i < most; i++) {
        struct wl_resource *pointer = pointers[i];
        if (pointer_focus != next && same_client(pointer, pointer_focus)) {
            wl_pointer_send_leave(pointer, wl_display_next_serial(display), pointer_focus->resource);
            wl_pointer_send_frame(pointer);
        }
        if (!same_client(pointer, next)) continue;
        if (pointer_focus != next)
            wl_pointer_send_enter(pointer, wl_display_next_serial(display), next->resource, across, down);
        else
            wl_pointer_send_motion(pointer, now(), across, down);
        wl_pointer_send_frame(pointer);
    }
    pointer_focus = next;
}

static void press_button(uint32_t button, int is_down) {
    for (int i = 0; i < most; i++)
        if (same_client(pointers[i], pointer_focus)) {
            wl_pointer_send_button(pointers[i], wl_display_next_serial(display), now(), button, (uint32_t)is_down);
            wl_pointer_send_frame(pointers[i]);
        }
    if (is_down && pointer_focus) focus_keyboard(pointer_focus);
}

static void play_touch(const char *kind, int id, struct output *output, double x, double y) {
    struct surface *target = surface_on(output);
    wl_fixed_t across = wl_fixed_from_double(x), down = wl_fixed_from_double(y);
    for (int i = 0; i < most; i++) {
        if (!touches[i] || (target && !same_client(touches[i], target))) continue;
        if (!strcmp(kind, "down") && target)
            wl_touch_send_down(touches[i], wl_display_next_serial(display), now(), target->resource, id, across, down);
        else if (!strcmp(kind, "move"))
            wl_touch_send_motion(touches[i], now(), id, across, down);
        else if (!strcmp(kind, "up"))
            wl_touch_send_up(touches[i], wl_display_next_serial(display), now(), id);
        else if (!strcmp(kind, "cancel"))
            wl_touch_send_cancel(touches[i]);
        if (strcmp(kind, "cancel")) wl_touch_send_frame(touches[i]);
    }
}

// ---- orders

static void dump(struct surface *s, const char *path) {
    FILE *file = s && s->pixels ? fopen(path, "wb") : NULL;
    if (!file) return say("dumped nothing");
    fprintf(file, "P6 %d %d 255\n", s->pixel_width, s->pixel_height);
    for (int i = 0; i < s->pixel_width * s->pixel_height; i++) {
        uint32_t pixel = s->pixels[i];
        unsigned char rgb[3] = {(unsigned char)(pixel >> 16), (unsigned char)(pixel >> 8), (unsigned char)pixel};
        fwrite(rgb, 1, 3, file);
    }
    fclose(file);
    say("dumped %d %d", s->pixel_width, s->pixel_height);
}

static void obey(char *line) {
    char a[256] = "", b[256] = "";
    int n = 0, m = 0, k = 0;
    double x = 0, y = 0;
    if (sscanf(line, "key %255s", a) == 1) return play(a, 0, 0);
    if (sscanf(line, "hold-key %255s", a) == 1) return play(a, 0, 1);
    if (sscanf(line, "combine %255s %255s", b, a) == 2) return play(a, modifier(b), 0);
    if (sscanf(line, "on-focus %63s", on_focus) == 1) return;
    if (sscanf(line, "code %d %d", &n, &m) == 2) return send_key((uint32_t)n, m);
    if (sscanf(line, "pointer %255s %lf %lf", a, &x, &y) == 3) return move_pointer(output_named(a), x, y);
    if (sscanf(line, "button %d %d", &n, &m) == 2) return press_button((uint32_t)n, m);
    if (sscanf(line, "touch %255s %d %255s %lf %lf", b, &n, a, &x, &y) >= 2)
        return play_touch(b, n, output_named(a), x, y);
    if (sscanf(line, "focus %255s", a) == 1) return focus_keyboard(surface_on(output_named(a)));
    if (sscanf(line, "output add %31s %d %d %d", a, &n, &m, &k) == 4) return add_output(a, n, m, k);
    if (sscanf(line, "output remove %255s", a) == 1) {
        if (output_named(a)) remove_output(output_named(a));
        return;
    }
    if (sscanf(line, "output resize %255s %d %d", a, &n, &m) == 3) {
        struct output *output = output_named(a);
        output->width = n, output->height = m;
        if (surface_on(output)) configure(surface_on(output));
        return;
    }
    if (sscanf(line, "output scale %255s %d", a, &n) == 2) {
        struct output *output = output_named(a);
        output->scale = n;
        struct wl_resource *resource;
        wl_resource_for_each(resource, &output->resources) send_output(output, resource);
        return;
    }
    if (sscanf(line, "deny %d", &n) == 1) { denials = n; return; }
    if (sscanf(line, "held %d", &n) == 1) { is_held = n; return; }
    if (sscanf(line, "late %d", &n) == 1) { is_late = n; return; }
    if (sscanf(line, "freeze %d", &n) == 1) { is_frozen = n; return; }
    if (!strncmp(line, "finish", 6) && holder) return ext_session_lock_v1_send_finished(holder->resource);
    if (sscanf(line, "dump %255s %255s", a, b) == 2) return dump(surface_on(output_named(a)), b);
    if (!strncmp(line, "state", 5)) {
        pid_t pid = 0;
        if (holder) wl_client_get_credentials(holder->client, &pid, NULL, NULL);
        struct surface *s = NULL;
        int commits = 0;
        for (s = surfaces; s; s = s->next) commits += s->role ? s->commits : 0;
        return say("state locked=%d holder=%d commits=%d", is_locked, pid, commits);
    }
    say("what is %s", line);
}

static int read_orders(int descriptor, uint32_t mask, void *data) {
    static char text[1 << 16];
    static size_t length;
    (void)mask, (void)data;
    ssize_t count = read(descriptor, text + length, sizeof text - length - 1);
    if (count <= 0) {
        wl_display_terminate(display);
        return 0;
    }
    length += (size_t)count;
    text[length] = 0;
    for (char *end; (end = strchr(text, '\n'));) {
        *end = 0;
        obey(text);
        length -= (size_t)(end + 1 - text);
        memmove(text, end + 1, length + 1);
    }
    return 0;
}

/* compositor SOCKET LAYOUT [no-lock] */
int main(int count, char **arguments) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_IGN);
    if (count < 3) return 2;
    display = wl_display_create();
    struct xkb_context *context = xkb_context_new(XKB_CONTEXT_NO_FLAGS);
    struct xkb_rule_names names = {.layout = arguments[2]};
    if (strchr(arguments[2], ':')) {
        names.layout = strtok(arguments[2], ":");
        names.variant = strtok(NULL, ":");
    }
    keymap = xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS);
    if (!keymap || wl_display_add_socket(display, arguments[1]) < 0) return 1;
    wl_display_init_shm(display);
    wl_global_create(display, &wl_compositor_interface, 4, NULL, bind_compositor);
    wl_global_create(display, &wl_subcompositor_interface, 1, NULL, bind_subcompositor);
    wl_global_create(display, &wl_seat_interface, 5, NULL, bind_seat);
    if (count < 4) wl_global_create(display, &ext_session_lock_manager_v1_interface, 1, NULL, bind_manager);
    struct wl_event_loop *loop = wl_display_get_event_loop(display);
    wl_event_loop_add_fd(loop, 0, WL_EVENT_READABLE, read_orders, NULL);
    frames = wl_event_loop_add_timer(loop, send_frames, NULL);
    wl_event_source_timer_update(frames, frame_time);
    say("ready");
    wl_display_run(display);
    return 0;
}
