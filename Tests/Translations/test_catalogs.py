"""Every catalog is complete, well formed and as old as the sources."""

import os
import re
import subprocess
import unicodedata

import pytest
from catalogs import LANGUAGES, PO, PROMISED, holes, lines, mnemonics, parse, plural_rule

#: SPEC 2: the original's keys.
KEYS = {
    "SMILE_REASON": "Are you the device owner?",
    "SMILE_INPUT_FAILED": "%ld Failed Passcode Attempt(s). Try again.",
    "SMILE_INPUT_DESCRIPTION": "Enter %ld digit passcode",
    "SMILE_INPUT_NOT_MATCH": "Passcodes do not match. Try again.",
    "SMILE_INPUT_RE-ENTER": "Re-enter your %ld digit passcode",
    "SMILE_INPUT_TOUCHID_TITLE": "Enter Passcode",
    "SMILE_INPUT_ONCE_TITLE": "Turn off Passcode",
    "SMILE_INPUT_TWICE_TITLE": "Set Passcode",
    "SMILE_INPUT_THREE_TITLE": "Change Passcode",
    "SMILE_INPUT_THREE_STEP_1_DESCRIPTION": "Enter your old %ld digit passcode",
    "SMILE_INPUT_THREE_STEP_2_DESCRIPTION": "Enter your new %ld digit passcode",
}
#: The number of plural forms, as the languages have them (CLDR).
FORMS = dict(de=2, en=2, fr=2, es=2, pt_BR=2, ru=3, ar=6, ja=1, zh_CN=1, hi=2)
#: Letters of the language's own writing; the others are written in Latin ones.
WRITING = dict(ru="CYRILLIC", ar="ARABIC", ja="CJK HIRAGANA KATAKANA", zh_CN="CJK", hi="DEVANAGARI")
#: Names, and what has no letters.
THE_SAME_EVERYWHERE = {"SmileAuth", "“%s”", "default:LTR"}
each = pytest.mark.parametrize("language", LANGUAGES)


def test_every_promised_language_has_a_catalog():
    assert set(LANGUAGES) == PROMISED | {"en"}
    assert sorted(name[:-3] for name in os.listdir(PO) if name.endswith(".po")) == sorted(LANGUAGES)


def test_the_template_is_that_of_the_sources(repository):
    fresh = subprocess.run([f"{repository}/scripts/po-extract"], capture_output=True, text=True, check=True)
    with open(os.path.join(PO, "smileauth.pot"), encoding="utf-8") as file:
        assert file.read() == fresh.stdout, "po/smileauth.pot is stale: run make po"


def test_the_template_has_the_originals_keys_and_words():
    _, entries = parse("smileauth.pot")
    found = {key: e.text for e in entries for c in e.comments for key in re.findall(r"SMILE_[A-Z0-9_-]+", c)}
    assert found == KEYS


def test_every_call_of_the_sources_is_in_a_listed_file(repository):
    """A file that nobody put in POTFILES would stay English for ever."""
    calling = set()
    for folder, _, files in os.walk(f"{repository}/Sources"):
        for name in files:
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                if name.endswith(".swift") and re.search(r'\b(translated|counted)\(\s*"', file.read()):
                    calling.add(os.path.relpath(path, repository))
    assert calling <= set(lines("POTFILES"))


@each
def test_nothing_is_missing_or_guessed(language):
    _, entries = parse(f"{language}.po")
    _, template = parse("smileauth.pot")
    assert [(e.text, e.plural) for e in entries] == [(e.text, e.plural) for e in template]
    assert [e.text for e in entries if "fuzzy" in e.flags or not all(e.forms)] == []


