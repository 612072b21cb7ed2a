internal import CFprint
internal import CGLib
internal import MainLoop

/// What libfprint holds while it scans, to tell the result before the call ends.
final class MatchBox: @unchecked Sendable {  // used on the loop's thread only
    typealias Body = @LoopActor (OpaquePointer?, UnsafeMutablePointer<GError>?) -> Void
    private let body: Body
    init(_ body: @escaping Body) { self.body = body }

    /// Taken back by ``free``.
    var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }

    static let callback: FpMatchCb = { _, match, _, data, error in
        let box = Unmanaged<MatchBox>.fromOpaque(data!).takeUnretainedValue()
        nonisolated(unsafe) let (match, error) = (match, error)
        LoopActor.assumeIsolated { box.body(match, error) }
    }
    static let free: GDestroyNotify = { Unmanaged<MatchBox>.fromOpaque($0!).release() }
}

/// What libfprint holds while it enrolls, to tell each stage.
final class ProgressBox: @unchecked Sendable {  // used on the loop's thread only
    typealias Body = @LoopActor (UInt32, UnsafeMutablePointer<GError>?) -> Void
    private let body: Body
    init(_ body: @escaping Body) { self.body = body }

    /// Taken back by ``free``.
    var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }

    static let callback: FpEnrollProgress = { _, stages, _, data, error in
        let box = Unmanaged<ProgressBox>.fromOpaque(data!).takeUnretainedValue()
        nonisolated(unsafe) let error = error
        LoopActor.assumeIsolated { box.body(UInt32(max(0, stages)), error) }
    }
    static let free: GDestroyNotify = { Unmanaged<ProgressBox>.fromOpaque($0!).release() }
}
