from django.apps import AppConfig


class SettlementConfig(AppConfig):
    name = "settlement"
    verbose_name = "People and payment"

    def ready(self) -> None:
        from settlement.people import checks  # noqa: F401 - registers them
