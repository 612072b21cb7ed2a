/// Remembers on tmpfs that the `LockedHint` of a login session is ours.
///
/// logind keeps the hint when the service is killed. Without this mark the next run would take it for another
/// program's lock, which nobody would ever end, and the right passcode would not open the session.
struct HintMarker: Sendable {
    let folder: RuntimeFolder
    private static let name = "locked-hint"

    /// Told before the hint is set. False: it could not be noted, and the hint is better left alone.
    func set(for session: String) -> Bool { folder.write(Self.name, Array(session.utf8)) }

    func isSet(for session: String) -> Bool {
        folder.read(Self.name, limit: 4096) == .bytes(Array(session.utf8))
    }

    func clear() { folder.remove(Self.name) }
}
