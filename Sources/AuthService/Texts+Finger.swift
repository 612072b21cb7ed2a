import AuthCore
import AuthTexts
import AuthWire

/// What the view says of the finger: instructions for a person. The original left that to iOS.
extension Texts {
    /// What to do differently at the next scan.
    static func retry(_ reason: RetryReason) -> String {
        switch reason {
        case .general: translated("That did not work. Touch the sensor again.")
        case .tooShort: translated("That was too short. Leave your finger on the sensor a little longer.")
        case .centerFinger: translated("Put the middle of your fingertip on the sensor.")
        case .removeFinger: translated("Lift your finger, then touch the sensor again.")
        }
    }

    static func noMatch(_ view: ViewState) -> String {
        if view.finger == .changed { return changed(view) }
        if view.isBiometryLockedOut { return lockedOut(view) }
        // After three the sensor is off, and the passcode is the nearer way.
        let isOff = view.finger == .off || view.finger == .none
        return switch view.demand {
        case .either where isOff, .passcode where isOff:
            translated("The finger was not recognised. Enter your passcode.")
        case .finger where isOff:
            translated("The finger was not recognised. Use the fingerprint button to try again.")
        default: translated("The finger was not recognised. Try again.")
        }
    }

    /// What the first step says beside the passcode's own text; nil where that is all there is to say.
    static func finger(_ view: ViewState) -> String? {
        guard view.step == .old else { return nil }
        if view.demand == .account {
            return view.isBiometryLockedOut
                ? translated("Too many fingers were not recognised. Use your account password.")
                : translated("The fingerprint sensor cannot be used. Use your account password.")
        }
        if view.demand == .finger { return touch(view) }
        // Also in a lockout: the passcode that ends it takes these fingers over.
        if view.finger == .changed { return changed(view) }
        return view.isBiometryLockedOut ? lockedOut(view) : nil
    }

    private static func changed(_ view: ViewState) -> String {
        view.kind == .pattern
            ? translated("The enrolled fingers have changed. Draw your pattern.")
            : translated("The enrolled fingers have changed. Enter your passcode.")
    }

    private static func lockedOut(_ view: ViewState) -> String {
        switch (view.demand, view.kind) {
        case (.account, _): translated("Too many fingers were not recognised. Use your account password.")
        case (.finger, _): translated("Too many fingers were not recognised. Wait, then try again.")
        case (_, .pattern): translated("Too many fingers were not recognised. Draw your pattern.")
        case (_, .digits), (_, .text): translated("Too many fingers were not recognised. Enter your passcode.")
        }
    }

    private static func touch(_ view: ViewState) -> String {
        if view.isBiometryLockedOut { return lockedOut(view) }
        switch view.finger {
        case .gone: return translated("There is no usable fingerprint sensor.")
        case .changed: return translated("The enrolled fingers have changed.")
        default: break
        }
        guard !view.fingersToPick.isEmpty else { return translated("Touch the fingerprint sensor") }
        guard let picked = view.pickedFinger else { return translated("Choose the finger that you want to use") }
        return translated("Touch the fingerprint sensor with this finger: %s").filled("%s", with: name(picked))
    }

    static func name(_ finger: Finger) -> String {
        Wire.Finger(rawValue: finger.rawValue)?.translatedName ?? finger.rawValue
    }
}
