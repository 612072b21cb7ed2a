import AuthService

@main
struct Main {
    static func main() { Daemon.main() }
}
