"""The Django project: settings, addresses, the Celery application, the ASGI entry point."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
