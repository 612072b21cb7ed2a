internal import CDBus

/// The D-Bus specification's rules for names. libdbus ends the process when it is given a name that breaks them, so
/// all that goes to it is asked here first.
enum Syntax {
    static func isPath(_ text: String) -> Bool { check(text) { dbus_validate_path($0, nil) } }
    static func isInterface(_ text: String) -> Bool { check(text) { dbus_validate_interface($0, nil) } }
    static func isMember(_ text: String) -> Bool { check(text) { dbus_validate_member($0, nil) } }
    static func isErrorName(_ text: String) -> Bool { check(text) { dbus_validate_error_name($0, nil) } }
    static func isBusName(_ text: String) -> Bool { check(text) { dbus_validate_bus_name($0, nil) } }
    /// Any number of complete types.
    static func isSignature(_ text: String) -> Bool { check(text) { dbus_signature_validate($0, nil) } }
    /// Exactly one complete type.
    static func isSingleType(_ text: String) -> Bool { check(text) { dbus_signature_validate_single($0, nil) } }

    /// libdbus sees a string's bytes up to the first NUL only, so one inside makes it invalid.
    private static func check(_ text: String, _ rule: (UnsafePointer<CChar>) -> dbus_bool_t) -> Bool {
        !text.utf8.contains(0) && text.withCString { rule($0) != 0 }
    }
}

/// D-Bus well-known name syntax: at least two elements, letters, digits, `_` and `-`, none starting with a digit, up
/// to 255 bytes. Unique names (`:1.5`) are none.
public func isWellKnownBusName(_ name: String) -> Bool { !name.hasPrefix(":") && Syntax.isBusName(name) }

/// Whether `path` is a D-Bus object path.
public func isObjectPath(_ path: String) -> Bool { Syntax.isPath(path) }
