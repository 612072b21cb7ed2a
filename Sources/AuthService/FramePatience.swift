/// How long a prompt may take from its start to its first frame. One that takes longer is replaced, for it may hang; but
/// it may as well be slow, on a machine that starts up or is short of memory, so the next one gets twice as long.
struct FramePatience: Equatable, Sendable {
    static let shortest = Duration.seconds(5)
    static let longest = Duration.seconds(80)

    private(set) var limit = shortest

    /// No frame came within the limit.
    mutating func ranOut() { limit = min(limit * 2, FramePatience.longest) }

    /// A frame came. What was longer than the shortest limit is kept for the next prompt on such a machine.
    ///
    /// - Parameter time: how long it took.
    mutating func held(after time: Duration) {
        while limit > FramePatience.shortest, time < limit / 4 { limit = limit / 2 }
    }
}
