import AuthLooks
import AuthWire

/// The entry as it is drawn at one moment.
struct Drawn: Equatable, Sendable {
    /// To the right, in pixels.
    var shake = 0.0
    /// A fraction of the width, negative to the left.
    var slide = 0.0
    /// Circles with a dot; a fraction is a dot that is coming.
    var filled = 0.0
    var characters = 0
    var dots: [Int] = []
    var cursor = 5
    var isWrong = false
    var isLineHidden = false
    /// 0 to 1: a finger's success.
    var success = 0.0
}

/// Where things are, while they move.
extension PromptModel {
    func drawn(_ now: Moment) -> Drawn {
        var drawn = Drawn()
        drawn.filled = Double(count)
        drawn.characters = count
        drawn.dots = dots
        drawn.cursor = cursor
        drawn.isLineHidden = isLineHidden
        guard let motion else { return drawn }
        let time = now.monotonic - motion.start
        switch motion.kind {
        case .shake:
            drawn.shake = Curves.shake(time)
            drawn.isWrong = true
        case .slide(let filled):
            let step = Curves.step(time)
            drawn.slide = step.offset
            if !step.isNew {
                drawn.filled = Double(filled)
                drawn.characters = filled
            }
        case .fill(let from):
            let digits = Double(view?.view.digits ?? 0)
            drawn.success = Curves.fill(time)
            drawn.filled = Double(from) + (digits - Double(from)) * drawn.success
        }
        return drawn
    }
}