@each
def test_msgfmt_has_nothing_to_say(language):
    catalog = os.path.join(PO, f"{language}.po")
    checks = ["--check-format", "--check-domain", "--check-accelerators=_"]
    done = subprocess.run(["msgfmt", *checks, "-o", "/dev/null", catalog], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@each
def test_plural_forms_are_the_languages(language):
    header, entries = parse(f"{language}.po")
    count, _ = plural_rule(header)
    assert count == FORMS[language]
    assert {len(e.forms) for e in entries if e.plural} == {count}
    assert header["Language"] == language and header["Content-Type"] == "text/plain; charset=UTF-8"


@each
def test_what_is_filled_in_is_there(language):
    """A form for one number only may spell that number out."""
    header, entries = parse(f"{language}.po")
    _, form_of = plural_rule(header)
    numbers = [form_of(n) for n in range(1000)]
    for entry in entries:
        for index, form in enumerate(entry.forms):
            if entry.plural and language not in ("en", "de") and numbers.count(index) == 1 and not holes(form):
                continue
            assert holes(form) == holes(entry.plural or entry.text), form
            assert mnemonics(form) == mnemonics(entry.text), form


@each
def test_it_is_written_as_dialogs_are(language):
    _, entries = parse(f"{language}.po")
    ends = {"de": ".", "en": ".", "fr": ".", "es": ".", "pt_BR": ".", "ru": ".", "ar": ".", "hi": "।", "ja": "。", "zh_CN": "。"}
    for entry in entries:
        for form in entry.forms:
            assert form == form.strip() and "  " not in form, form
            assert form == unicodedata.normalize("NFC", form), form
            # A sentence stays a sentence, a title a title.
            assert form.endswith(ends[language]) == entry.text.endswith("."), form


@pytest.mark.parametrize("language", sorted(PROMISED))
def test_it_is_the_language_and_not_english(language):
    _, entries = parse(f"{language}.po")
    for entry in entries:
        for form in entry.forms:
            if entry.text in THE_SAME_EVERYWHERE:
                continue
            assert form not in (entry.text, entry.plural)
            names = {unicodedata.name(c, "").split()[0] for c in form if c.isalpha()}
            assert names & set(WRITING.get(language, "LATIN").split()), form


@each
def test_only_arabic_is_laid_out_from_right_to_left(language):
    _, entries = parse(f"{language}.po")
    direction = next(e.forms for e in entries if e.text == "default:LTR")
    assert direction == (["default:RTL"] if language == "ar" else ["default:LTR"])


@pytest.mark.parametrize(
    "language, number, form",
    [
        ("en", 1, "%ld Failed Passcode Attempt. Try again."),
        ("en", 2, "%ld Failed Passcode Attempts. Try again."),
        ("ru", 1, "%ld неудачная попытка ввода код-пароля. Повторите попытку."),
        ("ru", 2, "%ld неудачные попытки ввода код-пароля. Повторите попытку."),
        ("ru", 5, "%ld неудачных попыток ввода код-пароля. Повторите попытку."),
        ("ru", 11, "%ld неудачных попыток ввода код-пароля. Повторите попытку."),
        ("ru", 21, "%ld неудачная попытка ввода код-пароля. Повторите попытку."),
        ("ar", 1, "محاولة فاشلة واحدة. أعد المحاولة."),
        ("ar", 2, "محاولتان فاشلتان. أعد المحاولة."),
        ("ar", 5, "%ld محاولات فاشلة. أعد المحاولة."),
        ("ar", 11, "%ld محاولة فاشلة. أعد المحاولة."),
        ("fr", 0, "%ld tentative infructueuse. Réessayez."),
        ("de", 0, "%ld fehlgeschlagene Versuche. Versuchen Sie es erneut."),
        ("ja", 7, "パスコードの入力に %ld 回失敗しました。やり直してください。"),
    ],
)
def test_numbers_find_their_forms(language, number, form):
    header, entries = parse(f"{language}.po")
    _, form_of = plural_rule(header)
    entry = next(e for e in entries if e.text == KEYS["SMILE_INPUT_FAILED"])
    assert entry.forms[form_of(number)] == form
