"""The kit of the desk's tests: a person, with hands, eyes and ears, at a desk where the whole product runs.

The service is reached by what a person has (the command line, busctl, gdbus) and by the keys, the pointer and the
finger; what is seen is what a screen reader is told, and pixels.  Applications are played by the service suite's client.
"""
