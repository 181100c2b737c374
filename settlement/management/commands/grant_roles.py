"""`manage.py grant_roles`: give the database's roles exactly their rights."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from settlement.audit import file_keys
from settlement.core.errors import WrongState
from settlement.database_roles import grants
from settlement.database_roles.new_roles import GrantsError
from settlement.people.rights import roles
from tables.process.secret_files import with_files


class Command(BaseCommand):
    help = (
        "Run by the database's owner after migrate: makes the roles that are missing, with the"
        " passwords JACKPOT_INTAKE_PASSWORD and so on, and gives each exactly its rights. Writes"
        " the first key of files down, where one is set."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--passwords-are-ours",
            action="store_true",
            help="you gave roles other passwords or settings: from here on these are right",
        )

    def handle(self, **options: Any) -> None:
        names = {role: grants.password_variable(role) for role in grants.ROLES}
        environment = with_files(os.environ, names.values())
        passwords = {role: environment.get(name, "") for role, name in names.items()}
        try:
            left = grants.apply(
                {role: password for role, password in passwords.items() if password},
                ours=options["passwords_are_ours"],
            )
        except GrantsError as error:
            raise CommandError(str(error)) from error
        roles_named = ", ".join(grants.PREFIX + role for role in grants.ROLES)
        self.stdout.write(f"Rights of {roles_named} are in force.")
        try:
            if file_keys.begin_first():
                self.stdout.write("The key of files is written down: it signs from now on.")
        except WrongState as refusal:  # no file is signed before it is put right
            left.append(str(refusal))
        for each in [*left, *roles.left_to_nobody()]:
            self.stderr.write(self.style.WARNING(each))
