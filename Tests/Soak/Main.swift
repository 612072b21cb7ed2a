import AuthCoreTestKit
import Glibc

/// `smileauth-soak [walks] [first seed] [threads]`: random walks through the state machine, each event checked.
@main
enum Soak {
    static func main() {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let walks = numbers.first ?? 100_000
        let first = numbers.count > 1 ? numbers[1] : 1
        let threads = numbers.count > 2 ? Int(numbers[2]) : 2
        if let report = Walks.run(walks, from: first, threads: threads) {
            print(report)
            exit(1)
        }
        print("\(walks) walks from seed \(first): all held")
    }
}
