internal import CGtk

extension Drawing {
    /// One ridge of the finger: an arch of this radius round the middle, from one angle to another (degrees, 0 to the
    /// right, 90 down), and how far its ends go down.
    private struct Ridge {
        var radius: Double
        var from: Double
        var to: Double
        var left: Double
        var right: Double
    }

    /// In a square of 24; five ridges, none quite like the other.
    private static let ridges = [
        Ridge(radius: 9.6, from: 212, to: 328, left: 0, right: 0),
        Ridge(radius: 7.6, from: 180, to: 360, left: 2.6, right: 1.2),
        Ridge(radius: 5.6, from: 180, to: 360, left: 4.6, right: 4.9),
        Ridge(radius: 3.6, from: 180, to: 360, left: 6.4, right: 6.6),
        Ridge(radius: 1.6, from: 180, to: 360, left: 8.2, right: 3.2),
    ]

    /// A fingerprint, as large as the square with this side at the context's origin.
    package static func finger(_ cairo: OpaquePointer, side: Double, colour: Colour, boldness: Double = 1) {
        cairo_save(cairo)
        defer { cairo_restore(cairo) }
        cairo_scale(cairo, side / 24, side / 24)
        set(cairo, colour)
        cairo_set_line_width(cairo, 0.95 * boldness)
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        let (x, y) = (12.0, 11.4)
        for ridge in ridges {
            cairo_new_path(cairo)
            if ridge.left > 0 {
                // The ends lean outwards at the left and inwards at the right, as a tip's do.
                cairo_move_to(cairo, x - ridge.radius - 0.9, y + ridge.left)
                cairo_curve_to(
                    cairo, x - ridge.radius - 0.2, y + ridge.left * 0.6, x - ridge.radius, y + ridge.left * 0.3,
                    x - ridge.radius, y)
            }
            cairo_arc(cairo, x, y, ridge.radius, ridge.from * .pi / 180, ridge.to * .pi / 180)
            if ridge.right > 0 {
                cairo_curve_to(
                    cairo, x + ridge.radius, y + ridge.right * 0.4, x + ridge.radius - 0.1, y + ridge.right * 0.7,
                    x + ridge.radius - 0.6, y + ridge.right)
            }
            cairo_stroke(cairo)
        }
    }
}
