internal import CDBus
internal import CGLib
import MainLoop

/// Puts one libdbus connection on the GLib main loop: a single `GSource` for its descriptors, GLib timeouts for its
/// timeouts.
///
/// libdbus switches its write watch on and off within every send, so its switches are only noted and looked at once
/// before the loop polls. No disabled watch is ever polled, and nothing is dispatched but from the source.
@LoopActor
final class BusSource {
    private struct Watch {
        let pointer: OpaquePointer
        /// GLib's handle while the watch is enabled and polled.
        var tag: gpointer?
    }

    /// What `g_source_new` allocates for us: GLib's part, then the owner.
    private nonisolated static let ownerOffset = MemoryLayout<GSource>.stride

    private let connection: OpaquePointer
    private let source: UnsafeMutablePointer<GSource>
    private var watches: [Watch] = []
    private var timeouts: [OpaquePointer: LoopSource] = [:]
    private var areWatchesStale = true
    private var dispatchMessages: (() -> Void)?

    /// - Parameter dispatchMessages: called when messages may be waiting in libdbus's queue.
    init(_ connection: OpaquePointer, dispatchMessages: @escaping () -> Void) {
        self.connection = connection
        self.dispatchMessages = dispatchMessages
        source = g_source_new(&BusSource.functions, guint(Self.ownerOffset + MemoryLayout<UnsafeRawPointer>.size))
        let owner = Unmanaged.passUnretained(self).toOpaque()
        UnsafeMutableRawPointer(source).storeBytes(
            of: owner, toByteOffset: Self.ownerOffset, as: UnsafeMutableRawPointer.self)
        g_source_set_name(source, "D-Bus")
        // Otherwise GLib takes the descriptors off its poll set around each dispatch and wakes itself up for it: three
        // system calls a message. We run no loop within a loop, so nothing recurses.
        g_source_set_can_recurse(source, 1)
        g_source_attach(source, nil)
        setFunctions(owner)
    }

    /// Takes the connection off the loop. Must be called before the owner lets go.
    func detach() {
        guard dispatchMessages != nil else { return }
        dispatchMessages = nil
        dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
        dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
        watches = []
        for timeout in timeouts.values { timeout.cancel() }
        timeouts = [:]
        g_source_destroy(source)
        g_source_unref(source)
    }

    /// Writes what the socket takes now; false when libdbus is not waiting to write.
    func writeNow() -> Bool {
        guard
            let watch = watches.first(where: {
                dbus_watch_get_flags($0.pointer) & DBUS_WATCH_WRITABLE.rawValue != 0
                    && dbus_watch_get_enabled($0.pointer) != 0
            })
        else { return false }
        return dbus_watch_handle(watch.pointer, DBUS_WATCH_WRITABLE.rawValue) != 0
    }

    private func setFunctions(_ owner: UnsafeMutableRawPointer) {
        dbus_connection_set_watch_functions(
            connection,
            { watch, data in BusSource.with(data) { $0.add(watch!) } },
            { watch, data in _ = BusSource.with(data) { $0.remove(watch!) } },
            { _, data in _ = BusSource.with(data) { $0.noteSwitch() } },
            owner, nil)
        dbus_connection_set_timeout_functions(
            connection,
            { timeout, data in BusSource.with(data) { $0.set(timeout!) } },
            { timeout, data in _ = BusSource.with(data) { $0.cancel(timeout!) } },
            { timeout, data in _ = BusSource.with(data) { $0.set(timeout!) } },
            owner, nil)
    }

    private nonisolated static func with(
        _ data: UnsafeMutableRawPointer?, _ body: @LoopActor (BusSource) -> Void
    ) -> dbus_bool_t {
        let owner = Unmanaged<BusSource>.fromOpaque(data!).takeUnretainedValue()
        LoopActor.assumeIsolated { body(owner) }
        return 1
    }

    private func noteSwitch() { areWatchesStale = true }

