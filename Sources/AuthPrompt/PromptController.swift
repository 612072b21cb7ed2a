import AuthChannel
import AuthLooks
internal import CGLib
internal import CGtk
import Glibc
import MainLoop

/// Holds the model, the channel and the window together: what comes in goes to the model, what the model says goes out.
@LoopActor
final class PromptController {
    var model: PromptModel
    private var channel: PromptChannel?
    var window: PromptWindow?
    private var desktop: Desktop?
    private var timer: LoopSource?
    private var ticking: guint = 0
    private var isShown = false
    private var successor: Successor?
    private var feed: InputFeed?

    init(_ entry: SecretBuffer) { model = PromptModel(entry: entry) }

    /// - Returns: false without memory.
    func start(descriptor: Int32) -> Bool {
        desktop = Desktop { [weak self] in self?.restyle() }
        channel = PromptChannel(
            descriptor, onMessage: { [weak self] in self?.take($0) }, onEnd: { [weak self] in self?.ended($0) })
        return channel != nil
    }

    private var now: Moment {
        Moment(monotonic: Double(g_get_monotonic_time()) / 1_000_000, realtime: UInt64(max(0, g_get_real_time())))
    }

    // MARK: the channel

    private func take(_ message: ServiceMessage) {
        let old = model.view
        model.isStill = desktop?.style.hasAnimations == false
        guard let effects = model.handle(message, now) else {
            Program.end(1, "the service sent a view that is none")
        }
        if window == nil, model.view != nil {
            makeWindow()
        } else if let view = model.view, view.looks != old?.looks {
            restyle()
        }
        carryOut(effects)
    }

    private func ended(_ reason: ChannelEnd) {
        switch reason {
        case .closed where model.view?.isSession == true && model.quitAt == nil:
            // The session stays covered until the next service's prompt has taken over.
            successor = Successor { Program.end(0, nil) }
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
            case .quit(let status): Program.end(status, nil)
            }
        }
        update()
    }

    // MARK: the window

    private func makeWindow() {
        let made = PromptWindow(
            PromptWindow.Actions(
                button: { [weak self] button in self?.act { $0.press(button, $1) } },
                key: { [weak self] key in self?.act { $0.press(key, $1) } },
                text: { [weak self] scalar in self?.act { $0.press(.character(scalar), $1) } },
                touch: { [weak self] in self?.act { $0.touch($1) } },
                focus: { [weak self] isFocused in
                    guard self?.feed == nil else { return }
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
                close: { [weak self] in self?.act { $0.press(.cancel, $1) } },
                firstFrame: { [weak self] in self?.shown() }))
        window = made
        restyle()
        made.apply(model.screen(now))
        let isSession = model.view?.isSession ?? false
        let number = made.present(
            isSession: isSession, isCovered: isSession && InputFeed.isThere, parent: model.view?.parentWindow ?? "")
        if number != 0 { channel?.send(.window(number)) }
        // Under a cover no window has the focus: whoever is fed has it.
        if isSession {
            feed = InputFeed(made) { [weak self] in self?.feed = nil }
            if feed != nil { model.focus(true, now) }
        }
    }

    private func act(_ body: (inout PromptModel, Moment) -> [Effect]) { carryOut(body(&model, now)) }

    private func shown() {
        guard !isShown else { return }
        isShown = true
        channel?.send(.shown)
        // What the first frame need not wait for.
        desktop?.follow()
        loadPictures()
    }

    /// Brings the window up to the model, and sets the timer for what falls due next.
    func update() {
        let moment = now
        if let window {
            window.drawn = model.drawn(moment)
            window.apply(model.screen(moment))
            window.redraw()
        }
        tickWhileMoving()
        timer?.cancel()
        timer = nil
        guard let deadline = model.deadline(moment) else { return }
        // The timer, not the frame clock, ends a motion: an unmapped window has no frames.
        timer = .after(.microseconds(Int64(max(0, deadline - moment.monotonic) * 1_000_000))) { [weak self] in
            guard let self else { return }
            timer = nil
            carryOut(model.tick(now))
        }
    }

    private func tickWhileMoving() {
        guard model.motion != nil, ticking == 0, let widget = window?.window else { return }
        ticking = gtk_widget_add_tick_callback(
            widget,
            { _, _, data in
                let controller = Unmanaged<PromptController>.fromOpaque(data!).takeUnretainedValue()
                return LoopActor.assumeIsolated { controller.frame() ? 1 : 0 }
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    private func frame() -> Bool {
        window?.drawn = model.drawn(now)
        window?.redraw()
        if model.motion == nil { ticking = 0 }
        return model.motion != nil
    }

    // MARK: looks

    func restyle() {
        guard let window, let view = model.view, let desktop else { return }
        model.isStill = !desktop.style.hasAnimations
        window.looks = view.looks
        window.palette = Palette(view.looks, desktop.style, picture: window.picture?.extremes)
        window.pointer = view.looks.hasParallax && !model.isStill ? (window.pointer ?? (0, 0)) : nil
        window.restyle()
        if isShown { loadPictures() }
    }

    /// Pictures are read once the first frame is on the screen, and again where the looks name others.
    private func loadPictures() {
        guard let window, let looks = model.view?.looks else { return }
        window.loadPictures(of: looks) { [weak self] in
            guard let self, let window = self.window else { return }
            restyle()
            // Applied anew: which of two widgets is shown hangs on it.
            window.screen = Screen()
            update()
        }
    }
}
