import MainLoop

/// One secret asked for outside any view.
@LoopActor
struct Question {
    let tool: Tool
    let terminal: Terminal

    /// - Throws: when the person cancels.
    func ask(_ prompt: String) async throws(CommandFailure) -> SecretBuffer {
        let answers = Mailbox<Terminal.Input>()
        terminal.hush()
        tool.onInterrupt { answers.post(.end) }
        while true {
            terminal.write(prompt)
            terminal.listen { answers.post($0) }
            let answer = await answers.next()
            terminal.pause()
            terminal.line()
            switch answer {
            case .entry(let entry) where !entry.isEmpty: return entry
            case .entry, .tooLong: continue
            case .end:
                terminal.close()
                throw .refused("cancelled")
            }
        }
    }
}
