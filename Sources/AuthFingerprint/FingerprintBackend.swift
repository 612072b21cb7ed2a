internal import AuthCore
internal import MainLoop

/// One way to a sensor: libfprint in this process, or fprintd over the system bus.
///
/// What it is told and what it answers is the port of ``SensorOrder`` and ``SensorEvent``; it never blocks the loop, and
/// answers or interrupts within 2 s of an order, whatever hangs.
@LoopActor
protocol FingerprintBackend: AnyObject {
    /// As last reported by ``SensorEvent/changed(_:)``.
    var state: SensorState { get }
    var onEvent: ((SensorEvent) -> Void)? { get set }
    /// Finds out what is there. Returns when ``state`` holds the first answer, after 2 s at the latest; what is found
    /// later is reported.
    func start() async
    func take(_ order: SensorOrder)
    /// Returns once nothing is claimed any more and no scan runs, after 1 s at the latest: before a sleep.
    func settle() async
    /// Lets go of everything; nothing is reported any more.
    func stop()
}
