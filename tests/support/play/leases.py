"""A poster that dies with its leases."""

import datetime as dt

from django.utils import timezone

from jackpot.models import Head, Writer
from jackpot.writer.poster import Poster


def dies(poster: Poster) -> None:
    """Its time has run out."""
    past = timezone.now() - dt.timedelta(seconds=1)
    Head.objects.filter(writer=poster.name).update(lease_until=past)
    Writer.objects.filter(name=poster.name).update(until=past)
