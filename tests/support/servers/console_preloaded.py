"""What a console reads before its first page: imported once, by the process that the consoles of
tests are forked from (`tests.support.servers.serving`). Nothing here connects or starts a thread.
"""

import gc
from pathlib import Path

import django

django.setup()

# Once the models are there.
import uvicorn.main  # noqa: E402, F401
from django.template import engines  # noqa: E402
from django.urls import get_resolver  # noqa: E402

import tests.support.servers.serving  # noqa: E402, F401

assert get_resolver().reverse_dict
_pages = engines["django"]
for _page in Path("templates").rglob("*.html"):
    _pages.get_template(str(_page.relative_to("templates")))
gc.collect()
gc.freeze()  # what is not looked at is not copied
