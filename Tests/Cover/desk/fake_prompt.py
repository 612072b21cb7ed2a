"""A prompt that shows its window above the cover and waits to be killed: `fake_prompt.py DISPLAY`."""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from desk import xlib  # noqa: E402

client = xlib.Client(sys.argv[1])
window = client.create(200, 200, 500, 400, 0x0000FF, override=True, name="prompt")
print(window, flush=True)
client.map(window)
time.sleep(60)
