"""The contract's names, written out once more: the tests do not take them from the code under test."""

BUS_NAME = "org.smileauth.Auth1"
ROOT = "/org/smileauth/Auth1"
SESSION = ROOT + "/session"
MANAGER = BUS_NAME + ".Manager"
AUTHENTICATOR = BUS_NAME + ".Authenticator"
POLICY = BUS_NAME + ".Policy"
FINGERPRINT = BUS_NAME + ".Fingerprint"
FINGERPRINT_PATH = ROOT + "/fingerprint"
REQUEST = BUS_NAME + ".Request"
PROPERTIES = "org.freedesktop.DBus.Properties"
OBJECT_MANAGER = "org.freedesktop.DBus.ObjectManager"
INTROSPECTABLE = "org.freedesktop.DBus.Introspectable"
PEER = "org.freedesktop.DBus.Peer"

ERROR = BUS_NAME + ".Error."
INVALID_ARGS = "org.freedesktop.DBus.Error.InvalidArgs"
UNKNOWN_METHOD = "org.freedesktop.DBus.Error.UnknownMethod"
UNKNOWN_OBJECT = "org.freedesktop.DBus.Error.UnknownObject"
UNKNOWN_INTERFACE = "org.freedesktop.DBus.Error.UnknownInterface"
UNKNOWN_PROPERTY = "org.freedesktop.DBus.Error.UnknownProperty"
READ_ONLY = "org.freedesktop.DBus.Error.PropertyReadOnly"


def error(short):
    return ERROR + short


def escape_label(name):
    """sd_bus_path_encode's rule: everything but letters and digits, and a digit in front, becomes _xx."""
    if not name:
        return "_"
    return "".join(
        (
            chr(byte)
            if chr(byte).isascii() and chr(byte).isalnum() and not (index == 0 and chr(byte).isdigit())
            else f"_{byte:02x}"
        )
        for index, byte in enumerate(name.encode())
    )


def app_path(name):
    return f"{ROOT}/app/{escape_label(name)}"
