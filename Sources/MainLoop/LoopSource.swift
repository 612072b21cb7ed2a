import CGLib

/// A callback attached to the main loop: a timer, a descriptor's watch, a unix signal or an idle call.
///
/// It lives until it is cancelled, until a one-shot has fired, or until its owner lets go of it.
@LoopActor
public final class LoopSource {
    private var tag: guint = 0

    private init() {}

    isolated deinit { cancel() }

    /// Detaches the callback; a second call does nothing.
    public func cancel() {
        guard tag != 0 else { return }
        let gone = tag
        tag = 0
        g_source_remove(gone)
    }

    /// What GLib holds while the source is attached; freed by the destroy notify. The source is held weakly so that
    /// dropping the last ``LoopSource`` detaches it.
    private final class Box: @unchecked Sendable {  // used on the loop's thread only
        weak var source: LoopSource?
        let body: @LoopActor (Int32) -> Bool
        init(_ source: LoopSource, _ body: @escaping @LoopActor (Int32) -> Bool) {
            self.source = source
            self.body = body
        }

        /// Calls back and answers whether the source stays.
        func fire(_ value: Int32 = 0) -> gboolean {
            LoopActor.assumeIsolated {
                let stays = body(value)
                if !stays { source?.tag = 0 }
                return stays ? 1 : 0
            }
        }
    }

    private static func attach(
        _ body: @escaping @LoopActor (Int32) -> Bool, by add: (gpointer, @escaping GDestroyNotify) -> guint
    ) -> LoopSource {
        let source = LoopSource()
        let box = Unmanaged.passRetained(Box(source, body))
        source.tag = add(box.toOpaque()) { Unmanaged<Box>.fromOpaque($0!).release() }
        return source
    }

    /// Calls `body` once, `delay` from now (rounded up to a whole millisecond).
    public static func after(_ delay: Duration, _ body: @escaping @LoopActor () -> Void) -> LoopSource {
        attach(
            { _ in
                body()
                return false
            },
            by: { data, free in
                g_timeout_add_full(G_PRIORITY_DEFAULT, milliseconds(delay), { LoopSource.fire($0) }, data, free)
            })
    }

    /// Calls `body` every `interval` until cancelled.
    public static func every(_ interval: Duration, _ body: @escaping @LoopActor () -> Void) -> LoopSource {
        attach(
            { _ in
                body()
                return true
            },
            by: { data, free in
                g_timeout_add_full(G_PRIORITY_DEFAULT, milliseconds(interval), { LoopSource.fire($0) }, data, free)
            })
    }

    /// Calls `body` when the loop has nothing more urgent to do.
    public static func idle(_ body: @escaping @LoopActor () -> Void) -> LoopSource {
        attach(
            { _ in
                body()
                return false
            },
            by: { data, free in
                g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, { LoopSource.fire($0) }, data, free)
            })
    }

    /// What a descriptor is waited for, and what it is ready for (`poll`'s conditions).
    public struct Readiness: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let readable = Readiness(rawValue: G_IO_IN.rawValue)
        public static let writable = Readiness(rawValue: G_IO_OUT.rawValue)
        /// The other end is gone; told without being asked for.
        public static let hungUp = Readiness(rawValue: G_IO_HUP.rawValue)
        /// Told without being asked for.
        public static let failed = Readiness(rawValue: G_IO_ERR.rawValue)
    }

    /// Calls `body` with what is ready whenever `descriptor` meets one of `conditions`, until it answers false.
    public static func watch(
        _ descriptor: Int32, for conditions: Readiness, _ body: @escaping @LoopActor (Readiness) -> Bool
    ) -> LoopSource {
        attach(
            { body(Readiness(rawValue: UInt32(bitPattern: $0))) },
            by: { data, free in
                g_unix_fd_add_full(
                    G_PRIORITY_DEFAULT, descriptor, GIOCondition(rawValue: conditions.rawValue),
                    { _, ready, data in
                        Unmanaged<Box>.fromOpaque(data!).takeUnretainedValue().fire(Int32(bitPattern: ready.rawValue))
                    }, data, free)
            })
    }

    /// Calls `body` each time the process receives `signal`: SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2 or SIGWINCH.
    public static func signal(_ signal: Int32, _ body: @escaping @LoopActor () -> Void) -> LoopSource {
        attach(
            { _ in
                body()
                return true
            },
            by: { data, free in
                g_unix_signal_add_full(G_PRIORITY_DEFAULT, signal, { LoopSource.fire($0) }, data, free)
            })
    }

    private static func milliseconds(_ duration: Duration) -> guint {
        let (seconds, attoseconds) = duration.components
        let whole = max(0, min(seconds, Int64(guint.max / 1000) - 1)) * 1000
        return guint(whole + (seconds < 0 ? 0 : max(0, attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }

    private nonisolated static func fire(_ data: gpointer?) -> gboolean {
        Unmanaged<Box>.fromOpaque(data!).takeUnretainedValue().fire()
    }
}
