"""The kit of the window's tests: displays of their own, the service's end of a prompt's channel, and eyes and hands.

Nothing here uses the project's own code: the prompt is a program that is started, spoken to, looked at, and killed.
"""
