"""As much of Xlib, XInput 2 and XTest as the tests need, by ctypes: a client of the X server in the test's process."""

import ctypes
import ctypes.util
from ctypes import POINTER, byref, c_char_p, c_int, c_long, c_ubyte, c_uint, c_ulong, c_void_p

x11 = ctypes.CDLL("libX11.so.6")
xi = ctypes.CDLL("libXi.so.6")
xtst = ctypes.CDLL("libXtst.so.6")

SUCCESS, ALREADY_GRABBED = 0, 1
# The ids that the server gives the first masters.
POINTER_ID, KEYBOARD_ID = 2, 3
KEY_PRESS, KEY_RELEASE, BUTTON_PRESS, BUTTON_RELEASE, MOTION = 2, 3, 4, 5, 6
ENTER, LEAVE, FOCUS_IN, FOCUS_OUT, MAP = 7, 8, 9, 10, 19
KEY_MASK, BUTTON_MASK, MOTION_MASK = 0x3, 0xC, 0x40
FOCUS_MASK, STRUCTURE_MASK = 1 << 21, 1 << 17
IS_VIEWABLE = 2


class Attributes(ctypes.Structure):
    _fields_ = [
        ("x", c_int), ("y", c_int), ("width", c_int), ("height", c_int), ("border_width", c_int), ("depth", c_int),
        ("visual", c_void_p), ("root", c_ulong), ("c_class", c_int), ("bit_gravity", c_int), ("win_gravity", c_int),
        ("backing_store", c_int), ("backing_planes", c_ulong), ("backing_pixel", c_ulong), ("save_under", c_int),
        ("colormap", c_ulong), ("map_installed", c_int), ("map_state", c_int), ("all_event_masks", c_long),
        ("your_event_mask", c_long), ("do_not_propagate_mask", c_long), ("override_redirect", c_int),
        ("screen", c_void_p),
    ]  # fmt: skip


class SetAttributes(ctypes.Structure):
    _fields_ = [
        ("background_pixmap", c_ulong), ("background_pixel", c_ulong), ("border_pixmap", c_ulong),
        ("border_pixel", c_ulong), ("bit_gravity", c_int), ("win_gravity", c_int), ("backing_store", c_int),
        ("backing_planes", c_ulong), ("backing_pixel", c_ulong), ("save_under", c_int), ("event_mask", c_long),
        ("do_not_propagate_mask", c_long), ("override_redirect", c_int), ("colormap", c_ulong), ("cursor", c_ulong),
    ]  # fmt: skip


class EventMask(ctypes.Structure):
    _fields_ = [("deviceid", c_int), ("mask_len", c_int), ("mask", POINTER(c_ubyte))]


class KeyEvent(ctypes.Structure):
    _fields_ = [
        ("type", c_int), ("serial", c_ulong), ("send_event", c_int), ("display", c_void_p), ("window", c_ulong),
        ("root", c_ulong), ("subwindow", c_ulong), ("time", c_ulong), ("x", c_int), ("y", c_int), ("x_root", c_int),
        ("y_root", c_int), ("state", c_uint), ("keycode", c_uint), ("same_screen", c_int), ("rest", c_long * 24),
    ]  # fmt: skip


class SelectionClear(ctypes.Structure):
    _fields_ = [
        ("type", c_int), ("serial", c_ulong), ("send_event", c_int), ("display", c_void_p), ("window", c_ulong),
        ("selection", c_ulong), ("time", c_ulong), ("rest", c_long * 24),
    ]  # fmt: skip


class AddMaster(ctypes.Structure):
    _fields_ = [("type", c_int), ("name", c_char_p), ("send_core", c_int), ("enable", c_int), ("rest", c_long * 8)]


class Device(ctypes.Structure):
    _fields_ = [
        ("deviceid", c_int), ("name", c_char_p), ("use", c_int), ("attachment", c_int), ("enabled", c_int),
        ("num_classes", c_int), ("classes", c_void_p),
    ]  # fmt: skip


class AnyEvent(ctypes.Structure):
    _fields_ = [
        ("type", c_int), ("serial", c_ulong), ("send_event", c_int), ("display", c_void_p), ("window", c_ulong),
        ("rest", c_long * 24),
    ]  # fmt: skip


