"""Mail addresses of people: a person's own change, and what the address before is told."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class MailChange(models.Model):
    """A person asked for another mail address; a link that is mailed there confirms it, once.

    Its secret is drawn as that of a `PasswordLink`. `proof`: of the password; the guard looks and
    keeps it not. `used_at`: when it was confirmed, or void.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="mail_changes"
    )
    email = models.EmailField()
    digest = models.CharField(max_length=64)
    sealed = models.TextField()
    mailed_digest = models.CharField(max_length=64, blank=True, db_default="")
    proof = models.BinaryField(null=True)
    made_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        default_permissions = ()


class AddressNotice(models.Model):
    """A mail address that is no more somebody's, to be told so. Made by a trigger.

    `next_at`: not before, put off before each try. `mailed_at`: when the worker mailed it, or gave
    up after a day.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, db_index=False, related_name="+"
    )
    email = models.EmailField()
    made_at = models.DateTimeField(db_default=Now())
    next_at = models.DateTimeField(db_default=Now())
    mailed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        default_permissions = ()
