import AuthCore
internal import CPam
import Glibc

/// One authentication through PAM, on a thread that may block.
final class PamConversation {
    /// Installed as `/etc/pam.d/smileauth`; where it is missing PAM falls back to `other`. Nothing in the environment
    /// chooses another.
    private static let service = "smileauth"

    private let password: any Passcode
    /// PAM has asked for the password. A success without that question (a fingerprint reader in the stack, a module
    /// that lets everybody in) is no word on the password.
    private var wasAsked = false

    private init(_ password: any Passcode) { self.password = password }

    static func check(_ password: any Passcode) -> AccountAnswer {
        guard let user = userName() else { return .unavailable("the account has no name") }
        // PAM takes C strings: a NUL would cut the password short.
        if password.withBytes({ $0.contains(0) }) { return .wrong }
        let conversation = PamConversation(password)
        return conversation.run(user)
    }

    private func run(_ user: String) -> AccountAnswer {
        var talk = pam_conv(
            conv: { count, messages, replies, data in
                guard let data else { return PAM_CONV_ERR }
                return Unmanaged<PamConversation>.fromOpaque(data).takeUnretainedValue()
                    .answer(Int(count), messages, replies)
            }, appdata_ptr: Unmanaged.passUnretained(self).toOpaque())
        var handle: OpaquePointer?
        let started = pam_start(Self.service, user, &talk, &handle)
        guard started == PAM_SUCCESS, let handle else { return .unavailable("PAM cannot be started (\(started))") }
        var status = pam_authenticate(handle, Int32(PAM_DISALLOW_NULL_AUTHTOK))
        let isAuthenticated = status == PAM_SUCCESS
        if isAuthenticated { status = pam_acct_mgmt(handle, Int32(PAM_DISALLOW_NULL_AUTHTOK)) }
        let text = pam_strerror(handle, status).map { String(cString: $0) } ?? "\(status)"
        pam_end(handle, status)
        return withExtendedLifetime(self) {
            switch status {
            case PAM_SUCCESS: wasAsked ? .right : .unavailable("PAM did not ask for the password")
            // The password is right, and still opens nothing: an expired account, say. Debian's stack has one error
            // for all of that, the same as for a wrong password.
            case _ where isAuthenticated: .unavailable("the account may not be used: \(text)")
            case PAM_AUTH_ERR, PAM_MAXTRIES, PAM_CRED_INSUFFICIENT: refusal(text)
            default: .unavailable(text)
            }
        }
    }

    /// A refusal says "wrong" only where the password could be checked at all: pam_unix needs its set-group-id helper
    /// for that unless it runs as root, and Debian's stack makes one error of everything.
    private func refusal(_ text: String) -> AccountAnswer {
        guard wasAsked else { return .unavailable(text) }
        if getuid() != 0, smile_has_no_new_privileges() != 0 {
            return .unavailable("the service runs with no_new_privs, which keeps PAM from the passwords")
        }
        return .wrong
    }

    // MARK: The conversation

    private func answer(
        _ count: Int, _ messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
        _ replies: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?
    ) -> Int32 {
        guard let messages, let replies, (1...Int(PAM_MAX_NUM_MSG)).contains(count),
            let answers = calloc(count, MemoryLayout<pam_response>.stride)?
                .bindMemory(to: pam_response.self, capacity: count)
        else { return PAM_CONV_ERR }
        for index in 0..<count {
            switch messages[index]?.pointee.msg_style {
            case PAM_PROMPT_ECHO_OFF:
                guard let copy = copyOfPassword() else {
                    Self.drop(answers, count)
                    return PAM_BUF_ERR
                }
                wasAsked = true
                answers[index].resp = copy
            case PAM_ERROR_MSG, PAM_TEXT_INFO: break
            // A question that a password does not answer.
            default:
                Self.drop(answers, count)
                return PAM_CONV_ERR
            }
        }
        replies.pointee = answers
        return PAM_SUCCESS
    }

    /// PAM owns it, overwrites and frees it (`_pam_drop_reply`).
    private func copyOfPassword() -> UnsafeMutablePointer<CChar>? {
        password.withBytes { bytes in
            guard let copy = malloc(bytes.count + 1) else { return nil }
            let text = copy.bindMemory(to: CChar.self, capacity: bytes.count + 1)
            if let source = bytes.baseAddress { memcpy(copy, source, bytes.count) }
            text[bytes.count] = 0
            return text
        }
    }

    private static func drop(_ answers: UnsafeMutablePointer<pam_response>, _ count: Int) {
        for index in 0..<count {
            guard let text = answers[index].resp else { continue }
            explicit_bzero(text, strlen(text))
            free(text)
        }
        free(answers)
    }

    /// By the user id, never by the environment.
    private static func userName() -> String? {
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        guard getpwuid_r(getuid(), &record, &buffer, buffer.count, &found) == 0, found != nil, let name = record.pw_name
        else { return nil }
        return String(cString: name)
    }
}
