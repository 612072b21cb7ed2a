internal import MainLoop

/// A call for which polkit may ask the person for a password: it may take minutes, as long as fprintd itself answers.
///
/// The job does not wait for it but for its own outcome: who stops meanwhile gets the device released at once, and
/// fprintd refuses the call then, whatever the person answers.
@LoopActor
final class FprintdPatience {
    static let limit: Duration = .seconds(300)
    private static let interval: Duration = .seconds(5)
    private weak var job: FprintdJob?
    private var timer: LoopSource?
    private var isOver = false

    /// - Parameter call: its outcome is the job's, nil where the call has only begun something.
    static func call(_ job: FprintdJob, _ call: @escaping @LoopActor @Sendable () async -> FprintdJob.Outcome?) {
        let patience = FprintdPatience(job)
        patience.look(after: .milliseconds(800))
        onLoop {
            let outcome = await call()
            patience.end()
            // Begun; or has its outcome by now, and is watched until that is reported.
            if let outcome { job.finish(outcome) } else if job.outcome == nil { job.unwatch() }
        }
    }

    private init(_ job: FprintdJob) { self.job = job }

    /// Whether fprintd hangs shows only in that it answers nothing else either.
    private func look(after wait: Duration) {
        timer = .after(wait) { [weak self] in
            onLoop { [weak self] in
                guard let service = self?.job?.service else { return }
                let answers = await service.answers(within: .seconds(1))
                guard let self, !isOver, let job, job.outcome == nil else { return }
                if answers {
                    job.unwatch()
                    look(after: Self.interval)
                } else {
                    job.tookTooLong()
                }
            }
        }
    }

    private func end() {
        isOver = true
        timer = nil
    }
}