def _declare():
    pointer, number, window, text = c_void_p, c_int, c_ulong, c_char_p
    for library, name, result, arguments in (
        (x11, "XOpenDisplay", pointer, [text]),
        (x11, "XDefaultRootWindow", window, [pointer]),
        (x11, "XRootWindow", window, [pointer, number]),
        (x11, "XScreenCount", number, [pointer]),
        (x11, "XCreateWindow", window, [pointer, window, number, number, c_uint, c_uint, c_uint, number, c_uint,
                                        pointer, c_ulong, POINTER(SetAttributes)]),
        (x11, "XGetImage", pointer, [pointer, window, number, number, c_uint, c_uint, c_ulong, number]),
        (x11, "XGetPixel", c_ulong, [pointer, number, number]),
        (x11, "XDestroyImage", number, [pointer]),
        (x11, "XInternAtom", c_ulong, [pointer, text, number]),
        (x11, "XGetSelectionOwner", window, [pointer, c_ulong]),
        (x11, "XSetSelectionOwner", number, [pointer, c_ulong, window, c_ulong]),
        (x11, "XQueryTree", number, [pointer, window, pointer, pointer, pointer, pointer]),
        (x11, "XFetchName", number, [pointer, window, pointer]),
        (x11, "XStringToKeysym", c_ulong, [text]),
        (x11, "XKeysymToKeycode", c_ubyte, [pointer, c_ulong]),
        (x11, "XGetWindowAttributes", number, [pointer, window, POINTER(Attributes)]),
        (x11, "XGetInputFocus", number, [pointer, POINTER(c_ulong), POINTER(c_int)]),
        (x11, "XSetInputFocus", number, [pointer, window, number, c_ulong]),
        (x11, "XGrabKeyboard", number, [pointer, window, number, number, number, c_ulong]),
        (x11, "XGrabPointer", number, [pointer, window, number, c_uint, number, number, window, c_ulong, c_ulong]),
        (x11, "XNextEvent", number, [pointer, POINTER(AnyEvent)]),
        (x11, "XSelectInput", number, [pointer, window, c_long]),
        (x11, "XStoreName", number, [pointer, window, text]),
        (x11, "XSetCloseDownMode", number, [pointer, number]),
        (xi, "XIGrabDevice", number, [pointer, number, window, c_ulong, c_ulong, number, number, number,
                                      POINTER(EventMask)]),
        (xi, "XIUngrabDevice", number, [pointer, number, c_ulong]),
        (x11, "XSendEvent", number, [pointer, window, number, c_long, pointer]),
        (xi, "XIChangeHierarchy", number, [pointer, pointer, number]),
        (xi, "XIQueryDevice", POINTER(Device), [pointer, number, POINTER(c_int)]),
        (xi, "XIQueryVersion", number, [pointer, POINTER(c_int), POINTER(c_int)]),
        (xtst, "XTestFakeKeyEvent", number, [pointer, c_uint, number, c_ulong]),
        (xtst, "XTestFakeButtonEvent", number, [pointer, c_uint, number, c_ulong]),
        (xtst, "XTestFakeMotionEvent", number, [pointer, number, number, number, c_ulong]),
    ):  # fmt: skip
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    for name in ("XSync", "XFlush", "XPending", "XFree", "XCloseDisplay"):
        getattr(x11, name).argtypes = [pointer] + ([number] if name == "XSync" else [])
    for name in ("XMapWindow", "XMapRaised", "XUnmapWindow", "XDestroyWindow", "XRaiseWindow", "XLowerWindow"):
        getattr(x11, name).argtypes = [pointer, window]
    for name in ("XUngrabKeyboard", "XUngrabPointer"):
        getattr(x11, name).argtypes = [pointer, c_ulong]
    x11.XMoveResizeWindow.argtypes = [pointer, window, number, number, c_uint, c_uint]


_declare()
_HANDLER = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
_ignore = _HANDLER(lambda display, event: 0)
x11.XSetErrorHandler(_ignore)


