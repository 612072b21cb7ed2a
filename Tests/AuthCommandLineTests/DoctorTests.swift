import DBus
import Glibc
import Testing

@testable import AuthCommandLine

@Suite struct DoctorTests {
    @Test func limitsTellOfCores() {
        func level(_ soft: String, _ hard: String) -> Finding.Level {
            let head = "Limit                     Soft Limit           Hard Limit           Units\n"
            return ProcessChecks.coreDumps(limits: head + "Max core file size        \(soft)  \(hard)  bytes\n").level
        }
        #expect(level("0", "0") == .ok)
        #expect(level("0", "unlimited") == .ok)
        #expect(level("unlimited", "unlimited") == .fail)
        #expect(ProcessChecks.coreDumps(limits: nil).level == .warn)
    }

    @Test func environmentTellsOfBacktraces() {
        #expect(ProcessChecks.backtraces(environment: "A=1\0SWIFT_BACKTRACE=enable=no\0").level == .ok)
        #expect(ProcessChecks.backtraces(environment: "A=1\0SWIFT_BACKTRACE=enable=yes\0").level == .fail)
        #expect(ProcessChecks.backtraces(environment: "A=1\0").level == .fail)
        #expect(ProcessChecks.backtraces(environment: nil).level == .ok)
    }

    @Test func aFingerLocksWithoutAPasscode() {
        let finger = ServiceChecks.passcode("unset", route: "fingerprint")
        #expect(finger.level == .ok && finger.text.contains("a finger locks it"))
        let open = ServiceChecks.passcode("unset", route: "login")
        #expect(open.level == .warn && open.text.contains("does not lock"))
        #expect(ServiceChecks.passcode("lost", route: "fingerprint").level == .fail)
    }

    @Test func theDisplayTellsOfTheCover() {
        func finding(_ environment: String, _ programs: String...) -> Finding {
            ProcessChecks.cover(environment: environment, ask: { _ in .absent }, isInstalled: { programs.contains($0) })
        }
        #expect(finding("DISPLAY=:0\0", "smileauth-prompt", "smileauth-cover").level == .ok)
        #expect(finding("DISPLAY=:0\0", "smileauth-prompt").level == .fail)
        #expect(finding("DISPLAY=:0\0", "smileauth-cover").text.hasPrefix("smileauth-prompt is not"))
        #expect(finding("DISPLAY=:0\0SMILEAUTH_COVER=/bin/true\0", "smileauth-prompt").level == .ok)
        #expect(finding("DISPLAY=:0\0SMILEAUTH_COVER=none\0", "smileauth-prompt", "smileauth-cover").level == .warn)
        let both = finding("DISPLAY=:0\0WAYLAND_DISPLAY=wayland-0\0", "smileauth-prompt", "smileauth-cover")
        #expect(both.level == .warn && both.text.contains("no compositor at /wayland-0"))
        #expect(finding("DISPLAY=\0", "smileauth-cover").text.contains("no display"))
    }

    @Test func aProgramsFolderIsToldByItsCall() {
        let own = CommandLine.arguments[0]
        #expect(Folder.ofProgram(UInt32(getpid())) == own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "")
        #expect(Folder.ofProgram(0) == "")
    }

    @Test func statusTellsOfPrivileges() {
        #expect(ProcessChecks.privileges(status: "Name:\tx\nNoNewPrivs:\t0\n").level == .ok)
        #expect(ProcessChecks.privileges(status: "NoNewPrivs:\t1\n").level == .fail)
    }

    @Test func whatTheServiceHearsOfLogindIsOneThing() {
        let away = DBusFailure(name: "org.freedesktop.DBus.Error.ServiceUnknown", message: "nobody has the name")
        let denied = DBusFailure(name: "org.freedesktop.DBus.Error.AccessDenied", message: "not for you")
        func levels(_ inhibitors: Result<[Value], DBusFailure>?) -> [String] {
            ServiceChecks.logind(inhibitors, 7).map { "\($0.level) \($0.subject)" }
        }
        #expect(levels(nil) == ["warn logind"])
        #expect(levels(.failure(away)) == ["warn logind"])
        #expect(levels(.failure(denied)) == ["ok logind", "warn Sleep inhibitor"])
        #expect(levels(.success([])) == ["ok logind", "fail Sleep inhibitor"])
    }

