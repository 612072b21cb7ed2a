"""An account password that a test knows: the service runs where /etc/shadow and /etc/pam.d are the test's own."""

import crypt
import os
import shutil
import warnings

from .world import REPOSITORY

ACCOUNT_PASSWORD = "correct-account-7"


def account_wrapper(world, pam=None):
    """What to put before the service so that the calling user's password is ACCOUNT_PASSWORD.  Needs root."""
    folder = os.path.join(world.folder, "account")
    os.makedirs(folder)
    shutil.copytree("/etc/pam.d", os.path.join(folder, "pam.d"))
    service = os.path.join(folder, "pam.d", "smileauth")
    if pam is None:
        shutil.copy(os.path.join(REPOSITORY, "desktop", "pam.d", "smileauth"), service)
    else:
        with open(service, "w") as file:
            file.write(pam)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # Few rounds: the test is not about crypt(3).
        hashed = crypt.crypt(ACCOUNT_PASSWORD, crypt.mksalt(crypt.METHOD_SHA512, rounds=1000))
    with open("/etc/shadow") as source, open(os.path.join(folder, "shadow"), "w") as target:
        for line in source:
            target.write(f"root:{hashed}:19000:0:99999:7:::\n" if line.startswith("root:") else line)
    os.chmod(os.path.join(folder, "shadow"), 0o600)
    return [
        "unshare",
        "-m",
        "sh",
        "-c",
        f'mount --bind {folder}/pam.d /etc/pam.d && mount --bind {folder}/shadow /etc/shadow && exec "$0" "$@"',
    ]
