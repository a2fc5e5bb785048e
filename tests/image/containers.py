"""Containers without a container runtime: namespaces, an overlay over a root, and limits.

A container here has file systems, process numbers, host name and shared memory of its own, is
read-only where it shall be, and its program has the user, the capabilities and the environment of
the compose file. All of them share this machine's network as this process sees it.
"""

import os
import pwd
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from compose_file import Service

# Process 1: makes the container's world, starts the program, hands it signals and waits for it.
_INIT = """
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs {place}
mkdir {place}/upper {place}/work {place}/root
cd {place}
mount -t overlay overlay -o lowerdir={lower},upperdir=upper,workdir=work root
cd root
{mounts}
mkdir -p proc dev
mount -t proc proc proc
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty
do touch dev/$device; mount --bind /dev/$device dev/$device
done
ln -s /proc/self/fd dev/fd; ln -s /proc/self/fd/1 dev/stdout; ln -s /proc/self/fd/2 dev/stderr
mkdir dev/shm
mount -t tmpfs -o noexec,nosuid,nodev,mode=1777,size={shared_memory} tmpfs dev/shm
{remount}
hostname {host_name}
chroot . {program} &
child=$!
trap 'kill -TERM $child 2>/dev/null || true' TERM
set +e
while kill -0 $child 2>/dev/null; do wait $child; code=$?; done
exit $code
"""
# Docker mounts what `tmpfs` names so.
_TMPFS = "mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 tmpfs {inside}"


@dataclass(frozen=True, slots=True)
class Image:
    """A root, and what the image says where the compose file says nothing."""

    root: Path
    command: list[str]
    user: str = ""
    folder: str = "/"
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Container:
    """A service of the compose file on an image; what it prints goes to `log`."""

    service: Service
    image: Image
    work: Path
    files: Mapping[str, Path]
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        return self.work / "logs" / f"{self.service.name}.log"

    @property
    def host_name(self) -> str:
        return f"{self.service.name}-1"

    def start(self) -> None:
        """Start; `files` are shown at their places, volumes lie below `work`."""
        place = self.work / "places" / self.service.name
        for folder in (place, self.log.parent):
            folder.mkdir(parents=True, exist_ok=True)
        script = _INIT.format(
            place=place,
            lower=self.image.root,
            mounts="\n".join(self._mounts()),
            shared_memory=self.service.shared_memory,
            remount="mount -o remount,ro ." if self.service.is_read_only else "",
            host_name=self.host_name,
            program=shlex.join(self._entered(self.service.command or self.image.command)),
        )
        own = ["--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                ["unshare", *own, "bash", "-c", script], stdout=log, stderr=log
            )

    def _mounts(self) -> list[str]:
        lines = []
        for target in self.service.tmpfs:
            lines += [f"mkdir -p .{target}", _TMPFS.format(inside=f".{target}")]
        for mount in self.service.mounts:
            source = self.files.get(mount.source) or self._volume(mount.source, mount.target)
            lines += _bound(source, mount.target, "ro" if mount.is_read_only else "rw")
        for target, source in self.files.items():
            if target.startswith("/"):
                lines += _bound(source, target, "ro")
        return lines

    def _volume(self, name: str, target: str) -> Path:
        """A named volume; a new one belongs to whom the folder in the image belongs to."""
        folder = self.work / "volumes" / name
        if not folder.exists():
            folder.mkdir(parents=True)
            in_image = self.image.root / target.lstrip("/")
            if in_image.exists():
                kept = in_image.stat()
                os.chown(folder, kept.st_uid, kept.st_gid)
                folder.chmod(kept.st_mode)
        return folder

    def _entered(self, command: Sequence[str]) -> list[str]:
        """Become the user, give up what is to be given up, take the environment, run."""
        service, image = self.service, self.image
        user, _, group = (service.user or image.user).partition(":")
        become = ["setpriv", f"--reuid={user or 0}", f"--regid={group or self._group(user)}"]
        become += ["--clear-groups", "--inh-caps=-all"]
        if service.drops_capabilities:
            become += ["--bounding-set=-all"]
        if service.gains_no_privileges:
            become += ["--no-new-privs"]
        variables = {**image.environment, **service.environment, "HOSTNAME": self.host_name}
        home = ["env", "-i", f"--chdir={image.folder}"]
        return [*become, *home, *(f"{name}={value}" for name, value in variables.items()), *command]

    def _group(self, user: str) -> int:
        if not user or user.isdigit():
            return 0
        lines = (self.image.root / "etc/passwd").read_text().splitlines()
        [line] = [line for line in lines if line.startswith(f"{user}:")]
        return int(line.split(":")[3])

    def execute(self, *command: str, timeout: float = 300.0) -> subprocess.CompletedProcess[str]:
        """Run a command in the container, as `docker compose exec` does."""
        return subprocess.run(
            self.entering(*command),
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout,
        )

    def entering(self, *command: str) -> list[str]:
        """Return what runs a command in the container."""
        [program, *_] = self.programs()
        spaces = ["--mount", "--pid", "--uts", "--ipc", "--root", "--wd"]
        return ["nsenter", f"--target={program.pid}", *spaces, *self._entered(command)]

    def programs(self) -> list[psutil.Process]:
        """All processes of the container but process 1, which stands for Docker's own."""
        assert self.process is not None
        [init] = psutil.Process(self.process.pid).children()
        return init.children(recursive=True)

    def is_healthy(self) -> bool:
        health = self.service.health
        assert health is not None
        try:
            return self.execute(*health.command, timeout=health.timeout).returncode == 0
        except (subprocess.TimeoutExpired, ValueError, psutil.NoSuchProcess):
            return False

    def stop(self) -> float:
        """Stop as Docker does; returns the seconds, or raises TimeoutExpired after the grace."""
        assert self.process is not None
        began = time.monotonic()
        if self.process.poll() is None:
            [init] = psutil.Process(self.process.pid).children()
            init.terminate()
        self.process.wait(self.service.grace_seconds)
        return time.monotonic() - began

    def kill(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def _bound(source: Path, target: str, how: str) -> list[str]:
    inside = f".{target}"
    make = f"mkdir -p {inside}"
    if source.is_file():
        make = f"mkdir -p $(dirname {inside}); touch {inside}"
    lines = [make, f"mount --bind {source} {inside}"]
    return [*lines, f"mount -o remount,bind,ro {inside}"] if how == "ro" else lines


def user_exists(name: str) -> bool:
    return name in {entry.pw_name for entry in pwd.getpwall()}
