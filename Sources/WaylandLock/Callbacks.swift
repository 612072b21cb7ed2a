internal import CWayland
import MainLoop

/// How libwayland calls back: always within a dispatch, on the loop's thread, with the pointer that the listener was
/// added with.
///
/// The objects live for as long as their proxies: whoever lets go of one destroys its proxy first.
enum Callbacks {
    static func data(_ object: AnyObject) -> UnsafeMutableRawPointer { Unmanaged.passUnretained(object).toOpaque() }

    static func call<Object: AnyObject & Sendable>(
        _ data: UnsafeMutableRawPointer?, _ type: Object.Type, _ body: @LoopActor (Object) -> Void
    ) {
        guard let data else { return }
        let object = Unmanaged<Object>.fromOpaque(data).takeUnretainedValue()
        LoopActor.assumeIsolated { body(object) }
    }

    /// A listener's memory, which is for ever. Members that are not set are events of versions that are not bound.
    static func listener<Listener>(
        _ empty: Listener, _ fill: (inout Listener) -> Void
    ) -> UnsafeMutablePointer<Listener> {
        var listener = empty
        fill(&listener)
        let memory = UnsafeMutablePointer<Listener>.allocate(capacity: 1)
        memory.initialize(to: listener)
        return memory
    }
}
