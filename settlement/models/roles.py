"""Who had which role when, and what a role allowed then. Written by the database's owner alone."""

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.db.models import F
from django.db.models.functions import Now

from tables.models import Casino


class RoleChange(models.Model):
    """A person got a role, or lost it; the newest row of person, role and casino counts.

    Append-only. `casino`: where the role holds, None everywhere; what is changed in
    `auth_user_groups` a trigger writes down as everywhere. `role` None: whether the person may log
    in at all.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    role = models.ForeignKey(
        Group, models.PROTECT, db_index=False, null=True, related_name="changes"
    )
    casino = models.ForeignKey(
        Casino, models.PROTECT, db_index=False, null=True, related_name="role_changes"
    )
    granted = models.BooleanField()
    until = models.DateTimeField(null=True)  # the role ends then by itself
    by = models.CharField(max_length=310)  # two people, or the database role that did it
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]
        default_permissions = ()


class RolePermissions(models.Model):
    """What a role allows from then on; the newest row of a role counts. Append-only.

    A trigger writes one down wherever `auth_group_permissions` says something else.
    """

    role = models.ForeignKey(Group, models.PROTECT, db_index=False, related_name="allowed")
    permissions = models.JSONField()  # code names, in order
    by = models.CharField(max_length=150)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        indexes = [models.Index(F("role"), F("id").desc(), name="newest_of_role")]
