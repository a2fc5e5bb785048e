"""compose.yaml as data: what each container runs, and what it may."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

DEFAULT_GRACE_SECONDS = 10.0  # what Docker gives a container that is told to stop
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}


@dataclass(frozen=True, slots=True)
class HealthCheck:
    command: list[str]
    timeout: float


@dataclass(frozen=True, slots=True)
class Mount:
    """A volume by its name, or a path of the project, at a place in the container."""

    source: str
    target: str
    is_read_only: bool

    @property
    def is_of_the_project(self) -> bool:
        return self.source.startswith(".")


@dataclass(frozen=True, slots=True)
class Service:
    """One service of the file; None where the image decides."""

    name: str
    image: str
    is_built: bool
    command: list[str] | None
    user: str | None
    environment: dict[str, str]
    mounts: list[Mount]
    tmpfs: list[str]
    shared_memory: str
    is_read_only: bool
    drops_capabilities: bool
    gains_no_privileges: bool
    has_init: bool
    health: HealthCheck | None
    grace_seconds: float
    waits_for: dict[str, str]
    is_of_a_profile: bool


def read_services(path: Path, variables: Mapping[str, str]) -> dict[str, Service]:
    """Read a compose file; `variables` stand for those of its `.env` file."""
    text = re.sub(
        r"\$(?:\$|\{(\w+)(?::\?[^}]*)?\})",
        lambda found: variables[found[1]] if found[1] else "$",
        path.read_text(),
    )
    described = yaml.safe_load(text)["services"]
    return {name: _service(name, fields, path.parent) for name, fields in described.items()}


def _service(name: str, fields: Mapping[str, Any], folder: Path) -> Service:
    health = fields.get("healthcheck")
    waits = fields.get("depends_on") or {}
    return Service(
        name=name,
        image=fields["image"],
        is_built="build" in fields,
        command=_words(fields.get("command")),
        user=fields.get("user"),
        environment=_environment(fields, folder),
        mounts=[_mount(line) for line in fields.get("volumes", [])],
        tmpfs=fields.get("tmpfs", []),
        shared_memory=fields.get("shm_size", "64m"),
        is_read_only=fields.get("read_only", False),
        drops_capabilities=fields.get("cap_drop") == ["ALL"],
        gains_no_privileges="no-new-privileges:true" in fields.get("security_opt", []),
        has_init=fields.get("init", False),
        health=_health(health) if health else None,
        grace_seconds=_seconds(fields.get("stop_grace_period"), DEFAULT_GRACE_SECONDS),
        waits_for={one: how["condition"] for one, how in waits.items()},
        is_of_a_profile=bool(fields.get("profiles")),
    )


def _environment(fields: Mapping[str, Any], folder: Path) -> dict[str, str]:
    """The lines of the environment file, below what stands in the service itself."""
    lines: list[str] = []
    if "env_file" in fields:
        lines = (folder / fields["env_file"]).read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    return given | {name: str(value) for name, value in fields.get("environment", {}).items()}


def _mount(line: str) -> Mount:
    source, target, *how = line.split(":")
    return Mount(source, target, how == ["ro"])


def _health(fields: Mapping[str, Any]) -> HealthCheck:
    kind, *words = fields["test"]
    command = words if kind == "CMD" else ["/bin/sh", "-c", *words]
    return HealthCheck(command, _seconds(fields["timeout"], 30.0))


def _words(command: list[Any] | None) -> list[str] | None:
    return None if command is None else [str(word) for word in command]


def _seconds(words: str | None, default: float) -> float:
    if words is None:
        return default
    number, unit = re.fullmatch(r"(\d+)(ms|s|m)", words).groups()
    return int(number) * _UNITS[unit]
