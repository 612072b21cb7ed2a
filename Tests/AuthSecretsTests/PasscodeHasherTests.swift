import AuthCore
import Testing

@testable import AuthSecrets

@Suite struct PasscodeHasherTests {
    let folder = TemporaryFolder()

    func passcode(_ text: String) throws -> SodiumPasscode {
        try #require(Array(text.utf8).withUnsafeBytes { SodiumPasscode(bytes: $0) })
    }

    /// One whose cost is remembered, so that no test measures.
    func hasher(passes: Int = 2, memory: Int = 65536) -> PasscodeHasher {
        folder.write("[smileauth]\npasses=\(passes)\nmemory=\(memory)\n", to: "cost")
        return PasscodeHasher(costFile: folder.path + "/cost") { _ in }
    }

    @Test func itTellsTheRightFromTheWrong() async throws {
        let hasher = hasher()
        let verifier = try #require(await hasher.hash(passcode("4711"), kind: .digits, length: 4))
        #expect(verifier.hash.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
        #expect(verifier.kind == .digits && verifier.length == 4)
        #expect(ItemRecord.isID(verifier.id))
        #expect(try await hasher.compare(passcode("4711"), with: verifier) == .same)
        #expect(try await hasher.compare(passcode("4712"), with: verifier) == .different)
        #expect(try await hasher.compare(passcode(""), with: verifier) == .different)
        let again = try #require(await hasher.hash(passcode("4711"), kind: .digits, length: 4))
        #expect(again.id != verifier.id && again.hash != verifier.hash)
    }

    @Test(arguments: [
        "", "x", "$argon2id$v=19$m=65536,t=2,p=1$c2FsdA", "$argon2i$v=19$m=65536,t=2,p=1$c2FsdHNhbHQ$aGFzaA",
        "$argon2id$v=19$m=1048577,t=2,p=1$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaA",
        "$argon2id$v=19$m=65536,t=21,p=1$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaA",
        "$argon2id$v=19$m=4294967295,t=4294967295,p=1$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaA",
        "$argon2id$v=19$m=65536,t=2,p=4$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaA",
        "$argon2id$v=19$m=65536,t=2,p=1$!!!!$aGFzaGhhc2hoYXNoaGFzaA",
    ])
    func whatIsNoVerifierOfOursIsNotCompared(_ hash: String) async throws {
        let start = ContinuousClock.now
        let verifier = Verifier(hash: hash, kind: .digits, length: 4, id: "00")
        #expect(try await hasher().compare(passcode("4711"), with: verifier) == .failed)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func anotherCostIsHashedAgain() async throws {
        let verifier = try #require(await hasher().hash(passcode("4711"), kind: .digits, length: 4))
        let dearer = hasher(passes: 3)
        #expect(!dearer.needsRehash(verifier))  // not known yet
        #expect(try await dearer.compare(passcode("4711"), with: verifier) == .same)
        #expect(dearer.needsRehash(verifier))
        let new = try #require(await dearer.hash(passcode("4711"), kind: .digits, length: 4))
        #expect(new.hash.contains("m=65536,t=3,p=1") && !dearer.needsRehash(new))
        let weak = "$argon2id$v=19$m=1024,t=1,p=1$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaA"
        #expect(hasher().needsRehash(Verifier(hash: weak, kind: .digits, length: 4, id: "00")))
    }

    @Test(arguments: [
        "", "[smileauth]\npasses=1\nmemory=8\n", "[smileauth]\npasses=99999\nmemory=65536\n", "\u{0}", "[x",
    ])
    func aBrokenOrAbsurdCostIsNotBelieved(_ text: String) {
        folder.write(text, to: "cost")
        #expect(Argon2Measure(path: folder.path + "/cost", log: { _ in }).remembered() == nil)
    }

    @Test func theMeasureKeepsTheFloorAndIsRemembered() throws {
        let measure = Argon2Measure(path: folder.path + "/cost", log: { _ in })
        let parameters = try #require(measure.run())
        #expect(parameters.isAcceptable)
        #expect(measure.remembered() == parameters)
    }

    @Test func theBoundsHold() {
        #expect(Argon2Parameters(passes: 2, memory: 65536).isAcceptable)
        #expect(!Argon2Parameters(passes: 1, memory: 65536).isAcceptable)
        #expect(!Argon2Parameters(passes: 2, memory: 2 << 20).isBearable)
    }
}
