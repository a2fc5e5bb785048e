"""The image, built by buildah without a container runtime and without a registry of images.

The base that the Containerfile names is made from Debian's packages and given that name.
"""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from containers import Image

MIRROR = "http://deb.debian.org/debian"
PACKAGES = "ca-certificates,python3,python3-venv"
BUILT = "broadsheet"


class Builder:
    """buildah with a store of its own below `work`."""

    def __init__(self, work: Path) -> None:
        self.work = work
        store = ["--root", work / "store", "--runroot", work / "run"]
        self.program = ["buildah", "--storage-driver=overlay", *map(str, store)]

    def say(self, *arguments: str | Path) -> str:
        """Run a command of buildah; what it prints."""
        done = subprocess.run(
            [*self.program, *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout.strip()

    def has(self, name: str) -> bool:
        images = json.loads(self.say("images", "--json") or "[]") or []
        return any(name in known for image in images for known in image.get("names") or [])

    def make_base(self, containerfile: Path) -> None:
        """Make the image that the Containerfile begins from, unless it is there."""
        [name] = set(re.findall(r"^FROM (\S+)", containerfile.read_text(), re.MULTILINE))
        if self.has(name):
            return
        version, suite = re.fullmatch(r".*/python:([\d.]+)-slim-(\w+)", name).groups()
        root = self.work / "base"
        if not (root / "usr/bin/python3").exists():
            mirror = os.environ.get("DEBIAN_MIRROR", MIRROR)
            command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", suite]
            subprocess.run([*command, root, mirror], check=True, stdout=subprocess.DEVNULL)
        if not (root / f"usr/bin/python{version}").exists():
            raise SystemExit(f"Debian {suite} has no Python {version}, which {name} promises.")
        python = root / "usr/local/bin/python"
        if not python.is_symlink():
            python.symlink_to("/usr/bin/python3")
        container = self.say("from", "scratch")
        self.say("copy", "--quiet", container, root, "/")
        self.say("config", "--env=LANG=C.UTF-8", container)
        self.say("commit", "--quiet", container, name)
        self.say("rm", container)

    def build(self, project: Path) -> None:
        """Build as the Containerfile says; BUILD_OPTIONS are buildah's own, from outside."""
        options = shlex.split(os.environ.get("BUILD_OPTIONS", ""))
        fixed = ["--isolation=chroot", "--pull-never", f"--file={project / 'Containerfile'}"]
        subprocess.run(
            [*self.program, "bud", *fixed, *options, f"--tag={BUILT}", str(project)], check=True
        )

    @contextmanager
    def mounted(self) -> Iterator[Image]:
        """The built image: its root, and what it says of user, folder, command, environment."""
        container = self.say("from", "--pull-never", BUILT)
        try:
            root = Path(self.say("mount", container))
            yield _image(root, json.loads(self.say("inspect", "--type=image", BUILT)))
        finally:
            self.say("rm", container)


def _image(root: Path, inspected: dict[str, Any]) -> Image:
    config = inspected["OCIv1"]["config"]
    environment = dict(line.split("=", 1) for line in config["Env"])
    return Image(root, config["Cmd"], config["User"], config["WorkingDir"], environment)
