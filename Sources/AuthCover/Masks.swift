import CX11

/// Which events of XInput 2 are asked for, and where.
enum Masks {
    private static let keys = [XI_KeyPress, XI_KeyRelease]
    private static let pointer = [
        XI_ButtonPress, XI_ButtonRelease, XI_Motion, XI_TouchBegin, XI_TouchUpdate, XI_TouchEnd,
    ]
    /// Focus and pointer coming and going tell of grabs that others let go of, and of ours being taken.
    private static let crossings = [XI_Enter, XI_Leave, XI_FocusIn, XI_FocusOut]

    /// What a sheet gets while nobody holds the devices.
    static func selectOnSheet(_ window: Window, _ display: OpaquePointer) {
        select(keys + pointer + crossings, XIAllMasterDevices, window, display)
    }

    /// Masters coming and going.
    static func selectOnRoot(_ root: Window, _ display: OpaquePointer) {
        select([XI_HierarchyChanged], XIAllDevices, root, display)
    }

    private static func select(_ events: [Int32], _ device: Int32, _ window: Window, _ display: OpaquePointer) {
        with(events, device) { mask in _ = XISelectEvents(display, window, &mask, 1) }
    }

    /// Lends the mask of what a grab of a master takes.
    static func withGrab<Result>(of device: Int32, isKeyboard: Bool, _ body: (inout XIEventMask) -> Result) -> Result {
        with(isKeyboard ? keys : pointer, device, body)
    }

    private static func with<Result>(
        _ events: [Int32], _ device: Int32, _ body: (inout XIEventMask) -> Result
    ) -> Result {
        var bits = [UInt8](repeating: 0, count: Int(XI_LASTEVENT >> 3) + 1)
        for event in events { bits[Int(event >> 3)] |= 1 << UInt8(event & 7) }
        let count = Int32(bits.count)
        return bits.withUnsafeMutableBufferPointer { bits in
            var mask = XIEventMask(deviceid: device, mask_len: count, mask: bits.baseAddress)
            return body(&mask)
        }
    }
}