    @Test func inhibitorsAreToldByTheirProcess() {
        func inhibitor(_ what: String, _ mode: String, _ pid: UInt32) -> Value {
            .structure([.string(what), .string("SmileAuth"), .string(""), .string(mode), .uint32(0), .uint32(pid)])
        }
        #expect(ServiceChecks.holdsInhibitor([inhibitor("idle:sleep", "delay", 7)], 7))
        #expect(!ServiceChecks.holdsInhibitor([inhibitor("sleep", "block", 7), inhibitor("idle", "delay", 7)], 7))
        #expect(!ServiceChecks.holdsInhibitor([inhibitor("sleep", "delay", 8), .string("x")], 7))
    }

    @Test func theCompositorTellsOfTheLock() {
        func finding(_ answer: WaylandGlobals.Answer) -> Finding {
            ProcessChecks.cover(
                environment: "WAYLAND_DISPLAY=wayland-1\0XDG_RUNTIME_DIR=/run/user/7\0",
                ask: { $0 == "/run/user/7/wayland-1" ? answer : .absent }, isInstalled: { $0 == "smileauth-prompt" })
        }
        #expect(finding(.offers(["wl_shm", "ext_session_lock_manager_v1"])).level == .ok)
        let without = finding(.offers(["wl_shm"]))
        #expect(without.level == .warn && without.text.contains("no session lock"))
        #expect(finding(.silent).text.contains("does not answer"))
        #expect(finding(.absent).text.contains("/run/user/7/wayland-1"))
    }

    @Test func compositorsAnswersAreReadInAnyPieces() {
        func words(_ numbers: UInt32...) -> [UInt8] { numbers.flatMap { withUnsafeBytes(of: $0) { Array($0) } } }
        let shm = words(2, 28 << 16, 1, 7) + Array("wl_shm\0\0".utf8) + words(1)
        let lock =
            words(2, 48 << 16, 2, 28) + Array("ext_session_lock_manager_v1\0".utf8) + words(1)
        let end = words(3, 12 << 16, 0)
        let all = shm + lock + end
        for piece in [1, 3, 8, 29, all.count] {
            var pending: [UInt8] = []
            var found: Set<String> = []
            var last = WaylandGlobals.Step.more
            for start in stride(from: 0, to: all.count, by: piece) {
                #expect(last == .more)
                pending += all[start..<min(start + piece, all.count)]
                last = WaylandGlobals.take(&pending, &found)
            }
            #expect(last == .done && found == ["wl_shm", "ext_session_lock_manager_v1"])
        }
        var found: Set<String> = []
        for broken in [words(2, 4 << 16), words(2, 20 << 16, 1, 200, 0), words(1, 12 << 16, 0), words(9, 9 << 16, 0)] {
            var bytes = broken
            #expect(WaylandGlobals.take(&bytes, &found) == .broken)
        }
        #expect(WaylandGlobals.ask("/nonexistent/wayland-0") == .absent)
    }

    @Test func foldersHaveToBeOnesOwn() throws {
        var template = Array("/tmp/smileauth-doctor-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        let base = String(cString: made)
        let folder = base + "/smileauth"
        let file = folder + "/session"
        defer {
            unlink(file)
            rmdir(folder)
            rmdir(base)
        }
        #expect(MachineChecks.dataFolder(base).level == .ok)
        mkdir(folder, 0o700)
        close(open(file, O_CREAT | O_WRONLY, 0o600))
        #expect(MachineChecks.dataFolder(base).level == .ok)
        chmod(file, 0o644)
        #expect(MachineChecks.dataFolder(base).level == .fail)
        chmod(file, 0o600)
        chmod(folder, 0o750)
        #expect(MachineChecks.dataFolder(base).level == .fail)
        #expect(MachineChecks.runtimeFolder(nil).level == .fail)
        #expect(MachineChecks.runtimeFolder("relative").level == .fail)
        #expect(MachineChecks.runtimeFolder(file).level == .fail)
        #expect(MachineChecks.runtimeFolder(base).level == .ok)
        #expect(MachineChecks.pam([folder]).level == .fail)
    }

    @Test func everyFailureSaysHowToMendIt() {
        let text = Finding.fail("S", "t", mend: "m").render(.plain)
        #expect(text.hasPrefix("fail  S"))
        #expect(text.hasSuffix("\n" + String(repeating: " ", count: 24) + "m"))
        #expect(Finding.ok("S", "t").json.render() == #"{"level":"ok","subject":"S","text":"t","mend":null}"#)
    }
}