class Client:
    """One connection to the X server."""

    def __init__(self, display):
        self.raw = x11.XOpenDisplay(display.encode())
        assert self.raw, f"no X server at {display}"
        self.root = x11.XDefaultRootWindow(self.raw)
        xi.XIQueryVersion(self.raw, byref(c_int(2)), byref(c_int(2)))

    def close(self):
        if self.raw:
            x11.XCloseDisplay(self.raw)
            self.raw = None

    def sync(self):
        x11.XSync(self.raw, 0)

    # Grabs: 0 is success, 1 AlreadyGrabbed.

    def grab_keyboard(self, window=None):
        return x11.XGrabKeyboard(self.raw, window or self.root, 0, 1, 1, 0)

    def grab_pointer(self, window=None):
        return x11.XGrabPointer(self.raw, window or self.root, 0, BUTTON_MASK | MOTION_MASK, 1, 1, 0, 0, 0)

    def grab_device(self, device):
        bits = (c_ubyte * 4)(0b01111100, 0, 0, 0)
        mask = EventMask(device, 4, bits)
        return xi.XIGrabDevice(self.raw, device, self.root, 0, 0, 1, 1, 0, byref(mask))

    def ungrab(self):
        x11.XUngrabKeyboard(self.raw, 0)
        x11.XUngrabPointer(self.raw, 0)
        for device in (POINTER_ID, KEYBOARD_ID):
            xi.XIUngrabDevice(self.raw, device, 0)
        self.sync()

    # Windows

    def create(self, x, y, width, height, pixel=0xFFFFFF, override=False, name="window", events=0, parent=None):
        attributes = SetAttributes()
        attributes.background_pixel = pixel
        attributes.override_redirect = int(override)
        attributes.event_mask = events
        window = x11.XCreateWindow(
            self.raw, parent or self.root, x, y, width, height, 0, 0, 1, None, 1 << 1 | 1 << 9 | 1 << 11,
            byref(attributes)
        )  # fmt: skip
        x11.XStoreName(self.raw, window, name.encode())
        return window

    def create_input_only(self, x, y, width, height):
        attributes = SetAttributes(override_redirect=1)
        return x11.XCreateWindow(
            self.raw, self.root, x, y, width, height, 0, 0, 2, None, 1 << 9, byref(attributes)
        )  # fmt: skip

    def map(self, window):
        x11.XMapRaised(self.raw, window)
        self.sync()

    def raise_(self, window):
        x11.XRaiseWindow(self.raw, window)
        self.sync()

    def call(self, name, *arguments):
        """Any function that takes the display and a window."""
        getattr(x11, name)(self.raw, *arguments)
        self.sync()

    def children(self, root=None):
        """The windows on the root, the topmost last."""
        found, count = POINTER(c_ulong)(), c_uint()
        other = c_ulong()
        if not x11.XQueryTree(
            self.raw, root or self.root, byref(other), byref(c_ulong()), byref(found), byref(count)
        ):  # fmt: skip
            return []
        windows = [found[index] for index in range(count.value)]
        if windows:
            x11.XFree(ctypes.cast(found, c_void_p))
        return windows

    def attributes(self, window):
        attributes = Attributes()
        return attributes if x11.XGetWindowAttributes(self.raw, window, byref(attributes)) else None

    def name(self, window):
        text = c_char_p()
        return text.value.decode() if x11.XFetchName(self.raw, window, byref(text)) and text.value else ""

    def sheets(self, root=None):
        """The cover's mapped windows."""
        named = [window for window in self.children(root) if self.name(window) == "smileauth-cover"]
        # One that leaves may be gone by now.
        known = [(window, self.attributes(window)) for window in named]
        return [window for window, attributes in known if attributes and attributes.map_state == IS_VIEWABLE]

    def pixels(self, points, root=None):
        """The colours at some points of the screen."""
        colours = []
        for x, y in points:
            image = x11.XGetImage(self.raw, root or self.root, x, y, 1, 1, (1 << 32) - 1, 2)
            assert image, f"no pixel at {x},{y}"
            colours.append(x11.XGetPixel(image, 0, 0) & 0xFFFFFF)
            x11.XDestroyImage(image)
        return colours

    @property
    def focus(self):
        window = c_ulong()
        x11.XGetInputFocus(self.raw, byref(window), byref(c_int()))
        return window.value

    def set_focus(self, window):
        x11.XSetInputFocus(self.raw, window, 2, 0)
        self.sync()

    def atom(self, name):
        return x11.XInternAtom(self.raw, name.encode(), 0)

    def selection_owner(self, name):
        return x11.XGetSelectionOwner(self.raw, self.atom(name))

    def take_selection(self, name, window):
        x11.XSetSelectionOwner(self.raw, self.atom(name), window, 0)
        self.sync()

    # A person, by XTest

    def keycode(self, name):
        return x11.XKeysymToKeycode(self.raw, x11.XStringToKeysym(name.encode()))

    def key(self, *names):
        """Presses the keys one after the other and lets go of them in reverse."""
        codes = [self.keycode(name) for name in names]
        assert all(codes), f"no key makes {names}"
        for code in codes:
            xtst.XTestFakeKeyEvent(self.raw, code, 1, 0)
        for code in reversed(codes):
            xtst.XTestFakeKeyEvent(self.raw, code, 0, 0)
        self.sync()

    def key_code(self, code):
        xtst.XTestFakeKeyEvent(self.raw, code, 1, 0)
        xtst.XTestFakeKeyEvent(self.raw, code, 0, 0)
        self.sync()

    def forge(self, window, event):
        """XSendEvent: to whoever made the window."""
        x11.XSendEvent(self.raw, window, 0, 0, ctypes.cast(byref(event), c_void_p))
        self.sync()

    def add_masters(self, name):
        """A second keyboard and pointer; returns their ids."""
        change = AddMaster(1, name.encode(), 1, 1)
        xi.XIChangeHierarchy(self.raw, ctypes.cast(byref(change), c_void_p), 1)
        self.sync()
        count = c_int()
        devices = xi.XIQueryDevice(self.raw, 1, byref(count))
        found = [devices[index] for index in range(count.value)]
        return [device.deviceid for device in found if device.name.decode().startswith(name + " ")]

    def move(self, x, y):
        xtst.XTestFakeMotionEvent(self.raw, 0, x, y, 0)
        self.sync()

    def button(self, number, press):
        xtst.XTestFakeButtonEvent(self.raw, number, int(press), 0)
        self.sync()

    def click(self, number=1):
        self.button(number, True)
        self.button(number, False)
