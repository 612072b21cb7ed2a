import AuthLooks
import Testing

@testable import AuthPrompt

private func isNear(_ first: Double, _ second: Double, within: Double = 0.001) -> Bool { abs(first - second) < within }

@Suite struct GeometryTests {
    @Test func fourCirclesThatFit() {
        let row = RowGeometry(count: 4, width: 320, height: 44)
        #expect(row.radius == 22)
        #expect(row.spacing == 11)
        #expect(row.centres == [77.5, 132.5, 187.5, 242.5])
        #expect(row.middle == 22)
        #expect(isNear(row.lineWidth, 1.8333))
        #expect(isNear(row.outlineRadius, 20.1667))
        #expect(isNear(row.dotRadius, 4.4))
    }

    @Test func sixCirclesThatJustFit() {
        // 6 x 44 + 5 x 11 = 319.
        let row = RowGeometry(count: 6, width: 319, height: 44)
        #expect(row.radius == 22)
        #expect(isNear(row.spacing, 7.3333))
        // 264 and 36.667 of 319 pixels, in the middle.
        #expect(isNear(row.centres[0], 31.1667))
    }

    @Test(arguments: [
        // count, width, radius: the width over 2N and half of N - 1, both rounded down.
        (6, 318.0, 22.0), (6, 280, 20), (5, 200, 16), (7, 200, 11), (10, 320, 13), (24, 320, 5), (64, 320, 2),
    ]) func moreCirclesAreSmaller(count: Int, width: Double, radius: Double) {
        let row = RowGeometry(count: count, width: width, height: 44)
        #expect(row.radius == radius)
        #expect(row.centres.count == count)
        #expect(row.centres[0] - row.radius >= 0)
        #expect(row.centres[count - 1] + row.radius <= width)
    }

    @Test func noCircleIsLargerThan32() {
        #expect(RowGeometry(count: 4, width: 4000, height: 200).radius == 32)
        #expect(RowGeometry(count: 4, width: 1000, height: 63).radius == 31)
    }

    @Test func noRoomIsNoHarm() {
        #expect(RowGeometry(count: 4, width: 0, height: 0).radius == 0)
        #expect(RowGeometry(count: 0, width: 100, height: 44).centres.count == 1)
        #expect(RowGeometry(count: 64, width: 100, height: 44).radius == 0)
    }
}

@Suite struct CurveTests {
    @Test func theShakeStartsRightAndComesToRest() {
        #expect(Curves.shakeParts.reduce(0, +) == 0.825)
        for (time, offset) in [
            (0.0, 0.0), (0.075, 3), (0.225, -6), (0.375, 6), (0.525, -6), (0.675, 6), (0.75, -3), (0.825, 0), (1, 0),
        ] {
            #expect(isNear(Curves.shake(time), offset, within: 0.05), "at \(time)")
        }
        #expect(Curves.shake(0.03) > 0.5)
        for step in 0...825 { #expect(abs(Curves.shake(Double(step) / 1000)) <= 6) }
    }

    @Test func theRowGoesLeftAndComesFromTheRight() {
        #expect(Curves.step(0) == (0, false))
        #expect(Curves.step(0.39).offset < -0.97 && !Curves.step(0.39).isNew)
        #expect(Curves.step(0.4) == (1, true))
        #expect(Curves.step(0.79).offset < 0.03)
        #expect(Curves.step(0.8) == (0, true))
        var last = 0.0
        for step in 1...400 {
            let now = Curves.slide(Double(step) / 1000)
            // Damped by 0.9 it passes its end by a hair, no more.
            #expect(now >= last - 0.002 && now < 1.01)
            last = now
        }
        // A head start: velocity 5.
        #expect(Curves.slide(0.1) > 0.6)
    }

    @Test func dotsFillInTheirTime() {
        #expect(Curves.fill(-1) == 0)
        #expect(Curves.fill(0.075) == 0.5)
        #expect(Curves.fill(0.15) == 1)
        #expect(Curves.fill(2) == 1)
    }

    @Test func theParallaxIsUpTo15Pixels() {
        #expect(Curves.parallax(0) == 0)
        #expect(Curves.parallax(-0.5) == -7.5)
        #expect(Curves.parallax(1) == 15)
        #expect(Curves.parallax(3) == 15)
    }
}

@Suite struct PadTests {
    private let pad = PadGeometry(width: 400, height: 300)

