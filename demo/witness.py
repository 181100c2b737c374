"""The witness of the demo: a process that stands for the regulator's, and cosigns checkpoints."""

from __future__ import annotations

import base64
import os
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

from demo.servers.installation import PROJECT, Installation, write_private
from demo.servers.ports import LOOPBACK, free_port
from demo.servers.processes import Program
from jackpot.transparency import notes
from jackpot.transparency.cosignatures import ED25519

NAME = "regulator.demo.invalid/witness"


@dataclass(frozen=True)
class DemoWitness:
    """Where it keeps its state, and listens in this run."""

    state: Path
    port: int

    @classmethod
    def of(cls, installation: Installation) -> DemoWitness:
        """Its secret key is made at the first start, so that the console knows the public one."""
        state = installation.var / "witness"
        state.mkdir(exist_ok=True)
        if not (state / "secret-key").exists():
            write_private(state / "secret-key", secrets.token_hex(32))
        return cls(state, free_port())

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.port}/"

    @property
    def public_key(self) -> str:
        public = notes.key_of((self.state / "secret-key").read_text()).public
        digits = notes.key_id(NAME, ED25519, public).hex()
        return f"{NAME}+{digits}+{base64.b64encode(ED25519 + public).decode()}"

    def environment(self) -> dict[str, str]:
        """What the console knows of it, unless the environment names witnesses."""
        return {
            "WITNESSES": os.environ.get("WITNESSES") or f"{self.public_key} {self.address}",
            "WITNESS_EVERY_S": os.environ.get("WITNESS_EVERY_S") or "15",
            "CHECKPOINT_PUBLIC_KEYS": os.environ.get("CHECKPOINT_PUBLIC_KEYS") or self.public_key,
        }

    def program(self) -> Program:
        """It needs Python alone, and knows the keys of all logs there are."""
        from tables.models import JackpotSystem

        signing_keys = notes.keys()
        codes = JackpotSystem.objects.order_by("code").values_list("code", flat=True)
        logs: list[str] = [
            part
            for code in codes
            for key in signing_keys
            for part in ("--log", key.verifier_key(notes.origin_of(code)))
        ]
        command = [sys.executable, "-S", "-m", "verifier", "witness", "--state", str(self.state)]
        address = ("--name", NAME, "--listen", f"{LOOPBACK}:{self.port}")
        return Program("witness", [*command, *address, *logs], cwd=PROJECT)
