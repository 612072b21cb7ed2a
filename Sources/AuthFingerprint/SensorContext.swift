internal import CFprint
internal import CGLib
internal import MainLoop

/// libfprint's list of the sensors that it has a driver for, kept up to date for those on USB.
@LoopActor
final class SensorContext {
    private var context: UnsafeMutablePointer<FpContext>?
    private var handlers: [gulong] = []
    private var starting: LoopSource?
    private(set) var devices: [SensorDevice] = []
    /// A sensor was plugged in.
    var onAdded: (() -> Void)?

    isolated deinit { drop() }

    /// Looks for sensors anew. Those that are not on USB are found in no other way.
    ///
    /// libfprint runs the main loop while it looks (0.5 ms for what it knows from the bus alone, longer where a driver
    /// asks the sensor), so it is called from a source of its own: what else the loop has to do goes on meanwhile.
    func renew() async {
        await withCheckedContinuation { continuation in
            let earlier = starting
            starting = .idle { [self] in
                enumerate()
                continuation.resume()
            }
            withExtendedLifetime(earlier) {}
        }
        starting = nil
    }

    func drop() {
        devices = []
        guard let context else { return }
        self.context = nil
        for handler in handlers { g_signal_handler_disconnect(context, handler) }
        handlers = []
        g_object_unref(context)
    }

    private func enumerate() {
        drop()
        guard let fresh = fp_context_new() else { return }
        context = fresh
        fp_context_enumerate(fresh)
        guard context == fresh, let found = fp_context_get_devices(fresh) else { return }
        for index in 0..<Int(found.pointee.len) {
            guard let device = found.pointee.pdata[index] else { continue }
            devices.append(SensorDevice(device.assumingMemoryBound(to: FpDevice.self)))
        }
        handlers = [
            connect(fresh, "device-added") { $0.added($1) },
            connect(fresh, "device-removed") { $0.removed($1) },
        ]
    }

    private func added(_ device: UnsafeMutablePointer<FpDevice>) {
        guard !devices.contains(where: { $0.pointer == device }) else { return }
        devices.append(SensorDevice(device))
        onAdded?()
    }

    private func removed(_ device: UnsafeMutablePointer<FpDevice>) {
        devices.removeAll { $0.pointer == device }
    }

    private final class Box {
        weak var owner: SensorContext?
        let body: @LoopActor (SensorContext, UnsafeMutablePointer<FpDevice>) -> Void
        init(
            _ owner: SensorContext, _ body: @escaping @LoopActor (SensorContext, UnsafeMutablePointer<FpDevice>) -> Void
        ) {
            self.owner = owner
            self.body = body
        }
    }

    private func connect(
        _ context: UnsafeMutablePointer<FpContext>, _ signal: String,
        _ body: @escaping @LoopActor (SensorContext, UnsafeMutablePointer<FpDevice>) -> Void
    ) -> gulong {
        let call: @convention(c) (gpointer, UnsafeMutablePointer<FpDevice>, gpointer) -> Void = { _, device, data in
            let box = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue()
            LoopActor.assumeIsolated { if let owner = box.owner { box.body(owner, device) } }
        }
        return g_signal_connect_data(
            context, signal, unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passRetained(Box(self, body)).toOpaque(),
            { data, _ in Unmanaged<Box>.fromOpaque(data!).release() }, GConnectFlags(rawValue: 0))
    }
}
