"""Fixtures of the translations' suite: the catalogs as `make catalogs` builds them, and the service's kit."""

import os
import subprocess
import sys
import tempfile

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
# Worlds with buses and a service of their own; desks with a display.
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Service"))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Prompt"))

from kit.world import World  # noqa: E402


@pytest.fixture
def repository():
    return REPOSITORY


@pytest.fixture
def locale_folder(tmp_path):
    """Compiled catalogs of every language."""
    from catalogs import LANGUAGES

    for language in LANGUAGES:
        folder = tmp_path / "locale" / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        source = os.path.join(REPOSITORY, "po", f"{language}.po")
        subprocess.run(["msgfmt", "-o", folder / "smileauth.mo", source], check=True)
    return str(tmp_path / "locale")


@pytest.fixture
def speaking(locale_folder, tmp_path_factory):
    """Starts the service in a language: gives the world it lives in."""
    made = []

    def start(language, **variables):
        world = World(tempfile.mkdtemp(prefix="st-"), str(tmp_path_factory.getbasetemp()))
        made.append(world)
        world.extra_env.update(SMILEAUTH_LOCALEDIR=locale_folder, LANGUAGE=language, **variables)
        world.surround()
        world.start_service()
        return world

    yield start
    for world in made:
        world.close()
