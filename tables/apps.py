from django.apps import AppConfig

from tables.telemetry import traces


class TablesConfig(AppConfig):
    name = "tables"
    verbose_name = "Gaming tables"

    def ready(self) -> None:
        """Before the floor waits for it: the library of traces takes a second to read."""
        if traces.is_on():
            traces.prepare()
