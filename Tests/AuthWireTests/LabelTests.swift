import AuthWire
import Testing

@Suite struct LabelTests {
    /// Vectors of systemd's src/test/test-bus-label.c, and ours.
    @Test(arguments: [
        ("", "_"),
        ("foobar123", "foobar123"),
        ("foobar123.bar", "foobar123_2ebar"),
        ("foobar123.2bar", "foobar123_2e2bar"),
        ("123foobar", "_3123foobar"),
        ("aaa_foo", "aaa_5ffoo"),
        ("_", "_5f"),
        ("/dev/null", "_2fdev_2fnull"),
        ("org.gnome.Text-Editor", "org_2egnome_2eText_2dEditor"),
        ("ä", "_c3_a4"),
    ])
    func escapesAsSystemdDoes(_ text: String, _ label: String) {
        #expect(Wire.Label.escape(text) == label)
        #expect(Wire.Label.unescape(label.utf8) == text)
    }

    /// `_2E` and `_61` would be second names of what `_2e` and `a` name; `_c3` alone is no UTF-8.
    @Test(arguments: ["", "_2", "_zz", "a_2", "a_2E", "_61", "1a", "a.b", "_c3", "a_", "__"])
    func refusesWhatEscapingNeverWrites(_ label: String) {
        #expect(Wire.Label.unescape(label.utf8) == nil)
    }

    @Test func pathsGoBothWays() {
        #expect(Wire.Path.app("org.example.App_1") == "/org/smileauth/Auth1/app/org_2eexample_2eApp_5f1")
        #expect(Wire.Path.application(of: Wire.Path.app("org.example.App_1")) == "org.example.App_1")
        #expect(Wire.Path.app("") == Wire.Path.session)
        #expect(Wire.Path.application(of: Wire.Path.session) == "")
        #expect(Wire.Path.application(of: Wire.Path.root) == nil)
        #expect(Wire.Path.application(of: "/org/smileauth/Auth1/app/_") == nil)
        #expect(Wire.Path.application(of: "/org/smileauth/Auth1/app/a/b") == nil)
    }

    @Test func requestPathsAreThePortals() {
        #expect(Wire.Path.request(sender: ":1.42", token: "t_1") == "/org/smileauth/Auth1/request/1_42/t_1")
    }

    @Test(arguments: [("a", true), ("A9_", true), ("", false), ("a-b", false), ("a/b", false), ("ä", false)])
    func tokensAreElementsOfAPath(_ token: String, _ valid: Bool) {
        #expect(Wire.Path.isToken(token) == valid)
        #expect(!Wire.Path.isToken(String(repeating: "a", count: 256)))
    }
}
