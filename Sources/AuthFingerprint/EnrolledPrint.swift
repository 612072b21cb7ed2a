internal import AuthCore
internal import AuthSecrets
internal import CFprint
internal import CGLib

/// One enrolled print: libfprint's object, and what the set of fingers knows it by.
struct EnrolledPrint: Sendable {
    let finger: Finger
    /// An `FpPrint`; never changed after it was made.
    let object: GObjectReference
    /// Over what stays the same for as long as the print is enrolled: not over its date, its owner or its description.
    let hash: [UInt8]
    /// The template is in the sensor; the file holds what names it there.
    let isOnChip: Bool

    var pointer: OpaquePointer { object.pointer }

    /// Why bytes are no print of this finger on this device.
    struct Unusable: Error, Equatable {
        let why: String
        init(_ why: String) { self.why = why }
    }

    /// Takes over the caller's reference to an `FpPrint` that was enrolled just now.
    init(enrolled object: GObjectReference, as finger: Finger) throws(Unusable) {
        self.finger = finger
        self.object = object
        hash = try Layout.hash(of: Self.bytes(of: object.pointer))
        isOnChip = fp_print_get_device_stored(object.pointer) != 0
    }

    /// Reads a file.
    init(_ bytes: [UInt8], of finger: Finger, for sensor: SensorFacts) throws(Unusable) {
        // Before libfprint reads it: GVariant fills what is missing of a cut-off value with nulls.
        hash = try Layout.hash(of: bytes)
        var error: UnsafeMutablePointer<GError>?
        guard let print = fp_print_deserialize(bytes, gsize(bytes.count), &error) else {
            defer { if let error { g_error_free(error) } }
            throw Unusable(error.map { String(cString: $0.pointee.message) } ?? "not read")
        }
        if g_object_is_floating(UnsafeMutableRawPointer(print)) != 0 {
            g_object_ref_sink(UnsafeMutableRawPointer(print))
        }
        object = GObjectReference(owning: print)
        // As fp_print_compatible looks at it.
        guard String(cString: fp_print_get_driver(print)) == sensor.driver,
            String(cString: fp_print_get_device_id(print)) == sensor.deviceID
        else { throw Unusable("of another sensor") }
        guard Finger(fp_print_get_finger(print)) == finger else { throw Unusable("of another finger") }
        self.finger = finger
        isOnChip = fp_print_get_device_stored(print) != 0
    }

    /// What its file holds.
    var bytes: [UInt8] {
        get throws(Unusable) { try Self.bytes(of: pointer) }
    }

    private static func bytes(of print: OpaquePointer) throws(Unusable) -> [UInt8] {
        var data: UnsafeMutablePointer<guchar>?
        var length: gsize = 0
        var error: UnsafeMutablePointer<GError>?
        guard fp_print_serialize(print, &data, &length, &error) != 0, let data else {
            defer { if let error { g_error_free(error) } }
            throw Unusable(error.map { String(cString: $0.pointee.message) } ?? "not serialized")
        }
        defer { g_free(data) }
        return Array(UnsafeBufferPointer(start: data, count: Int(length)))
    }

    /// Whether both hold the same template; two of a real finger never do, two names for one print on a chip may.
    func isSamePrint(as other: OpaquePointer) -> Bool { fp_print_equal(pointer, other) != 0 }
}

/// How libfprint serializes a print: `FP3`, then a little-endian GVariant of kind, driver, device id, whether it is on
/// the chip, finger, user, description, date, extras, template.
private enum Layout {
    static let magic = Array("FP3".utf8)
    nonisolated(unsafe) static let type: OpaquePointer = g_variant_type_new("(issbymsmsia{sv}v)")!
    /// Kind, driver, device id, on the chip, finger; template.
    static let stable: [gsize] = [0, 1, 2, 3, 4, 9]

    static func hash(of bytes: [UInt8]) throws(EnrolledPrint.Unusable) -> [UInt8] {
        guard bytes.starts(with: magic) else { throw .init("not a print") }
        let copy = g_bytes_new(Array(bytes[magic.count...]), gsize(bytes.count - magic.count))
        defer { g_bytes_unref(copy) }
        let raw = g_variant_ref_sink(g_variant_new_from_bytes(type, copy, 0))!
        defer { g_variant_unref(raw) }
        guard g_variant_is_normal_form(raw) != 0 else { throw .init("truncated or damaged") }
        let parts = stable.map { index in
            let child = g_variant_get_child_value(raw, index)!
            defer { g_variant_unref(child) }
            let size = Int(g_variant_get_size(child))
            guard size > 0, let data = g_variant_get_data(child) else { return [UInt8]() }
            return Array(UnsafeRawBufferPointer(start: data, count: size))
        }
        guard parts.last?.isEmpty == false else { throw .init("without a template") }
        return Hash.of([Array("print".utf8)] + parts)
    }
}
