import Glibc

/// PAM's service of ours, which the account password is checked by.
enum AccountService {
    /// Where Linux-PAM looks (pam.conf(5)). Without a file of ours it takes `other`, whose refusal says nothing of the
    /// password: it may refuse everybody.
    private static let folders = ["/etc/pam.d", "/usr/lib/pam.d", "/usr/etc/pam.d"]

    static var isThere: Bool { folders.contains { access($0 + "/smileauth", R_OK) == 0 } }
}
