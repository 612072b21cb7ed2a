import AuthAccount
import AuthCore
import AuthSecrets
import Glibc
import MainLoop

/// `AccountProbe UID SECONDS`: checks the password on standard input as that user, and prints the answer.
@main
enum AccountProbe {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let user = uid_t(arguments[1]), let seconds = Int(arguments[2]),
            setgid(user) == 0, setuid(user) == 0
        else { exit(2) }
        let password = SodiumPasscode(count: 4096) { buffer in
            let count = read(0, buffer.baseAddress, buffer.count)
            return count < 0 ? nil : count
        }
        guard let password else { exit(2) }
        onLoop {
            switch await AccountAuthority(patience: .seconds(seconds)).check(password) {
            case .right: print("right")
            case .wrong: print("wrong")
            case .unavailable(let why): print("unavailable: \(why)")
            }
            MainLoop.quit()
        }
        MainLoop.run()
    }
}
