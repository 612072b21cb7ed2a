import Glibc

/// An sRGB colour; components from 0 to 1.
package struct Colour: Equatable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double

    package init(_ red: Double, _ green: Double, _ blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// - Parameter text: `#rrggbb`; nil for anything else.
    package init?(_ text: String) {
        let digits = text.dropFirst()
        // A sign would be taken for a number's.
        guard text.utf8.count == 7, text.hasPrefix("#"), digits.allSatisfy(\.isHexDigit),
            let number = Int(digits, radix: 16)
        else { return nil }
        self.init(Double(number >> 16) / 255, Double(number >> 8 & 255) / 255, Double(number & 255) / 255)
    }

    package static let black = Colour(0, 0, 0)
    package static let white = Colour(1, 1, 1)

    /// `rgb()` or `rgba()` as CSS has it; in Swift no locale's comma gets in.
    package func css(alpha: Double = 1) -> String {
        let parts = [red, green, blue].map { "\(Int(($0 * 255).rounded()))" }.joined(separator: ",")
        return alpha >= 1 ? "rgb(\(parts))" : "rgba(\(parts),\((alpha * 100).rounded() / 100))"
    }

    /// This colour with `share` (0 to 1) of another laid over it.
    package func blended(with other: Colour, _ share: Double) -> Colour {
        Colour(
            red + (other.red - red) * share, green + (other.green - green) * share, blue + (other.blue - blue) * share)
    }

    /// Relative luminance, 0 to 1 (WCAG 2.1).
    package var luminance: Double {
        func linear(_ value: Double) -> Double { value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Contrast ratio, 1 to 21 (WCAG 2.1).
    package func contrast(with other: Colour) -> Double {
        let (first, second) = (luminance, other.luminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }
}

/// Text that can be read on any background (WCAG 2.1, success criteria 1.4.3 and 1.4.11).
package enum Contrast {
    /// For text.
    package static let text = 4.5
    /// For what is drawn: circles, dots, lines.
    package static let graphics = 3.0
    /// For both, where the desktop asks for high contrast.
    package static let high = 7.0

    /// The colour nearest to `wanted`, on its way to black or white, that has the contrast `ratio` to each of
    /// `backgrounds`; black or white, whichever is better, where none has.
    package static func readable(_ wanted: Colour, on backgrounds: [Colour], ratio: Double) -> Colour {
        func worst(_ colour: Colour) -> Double { backgrounds.map { colour.contrast(with: $0) }.min() ?? 21 }
        let end = worst(.black) >= worst(.white) ? Colour.black : .white
        for step in 0...20 {
            let colour = wanted.blended(with: end, Double(step) / 20)
            if worst(colour) >= ratio { return colour }
        }
        return end
    }

    /// How much (0 to 1, in steps of 0.05) of `scrim` must lie over a picture for `text` to have the contrast `ratio`
    /// to each of its colours.
    ///
    /// - Parameter extremes: the picture's darkest and lightest colour.
    package static func scrim(_ scrim: Colour, over extremes: [Colour], for text: Colour, ratio: Double) -> Double {
        for step in 0...20 {
            let share = Double(step) / 20
            let worst = extremes.map { text.contrast(with: $0.blended(with: scrim, share)) }.min() ?? 21
            if worst >= ratio { return share }
        }
        return 1
    }
}
