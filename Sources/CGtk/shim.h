#pragma once
#include <gdk/x11/gdkx.h>
#include <gdk/wayland/gdkwayland.h>
#include <gtk/gtk.h>

#pragma clang assume_nonnull begin

/* Variadic, and an accessible's role can be given at birth only. */
static inline GtkWidget *smile_drawing_area_new(GtkAccessibleRole role) {
    return (GtkWidget *)g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", role, NULL);
}

static inline GtkWidget *smile_label_new(GtkAccessibleRole role) {
    return (GtkWidget *)g_object_new(GTK_TYPE_LABEL, "accessible-role", role, "wrap", TRUE, "wrap-mode",
                                     PANGO_WRAP_WORD_CHAR, "justify", GTK_JUSTIFY_CENTER, NULL);
}

/* The variadic call's form with arrays takes GValues of types that Swift cannot name. */
static inline void smile_accessible_set_name(GtkWidget *widget, const char *name, const char *description) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

/* For what shows something that is said elsewhere; with all that is in it. */
static inline void smile_accessible_hide(GtkWidget *widget) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
}

/* Instead of the words that a button has in it. */
static inline void smile_accessible_rename(GtkWidget *widget, const char *name, const char *description) {
    gtk_accessible_reset_relation(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
    smile_accessible_set_name(widget, name, description);
}

/* One of several of which one is chosen; in its group it would still be told as a box to check. */
static inline GtkWidget *smile_radio_new(void) {
    return (GtkWidget *)g_object_new(GTK_TYPE_CHECK_BUTTON, "accessible-role", GTK_ACCESSIBLE_ROLE_RADIO, NULL);
}

/* For what a label with a mnemonic has named already. */
static inline void smile_accessible_set_description(GtkWidget *widget, const char *description) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

static inline void smile_accessible_set_value(GtkWidget *widget, double value, double most, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                   GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, most, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, value,
                                   GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static inline void smile_accessible_set_pressed(GtkWidget *widget, gboolean pressed) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_PRESSED,
                                pressed ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
}

/* Cast macros do not import. */
static inline gboolean smile_is_button(GtkWidget *_Nullable widget) { return GTK_IS_BUTTON(widget); }

/* g_signal_emit_by_name is variadic. */
static inline void smile_click(GtkWidget *button) {
    if (GTK_IS_BUTTON(button) && gtk_widget_is_sensitive(button)) g_signal_emit_by_name(button, "clicked");
}

/* The window's number, after it has been told to window managers that it is none of theirs: it lies above the cover.
   0 where the display is none of X11's. Before it is mapped. */
static inline guint32 smile_take_from_manager(GdkSurface *surface) {
    GdkDisplay *display = gdk_surface_get_display(surface);
    if (!GDK_IS_X11_DISPLAY(display) || !GDK_IS_X11_SURFACE(surface)) return 0;
    XSetWindowAttributes attributes = {.override_redirect = True};
    XChangeWindowAttributes(GDK_DISPLAY_XDISPLAY(display), GDK_SURFACE_XID(surface), CWOverrideRedirect, &attributes);
    return (guint32)GDK_SURFACE_XID(surface);
}

static inline void smile_place(GdkSurface *surface, int x, int y, int width, int height) {
    GdkDisplay *display = gdk_surface_get_display(surface);
    if (GDK_IS_X11_SURFACE(surface))
        XMoveResizeWindow(GDK_DISPLAY_XDISPLAY(display), GDK_SURFACE_XID(surface), x, y, (unsigned)width,
                          (unsigned)height);
}

/* The monitor with the pointer, else the first, in X's pixels; false without one. */
static inline gboolean smile_monitor(GdkDisplay *display, GdkRectangle *area) {
    GListModel *monitors = gdk_display_get_monitors(display);
    int x = 0, y = 0;
    if (GDK_IS_X11_DISPLAY(display)) {
        Window root, child;
        int inner_x, inner_y;
        unsigned mask;
        Display *raw = GDK_DISPLAY_XDISPLAY(display);
        XQueryPointer(raw, DefaultRootWindow(raw), &root, &child, &x, &y, &inner_x, &inner_y, &mask);
    }
    gboolean found = FALSE;
    for (guint index = 0; index < g_list_model_get_n_items(monitors); index++) {
        GdkMonitor *monitor = (GdkMonitor *)g_list_model_get_item(monitors, index);
        GdkRectangle place;
        int scale = gdk_monitor_get_scale_factor(monitor);
        gdk_monitor_get_geometry(monitor, &place);
        g_object_unref(monitor);
        place = (GdkRectangle){place.x * scale, place.y * scale, place.width * scale, place.height * scale};
        gboolean here = x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + place.height;
        if (here || !found) *area = place;
        found = TRUE;
        if (here) break;
    }
    return found;
}

/* A texture that is as large as it is said to be, in pixels of the window's scale, however many it has itself. */
static inline GdkPaintable *smile_sized(GdkTexture *texture, float width, float height) {
    GtkSnapshot *snapshot = gtk_snapshot_new();
    graphene_rect_t whole = GRAPHENE_RECT_INIT(0, 0, width, height);
    gtk_snapshot_append_texture(snapshot, texture, &whole);
    return gtk_snapshot_free_to_paintable(snapshot, &whole.size);
}

/* Keeps a dialog above the window that asked for it; nothing where the display is none of X11's. */
static inline void smile_set_x11_parent(GdkSurface *surface, unsigned long parent) {
    GdkDisplay *display = gdk_surface_get_display(surface);
    if (GDK_IS_X11_DISPLAY(display) && GDK_IS_X11_SURFACE(surface))
        XSetTransientForHint(GDK_DISPLAY_XDISPLAY(display), GDK_SURFACE_XID(surface), parent);
}

static inline void smile_set_wayland_parent(GdkSurface *surface, const char *handle) {
    if (GDK_IS_WAYLAND_TOPLEVEL(surface))
        gdk_wayland_toplevel_set_transient_for_exported(GDK_TOPLEVEL(surface), handle);
}

/* The number that others know a window by; 0 where the display is none of X11's. */
static inline unsigned long smile_x11_number(GdkSurface *surface) {
    return GDK_IS_X11_SURFACE(surface) ? (unsigned long)GDK_SURFACE_XID(surface) : 0;
}

/* Whether a locked session covers the screen: on an X server of its own, not on XWayland, and where a compositor of
   Wayland's offers a session lock. */
static inline gboolean smile_is_covered(GdkDisplay *display) {
    int code, event, error;
    if (GDK_IS_WAYLAND_DISPLAY(display))
        return gdk_wayland_display_query_registry(display, "ext_session_lock_manager_v1");
    return GDK_IS_X11_DISPLAY(display) &&
           !XQueryExtension(GDK_DISPLAY_XDISPLAY(display), "XWAYLAND", &code, &event, &error);
}

/* Tells the handle that others know a window of Wayland's by; false where the display is none of them. */
static inline gboolean smile_export_wayland(GdkSurface *surface, GdkWaylandToplevelExported told, gpointer data) {
    return GDK_IS_WAYLAND_TOPLEVEL(surface) &&
           gdk_wayland_toplevel_export_handle(GDK_TOPLEVEL(surface), told, data, NULL);
}

/* g_object_set is variadic. */
static inline void smile_set_theme(GtkSettings *settings, const char *name, gboolean is_dark) {
    g_object_set(settings, "gtk-theme-name", name, "gtk-application-prefer-dark-theme", is_dark, NULL);
}

/* Variadic, for its format. */
static inline GtkWidget *smile_question_new(GtkWidget *parent, const char *text, const char *more) {
    GtkWidget *dialog = gtk_message_dialog_new(GTK_WINDOW(parent), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                               GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", text);
    gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog), "%s", more);
    return dialog;
}

/* The application's name by its desktop entry, in the session's language; NULL without one. To be freed. */
static inline char *_Nullable smile_application_name(const char *application) {
    GList *all = g_app_info_get_all();
    char *name = NULL;
    for (GList *item = all; item && !name; item = item->next) {
        const char *id = g_app_info_get_id((GAppInfo *)item->data);
        if (id && g_str_has_prefix(id, application) && strcmp(id + strlen(application), ".desktop") == 0)
            name = g_strdup(g_app_info_get_display_name((GAppInfo *)item->data));
    }
    g_list_free_full(all, g_object_unref);
    return name;
}

#pragma clang assume_nonnull end
