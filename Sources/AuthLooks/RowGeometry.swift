import Glibc

/// Where the row's circles are, in the original's numbers (section 3 of the contract). All in pixels.
package struct RowGeometry: Equatable, Sendable {
    /// The largest circle.
    package static let largestRadius = 32.0

    package let count: Int
    /// Of the whole circle; whole pixels.
    package let radius: Double
    /// Between the outlines of two circles.
    package let spacing: Double
    /// The centres from left to right.
    package let centres: [Double]
    package let middle: Double

    package var lineWidth: Double { radius / 12 }
    /// Of the circle that is drawn.
    package var outlineRadius: Double { radius - lineWidth }
    package var dotRadius: Double { radius / 5 }

    /// - Parameters:
    ///   - count: circles, at least 1.
    ///   - width: of the room.
    ///   - height: of the room.
    package init(count: Int, width: Double, height: Double) {
        let circles = max(1, count)
        let number = Double(circles)
        let isTooWide = number * height + (number - 1) * height / 4 > width
        let fitting = isTooWide ? floor(width / (2 * number + floor((number - 1) / 2))) : floor(height / 2)
        radius = max(0, min(fitting, RowGeometry.largestRadius))
        spacing = radius / max(1, floor(number / 2))
        let whole = 2 * radius * number + spacing * (number - 1)
        let first = (width - whole) / 2 + radius
        centres = (0..<circles).map { [radius, spacing] in first + Double($0) * (2 * radius + spacing) }
        middle = height / 2
        self.count = circles
    }
}
