import AuthCoreTestKit
import Glibc
import Testing

struct WalkTests {
    /// A few thousand in a debug build; `smileauth-soak` walks a million in a release build.
    @Test func `what always holds holds after every event of random walks`() {
        let walks = getenv("SMILEAUTH_WALKS").flatMap { UInt64(String(cString: $0)) } ?? 4_000
        let report = Walks.run(walks, from: 1, threads: 2)
        #expect(report == nil, "\(report ?? "")")
    }
}
