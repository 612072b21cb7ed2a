"""Private buses.  Each is a dbus-daemon of its own; nothing is activated behind a test's back."""

import os
import socket

from .processes import Program, poll_until

_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>{kind}</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  {services}
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow send_type="signal"/>
    <allow receive_sender="*"/>
    <allow eavesdrop="true"/>
  </policy>
  <limit name="reply_timeout">120000</limit>
  <limit name="max_connections_per_user">2000</limit>
  <limit name="max_match_rules_per_connection">4096</limit>
  <limit name="max_replies_per_connection">100000</limit>
</busconfig>
"""


class Bus:
    """A message bus at `address`, a socket in `folder`."""

    def __init__(self, folder, kind="session", services=None, env=None):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.kind = kind
        self.env = env
        self.socket = os.path.join(folder, f"{kind}-bus")
        self.address = f"unix:path={self.socket}"
        self.config = os.path.join(folder, f"{kind}.conf")
        tag = f"<servicedir>{services}</servicedir>" if services else ""
        with open(self.config, "w") as file:
            file.write(_CONFIG.format(kind=kind, socket=self.socket, services=tag))
        self.start()

    def start(self):
        if os.path.exists(self.socket):
            os.unlink(self.socket)
        self.daemon = Program(
            ["dbus-daemon", f"--config-file={self.config}", "--nofork", "--nopidfile"],
            self.env or dict(os.environ),
            os.path.join(self.folder, f"{self.kind}-bus.log"),
        )
        poll_until(self._listens, what="the bus's socket", step=0.001)

    def _listens(self):
        """The socket file is there a moment before anybody listens at it."""
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(self.socket) == 0

    def kill(self):
        self.daemon.kill()

    def end(self):
        self.daemon.end()
