"""Where a demo installation keeps its files, and what its processes find in the environment."""

import contextlib
import fcntl
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
SETTING = "JACKPOT_VAR"
_EMPTY = "JACKPOT_EMPTY"  # said by a running empty demo to its processes


class InstallationError(RuntimeError):
    """The demo cannot start here; the message says why and what to do."""


@dataclass(frozen=True)
class Installation:
    """The files of one demo: all of them below `var`.

    An empty one begins with nobody in it, for the first run (`demo.first_run`).
    """

    var: Path
    empty: bool = False

    @classmethod
    def here(cls, *, empty: bool = False) -> "Installation":
        """The one that JACKPOT_VAR names, else `var` in the project; an empty one is beside it."""
        var = Path(os.environ.get(SETTING) or PROJECT / "var").absolute()
        if os.environ.get(_EMPTY):
            return cls(var, empty=True)
        return cls(var.with_name(f"{var.name}-empty"), empty=True) if empty else cls(var)

    def command(self, target: str) -> str:
        """What a visitor types for a target of the Makefile, such as `demo-reset`."""
        return f"`make {target} ARGS=--empty`" if self.empty else f"`make {target}`"

    @property
    def postgres(self) -> Path:
        return self.var / "postgres"

    @property
    def broker(self) -> Path:
        return self.var / "broker"

    @property
    def logs(self) -> Path:
        return self.var / "log"

    @property
    def units(self) -> Path:
        """The journals of the simulated tables."""
        return self.var / "units"

    @property
    def hand_units(self) -> Path:
        """The journals of the units in the hand of a visitor."""
        return self.var / "hand-units"

    @property
    def beat_alive(self) -> Path:
        """Touched by beat whenever it has sent a task."""
        return self.var / "beat-alive"

    @property
    def own_client(self) -> Path:
        """What a client of a visitor's own needs to connect."""
        return self.var / "your-client"

    @property
    def migrations(self) -> Path:
        """By which migrations its database was made: a hash of each."""
        return self.var / "migrations.json"

    @property
    def _running(self) -> Path:
        return self.var / "running.json"

    def prepare(self) -> None:
        """Make the directory. Servers that run under another account pass through it."""
        self.var.mkdir(parents=True, exist_ok=True)

    def secret_key(self) -> str:
        """The key that signs sessions: made at the first start, readable by the owner only."""
        return self._made_once("secret-key", secrets.token_urlsafe(48))

    def signing_key(self) -> str:
        """The key that signs dispute bundles, likewise."""
        return self._made_once("signing-key", secrets.token_hex(32))

    def checkpoint_key(self) -> str:
        """The key that signs checkpoints, likewise."""
        return self._made_once("checkpoint-key", secrets.token_hex(32))

    def unit_keys_key(self) -> str:
        """The key that seals the keys of units, likewise."""
        return self._made_once("unit-keys-key", secrets.token_hex(32))

    def _made_once(self, name: str, fresh: str) -> str:
        path = self.var / name
        if not path.exists():
            write_private(path, fresh)
        return path.read_text()

    def environment(self) -> dict[str, str]:
        """What the settings read, but for the addresses of database, broker and web."""
        return {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DEMO": "1",
            "SECRET_KEY": os.environ.get("SECRET_KEY") or self.secret_key(),
            "BUNDLE_SIGNING_KEY": os.environ.get("BUNDLE_SIGNING_KEY") or self.signing_key(),
            "UNIT_KEYS_KEY": os.environ.get("UNIT_KEYS_KEY") or self.unit_keys_key(),
            "CHECKPOINT_ORIGIN": os.environ.get("CHECKPOINT_ORIGIN") or "demo.invalid",
            "CHECKPOINT_SIGNING_KEY": os.environ.get("CHECKPOINT_SIGNING_KEY")
            or self.checkpoint_key(),
            "CHECKPOINT_DIR": str(self.var / "checkpoints"),
            "JURISDICTIONS": os.environ.get("JURISDICTIONS") or self._jurisdictions,
            "CELERY_BROKER_URL": os.environ.get("CELERY_BROKER_URL") or "filesystem://",
            "CELERY_QUEUE_DIR": str(self.var / "celery"),
            "BEAT_ALIVE_FILE": str(self.beat_alive),
            "EXPORT_DIR": str(self.var / "exports"),
            "DELIVERY_DIR": str(self.var / "delivery"),
            "PYTHONUNBUFFERED": "1",
            SETTING: str(self.var),
            **(self._as_empty if self.empty else self._as_played),
        }

    @property
    def _as_empty(self) -> dict[str, str]:
        """What a first run has beyond the demo: people need a second factor, as in a casino."""
        return {
            _EMPTY: "1",
            "SECOND_FACTOR_DEMANDED": os.environ.get("SECOND_FACTOR_DEMANDED") or "1",
        }

    @property
    def _as_played(self) -> dict[str, str]:
        """The demo's screens hang nowhere until a visitor opens one: no alarm for a day."""
        return {"SCREEN_SILENT_AFTER_S": os.environ.get("SCREEN_SILENT_AFTER_S") or "86400"}

    @property
    def _jurisdictions(self) -> str:
        """Of the demo's casinos; where a visitor makes one, people choose its pack."""
        return "" if self.empty else "harbour=new_zealand,sierra=nevada"

    @contextlib.contextmanager
    def claimed(self) -> Iterator[None]:
        """Only one demo runs on the same files. InstallationError when another one does."""
        with (self.var / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                details = self.running() or {}
                where = f" at {details['address']}" if "address" in details else ""
                raise InstallationError(
                    f"The demo runs already{where}. Stop it with Ctrl-C where it was started."
                ) from None
            self._running.unlink(missing_ok=True)  # of one that was killed
            try:
                yield
            finally:
                self._running.unlink(missing_ok=True)

    def tell_running(self, address: str, environment: Mapping[str, str]) -> None:
        """Let other terminals find the running demo; readable by the owner only."""
        details = {"address": address, "environment": dict(environment)}
        write_private(self._running, json.dumps(details, indent=1))

    def running(self) -> dict[str, Any] | None:
        """What the running demo wrote down: `address` and `environment`; None when none runs."""
        try:
            with (self.var / "lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return None
        except BlockingIOError:  # somebody holds it: the demo runs
            with contextlib.suppress(FileNotFoundError, ValueError):
                details: dict[str, Any] = json.loads(self._running.read_text())
                return details
        return None


def write_private(path: Path, text: str) -> None:
    """A file for its owner alone."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
