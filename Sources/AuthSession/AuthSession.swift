// AuthSession
