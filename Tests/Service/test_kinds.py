"""What a passcode may be: digits, text and pattern (section 6), and the form of a try (section 5)."""

import pytest

from kit import names
from kit.acts import turn_on, unchanged
from kit.objects import refused


@pytest.fixture
def auth(desk, client):
    authenticator = desk.app("org.example.Kinds", client)
    authenticator.hold(ui="none")
    return authenticator


def uncounted(auth, call, *arguments):
    refused("InvalidPasscode", call, *arguments)
    assert auth.get("FailCount") == 0


def test_digits_have_their_length(auth):
    auth.present("twice", ui="none", digits=6)
    for bad in ("", "1", "12345", "1234567", "12345a", "12345٣", " 12345", "123456\n"):
        uncounted(auth, auth.submit, bad)
        assert auth.view()["step"] == 1
    assert auth.outcome("123456") == "next"
    assert auth.outcome("123456") == "accepted"
    auth.lock()
    for bad in ("", "1234", "1234567", "abcdef"):
        uncounted(auth, auth.submit, bad)
        uncounted(auth, auth.verify, bad)
    assert auth.outcome("654321") == "wrong"
    assert auth.get("FailCount") == 1


@pytest.mark.parametrize("digits", [4, 5, 64])
def test_lengths_from_4_to_64(auth, digits):
    code = "1234567890" * 7
    turn_on(auth, code[:digits], digits=digits)
    assert auth.get("PasscodeDigit") == digits
    assert auth.verify(code[:digits]) is True


def test_the_property_is_the_default_length(auth):
    auth.set("PasscodeDigit", "u", 8)
    auth.present("twice", ui="none")
    assert auth.view()["digits"] == 8
    uncounted(auth, auth.submit, "1234")
    assert auth.outcome("12345678") == "next"


def test_text_is_4_to_64_scalars(auth):
    auth.present("twice", ui="none", kind="text")
    view = auth.view()
    assert view["kind"] == "text" and view["description"] == "Enter your passcode"
    for bad in ("", "abc", "x" * 65, "é" * 65):
        uncounted(auth, auth.submit, bad)
    assert auth.outcome("é" * 64) == "next"
    assert auth.outcome("é" * 64) == "accepted"


def test_text_compares_in_nfc(auth):
    turn_on(auth, "caf\u00e9 noir", kind="text")
    assert auth.verify("cafe\u0301 noir") is True
    assert auth.verify("cafe noir") is False
    # Four scalars after composition are enough, although five were typed.
    assert auth.set_passcode("cafe\u0301 noir", "abce\u0301", kind="text") is None
    assert auth.verify("abc\u00e9") is True


def test_text_counted_after_composition(auth):
    auth.present("twice", ui="none", kind="text")
    uncounted(auth, auth.submit, "abe\u0301")


def test_text_of_any_length_is_a_try(auth):
    turn_on(auth, "correct horse", kind="text")
    auth.lock()
    assert auth.outcome("c") == "wrong"
    assert auth.outcome("c" * 100) == "wrong"
    assert auth.get("FailCount") == 2


@pytest.mark.parametrize(
    "drawn,same",
    [
        ("1236", "1236"),
        ("1379", "1235789"),
        ("19", None),
        ("1937", None),
        ("2846", "25846"),
        ("159", None),
        ("13579", "1235789"),
        ("71963", "7415963"),
    ],
)
def test_patterns_take_the_dots_they_cross(auth, drawn, same):
    auth.present("twice", ui="none", kind="pattern")
    if same is None and len(drawn) < 3 or drawn == "159":
        uncounted(auth, auth.submit, drawn)
        return
    assert auth.outcome(drawn) == "next"
    assert auth.outcome(normalised(drawn)) == "accepted"
    if same:
        assert normalised(drawn) == same
    assert auth.get("PasscodeKind") == "pattern" and auth.get("PasscodeDigit") == 0
    assert auth.verify(drawn) is True and auth.verify(normalised(drawn)) is True


def normalised(drawn):
    """The rule of section 6, written independently."""
    visited = [int(drawn[0])]
    for dot in map(int, drawn[1:]):
        (r0, c0), (r1, c1) = divmod(visited[-1] - 1, 3), divmod(dot - 1, 3)
        if (r0 + r1) % 2 == 0 and (c0 + c1) % 2 == 0:
            middle = (r0 + r1) // 2 * 3 + (c0 + c1) // 2 + 1
            if middle not in visited:
                visited.append(middle)
        visited.append(dot)
    return "".join(map(str, visited))


