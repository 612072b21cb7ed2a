// AuthSecrets
