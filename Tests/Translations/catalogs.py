"""The catalogs of po/, read without gettext's own tools: what msgfmt overlooks is found here."""

import ast
import gettext
import os
import re
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
PO = os.path.join(os.path.dirname(os.path.dirname(HERE)), "po")
#: The languages that SmileAuth promises; English is the source.
PROMISED = {"de", "fr", "es", "pt_BR", "ru", "ar", "ja", "zh_CN", "hi"}


def lines(name):
    with open(os.path.join(PO, name), encoding="utf-8") as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


LANGUAGES = lines("LINGUAS")


@dataclass
class Entry:
    text: str = ""
    plural: str = ""
    forms: list = field(default_factory=list)
    flags: set = field(default_factory=set)
    comments: list = field(default_factory=list)


def parse(name):
    """(header fields, entries) of a .po or .pot file."""
    entries, entry, target = [], Entry(), None

    def add(value):
        if target == "msgid":
            entry.text += value
        elif target == "msgid_plural":
            entry.plural += value
        elif target is not None:
            entry.forms[-1] += value

    with open(os.path.join(PO, name), encoding="utf-8") as file:
        for line in [*file.read().split("\n"), ""]:
            if not line.strip():
                if entry.forms:
                    entries.append(entry)
                entry, target = Entry(), None
            elif line.startswith("#,"):
                entry.flags |= {flag.strip() for flag in line[2:].split(",")}
            elif line.startswith("#. "):
                entry.comments.append(line[3:])
            elif not line.startswith("#"):
                keyword, quote, value = line.partition('"')
                if keyword.strip():
                    target = keyword.strip().split("[")[0]
                    if target == "msgstr":
                        entry.forms.append("")
                add(ast.literal_eval(quote + value))
    header = dict(field.split(": ", 1) for field in entries[0].forms[0].split("\n") if field)
    return header, entries[1:]


def plural_rule(header):
    """(number of forms, the function from a number to its form)."""
    found = re.fullmatch(r"nplurals=(\d+); plural=(.*);", header["Plural-Forms"])
    return int(found.group(1)), gettext.c2py(found.group(2))


def holes(text):
    """What is filled in, sorted."""
    return sorted(re.findall(r"%(?:\d+\$)?(?:ld|s)", text))


def mnemonics(text):
    return len(re.findall(r"_\w", text))
