"""What holders of leases and workers are called: machine, its boot, kind, process, this start.

Process numbers are those of one machine and come again after a boot; names of machines are cloned
with their disks. So a name holds both, and a random part that no other start has.
"""

import os
import platform
import secrets
from functools import cache
from pathlib import Path

# Of Linux, new at each boot; machines that are copied while they run share it until then.
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_BOOT_CHARS = 8
# Lease columns hold 80 characters, a machine's name may have 64.
_NODE_CHARS = 32
_RANDOM_BYTES = 4


@cache
def machine_mark() -> str:
    """Return what the names of all processes of this machine since its boot begin with."""
    node = platform.node().replace(":", "-")[:_NODE_CHARS]
    try:
        boot = _BOOT_ID.read_text().strip()[:_BOOT_CHARS]
    except OSError:
        boot = ""
    return f"{node}:{boot}:"


def name_of_start(kind: str) -> str:
    """Make a name for what this process begins; no two calls give the same one."""
    return f"{machine_mark()}{kind}:{os.getpid()}:{secrets.token_hex(_RANDOM_BYTES)}"
