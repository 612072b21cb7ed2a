import CX11
import MainLoop

/// Every master keyboard and pointer of the server, held with the root as the grab's window: that one is always
/// viewable, so no other client can end a grab by unmapping it.
@LoopActor
final class Grabs {
    private struct Master {
        let id: Int32
        let isKeyboard: Bool
    }

    private let server: XServer
    private let root: Window
    private var masters: [Master] = []
    private(set) var areHeld = false

    init(_ server: XServer) {
        self.server = server
        root = server.roots[0]
        Masks.selectOnRoot(root, server.display)
        findMasters()
    }

    /// Looks which masters there are now. There is one pair, unless somebody made more.
    func findMasters() {
        var count: Int32 = 0
        guard let devices = XIQueryDevice(server.display, XIAllMasterDevices, &count) else { return }
        defer { XIFreeDeviceInfo(devices) }
        masters = (0..<Int(count)).map {
            Master(id: devices[$0].deviceid, isKeyboard: devices[$0].use == XIMasterKeyboard)
        }
    }

    /// Grabs them all; those that are held already stay so.
    ///
    /// - Returns: whether all are held. One that another client has leaves the others held.
    @discardableResult
    func take() -> Bool {
        // Keyboards first: what is typed matters most.
        let results = masters.sorted { $0.isKeyboard && !$1.isKeyboard }.map(take)
        areHeld = !results.isEmpty && results.allSatisfy { $0 }
        return areHeld
    }

    func release() {
        for master in masters { XIUngrabDevice(server.display, master.id, Time(CurrentTime)) }
        areHeld = false
    }

    private func take(_ master: Master) -> Bool {
        // libXi answers GrabSuccess where the server answered an error.
        let errors = XServer.errorCount
        let status = Masks.withGrab(of: master.id, isKeyboard: master.isKeyboard) { mask in
            // No cursor of the grab's: the prompt's window shows its own.
            XIGrabDevice(
                server.display, master.id, root, Time(CurrentTime), 0, GrabModeAsync, GrabModeAsync, 0, &mask)
        }
        return status == GrabSuccess && XServer.errorCount == errors
    }
}
