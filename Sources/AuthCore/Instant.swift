/// The time of an event, as the adapters read it; the core has no clock of its own.
public struct Instant: Sendable, Equatable {
    /// CLOCK_BOOTTIME in µs: goes on through a suspend and cannot be set, so every wait and grace is measured by it.
    public var boottime: UInt64
    /// CLOCK_REALTIME in µs, only to tell people when a wait ends.
    public var realtime: UInt64

    public init(boottime: UInt64, realtime: UInt64) {
        self.boottime = boottime
        self.realtime = realtime
    }
}

extension UInt64 {
    /// Whole seconds as µs.
    static func seconds(_ seconds: UInt64) -> UInt64 { seconds * 1_000_000 }
}
