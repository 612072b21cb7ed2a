internal import AuthCore
internal import MainLoop

extension LibfprintBackend {
    /// Sooner after it was armed no sensor has read a finger.
    static let noFinger = Duration.milliseconds(5)

    /// One touch of the sensor, or one try to get at it. The caller comes again for as long as the scan stands.
    func serveScan() async {
        if device?.isReady != true {
            let wait = budget.wait()
            guard wait == .zero else { return await pause(wait) }
            if scan?.trouble != nil { budget.spend() }
        }
        let cancellation = cancellation
        if let failure = await claim(limit: .seconds(10)) {
            guard scan != nil, !cancellation.isCancelled else { return }
            interrupted(failure.sensorFailure)
            budget.lost()
            return
        }
        guard let order = scan, let device, !cancellation.isCancelled else { return }
        let gallery = gallery(for: order.finger)
        guard !gallery.isEmpty else {
            interrupted(.notEnrolled)
            await close()
            if scan?.number == order.number, jobs.isEmpty { await pause(nil) }
            return
        }

        guard !device.isHot else { return await rest() }
        if !order.isArmed {
            scan?.isArmed = true
            scan?.trouble = nil
            emit(.armed(order.number))
        }
        let start = ContinuousClock.now
        let failure = await device.scan(for: gallery, cancellation) { self.scanned($0, for: order.number) }
        guard !cancellation.isCancelled else { return }
        if failure == .hot { return await rest() }
        if let failure {
            // An unplugged one was said and counted when it went.
            if scan != nil, device === self.device {
                interrupted(failure.sensorFailure)
                budget.lost()
            }
            await close()
        } else {
            budget.works()
            // A driver that answers without a finger must not keep the loop busy.
            if scan != nil, start.duration(to: .now) < Self.noFinger { await pause(.milliseconds(25)) }
        }
    }

    /// How often a sensor that is too hot is looked at again.
    private static let cooling = Duration.seconds(20)

    /// The device is kept meanwhile: libfprint forgets how warm one is that it has let go of.
    private func rest() async {
        interrupted(FprintFailure.hot.sensorFailure)
        await pause(Self.cooling)
    }

    /// Straight from libfprint's callback: whoever waits for the match is told before anything else is done.
    private func scanned(_ result: SensorDevice.ScanResult, for number: UInt64) {
        guard scan?.number == number else { return }
        switch result {
        case .match(let print):
            scan = nil
            emit(.match(number, print.finger))
        case .noMatch: emit(.noMatch(number))
        case .retry(let reason): emit(.retry(number, reason))
        }
    }

    /// Tells why the standing scan has no sensor, once for each reason.
    func interrupted(_ failure: SensorFailure) {
        guard let order = scan else { return }
        scan?.isArmed = false
        guard order.trouble != failure else { return }
        scan?.trouble = failure
        emit(.interrupted(order.number, failure))
    }

    /// Among which prints the finger is looked for; the first one alone where the device cannot identify.
    private func gallery(for finger: Finger?) -> [EnrolledPrint] {
        guard let finger else { return prints }
        return prints.filter { $0.finger == finger }
    }
}
