"""`python -m simulation`: the command `simulate` on a private PostgreSQL, if none is named."""

import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from demo.servers.postgres import PrivatePostgres


def main(arguments: list[str]) -> None:
    """Start what is missing, run the command, stop it again."""
    with ExitStack() as stack:
        os.environ.setdefault("SECRET_KEY", "only-for-the-simulation")
        os.environ.setdefault("CELERY_BROKER_URL", "filesystem://")
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        os.environ["DEMO"] = "1"
        if "DATABASE_URL" not in os.environ:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="simulation-")))
            folder.chmod(0o711)
            postgres = PrivatePostgres(folder / "postgres", durable=False)
            os.environ["CELERY_QUEUE_DIR"] = str(folder / "celery")
            os.environ["DATABASE_URL"] = stack.enter_context(postgres).url
        from django.core.management import execute_from_command_line

        execute_from_command_line(["manage.py", "simulate", *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])
