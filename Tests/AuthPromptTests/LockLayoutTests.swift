import AuthWire
import Testing

@testable import AuthPrompt

/// Letters of one width, lines that break anywhere.
private struct Letters: LockMeasure {
    func size(_ text: String, _ style: LockTextStyle, em: Double, width: Double, isOneLine: Bool) -> LockSize {
        let (letter, line) = (0.55 * em * style.size, 1.36 * em * style.size)
        let whole = Double(text.count) * letter
        guard !isOneLine, whole > width else { return LockSize(width: min(whole, width), height: line) }
        let perLine = max(1, (width / letter).rounded(.down))
        return LockSize(width: width, height: line * (Double(text.count) / perLine).rounded(.up))
    }
}

@Suite("The lock's layout")
struct LockLayoutTests {
    private static func screen(_ field: PromptModel.Field, isFull: Bool) -> Screen {
        var screen = Screen()
        screen.title = "Enter Passcode"
        screen.description = "Enter 4 digit passcode"
        screen.reason = "Are you the device owner?"
        screen.field = field
        screen.digits = 4
        screen.line = field == .pad ? "Hide Line" : ""
        guard isFull else { return screen }
        screen.requester = "Unverified: an application with a long name asks"
        screen.reason = String(repeating: "because of this and that, ", count: 9)
        screen.wait = "Try again in 4:59"
        screen.finger = Screen.FingerButton(state: .armed, title: "Touch the sensor", isSensitive: true)
        screen.choices = [Wire.Finger.leftThumb, .rightThumb, .rightRing].map {
            Screen.FingerChoice(finger: $0, title: "left little finger", isPicked: $0 == .leftThumb)
        }
        screen.cancel = "Cancel"
        screen.fallback = "Enter Passcode"
        screen.account = "Use Account Password"
        return screen
    }

    private func layout(
        _ screen: Screen, _ width: Double, _ height: Double, textScale: Double = 1, isRightToLeft: Bool = false
    ) -> LockLayout {
        LockLayout.make(
            screen, width: width, height: height, textScale: textScale, isRightToLeft: isRightToLeft, logo: nil,
            picture: nil, Letters())
    }

    private func boxes(_ layout: LockLayout) -> [LockBox] {
        layout.labels.map(\.box) + layout.controls.map(\.box) + [layout.entry].compactMap { $0 }
    }

    @Test(arguments: [PromptModel.Field.none, .row, .text, .pad, .account], [false, true])
    func nothingIsCutOffAndNothingOverlaps(_ field: PromptModel.Field, _ isFull: Bool) {
        let screen = Self.screen(field, isFull: isFull)
        let sizes = [(1920.0, 1080.0), (1024, 768), (1280, 480), (360, 720), (480, 320), (320, 320), (240, 400)]
        for (width, height) in sizes {
            for textScale in [1.0, 1.5, 2.5] {
                for isRightToLeft in [false, true] {
                    let made = layout(
                        screen, width, height, textScale: textScale, isRightToLeft: isRightToLeft)
                    let all = boxes(made)
                    for (index, box) in all.enumerated() {
                        #expect(box.x >= -0.5 && box.x + box.width <= width + 0.5, "\(box) of \(width)x\(height)")
                        #expect(box.y >= -0.5 && box.y + box.height <= height + 0.5, "\(box) of \(width)x\(height)")
                        for other in all[(index + 1)...] {
                            let isApart =
                                box.x + box.width <= other.x + 0.01 || other.x + other.width <= box.x + 0.01
                                || box.y + box.height <= other.y + 0.01 || other.y + other.height <= box.y + 0.01
                            #expect(isApart, "\(box) and \(other) of \(width)x\(height) at \(made.unit)")
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [PromptModel.Field.none, .row, .pad], 2...10)
    func fingersToPickLieOnNoOtherButton(_ field: PromptModel.Field, _ count: Int) {
        var screen = Self.screen(field, isFull: true)
        screen.choices = Wire.Finger.allCases.prefix(count).map {
            Screen.FingerChoice(finger: $0, title: $0.rawValue, isPicked: false)
        }
        for (width, height, textScale) in [(1024.0, 768.0, 1.0), (420, 620, 1), (360, 640, 1), (1024, 768, 2)] {
            let controls = layout(screen, width, height, textScale: textScale).controls
            #expect(controls.count == count + 4 + (field == .pad ? 1 : 0))
            for (index, control) in controls.enumerated() {
                let box = control.box
                #expect(box.x >= -0.5 && box.x + box.width <= width + 0.5)
                for other in controls[(index + 1)...].map(\.box) {
                    let isApart =
                        box.x + box.width <= other.x + 0.01 || other.x + other.width <= box.x + 0.01
                        || box.y + box.height <= other.y + 0.01 || other.y + other.height <= box.y + 0.01
                    #expect(isApart, "\(control.title) in \(box) and \(other) of \(width)x\(height)")
                }
            }
        }
    }

    @Test func whereThereIsRoomEverythingHasItsSize() {
        #expect(layout(Self.screen(.row, isFull: true), 1920, 1080).unit == 1)
        #expect(layout(Self.screen(.pad, isFull: false), 1024, 768).unit == 1)
        #expect(layout(Self.screen(.row, isFull: false), 1920, 1080, textScale: 2).unit == 2)
        #expect(layout(Self.screen(.pad, isFull: true), 480, 320).unit < 1)
    }

    @Test func cancelStandsWhereALineBegins() throws {
        let screen = Self.screen(.row, isFull: true)
        let left = try #require(layout(screen, 800, 600).control(.cancel))
        let right = try #require(layout(screen, 800, 600, isRightToLeft: true).control(.cancel))
        #expect(left.box.x < 20 && right.box.x + right.box.width > 780)
    }

    @Test func aCallersLongTitleLeavesRoomForOurs() throws {
        var screen = Self.screen(.row, isFull: true)
        screen.cancel = String(repeating: "Not now ", count: 20)
        let made = layout(screen, 800, 600)
        let cancel = try #require(made.control(.cancel))
        let title = try #require(made.labels.first { $0.style == .title })
        #expect(cancel.box.x + cancel.box.width <= title.box.x && title.box.width > 100)
    }

    @Test func tabVisitsWhatCanBePressedAndCancelLast() {
        var screen = Self.screen(.pad, isFull: true)
        #expect(
            layout(screen, 800, 600).order == [
                .fingerprint, .finger(.leftThumb), .finger(.rightThumb), .finger(.rightRing), .line, .fallback,
                .account, .cancel,
            ])
        screen.finger?.isSensitive = false
        let made = layout(screen, 800, 600)
        #expect(!made.order.contains(.fingerprint))
        let finger = made.control(.fingerprint)!.box
        #expect(made.control(at: finger.x + 5, finger.y + 5) == nil)
    }

    @Test(arguments: [
        (UInt32(0xff08), UInt32(8), Key.backspace), (0xff0d, 13, .enter), (0xff1b, 27, .escape), (0xff51, 0, .left),
        (0x31, 0x31, .character("1")), (0xffb4, 0x34, .character("4")), (0x61, 0x61, .character("a")),
        (0xffe1, 0, .other), (0x1000664, 0x664, .character("4")),
    ])
    func keysMeanWhatTheyDoInTheWindow(_ keysym: UInt32, _ scalar: UInt32, _ key: Key) {
        #expect(Key(keysym: keysym, scalar: scalar, typesDigits: true) == key)
    }

    @Test func inATextOtherDigitsAreThemselves() {
        #expect(Key(keysym: 0x1000664, scalar: 0x664, typesDigits: false) == .character("\u{664}"))
    }
}
