"""The SQL files of the apps: what they make, and what one of them says."""

import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[3]
APPS = ("tables", "jackpot", "settlement")


def _tables_alone(app: str) -> str:
    """The last migration of an app before its guards, which depend on it."""
    guards = import_module(f"{app}.migrations.0099_guards").Migration
    return next(name for label, name in guards.dependencies if label == app)


TABLES_ALONE = {app: _tables_alone(app) for app in APPS}


def files() -> dict[str, Path]:
    """Every file, by its name."""
    paths = [path for app in APPS for path in sorted((PROJECT / app / "sql").glob("*.sql"))]
    # Each app says which of its tables are append-only.
    return {f"{path.parent.parent.name}/{path.stem}": path for path in paths}


def without_comments(text: str) -> str:
    """What is executed going forwards."""
    return re.sub(r"^ *--.*\n", "", text, flags=re.MULTILINE)


@cache
def permissions() -> dict[str, Any]:
    """What `whoever_acts_may` asks: by recorded table the columns and what they take."""
    text = files()["settlement/whoever_acts_may"].read_text()
    (document,) = re.findall(r"asked jsonb := '(\{.*?\n    \})'::jsonb", text, re.DOTALL)
    permissions: dict[str, Any] = json.loads(document)
    return permissions
