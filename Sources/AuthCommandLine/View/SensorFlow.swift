import AuthWire
import DBus
import MainLoop

/// The way of what waits for a finger and is no view: an enrolment, a test. Says how far it is, and ends cleanly.
@LoopActor
struct SensorFlow {
    let tool: Tool
    let client: FingerprintClient

    struct Result: Equatable {
        /// `success` or an error's short name.
        let name: String
        let message: String

        static func == (result: Result, name: String) -> Bool { result.name == name }
    }

    private enum Event {
        case status(String, UInt32, UInt32)
        case completed(String, String)
        case interrupted
        case serviceLeft
    }

    /// - Parameter start: makes the call with these options, and gives the request's path.
    /// - Throws: what the call answers, and the person's Control-C once the request has ended.
    func run(_ start: ([Wire.Option: Value]) async throws -> String) async throws -> Result {
        let mailbox = Mailbox<Event>()
        let request = RequestClient(client.connection, token: ViewFlow.token()) { result, details in
            mailbox.post(.completed(result, details[Wire.DetailKey.message.rawValue]?.asString ?? ""))
        }
        let progress = client.onEnrollStatus { mailbox.post(.status($0, $1, $2)) }
        defer { progress.cancel() }
        var owner: String?
        let watch = client.connection.watchName(Wire.busName) { now in
            if let owner, now != owner { mailbox.post(.serviceLeft) }
            owner = now
        }
        defer { watch.cancel() }
        client.connection.onDisconnect = { mailbox.post(.serviceLeft) }
        request.follow(try await start([.handleToken: .string(request.token)]))
        // What the passcode's view put here is over.
        tool.onInterrupt { mailbox.post(.interrupted) }
        var isCancelled = false
        while true {
            switch await mailbox.next() {
            case .status(let word, let stage, let stages): tell(word, stage, stages)
            case .completed(let name, let message):
                if isCancelled, name != Wire.success { throw CommandFailure.refused("cancelled; nothing is kept") }
                return Result(name: name, message: message)
            case .interrupted:
                isCancelled = true
                // Completed comes before the reply.
                do throws(DBusFailure) { try await request.cancel() } catch {
                    throw CommandFailure.refused("cancelled")
                }
            case .serviceLeft: throw ViewEvents.serviceLeft
            }
        }
    }

    private func tell(_ word: String, _ stage: UInt32, _ stages: UInt32) {
        switch Wire.EnrollStatus(rawValue: word) {
        case .stagePassed?: tool.output.line("  " + tool.style.green(FingerWords.bar(stage, of: stages)))
        case .completed?: break
        case let retry?:
            if let instruction = FingerWords.instruction(retry) {
                tool.output.line("  " + tool.style.yellow(instruction))
            }
        case nil: break
        }
    }
}