    @Test func dotsAreRowByRow() {
        #expect(pad.centre(of: 1) == (100, 50))
        #expect(pad.centre(of: 5) == (200, 150))
        #expect(pad.centre(of: 9) == (300, 250))
        for dot in 1...9 { #expect(pad.dot(at: pad.centre(of: dot).x, pad.centre(of: dot).y) == dot) }
        #expect(pad.dot(at: 150, 100) == nil)
        #expect(pad.dot(at: 0, 0) == nil)
    }

    @Test func aFastStrokeSkipsNoDot() {
        #expect(pad.dots(from: pad.centre(of: 1), to: pad.centre(of: 3)) == [1, 2, 3])
        #expect(pad.dots(from: pad.centre(of: 1), to: pad.centre(of: 9)) == [1, 5, 9])
        // A knight's move touches neither of the dots beside it at its middle.
        #expect(pad.dots(from: pad.centre(of: 1), to: pad.centre(of: 5)) == [1, 5])
    }

    @Test func whatLiesBetween() {
        #expect(PadGeometry.between(1, 3) == 2)
        #expect(PadGeometry.between(1, 9) == 5)
        #expect(PadGeometry.between(7, 3) == 5)
        #expect(PadGeometry.between(2, 8) == 5)
        #expect(PadGeometry.between(1, 2) == nil)
        #expect(PadGeometry.between(1, 6) == nil)
        #expect(PadGeometry.between(4, 4) == nil)
    }
}

@Suite struct ContrastTests {
    @Test func theNumbersAreWCAGs() {
        #expect(isNear(Colour.black.contrast(with: .white), 21))
        #expect(isNear(Colour("#777777")!.contrast(with: .white), 4.478, within: 0.01))
        #expect(isNear(Colour("#ff2d55")!.luminance, 0.2410, within: 0.01))
        #expect(Colour("ff2d55") == nil && Colour("#ff2d5") == nil && Colour("#+12345") == nil)
    }

    @Test func readableTextStaysWhatWasAskedFor() {
        #expect(Contrast.readable(Colour("#123456")!, on: [.white], ratio: 4.5) == Colour("#123456")!)
    }

    @Test func everyTintIsReadableEverywhere() {
        for tint in ["#ff2d55", "#ffffff", "#000000", "#ffff00", "#808080", "#00ff00", "#1c1c1e"] {
            for night in [Looks.NightMode.on, .off] {
                let pictures: [[Colour]?] = [nil, [.black, .white], [.white, .white], [.black, .black]]
                for picture in pictures {
                    var looks = Looks()
                    looks.tint = Colour(tint)!
                    looks.description = Colour(tint)!
                    looks.nightMode = night
                    for isHigh in [false, true] {
                        let desktop = DesktopStyle(isDark: false, isHighContrast: isHigh, hasAnimations: true)
                        let palette = Palette(looks, desktop, picture: picture)
                        let below = (picture ?? [palette.background]).map {
                            $0.blended(with: palette.background, palette.scrim)
                        }
                        let head = below.map { $0.blended(with: palette.header, palette.headerAlpha) }
                        for ground in below {
                            for colour in [palette.text, palette.description, palette.secondary, palette.alert] {
                                #expect(colour.contrast(with: ground) >= 4.5, "\(tint) \(night) \(ground)")
                            }
                            #expect(palette.tint.contrast(with: ground) >= 3)
                        }
                        for ground in head {
                            #expect(palette.text.contrast(with: ground) >= 4.5)
                            #expect(palette.button.contrast(with: ground) >= 4.5)
                        }
                    }
                }
            }
        }
    }

    @Test func theNightFollowsTheDesktopWhereItIsAuto() {
        var looks = Looks()
        #expect(Palette(looks, DesktopStyle(isDark: true)).isNight)
        #expect(!Palette(looks, DesktopStyle(isDark: false)).isNight)
        looks.nightMode = .off
        #expect(!Palette(looks, DesktopStyle(isDark: true)).isNight)
        looks.nightMode = .on
        #expect(Palette(looks, DesktopStyle(isDark: false)).isNight)
    }
}
