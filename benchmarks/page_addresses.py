"""Addresses of the console's pages that the data leads to."""

import datetime as dt
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

TRIES = 5  # addresses of a page that are looked at for one that is there
# What answers with a file, a stream, a fragment or another page; programs and the demo.
NO_PAGES = re.compile(
    r"^(api-|demo|display-)"
    r"|(json|pdf|text|stream|version|cards|logout|attachment|download|login|bell|worker|options)$"
)
_LINK = re.compile(r'<a [^>]*?href="(/[^"]*)"')


def walk(client: Any) -> tuple[dict[str, str], dict[str, str]]:
    """By the name of each page an address that is there; of each other one what it answered.

    From the overview and the menu wherever links lead; then addresses made of parts seen there.
    """
    from django.urls import Resolver404, resolve

    pages: dict[str, str] = {}
    unseen: dict[str, str] = {}
    tries: Counter[str] = Counter()
    parts: dict[str, Any] = {
        "day": f"{dt.datetime.now(dt.UTC):%Y-%m-%d}",
        "place": 0,
        "old": 1,
        "number": 1,
    }

    def follow(paths: list[str]) -> None:
        for path in paths:
            try:
                match = resolve(path)
            except Resolver404:
                continue
            parts.update({**match.kwargs, **parts})
            name = match.url_name or path
            if name in pages or NO_PAGES.search(name) or tries[name] == TRIES:
                continue
            tries[name] += 1
            answer = client.get(path, secure=True)
            kind = answer.headers.get("Content-Type", "")
            if answer.status_code == 200 and kind.startswith("text/html"):
                pages[name] = path
                unseen.pop(name, None)
                paths += [urlsplit(each).path for each in _LINK.findall(answer.content.decode())]
            else:
                unseen[name] = f"{answer.status_code}"

    follow(["/", "/meter/"])
    for _ in range(2):  # what is behind an address that no link leads to
        follow(_guesses(parts, pages, unseen))
    return pages, unseen


def _guesses(
    parts: Mapping[str, Any], pages: Mapping[str, str], unseen: dict[str, str]
) -> list[str]:
    from django.urls import URLPattern, get_resolver, reverse

    paths, resolvers = [], [get_resolver("config.urls")]
    for resolver in resolvers:
        for each in resolver.url_patterns:
            if not isinstance(each, URLPattern):
                resolvers.append(each)
            elif each.name and each.name not in pages and not NO_PAGES.search(each.name):
                names = each.pattern.converters
                if lacking := names.keys() - parts.keys():
                    unseen[each.name] = f"no {', '.join(sorted(lacking))}"
                else:
                    paths.append(reverse(each.name, kwargs={part: parts[part] for part in names}))
    return paths
