internal import AuthCore
internal import AuthSecrets
internal import CFprint
internal import CGLib
internal import Glibc
internal import MainLoop

/// One sensor as libfprint has it. It takes one call at a time.
@LoopActor
final class SensorDevice {
    private let object: GObjectReference
    let pointer: UnsafeMutablePointer<FpDevice>
    private var handler: gulong = 0
    /// Calls that have not been answered yet: one, or none.
    private var open = 0
    /// Called once, at once when it is unplugged; a running call fails half a second later.
    var onRemoved: (() -> Void)?
    private(set) var isRemoved = false

    enum ScanResult {
        case match(EnrolledPrint)
        case noMatch
        case retry(RetryReason)
    }

    /// - Parameter device: an `FpDevice`; a reference of its own is taken.
    init(_ device: UnsafeMutablePointer<FpDevice>) {
        object = GObjectReference(owning: g_object_ref(UnsafeMutableRawPointer(device)))
        pointer = device
        let call: @convention(c) (gpointer, gpointer, gpointer) -> Void = { _, _, data in
            LoopActor.assumeIsolated { Unmanaged<Weak>.fromOpaque(data).takeUnretainedValue().device?.removed() }
        }
        handler = g_signal_connect_data(
            device, "notify::removed", unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passRetained(Weak(self)).toOpaque(),
            { data, _ in Unmanaged<Weak>.fromOpaque(data!).release() }, GConnectFlags(rawValue: 0))
    }

    isolated deinit { g_signal_handler_disconnect(pointer, handler) }

    private final class Weak {
        weak var device: SensorDevice?
        init(_ device: SensorDevice) { self.device = device }
    }

    private func removed() {
        guard !isRemoved else { return }
        isRemoved = true
        onRemoved?()
    }

    /// What stays true of it, also while libfprint is not in use.
    var facts: SensorFacts {
        SensorFacts(
            name: String(cString: fp_device_get_name(pointer)), driver: String(cString: fp_device_get_driver(pointer)),
            deviceID: String(cString: fp_device_get_device_id(pointer)),
            isPress: fp_device_get_scan_type(pointer) == FP_SCAN_TYPE_PRESS,
            enrollStages: UInt32(max(0, fp_device_get_nr_enroll_stages(pointer))),
            canIdentify: has(FP_DEVICE_FEATURE_IDENTIFY), findsDuplicates: has(FP_DEVICE_FEATURE_DUPLICATES_CHECK),
            listsPrints: has(FP_DEVICE_FEATURE_STORAGE) && has(FP_DEVICE_FEATURE_STORAGE_LIST),
            deletesPrints: has(FP_DEVICE_FEATURE_STORAGE_DELETE))
    }

    /// libfprint's own model of it: it takes no scan then.
    var isHot: Bool { fp_device_get_temperature(pointer) == FP_TEMPERATURE_HOT }

    var isOpen: Bool { fp_device_is_open(pointer) != 0 }
    /// A call that was given up has not come back.
    var isStuck: Bool { open > 0 }
    /// Open, and free for a call.
    var isReady: Bool { isOpen && !isStuck }
    var canClose: Bool { isReady && !cannotClose }
    /// It was tried; to try again and again is no use.
    private var cannotClose = false

    private func has(_ feature: FpDeviceFeature) -> Bool { fp_device_has_feature(pointer, feature) != 0 }

    func open(_ cancellation: DeviceCancellation, limit: Duration) async -> FprintFailure? {
        let result = await call(cancellation, limit: limit) { cancellable, callback, data in
            fp_device_open(pointer, cancellable, callback, data)
        } finish: { [pointer] result, error in
            fp_device_open_finish(pointer, result, error) != 0 ? () : nil
        }
        return result.failure
    }

    func close() async -> FprintFailure? {
        let result = await call(DeviceCancellation(), limit: .seconds(2)) { cancellable, callback, data in
            fp_device_close(pointer, cancellable, callback, data)
        } finish: { [pointer] result, error in
            fp_device_close_finish(pointer, result, error) != 0 ? () : nil
        }
        cannotClose = result.failure != nil
        return result.failure
    }

    /// Reads one finger: identifies it among `prints` where the device can, else compares it with the first of them.
    ///
    /// - Parameter onResult: called once at most, as soon as the result is known and never after a cancel.
    /// - Returns: nil after a result.
    func scan(
        for prints: [EnrolledPrint], _ cancellation: DeviceCancellation, onResult: @escaping (ScanResult) -> Void
    ) async -> FprintFailure? {
        var isKnown = false
        func report(_ result: ScanResult) {
            guard !isKnown, !cancellation.isCancelled else { return }
            isKnown = true
            onResult(result)
        }
        /// Only one of the prints that were asked for is a match.
        func report(match: OpaquePointer?) {
            let print = match.flatMap { match in
                prints.first { $0.pointer == match } ?? prints.first { $0.isSamePrint(as: match) }
            }
            report(print.map { .match($0) } ?? .noMatch)
        }
        let early = MatchBox { match, error in
            if let error {
                if case .retry(let reason) = FprintFailure(error) { report(.retry(reason)) }
            } else {
                report(match: match)
            }
        }
        let result =
            has(FP_DEVICE_FEATURE_IDENTIFY)
            ? await identify(among: prints, cancellation, early) : await verify(prints[0], cancellation, early)
        switch result {
        case .success(let match):
            report(match: match?.pointer)
            return nil
        case .failure(.retry(let reason)):
            report(.retry(reason))
            return nil
        case .failure(let failure): return failure
        }
    }

