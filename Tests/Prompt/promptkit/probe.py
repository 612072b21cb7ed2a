"""Whether windows come up on a display: openbox says that it is there before it takes care of them, and what is mapped
in between is lost, never to be seen."""

import ctypes
import time

_x11 = ctypes.CDLL("libX11.so.6")
_x11.XOpenDisplay.restype = ctypes.c_void_p
_x11.XDefaultRootWindow.restype = _x11.XCreateSimpleWindow.restype = ctypes.c_ulong
_x11.XDefaultRootWindow.argtypes = _x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
_x11.XCreateSimpleWindow.argtypes = [
    ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint,
    ctypes.c_ulong, ctypes.c_ulong,
]
_x11.XMapWindow.argtypes = _x11.XDestroyWindow.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
_x11.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
_x11.XGetWindowAttributes.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p]
_IS_VIEWABLE = 2


class _Attributes(ctypes.Structure):
    _fields_ = [("place", ctypes.c_int * 5), ("visual", ctypes.c_void_p), ("root", ctypes.c_ulong),
                ("kinds", ctypes.c_int * 4), ("planes", ctypes.c_ulong * 2), ("under", ctypes.c_int),
                ("colormap", ctypes.c_ulong), ("is_installed", ctypes.c_int), ("map_state", ctypes.c_int),
                ("rest", ctypes.c_long * 16)]


def windows_come_up(display, seconds=20.0):
    """Maps small windows until one is seen; whether one was."""
    connection = _x11.XOpenDisplay(display.encode())
    assert connection, f"no display {display}"
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            if _comes_up(connection):
                return True
        return False
    finally:
        _x11.XCloseDisplay(connection)


def _comes_up(connection, seconds=0.2):
    window = _x11.XCreateSimpleWindow(connection, _x11.XDefaultRootWindow(connection), 0, 0, 8, 8, 0, 0, 0)
    _x11.XMapWindow(connection, window)
    attributes = _Attributes()
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            _x11.XSync(connection, 0)
            _x11.XGetWindowAttributes(connection, window, ctypes.byref(attributes))
            if attributes.map_state == _IS_VIEWABLE:
                return True
            time.sleep(0.005)
        return False
    finally:
        _x11.XDestroyWindow(connection, window)
        _x11.XSync(connection, 0)
