"""Secrets that stand in files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from tables.process.secret_files import with_files

PROJECT = Path(__file__).resolve().parents[3]
NAMES = ("SECRET_KEY", "DATABASE_URL")


def test_a_file_is_read_where_the_variable_is_empty(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("from the file\n")
    variables = with_files({"SECRET_KEY_FILE": str(file), "OTHER_FILE": "none"}, NAMES)
    assert variables["SECRET_KEY"] == "from the file"
    assert "OTHER" not in variables
    assert (
        with_files({"SECRET_KEY": "said", "SECRET_KEY_FILE": str(file)}, NAMES)["SECRET_KEY"]
        == "said"
    )
    assert with_files({"SECRET_KEY": "", "SECRET_KEY_FILE": ""}, NAMES)["SECRET_KEY"] == ""


def test_a_file_that_says_nothing_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for file, words in (("none", "cannot be read"), ("empty", "is empty")):
        with pytest.raises(ImproperlyConfigured, match=f"SECRET_KEY_FILE.*{words}"):
            with_files({"SECRET_KEY_FILE": str(tmp_path / file)}, NAMES)


def test_the_settings_read_every_secret_from_a_file(tmp_path: Path) -> None:
    secrets = {
        "SECRET_KEY": "of-a-file",
        "DATABASE_URL": "postgresql://web:pw@db.example:5432/jackpot",
        "READ_DATABASE_URL": "postgresql://web:pw@standby.example:5432/jackpot",
        "MQTT_URL": "mqtts://console:pw@broker.example",
        "CELERY_BROKER_URL": "amqp://jackpot:pw@queue.example//",
        "EMAIL_URL": "smtp+tls://name:pw@mail.example:587",
    }
    environment = {name: value for name, value in os.environ.items() if name not in secrets}
    for name, value in secrets.items():
        (tmp_path / name).write_text(f"{value}\n")
        environment[f"{name}_FILE"] = str(tmp_path / name)
    script = (
        "from config import settings as s; print(s.SECRET_KEY, s.DATABASES['default']['HOST'],"
        " s.READ_DATABASE['HOST'], s.MQTT_URL.hostname, s.CELERY_BROKER_URL, s.EMAIL_HOST)"
    )
    process = subprocess.run(
        [sys.executable, "-c", script],
        cwd=PROJECT,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert process.stdout.split() == [
        *(
            "of-a-file",
            "db.example",
            "standby.example",
            "broker.example",
            secrets["CELERY_BROKER_URL"],
            "mail.example",
        )
    ]


def test_a_standby_is_read_by_the_role_of_the_process_alone() -> None:
    environment = os.environ | {
        "DATABASE_URL": "postgresql://jackpot_worker:pw@db.example/jackpot",
        "READ_DATABASE_URL": "postgresql://jackpot_owner:pw@standby.example/jackpot",
    }
    process = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        cwd=PROJECT,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert "READ_DATABASE_URL must name the role of DATABASE_URL" in process.stderr
