"""Pictures that are made for the tests, and what is found in those that are taken."""

import subprocess


def photo(path):
    """A landscape of sorts: bright sky, dark ground, and a sun."""
    subprocess.run(
        ["convert", "-size", "1600x1200", "gradient:#f7b267-#274060", "-fill", "#fff4d6", "-draw",
         "circle 1150,330 1150,470", "-fill", "#10222e", "-draw",
         "polygon 0,900 400,560 760,840 1100,600 1600,940 1600,1200 0,1200", "-fill", "#0a141c", "-draw",
         "polygon 0,1040 560,860 1010,1060 1600,900 1600,1200 0,1200", path],
        check=True,
    )
    return path


def logo(path):
    subprocess.run(
        ["convert", "-size", "360x96", "xc:none", "-fill", "#ff2d55", "-draw", "roundrectangle 0,8 79,87 20,20",
         "-fill", "white", "-draw", "circle 26,38 26,45", "-draw", "circle 53,38 53,45", "-fill", "none", "-stroke",
         "white", "-strokewidth", "6", "-draw", "arc 20,30 60,72 20,160", "-stroke", "none", "-fill", "#333333",
         "-pointsize", "58", "-gravity", "West", "-annotate", "+100+0", "Notes", path],
        check=True,
    )
    return path


def pixels(desk, window="root"):
    """Width, height and RGB bytes of what a window shows."""
    data = subprocess.run(
        ["import", "-silent", "-window", window, "-depth", "8", "ppm:-"], env=desk.env, capture_output=True, check=True
    ).stdout
    magic, width, height, most, rest = data.split(None, 4)[0], *data.split(None, 4)[1:]
    assert magic == b"P6" and most[:3] == b"255"
    width, height = int(width), int(height)
    return width, height, data[len(data) - width * height * 3 :]


def tinted_rows(desk, box, tint=(255, 45, 85)):
    """The rows of the screen, within `box`, that hold a pixel near `tint`."""
    x, y, width, height = box
    full, _, data = pixels(desk)
    rows = []
    for row in range(y, y + height):
        line = data[(row * full + x) * 3 : (row * full + x + width) * 3]
        for at in range(0, len(line), 3):
            if all(abs(line[at + part] - tint[part]) < 70 for part in range(3)):
                rows.append(row)
                break
    return rows


def pad_top(desk, window):
    """The upper edge of the pad: the rings of its first row begin 7/300 of its side below a third's middle."""
    x, y, width, height = window
    # The rings are the longest run of rows with the tint but for gaps between the rows of dots.
    rows = tinted_rows(desk, (x + width // 2 - 150, y + 60, 300, height - 60))
    runs = []
    for row in rows:
        # A ring's sides are a pixel wide, and pale.
        if runs and row - runs[-1][1] <= 20:
            runs[-1][1] = row
        else:
            runs.append([row, row])
    cell = 284 / 3
    ring = 2 * cell * 0.24
    tall = [run for run in runs if abs(run[1] - run[0] - ring) < 8]
    assert len(tall) == 3, runs
    return round((tall[0][0] + tall[0][1]) / 2 - cell / 2)


def tinted_columns(desk, box, tint=(255, 45, 85)):
    """The first and last column of the screen, within the middle rows of `box`, that hold a pixel near `tint`."""
    x, y, width, height = box
    full, _, data = pixels(desk)
    first, last = x + width, x
    for row in range(y + 60, y + height):
        line = data[(row * full + x) * 3 : (row * full + x + width) * 3]
        for at in range(0, len(line), 3):
            if all(abs(line[at + part] - tint[part]) < 40 for part in range(3)):
                first, last = min(first, x + at // 3), max(last, x + at // 3)
    return first, last
