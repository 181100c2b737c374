from django.apps import AppConfig


class SettlementConfig(AppConfig):
    name = "settlement"
    verbose_name = "People and payment"

    def ready(self) -> None:
        from settlement.devices import checks as of_devices  # noqa: F401 - registers them
        from settlement.people.log_ins import checks  # noqa: F401