    private func add(_ watch: OpaquePointer) {
        watches.append(Watch(pointer: watch))
        areWatchesStale = true
    }

    private func remove(_ watch: OpaquePointer) {
        guard let index = watches.firstIndex(where: { $0.pointer == watch }) else { return }
        if let tag = watches[index].tag { g_source_remove_unix_fd(source, tag) }
        watches.remove(at: index)
    }

    private func set(_ timeout: OpaquePointer) {
        cancel(timeout)
        guard dbus_timeout_get_enabled(timeout) != 0 else { return }
        // libdbus removes a timeout when it has fired and is not wanted again.
        timeouts[timeout] = .every(.milliseconds(Int(dbus_timeout_get_interval(timeout)))) {
            _ = dbus_timeout_handle(timeout)
        }
    }

    private func cancel(_ timeout: OpaquePointer) { timeouts.removeValue(forKey: timeout)?.cancel() }

    private func refreshWatches() {
        areWatchesStale = false
        for index in watches.indices {
            let watch = watches[index]
            let isEnabled = dbus_watch_get_enabled(watch.pointer) != 0
            if isEnabled, watch.tag == nil {
                let flags = dbus_watch_get_flags(watch.pointer)
                var conditions = G_IO_ERR.rawValue | G_IO_HUP.rawValue
                if flags & DBUS_WATCH_READABLE.rawValue != 0 { conditions |= G_IO_IN.rawValue }
                if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { conditions |= G_IO_OUT.rawValue }
                watches[index].tag = g_source_add_unix_fd(
                    source, dbus_watch_get_unix_fd(watch.pointer), GIOCondition(rawValue: conditions))
            } else if !isEnabled, let tag = watch.tag {
                watches[index].tag = nil
                g_source_remove_unix_fd(source, tag)
            }
        }
    }

    /// Before the poll. Whatever left messages in the queue without a poll (a flush, a limit on one round's
    /// messages) is found here, so the dispatch-status callback is not needed.
    private func prepare() -> Bool {
        if areWatchesStale { refreshWatches() }
        return dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_DATA_REMAINS
    }

    private func dispatch() {
        for index in watches.indices.reversed() {
            // Handling one may remove the other.
            guard index < watches.count, let tag = watches[index].tag else { continue }
            let ready = g_source_query_unix_fd(source, tag).rawValue
            guard ready != 0 else { continue }
            var flags: UInt32 = 0
            if ready & G_IO_IN.rawValue != 0 { flags |= DBUS_WATCH_READABLE.rawValue }
            if ready & G_IO_OUT.rawValue != 0 { flags |= DBUS_WATCH_WRITABLE.rawValue }
            if ready & G_IO_ERR.rawValue != 0 { flags |= DBUS_WATCH_ERROR.rawValue }
            if ready & G_IO_HUP.rawValue != 0 { flags |= DBUS_WATCH_HANGUP.rawValue }
            _ = dbus_watch_handle(watches[index].pointer, flags)
        }
        dispatchMessages?()
    }

    private nonisolated static func owner(_ source: UnsafeMutablePointer<GSource>) -> BusSource {
        let data = UnsafeRawPointer(source).load(fromByteOffset: ownerOffset, as: UnsafeRawPointer.self)
        return Unmanaged<BusSource>.fromOpaque(data).takeUnretainedValue()
    }

    /// GLib keeps the address of these for the source's life, so they are static. It finds ready descriptors without
    /// a `check` of ours.
    private nonisolated(unsafe) static var functions = GSourceFuncs(
        prepare: { source, timeout in
            timeout?.pointee = -1
            let owner = BusSource.owner(source!)
            return LoopActor.assumeIsolated { owner.prepare() } ? 1 : 0
        },
        check: nil,
        dispatch: { source, _, _ in
            let owner = BusSource.owner(source!)
            LoopActor.assumeIsolated { owner.dispatch() }
            return 1
        },
        finalize: nil, closure_callback: nil, closure_marshal: nil)
}