def test_pattern_jumps_over_a_visited_dot(auth):
    # 2, then 1, then 3: the way from 1 to 3 leads over 2, which is taken already.
    assert normalised("2136") == "2136"
    turn_on(auth, "2136", kind="pattern")
    assert auth.verify("2136") is True


def test_patterns_that_are_none(auth):
    auth.present("twice", ui="none", kind="pattern")
    assert auth.view()["description"] == "Draw your pattern"
    # "1321": on its way from 1 to 3 it has been at 2 already.
    for bad in (
        "",
        "1",
        "12",
        "123",
        "13",
        "1231",
        "1321",
        "1122",
        "1230",
        "12a4",
        "12345678912",
        "1 2 3 4",
        "１２３６",
    ):
        uncounted(auth, auth.submit, bad)
    assert auth.outcome("123654789") == "next"


def test_a_pattern_under_four_dots_is_no_try(auth):
    turn_on(auth, "1236", kind="pattern")
    auth.lock()
    uncounted(auth, auth.submit, "123")
    uncounted(auth, auth.submit, "13")
    assert auth.outcome("1478") == "wrong"
    assert auth.get("FailCount") == 1


def test_three_changes_the_kind(auth):
    turn_on(auth, "2468")
    auth.present("three", ui="none", kind="pattern")
    assert auth.view()["kind"] == "digits"
    view = auth.submit("2468")[1]
    assert view["kind"] == "pattern" and view["step"] == 2
    assert auth.outcome("14789") == "next"
    assert auth.outcome("14789") == "accepted"
    assert auth.get("PasscodeKind") == "pattern"
    # Without the option the present kind stays.
    auth.present("three", ui="none")
    auth.submit("14789")
    assert auth.view()["kind"] == "pattern"


def test_texts_of_the_other_kinds(auth):
    turn_on(auth, "correct horse", kind="text")
    auth.present("three", ui="none")
    old = auth.view()["description"]
    new = auth.submit("correct horse")[1]["description"]
    again = auth.submit("battery staple")[1]["description"]
    assert len({old, new, again}) == 3
    for text in (old, new, again):
        assert "passcode" in text and "digit" not in text and "%" not in text
    assert "old" in old and "new" in new


def test_through_a_descriptor(auth):
    turn_on(auth, "2468")
    auth.lock()
    assert auth.submit_bytes(b"1357")[0] == "wrong"
    assert auth.submit_bytes(b"2468\n")[0] == "accepted"
    auth.lock()
    for bad in (b"2468\n\n", b"2468\x00", b"\xff\xfe\xfd\xfc", b"", b"\n", b"246\x00"):
        refused("InvalidPasscode", auth.submit_bytes, bad)
    assert auth.get("FailCount") == 0
    assert auth.submit_bytes(b"2468")[0] == "accepted"


def test_text_through_a_descriptor(auth):
    turn_on(auth, "correct horse", kind="text")
    auth.lock()
    for bad in (b"correct\x00horse", b"\xc3\x28abcd", b"\xed\xa0\x80abcd", b"\xf4\x90\x80\x80abc"):
        refused("InvalidPasscode", auth.submit_bytes, bad)
    assert auth.get("FailCount") == 0
    assert auth.submit_bytes("correct horse\n".encode())[0] == "accepted"


def test_scripts_take_every_kind(auth):
    auth.set_passcode("", "123456", digits=6)
    assert auth.get("PasscodeDigit") == 6
    auth.set_passcode("123456", "1379", kind="pattern")
    assert auth.get("PasscodeKind") == "pattern"
    auth.set_passcode("1235789", "pass phrase", kind="text")
    unchanged(auth, "InvalidPasscode", auth.set_passcode, "pass phrase", "abc", kind="text")
    unchanged(auth, "InvalidPasscode", auth.set_passcode, "pass phrase", "12", kind="digits", digits=4)
    unchanged(auth, names.INVALID_ARGS, auth.set_passcode, "pass phrase", "1234", kind="runes")
    auth.clear_passcode("pass phrase")
    assert auth.get("HasPasscode") is False
