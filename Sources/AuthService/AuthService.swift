// AuthService
