public import MainLoop

/// The service's end of a channel: it never waits for the prompt, and takes nothing from it but messages in place.
@LoopActor
public final class ServiceChannel {
    private var socket: ChannelSocket?
    private var isGreeted = false

    /// - Parameters:
    ///   - descriptor: taken over.
    ///   - onMessage: a message and its secret, which is lent for the length of the call: copy it into wiped memory.
    ///     The greeting is checked here and comes too, as the first.
    ///   - onEnd: once; the prompt is of no use any more.
    /// - Returns: nil without memory; the descriptor is closed then.
    public init?(
        _ descriptor: Int32, onMessage: @escaping @LoopActor (PromptMessage, UnsafeRawBufferPointer) -> Void,
        onEnd: @escaping @LoopActor (ChannelEnd) -> Void
    ) {
        let socket = ChannelSocket(
            descriptor, limit: PromptMessage.limit,
            onDatagram: { [weak self] datagram in
                guard let self else { return nil }
                guard let (message, secret) = PromptMessage.read(datagram) else { return "what is no message" }
                if case .hello(let version) = message {
                    guard !isGreeted, version == PromptMessage.version else { return "a greeting out of place" }
                    isGreeted = true
                }
                guard isGreeted else { return "no greeting" }
                onMessage(message, secret)
                return nil
            }, onEnd: onEnd)
        guard let socket else { return nil }
        self.socket = socket
    }

    /// Sends it, or puts it in line; a newer view takes the place of one that waits.
    ///
    /// - Returns: false where it is too long or not well-formed: then nothing is sent.
    @discardableResult
    public func send(_ message: ServiceMessage) -> Bool {
        guard let datagram = message.datagram else { return false }
        let isView = if case .view = message { true } else { false }
        socket?.send(datagram, isReplaceable: isView)
        return true
    }

    public func close() { socket?.close() }

    /// Messages that wait for the prompt to read.
    var waiting: Int { socket?.waiting ?? 0 }
}

/// The prompt's end of a channel.
@LoopActor
public final class PromptChannel {
    private var socket: ChannelSocket?

    /// Greets the service.
    ///
    /// - Returns: nil without memory; the descriptor is closed then.
    public init?(
        _ descriptor: Int32, onMessage: @escaping @LoopActor (ServiceMessage) -> Void,
        onEnd: @escaping @LoopActor (ChannelEnd) -> Void
    ) {
        let socket = ChannelSocket(
            descriptor, limit: ServiceMessage.limit,
            onDatagram: { datagram in
                guard let message = ServiceMessage(datagram) else { return "what is no message" }
                onMessage(message)
                return nil
            }, onEnd: onEnd)
        guard let socket else { return nil }
        self.socket = socket
        send(.hello(version: PromptMessage.version))
    }

    /// Sends a message that carries no secret.
    public func send(_ message: PromptMessage) {
        guard !message.carriesSecret else { return }
        socket?.send(message.datagram)
    }

    /// Sends an entry or an account password; `secret` stays the caller's to wipe.
    ///
    /// - Returns: false without memory.
    public func send(_ message: PromptMessage, secret: SecretBuffer) -> Bool {
        guard message.carriesSecret,
            let datagram = SecretBuffer(capacity: PromptMessage.secretOffset + secret.count)
        else { return false }
        let head = message.datagram
        let fits = head.withUnsafeBytes { datagram.append(contentsOf: $0) }
        guard fits, secret.withBytes({ datagram.append(contentsOf: $0) }) else { return false }
        socket?.send(datagram)
        return true
    }

    public func close() { socket?.close() }
}
