// AuthAccount
