"""The kit of the black-box suites: private buses, real and stand-in services, clocks, and a client that keeps order.

Nothing here uses the project's own code: the service is a program that is started, spoken to over the bus, and killed.
"""
