"""The Django project: settings, addresses, the Celery application, the ASGI entry point."""
