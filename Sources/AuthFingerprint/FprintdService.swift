internal import AuthCore
internal import DBus
internal import MainLoop

/// fprintd as it stands: its device, who is enrolled, its coming and going.
///
/// Nothing is polled. It is looked at again when it appears, when a device comes or goes, and after somebody has used
/// one. A deletion by another program is not signalled: the next claim sees it. Once it was asked who is enrolled,
/// fprintd 1.94 stays for as long as we are on the bus; one that leaves is not started again before it is needed.
@LoopActor
final class FprintdService {
    /// A connection that is fprintd's alone where one can be had.
    private(set) var bus: Connection
    private let connect: (() -> Connection?)?
    let log: @Sendable (String) -> Void
    /// Called with each new state.
    var onChange: ((SensorState) -> Void)?
    /// The device of this owner's, or all of it, is gone.
    var onLost: (() -> Void)?
    /// The sensor may be had now: `isSure` where it has just appeared, else where another program may have let go of it.
    var onChance: ((_ isSure: Bool) -> Void)?
    /// Whether a job of ours uses the device: then its activity says nothing about others.
    var isUsed: () -> Bool = { false }

    private(set) var state = SensorState()
    /// What is enrolled, by fprintd's names, as read last; empty where that is not known.
    private(set) var names: [String] = []
    var device: FprintdDevice?
    /// The standing claim: what fprintd signals goes to it.
    weak var claim: FprintdClaim?
    /// Which devices identify, by name: fprintd says so only at VerifyStart("any") with several fingers.
    private var identifies: [String: Bool] = [:]
    /// A claim that was never answered, or a release: fprintd may think that the device is ours.
    var unreleased: FprintdDevice?
    /// How many claims in a row fprintd could not carry out, and what it said.
    var refusals = 0
    private(set) var refusal = Fprintd.silence
    /// While fprintd is left alone.
    private(set) var quiet: LoopSource?

    private(set) var watch: NameWatch?
    private(set) var sleep: FprintdSleep?
    private var subscriptions: [Subscription] = []
    private(set) var description = Description()
    // Of FprintdService+Look.swift.
    var isLooking = false
    var waiting: [CheckedContinuation<SensorFailure?, Never>] = []
    var lists = (asked: 0, read: 0)
    var later: LoopSource?
    var retries = 0
    /// Another program's scan has ended: it may let go of the device.
    var mayBeFree = false
    var said: SensorFailure?

    /// - Parameter connect: gives a new connection to the same bus.
    init(_ system: Connection, connect: (() -> Connection?)?, log: @escaping @Sendable (String) -> Void) {
        bus = connect?() ?? system
        self.connect = connect
        self.log = log
    }

    func listen() {
        subscriptions = [
            subscribe(Fprintd.device, "VerifyStatus") { [weak self] in self?.status($0) },
            subscribe(Fprintd.device, "EnrollStatus") { [weak self] in self?.status($0) },
            subscribe(Fprintd.device, "VerifyFingerSelected") { [weak self] in self?.claim?.take($0) },
            subscribe(Fprintd.properties, "PropertiesChanged") { [weak self] _ in self?.used() },
            subscribe(Fprintd.objectManager, "InterfacesAdded") { [weak self] _ in self?.appeared() },
            subscribe(Fprintd.objectManager, "InterfacesRemoved") { [weak self] in self?.removed($0) },
        ]
        watch = bus.watchName(Fprintd.bus) { [weak self] in self?.ownerChanged($0) }
        let sleep = FprintdSleep(bus)
        sleep.onWake = { [weak self] in await self?.releaseKept() }
        self.sleep = sleep
    }

    func stop() {
        onChange = nil
        onLost = nil
        onChance = nil
        deafen()
        later = nil
    }

    private func deafen() {
        watch = nil
        sleep?.stop()
        subscriptions = []
    }

    /// Leaves an fprintd that can open its device no more alone: one that nobody on the bus uses ends after 30 s, and
    /// the next one is whole. What it knows us by is the connection.
    func leave(_ failure: SensorFailure) {
        guard let connect, let fresh = connect() else { return }
        log("fprintd cannot open the sensor; it is left alone until it has ended")
        refusal = failure
        deafen()
        device = nil
        unreleased = nil
        bus = fresh
        quiet = .after(.seconds(35)) { [weak self] in self?.comeBack() }
        listen()
    }

    private func comeBack() {
        guard quiet != nil else { return }
        quiet = nil
        refusals = 0
        appeared()
    }

    private func subscribe(
        _ interface: String, _ member: String, _ body: @escaping (Signal) -> Void
    ) -> Subscription {
        bus.subscribe(from: Fprintd.bus, path: nil, interface: interface, member: member, body)
    }

    // MARK: What it signals

    private func ownerChanged(_ owner: String?) {
        if device != nil, device?.owner != owner {
            device = nil
            onLost?()
        }
        if owner == nil {
            // A look that was put off would start it again.
            later = nil
            comeBack()
            onLoop { [weak self] in await self?.left() }
        } else if !isLooking, quiet == nil {
            appeared()
        }
    }

    /// One that can be started by a call has not gone for good: it leaves when nobody uses it.
    private func left() async {
        let reply = try? await bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListActivatableNames")
        guard watch?.owner == nil, reply?.first?.asStringArray?.contains(Fprintd.bus) != true else { return }
        forget()
    }

    private func appeared() {
        lookLater()
        onChance?(true)
    }

    private func removed(_ signal: Signal) {
        if let device, signal.sender == device.owner, signal.arguments.first?.asObjectPath == device.path {
            self.device = nil
            onLost?()
        }
        lookLater()
    }

    private func status(_ signal: Signal) {
        claim?.take(signal)
        used()
        if !isUsed(), signal.arguments.last?.asBool == true { mayBeFree = true }
    }

    /// Somebody uses the device, to enroll maybe.
    private func used() {
        if !isUsed() { lookLater() }
    }

    // MARK: What is known

    /// fprintd's own account of a device; what is enrolled is not in it.
    struct Description: Equatable {
        var name = ""
        var scanType = ""
        var enrollStages: UInt32 = 0
    }

    /// Nothing is there.
    func forget() {
        device = nil
        names = []
        var state = SensorState()
        state.basis = .names
        show(state)
    }

    /// - Parameter names: nil where fprintd does not say.
    func know(_ description: Description, names: [String]?) {
        self.description = description
        self.names = names ?? []
        var state = SensorState()
        state.backend = .fprintd
        state.isPresent = true
        state.deviceName = description.name
        state.scanType = description.scanType
        state.enrollStages = description.enrollStages
        state.canIdentify = identifies[description.name] ?? false
        state.fingers = self.names.compactMap(Finger.init).sorted()
        state.set = names.map { FingerSet(of: $0.map { Array($0.utf8) }, basis: .names) }
        state.basis = .names
        show(state)
    }

    /// Whether the device identifies; nil where that has not shown yet.
    var canIdentify: Bool? { identifies[description.name] }

    func learn(canIdentify: Bool) {
        guard identifies.updateValue(canIdentify, forKey: description.name) != canIdentify else { return }
        know(description, names: state.set == nil ? nil : names)
    }

    private func show(_ state: SensorState) {
        guard state != self.state else { return }
        self.state = state
        onChange?(state)
    }
}
