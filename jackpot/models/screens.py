"""Promotional screens of a casino (19.7(d)): which there are, what they show, how the house looks.

Set up by functions of the database alone; a change stands in the record of changes. The web
process keeps requests to be paired and what each screen says that it draws.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from tables.models import Casino
from tables.visibility.managers import OfCasino

LONGEST_NAME, LONGEST_TEXT = 60, 300
FILM = "video/"  # how the media type of a picture that moves begins


class ScreenRequest(models.Model):
    """A screen that nobody has paired yet, and the code that it shows. Its secret's SHA-256."""

    code = models.CharField(max_length=8, unique=True)
    digest = models.CharField(max_length=64, unique=True)
    network = models.CharField(max_length=45, db_default="")  # whose limit it takes up
    made_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()

    class Meta:
        default_permissions = ()


class Screen(models.Model):
    """A screen that was paired; it shows public values alone, and its secret opens nothing else.

    `systems`: ids; None: all of the casino. `layouts` are shown in turn, each for `seconds`.
    `version` rises with whatever the screen must read again.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, db_index=False, related_name="screens")
    name = models.CharField(max_length=LONGEST_NAME)
    place = models.CharField(max_length=LONGEST_NAME, blank=True)
    systems = ArrayField(models.BigIntegerField(), null=True)
    layouts = ArrayField(models.CharField(max_length=12))  # of `jackpot.screens.layouts`
    seconds = models.SmallIntegerField()
    turn = models.SmallIntegerField()  # the picture is turned by so many degrees
    sound = models.BooleanField()  # at a win
    # Codes of `LANGUAGES`: empty as the browser of the screen is set; the second one in turn.
    language = models.CharField(max_length=8, blank=True, default="", db_default="")
    second_language = models.CharField(max_length=8, blank=True, default="", db_default="")
    digest = models.CharField(max_length=64, unique=True)
    version = models.IntegerField(default=1, db_default=1)
    made_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    objects = OfCasino()

    class Meta:
        default_permissions = ()
        ordering = ["casino", "name", "id"]
        indexes = [models.Index(F("casino"), name="screens_that_show", condition=Q(ended_at=None))]

    def __str__(self) -> str:
        return self.name


class ScreenReport(models.Model):
    """What a screen last said that it draws (`jackpot.screens.reports`)."""

    screen = models.OneToOneField(
        Screen, models.PROTECT, primary_key=True, related_name="screen_report"
    )
    at = models.DateTimeField()
    body = models.JSONField()

    class Meta:
        default_permissions = ()


class Slide(models.Model):
    """What a house promotes: a slide for screens that show slides, or a line on all screens.

    Never changed: another one takes its place. It is shown on these `days` of the week (1 is
    Monday) between these times of the casino's zone; past midnight where it ends no later than it
    begins.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, db_index=False, related_name="slides")
    is_line = models.BooleanField()
    title = models.CharField(max_length=LONGEST_NAME, blank=True)
    text = models.CharField(max_length=LONGEST_TEXT, blank=True)
    others = models.JSONField(null=True)  # by language {"title": ..., "text": ...}
    picture = models.BinaryField(null=True)
    picture_type = models.CharField(max_length=20, blank=True)
    picture_digest = models.CharField(max_length=64, blank=True)
    seconds = models.SmallIntegerField()
    days = ArrayField(models.SmallIntegerField())
    starts = models.TimeField(null=True)
    ends = models.TimeField(null=True)
    first_day = models.DateField(null=True)
    last_day = models.DateField(null=True)
    made_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    objects = OfCasino()

    class Meta:
        default_permissions = ()
        ordering = ["id"]
        indexes = [models.Index(F("casino"), name="slides_that_show", condition=Q(ended_at=None))]

    @property
    def is_film(self) -> bool:
        """Whether its picture moves."""
        return self.picture_type.startswith(FILM)


class HouseLook(models.Model):
    """Logo, colours and font of a casino's screens; without a row those of the console.

    `names`: what players read of systems and prizes in other languages than they are named in, by
    language and by system or system/tier.
    """

    casino = models.OneToOneField(
        Casino, models.PROTECT, primary_key=True, related_name="house_look"
    )
    background = models.CharField(max_length=7)  # such as #07090c
    text = models.CharField(max_length=7)
    accent = models.CharField(max_length=7)
    font = models.CharField(max_length=12)  # of `jackpot.screens.layouts`, or its HOUSE_FONT
    names = models.JSONField(null=True)
    picture = models.BinaryField(null=True)  # the logo
    picture_type = models.CharField(max_length=20, blank=True)
    picture_digest = models.CharField(max_length=64, blank=True)
    font_name = models.CharField(max_length=60, blank=True, default="", db_default="")
    font_file = models.BinaryField(null=True)  # a WOFF2 of the house
    font_digest = models.CharField(max_length=64, blank=True, default="", db_default="")

    objects = OfCasino()

    class Meta:
        default_permissions = ()
