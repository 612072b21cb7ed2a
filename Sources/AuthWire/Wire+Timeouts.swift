extension Wire {
    /// How long a client waits for replies. Libraries give up after 25 s of their own accord, which is less than some
    /// answers take.
    public enum Timeout {
        /// What the service answers from memory, its activation included (the bus gives a service 25 s to start).
        public static let ordinary = Duration.seconds(30)
        /// What needs the store (5 s at most) or a hash, behind others that wait for the same.
        public static let store = Duration.seconds(45)
        /// What PAM checks: modules delay after a wrong password, and directories answer slowly.
        public static let account = Duration.seconds(60)
    }
}
