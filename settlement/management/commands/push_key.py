"""`manage.py push_key`: a new pair of keys for web push."""

from typing import Any

from django.core.management.base import BaseCommand

from settlement.notifications import push


class Command(BaseCommand):
    help = (
        "Print a new pair of keys for web push, as settings: the worker has both, the web process"
        " the public one alone. With another pair every device is added again."
    )

    def handle(self, **_options: Any) -> None:
        private, public = push.new_key()
        self.stdout.write(f"PUSH_PUBLIC_KEY={public}\nPUSH_PRIVATE_KEY={private}")
