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

#pragma clang assume_nonnull end
