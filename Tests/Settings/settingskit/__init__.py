"""The kit of the settings window's tests: a desk with a display, a bus, a real keyring, the real service, and the window.

Nothing here uses the project's own code: the window is a program that is started, looked at, and typed into.
"""
