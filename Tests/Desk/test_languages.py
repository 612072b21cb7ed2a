"""The whole product in other languages: what it counts, at a session's lock."""

import os
import subprocess

import pytest

from kit.world import REPOSITORY

WORDS = {
    "de": (
        "1 fehlgeschlagener Versuch. Versuchen Sie es erneut.",
        "2 fehlgeschlagene Versuche. Versuchen Sie es erneut.",
    ),
    "ru": (
        "1 неудачная попытка ввода код-пароля. Повторите попытку.",
        "2 неудачные попытки ввода код-пароля. Повторите попытку.",
    ),
    # One and two have words, not numbers.
    "ar": ("محاولة فاشلة واحدة. أعد المحاولة.", "محاولتان فاشلتان. أعد المحاولة."),
}


@pytest.mark.parametrize("language", WORDS)
def test_one_and_two_failures(make_person, world, language):
    folder = os.path.join(world.folder, "locale", language, "LC_MESSAGES")
    os.makedirs(folder)
    catalog = os.path.join(REPOSITORY, "po", f"{language}.po")
    subprocess.run(["msgfmt", "-o", os.path.join(folder, "smileauth.mo"), catalog], check=True)
    world.extra_env.update(SMILEAUTH_LOCALEDIR=os.path.join(world.folder, "locale"), LANGUAGE=language)
    person = make_person().begin()
    person.run("sh", "-c", 'printf "2468\\n2468\\n" | "$0" set --passcode-fd 0', person.program)
    person.smileauth("lock")
    person.prompt()
    for words in WORDS[language]:
        person.type("1357")
        person.ears.announced(words)
    person.type("2468")
    person.wait_signal("AuthenticationSucceeded")
