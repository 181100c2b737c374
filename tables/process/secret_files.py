"""Secrets that stand in files, such as those of the container: NAME_FILE in place of NAME."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def with_files(environment: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """The environment, and for each name that is empty there what stands in the file that the
    variable with `_FILE` behind it names, without white space around it.

    ImproperlyConfigured where such a file cannot be read, or is empty.
    """
    variables = dict(environment)
    for name in names:
        file = variables.get(f"{name}_FILE", "")
        if variables.get(name) or not file:
            continue
        try:
            variables[name] = Path(file).read_text().strip()
        except (OSError, ValueError) as error:
            raise ImproperlyConfigured(
                f"{name}_FILE cannot be read ({error}): name a file that this process may read."
            ) from error
        if not variables[name]:
            raise ImproperlyConfigured(
                f"{name}_FILE names {file}, which is empty: put {name} there."
            )
    return variables


def write_secret(path: Path, text: str) -> None:
    """The file rewritten, whole or not at all, for its owner alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
