// AuthCommandLine
