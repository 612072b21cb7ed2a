import AuthChannel
import AuthLooks
internal import CGLib
import Glibc
import MainLoop

/// Holds the model, the channel and the stage together: what comes in goes to the model, what the model says goes out.
@LoopActor
final class PromptController {
    private var model: PromptModel
    private var channel: PromptChannel?
    private var stage: (any Stage)?
    private var desktop: Desktop?
    private var timer: LoopSource?
    private var isShown = false
    private var successor: Successor?
    private var opening: LockOpening?

    init(_ entry: SecretBuffer) { model = PromptModel(entry: entry) }

    /// - Returns: false without memory.
    func start(descriptor: Int32) -> Bool {
        channel = PromptChannel(
            descriptor, onMessage: { [weak self] in self?.take($0) }, onEnd: { [weak self] in self?.ended($0) })
        return channel != nil
    }

    private var now: Moment {
        Moment(monotonic: Double(g_get_monotonic_time()) / 1_000_000, realtime: UInt64(max(0, g_get_real_time())))
    }

    // MARK: the channel

    private func take(_ message: ServiceMessage) {
        if case .dismiss = message, model.view == nil {
            // An end without a view: what prompts before this one have left locked is to be opened.
            if opening == nil { opening = LockOpening() }
            return
        }
        let old = model.view
        model.isStill = desktop?.style.hasAnimations == false
        if case .outcome = message { model.hasAccountService = AccountService.isThere }
        guard let effects = model.handle(message, now) else {
            Program.end(1, "the service sent a view that is none")
        }
        if let view = model.view, stage == nil || view.covers != old?.covers {
            makeStage(view)
        } else if let view = model.view, view.looks != old?.looks {
            restyle()
        }
        carryOut(effects)
    }

    private func ended(_ reason: ChannelEnd) {
        switch reason {
        case .closed where model.quitAt != nil: quit(0)
        case .closed where model.view?.covers == true || stage?.locks == true:
            // The session stays covered until the next service's prompt has taken over.
            let locks = stage?.locks == true
            successor = Successor(standsAside: locks) { [weak self] isOpen in
                if isOpen { self?.quit(0) }
                Program.end(0, nil)
            }
        case .closed: Program.end(0, nil)
        case .nonsense(let what): Program.end(1, "the service sent \(what)")
        case .stalled: Program.end(1, "the service does not read")
        case .failed(let code): Program.end(1, "the channel failed: \(String(cString: strerror(code)))")
        }
    }

    private func carryOut(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .send(let message): channel?.send(message)
            case .submit(let message):
                if channel?.send(message, secret: model.entry) != true { Program.end(1, "out of memory") }
                model.wasSent()
            case .quit(let status): quit(status)
            }
        }
        update()
    }

    private func quit(_ status: Int32) {
        guard stage?.leave() != false else { Program.end(1, "the compositor does not open the session") }
        Program.end(status, nil)
    }

    // MARK: the stage

    private func makeStage(_ view: PromptView) {
        if let stage, !stage.locks {
            // A window that became the session's lock, or is it no more.
            if view.covers, let lock = makeLock() {
                stage.close()
                isShown = false
                self.stage = lock
            } else {
                stage.turn(toLock: view.covers)
            }
        } else if stage != nil {
            // Its looks may have changed with it.
        } else if view.covers, let lock = makeLock() {
            stage = lock
        } else {
            stage = makeWindow(view)
        }
        restyle()
        update()
    }

    private func makeLock() -> LockStage? {
        guard let made = LockStage(actions) else { return nil }
        if desktop == nil { desktop = Desktop(hasGtk: false) { [weak self] in self?.restyle() } }
        return made
    }

    private func makeWindow(_ view: PromptView) -> WindowStage {
        guard Program.startGtk() else { Program.end(1, "no display") }
        desktop = Desktop { [weak self] in self?.restyle() }
        let window = WindowStage(actions)
        // Dressed before it is seen.
        model.isStill = desktop?.style.hasAnimations == false
        window.restyle(view.looks, desktop?.style ?? DesktopStyle())
        window.show(model.screen(now), model.drawn(now))
        window.present(view) { [weak self] in self?.channel?.send(.window($0)) }
        return window
    }

    private var actions: StageActions {
        StageActions(
            button: { [weak self] button in self?.act { $0.press(button, $1) } },
            key: { [weak self] key in self?.act { $0.press(key, $1) } },
            text: { [weak self] scalar in self?.act { $0.press(.character(scalar), $1) } },
            touch: { [weak self] in self?.act { $0.touch($1) } },
            focus: { [weak self] isFocused in
                self?.act {
                    $0.focus(isFocused, $1)
                    return []
                }
            },
            strokeBegan: { [weak self] in
                self?.act {
                    $0.startStroke($1)
                    return []
                }
            },
            stroke: { [weak self] dots in
                self?.act {
                    $0.stroke(over: dots, $1)
                    return []
                }
            },
            strokeEnded: { [weak self] in self?.act { $0.endStroke($1) } },
            lost: { [weak self] in self?.act { $0.lose($1) } },
            close: { [weak self] in self?.act { $0.press(.cancel, $1) } },
            firstFrame: { [weak self] in self?.shown() })
    }

    private func act(_ body: (inout PromptModel, Moment) -> [Effect]) { carryOut(body(&model, now)) }

    private func shown() {
        guard !isShown else { return }
        isShown = true
        channel?.send(.shown)
        // What the first frame need not wait for.
        desktop?.follow()
        stage?.loadPictures()
    }

    /// Brings the stage up to the model, and sets the timer for what falls due next.
    private func update() {
        let moment = now
        stage?.show(model.screen(moment), model.drawn(moment))
        if model.motion != nil {
            stage?.animate { [weak self] in
                guard let self else { return (Drawn(), false) }
                return (model.drawn(now), model.motion != nil)
            }
        }
        timer?.cancel()
        timer = nil
        guard let deadline = model.deadline(moment) else { return }
        // The timer, not the frame clock, ends a motion: what is not on a screen has no frames.
        timer = .after(.microseconds(Int64(max(0, deadline - moment.monotonic) * 1_000_000))) { [weak self] in
            guard let self else { return }
            timer = nil
            carryOut(model.tick(now))
        }
    }

    private func restyle() {
        guard let stage, let view = model.view, let desktop else { return }
        model.isStill = !desktop.style.hasAnimations
        stage.restyle(view.looks, desktop.style)
        if isShown { stage.loadPictures() }
    }
}
