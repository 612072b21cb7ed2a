"""What a person does again and again."""


def turn_on(person, passcode="2468", app=None):
    """The flow `twice` in the window."""
    person.present("twice", "digits", "u", len(passcode), count=1, **({"path": app} if app else {}))
    person.prompt("Set Passcode")
    person.type(passcode)
    person.ears.find(f"Re-enter your {len(passcode)} digit passcode")
    person.type(passcode)
    person.wait_signal("PasscodeTurnedOn", **({"path": app} if app else {}))
    person.gone()
