"""What desktops read: the autostart entry, the metainfo file and the icon, as `make install` puts them in place."""

import os
import subprocess
import xml.etree.ElementTree as tree

import pytest
from catalogs import PROMISED

SVG = "{http://www.w3.org/2000/svg}"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
TINT = "#ff2d55"
NAME = "org.smileauth.Auth1"
ENTRY = "etc/xdg/autostart/smileauth-autostart.desktop"
SETTINGS = "usr/share/applications/org.smileauth.Settings.desktop"
METAINFO = f"usr/share/metainfo/{NAME}.metainfo.xml"
SCALABLE = f"usr/share/icons/hicolor/scalable/apps/{NAME}.svg"
SYMBOLIC = f"usr/share/icons/hicolor/symbolic/apps/{NAME}-symbolic.svg"


def make(target, root, repository):
    folder = os.path.join(root, "release")
    os.makedirs(folder, exist_ok=True)
    # `make install` strips what it installs; the programs are no matter here.
    for program in ("smileauthd", "smileauth", "smileauth-cover", "smileauth-prompt", "smileauth-settings"):
        path = os.path.join(folder, program)
        if not os.path.exists(path):
            subprocess.run(["cp", "/bin/true", path], check=True)
    built = [f"RELEASE={folder}", f"BUILT_LOCALE={root}/locale", f"BUILT_DESKTOP={root}/desktop"]
    command = ["make", "-s", target, *built, f"DESTDIR={root}/to", "PREFIX=/usr", "SYSCONFDIR=/etc"]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return os.path.join(root, "to")


@pytest.fixture
def installed(repository, tmp_path):
    make("catalogs", str(tmp_path), repository)
    return make("install", str(tmp_path), repository)


def test_the_autostart_entry_is_valid_and_translated(installed):
    path = os.path.join(installed, ENTRY)
    done = subprocess.run(["desktop-file-validate", path], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert {f"Comment[{language}]" for language in PROMISED} <= {line.partition("=")[0] for line in text.split("\n")}
    assert "Comment[fr]=Reverrouille quand la session devient inactive" in text
    assert "/usr/libexec/smileauthd" in text and "@" not in text


def test_the_settings_entry_is_valid_and_translated(installed):
    path = os.path.join(installed, SETTINGS)
    done = subprocess.run(["desktop-file-validate", path], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    keys = {line.partition("=")[0] for line in text.split("\n")}
    for key in ("Name", "Comment", "Keywords"):
        assert {f"{key}[{language}]" for language in PROMISED} <= keys
    assert "Name[de]=SmileAuth-Einstellungen" in text and "Exec=/usr/bin/smileauth-settings" in text
    assert f"Icon={NAME}" in text and "@" not in text
    assert os.access(os.path.join(installed, "usr/bin/smileauth-settings"), os.X_OK)


def test_the_metainfo_file_is_valid_and_translated(installed):
    path = os.path.join(installed, METAINFO)
    done = subprocess.run(["appstreamcli", "validate", "--no-net", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    component = tree.parse(path).getroot()
    assert component.findtext("id") == NAME and component.findtext("icon") == NAME
    summaries = {e.get(XML_LANG): e.text for e in component.findall("summary")}
    assert PROMISED <= {language for language in summaries if language}
    assert summaries[None] == "One lock for the desktop and its applications"
    assert summaries["de"] == "Eine Sperre für den Desktop und seine Anwendungen"
    assert component.findtext("provides/dbus") == NAME
    assert component.findtext("provides/binary") == "smileauth-settings"
    assert "org.smileauth.Settings.desktop" in [e.text for e in component.findall("launchable")]


@pytest.mark.parametrize("path, size", [(SCALABLE, 128), (SYMBOLIC, 16)])
def test_the_icon_is_a_square_svg_that_can_be_drawn(installed, tmp_path, path, size):
    source = os.path.join(installed, path)
    drawing = tree.parse(source).getroot()
    assert drawing.tag == SVG + "svg" and drawing.get("viewBox") == f"0 0 {size} {size}"
    for pixels in (16, 48, 256):
        picture = tmp_path / f"{pixels}.png"
        subprocess.run(["rsvg-convert", "-w", str(pixels), "-h", str(pixels), "-o", picture, source], check=True)
        header = picture.read_bytes()[:24]
        assert header[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(header[16:20], "big") == pixels


def test_the_icon_has_the_originals_tint_and_the_symbolic_one_a_single_fill(installed):
    colours = {e.get("stop-color") for e in tree.parse(os.path.join(installed, SCALABLE)).iter(SVG + "stop")}
    assert TINT in colours
    shapes = [e for e in tree.parse(os.path.join(installed, SYMBOLIC)).iter() if e.get("fill") or e.get("stroke")]
    assert [(e.get("fill"), e.get("stroke")) for e in shapes] == [("#2e3436", None)]


def test_every_catalog_is_installed_and_all_of_it_goes_again(installed, repository, tmp_path):
    for language in PROMISED | {"en"}:
        assert os.path.getsize(f"{installed}/usr/share/locale/{language}/LC_MESSAGES/smileauth.mo") > 1000
    make("uninstall", str(tmp_path), repository)
    assert [os.path.join(folder, name) for folder, _, names in os.walk(installed) for name in names] == []
