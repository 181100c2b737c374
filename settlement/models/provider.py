"""The log-in provider of the house (OpenID Connect): who is linked, and who came back from it."""

from django.conf import settings
from django.db import models
from django.db.models import Q, UniqueConstraint
from django.db.models.functions import Now


class LogInProvider(models.Model):
    """What the provider says of itself, in one row: its addresses and keys, sealed by the worker.

    `fault`: why it did not answer at the last try; it is left alone until `not_before`.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    sealed = models.TextField(blank=True)
    at = models.DateTimeField()  # when it was read
    fault = models.CharField(max_length=200, blank=True)
    not_before = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [models.CheckConstraint(condition=Q(id=1), name="one_log_in_provider")]


class ProviderLink(models.Model):
    """A person is known at the provider by this subject. Written by functions of the database.

    `seen_at`: when they came from there last. `auth_time`: when they logged in there last, by the
    provider's clock, in seconds since 1970; an older log-in confirms nothing.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, related_name="provider_links"
    )
    issuer = models.CharField(max_length=200)
    subject = models.CharField(max_length=255)
    made_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    auth_time = models.BigIntegerField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            UniqueConstraint(
                fields=["issuer", "subject"],
                condition=Q(ended_at=None),
                name="one_person_of_a_subject",
            ),
            UniqueConstraint(
                fields=["person", "issuer"],
                condition=Q(ended_at=None),
                name="one_subject_there_of_a_person",
            ),
        ]


class ProviderLogIn(models.Model):
    """Somebody came back from the provider. Two halves of a secret stand behind it, each known by
    its SHA-256: the browser's (`digest`), and the worker's (`answer_digest`).

    `sealed`: the code, for the worker, which asks the provider. `answer`: what came of it, for the
    web process; `fault` says why nothing did. Rows older than a day are removed.
    """

    class Purpose(models.TextChoices):
        LOG_IN = "log_in"
        UNLOCK = "unlock"  # the person's own locked screen
        CONFIRM = "confirm"  # in place of the password given again
        LINK = "link"  # somebody who is logged in
        INVITE = "invite"  # somebody who was invited

    digest = models.CharField(max_length=64, unique=True)
    purpose = models.CharField(max_length=8, choices=Purpose)
    address = models.CharField(max_length=45, blank=True)
    sealed = models.TextField()
    made_at = models.DateTimeField(db_default=Now())
    claimed_at = models.DateTimeField(null=True)
    answered_at = models.DateTimeField(null=True)
    fault = models.CharField(max_length=20, blank=True, db_default="")
    answer = models.TextField(blank=True, db_default="")
    answer_digest = models.CharField(max_length=64, blank=True, db_default="")
    issuer = models.CharField(max_length=200, blank=True, db_default="")
    subject = models.CharField(max_length=255, blank=True, db_default="")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, null=True, related_name="+"
    )
    used_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        ordering = ["id"]
        indexes = [models.Index(fields=["made_at"], name="provider_log_in_at")]
        constraints = [
            models.CheckConstraint(
                condition=Q(purpose__in=("log_in", "unlock", "confirm", "link", "invite")),
                name="provider_log_in_purpose",
            )
        ]


class PasswordLogIn(models.Model):
    """Where passwords log nobody in, this person's does until then. Made by the owner's command."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, related_name="+"
    )
    until = models.DateTimeField()
    why = models.CharField(max_length=200)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        default_permissions = ()