    private func verify(
        _ print: EnrolledPrint, _ cancellation: DeviceCancellation, _ early: MatchBox
    ) async -> Result<GObjectReference?, FprintFailure> {
        await call(cancellation) { cancellable, callback, data in
            fp_device_verify(
                pointer, print.pointer, cancellable, MatchBox.callback, early.retained, MatchBox.free, callback, data)
        } finish: { [pointer] result, error in
            var isMatch: gboolean = 0
            guard fp_device_verify_finish(pointer, result, &isMatch, nil, error) != 0 else { return nil }
            return .some(isMatch != 0 ? print.object : nil)
        }
    }

    private func identify(
        among prints: [EnrolledPrint], _ cancellation: DeviceCancellation, _ early: MatchBox
    ) async -> Result<GObjectReference?, FprintFailure> {
        // libfprint takes references of its own while it looks at them.
        let gallery = g_ptr_array_new()!
        defer { g_ptr_array_unref(gallery) }
        for print in prints { g_ptr_array_add(gallery, UnsafeMutableRawPointer(print.pointer)) }
        return await call(cancellation) { cancellable, callback, data in
            fp_device_identify(
                pointer, gallery, cancellable, MatchBox.callback, early.retained, MatchBox.free, callback, data)
        } finish: { [pointer] result, error in
            var match: OpaquePointer?
            guard fp_device_identify_finish(pointer, result, &match, nil, error) != 0 else { return nil }
            return .some(match.map { GObjectReference(owning: $0) })
        }
    }

    /// - Parameter onProgress: the stages that are done, or why this one has to be done again.
    func enroll(
        _ finger: Finger, _ cancellation: DeviceCancellation,
        onProgress: @escaping (Result<UInt32, FprintFailure>) -> Void
    ) async -> Result<GObjectReference, FprintFailure> {
        let template = fp_print_new(pointer)!
        g_object_ref_sink(UnsafeMutableRawPointer(template))
        defer { g_object_unref(UnsafeMutableRawPointer(template)) }
        fp_print_set_finger(template, finger.fprint)
        fp_print_set_username(template, g_get_user_name())
        let today = g_date_new()!
        g_date_set_time_t(today, time(nil))
        fp_print_set_enroll_date(template, today)
        g_date_free(today)
        let progress = ProgressBox { stages, error in
            guard !cancellation.isCancelled else { return }
            onProgress(error.map { .failure(FprintFailure($0)) } ?? .success(stages))
        }
        return await call(cancellation) { cancellable, callback, data in
            fp_device_enroll(
                pointer, template, cancellable, ProgressBox.callback, progress.retained, ProgressBox.free, callback,
                data)
        } finish: { [pointer] result, error in
            fp_device_enroll_finish(pointer, result, error).map { GObjectReference(owning: $0) }
        }
    }

    /// Deletes a print on the chip.
    func delete(_ print: EnrolledPrint) async -> FprintFailure? {
        let result = await call(DeviceCancellation(), limit: .seconds(5)) { cancellable, callback, data in
            fp_device_delete_print(pointer, print.pointer, cancellable, callback, data)
        } finish: { [pointer] result, error in
            fp_device_delete_print_finish(pointer, result, error) != 0 ? () : nil
        }
        return result.failure
    }

    /// The prints on the chip, whoever put them there.
    func list(_ cancellation: DeviceCancellation) async -> Result<[GObjectReference], FprintFailure> {
        await call(cancellation, limit: .seconds(5)) { cancellable, callback, data in
            fp_device_list_prints(pointer, cancellable, callback, data)
        } finish: { [pointer] result, error in
            guard let array = fp_device_list_prints_finish(pointer, result, error) else { return nil }
            defer { g_ptr_array_unref(array) }
            return (0..<Int(array.pointee.len)).compactMap { index in
                array.pointee.pdata[index].map { GObjectReference(owning: g_object_ref($0)) }
            }
        }
    }

    private func call<Value: Sendable>(
        _ cancellation: DeviceCancellation, limit: Duration? = nil,
        start: @LoopActor (UnsafeMutablePointer<GCancellable>, DeviceCall<Value>.Callback, gpointer) -> Void,
        finish: @escaping DeviceCall<Value>.Finish
    ) async -> Result<Value, FprintFailure> {
        guard !isStuck else { return .failure(.stuck) }
        open += 1
        // Kept until the answer: libfprint has been seen to end with the last reference while a call ran.
        return await DeviceCall.run(
            cancellation, limit: limit, start: start, finish: finish, onAnswer: { self.open -= 1 })
    }
}

extension Result where Failure == FprintFailure {
    var failure: FprintFailure? {
        if case .failure(let failure) = self { return failure }
        return nil
    }
}
