import Glibc

/// The motions as functions of time (section 3 of the contract). Seconds and pixels.
package enum Curves {
    // MARK: wrong

    /// How far the row is off to the right at the end of each part of the shake.
    package static let shakeTargets = [3.0, -6, 6, -6, 6, -3, 0]
    /// How long each part takes: half for the first and the last, and for coming to rest.
    package static let shakeParts = [0.075, 0.15, 0.15, 0.15, 0.15, 0.075, 0.075]
    package static let shakeDuration = 0.825

    /// The offset to the right, `time` after the start; 0 before and after.
    package static func shake(_ time: Double) -> Double {
        guard time > 0, time < shakeDuration else { return 0 }
        var (from, start) = (0.0, 0.0)
        for (target, duration) in zip(shakeTargets, shakeParts) {
            if time < start + duration {
                return from + (target - from) * swing(time - start, duration)
            }
            from = target
            start += duration
        }
        return 0
    }

    /// From 0 to 1 in `duration`: a quarter of a spring's swing, damping 0.01 and velocity 0.35.
    private static func swing(_ time: Double, _ duration: Double) -> Double {
        min(1, spring(time, frequency: .pi / 2 / duration, damping: 0.01, velocity: 0.35))
    }

    // MARK: next step

    /// A way: out to the left, then in from the right.
    package static let slideDuration = 0.4

    /// How much of one way is done, 0 to 1: damping 0.9, velocity 5.
    package static func slide(_ time: Double) -> Double {
        guard time > 0 else { return 0 }
        guard time < slideDuration else { return 1 }
        // What is left after the duration is under 0.1 %.
        return spring(time, frequency: 7.5 / (0.9 * slideDuration), damping: 0.9, velocity: 5)
    }

    /// Where the row is while one step makes room for the next: a fraction of the width, negative to the left; and
    /// whether it is the new one already.
    package static func step(_ time: Double) -> (offset: Double, isNew: Bool) {
        time < slideDuration ? (-slide(time), false) : (1 - slide(time - slideDuration), true)
    }

    // MARK: a finger's success

    package static let fillDuration = 0.15

    /// How much of the dots that were missing is there, 0 to 1.
    package static func fill(_ time: Double) -> Double { max(0, min(1, time / fillDuration)) }

    // MARK: parallax

    package static let parallax = 15.0

    /// How far things follow the pointer, each way.
    ///
    /// - Parameter pointer: from -1 (left or top edge) to 1.
    package static func parallax(_ pointer: Double) -> Double { max(-1, min(1, pointer)) * parallax }

    /// A damped spring from 0 to 1.
    private static func spring(_ time: Double, frequency: Double, damping: Double, velocity: Double) -> Double {
        let damped = frequency * sqrt(1 - damping * damping)
        let decay = exp(-damping * frequency * time)
        return 1 - decay * (cos(damped * time) + (damping * frequency - velocity) / damped * sin(damped * time))
    }
}
