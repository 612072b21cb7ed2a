import Testing

@testable import AuthService

@Suite struct FramePatienceTests {
    @Test func itStartsWithFiveSecondsAndDoubles() {
        var patience = FramePatience()
        var limits: [Duration] = []
        for _ in 0..<6 {
            limits.append(patience.limit)
            patience.ranOut()
        }
        #expect(limits == [5, 10, 20, 40, 80, 80].map { .seconds($0) })
    }

    @Test func aSlowMachineKeepsWhatItNeeds() {
        var patience = FramePatience()
        patience.ranOut()
        patience.held(after: .seconds(7))
        #expect(patience.limit == .seconds(10))
    }

    @Test func oneThatIsQuickAgainGetsTheShortestAgain() {
        var patience = FramePatience()
        for _ in 0..<4 { patience.ranOut() }
        patience.held(after: .milliseconds(80))
        #expect(patience.limit == .seconds(5))
        patience.held(after: .milliseconds(80))
        #expect(patience.limit == .seconds(5))
    }
}
