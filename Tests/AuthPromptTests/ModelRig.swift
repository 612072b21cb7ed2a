import AuthChannel
import DBus
import MainLoop

@testable import AuthPrompt

/// A model with a clock that is moved by hand. What it sends is kept, an entry with its bytes.
final class ModelRig {
    var model: PromptModel
    var time = 100.0
    var sent: [PromptMessage] = []
    var entries: [[UInt8]] = []
    var quit: Int32?

    init(_ changes: [String: Value] = [:], isFocused: Bool = true) {
        model = PromptModel(entry: SecretBuffer()!)
        show(changes)
        if isFocused {
            model.focus(true, now)
            time += 1
        }
        sent = []
    }

    var now: Moment { Moment(monotonic: time, realtime: UInt64(1_000_000_000_000 + time * 1_000_000)) }
    var screen: Screen { model.screen(now) }

    static let view: [String: Value] = [
        "security_type": .string("touchid"), "title": .string("Enter Passcode"),
        "description": .string("Enter 4 digit passcode"), "kind": .string("digits"), "digits": .uint32(4),
        "demand": .string("passcode"), "can_cancel": .bool(true), "takes_keys": .bool(true), "step": .uint32(1),
        "cancel_title": .string("Cancel"), "animated": .bool(true),
    ]

    func show(_ changes: [String: Value]) {
        carryOut(model.handle(.view(ModelRig.view.merging(changes) { $1 }), now) ?? [.quit(1)])
    }

    func outcome(_ result: String, token: UInt32 = 1, until: UInt64 = 0) {
        let outcome = EntryOutcome(token: token, result: result, lockedOutUntil: until)
        carryOut(model.handle(.outcome(outcome), now) ?? [.quit(1)])
    }

    func dismiss(_ result: String = "success", animated: Bool = true) {
        carryOut(model.handle(.dismiss(result: result, animated: animated), now) ?? [.quit(1)])
    }

    func press(_ keys: Key...) { for key in keys { carryOut(model.press(key, now)) } }
    func type(_ text: String) { for scalar in text.unicodeScalars { press(.character(scalar)) } }
    func click(_ button: PromptModel.Button) { carryOut(model.press(button, now)) }

    /// Lets time pass, with every deadline on the way kept.
    func wait(_ seconds: Double) {
        let end = time + seconds
        while quit == nil, let next = model.deadline(now), next <= end {
            time = max(time, next)
            carryOut(model.tick(now))
        }
        time = end
    }

    func carryOut(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .send(let message): sent.append(message)
            case .submit(let message):
                sent.append(message)
                entries.append(model.entry.withBytes { Array($0) })
                model.wasSent()
            case .quit(let status): quit = status
            }
        }
    }
}
