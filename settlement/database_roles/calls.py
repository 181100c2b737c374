"""Functions of the database that do more than their caller may, and which process calls them."""

from __future__ import annotations

# Functions that do more than their caller may, and who may call them; nobody else may.
CALLS: dict[str, tuple[str, ...]] = {
    # says to a unit what the database holds of it, and nothing else
    "tell_what_is_held(bigint)": ("web",),
    # ends what overlaps with a unit's new key
    "new_key_is_heard(bigint)": ("intake",),
    # asks for the proof of the present password
    "change_password(integer, bytea, text)": ("web",),
    # asks for that, too; opens a session for who shows the PIN, and counts what is wrong
    "set_pin(integer, bytea, bytea, text)": ("web",),
    "unlock_session(text, bytea, bigint)": ("web",),
    # the same at a shared tablet, of which no two log-ins are open
    "sit_down(text, text)": ("web",),
    "come_back(text, text, bytea, text)": ("web",),
    # what the log-in provider vouched for: the worker says it, the web process shows both halves
    "answer_provider_log_in(bigint, jsonb)": ("worker",),
    "take_provider_log_in(integer, bytea, text)": ("web",),
    "link_provider(integer, bytea, bytea)": ("web",),
    "end_provider_link(integer, integer)": ("web",),
    "put_provider_link(integer, bytea, text)": (),
    "provider_confirmed(integer, bytea)": ("web",),
    "follow_groups(integer, jsonb, jsonb)": (),
    # asked by those alone
    **dict.fromkeys(("pin_is_wrong(text)", "tablet_of(text)", "lock_tablet(bigint)"), ()),
    # asked where password, factors or the right to log in change
    "end_pin(integer)": (),
    # for who administers people
    "set_badge(integer, integer, text)": ("web",),
    "add_program(integer, text, bigint, jsonb)": ("web",),
    "put_program_owner(integer, integer, integer)": ("web",),
    "add_tablet(integer, bigint, text, text)": ("web",),
    "end_tablet(integer, bigint)": ("web",),
    # gives identifications away and writes down the look
    "look_at_identification(bigint, bigint, text)": ("web",),
    "give_filing_file(bigint, bigint)": ("web",),
    "name_on_slip(bigint, bigint)": ("web",),
    "identity_on_form(bigint, smallint, bigint)": ("web",),
    "sharer_on_form(bigint, bigint, bigint)": ("web",),
    # take in lists of excluded persons, and give them away with the look written down
    "compare_exclusions(bigint, text, bigint, jsonb)": ("web",),
    "import_exclusions(bigint, text, boolean, text, bigint, uuid, jsonb)": ("web",),
    "look_at_exclusions(bigint, bigint, text)": ("web",),
    # the same of a long file: its person has it read, the worker takes it in
    "open_exclusion_file(bigint, text, bigint, uuid)": ("web",),
    "stage_exclusions(bigint, bigint, jsonb)": ("web",),
    "show_exclusion_file(bigint, bigint, text)": ("web",),
    "look_at_exclusion_file(bigint, bigint, integer)": ("web",),
    "confirm_exclusion_file(bigint, bigint, boolean, uuid)": ("web",),
    "stop_exclusion_file(bigint, bigint, uuid)": ("web",),
    "continue_exclusion_file(bigint, bigint, uuid)": ("web",),
    "leave_exclusion_file(bigint, bigint, uuid)": ("web",),
    "take_in_exclusions(bigint, integer)": ("worker",),
    "count_exclusion_fault(bigint)": ("worker",),
    "drop_exclusion_file(bigint, text, text)": ("worker",),
    # asked by those functions alone
    "entries_of_list(bigint, text, jsonb)": (),
    "standing_entries(bigint, text)": (),
    "list_is_free(bigint, text)": (),
    "ends_wait(bigint, bigint[])": (),
    "stopped_file_makes_way(bigint, text)": (),
    "own_exclusion_file(bigint, bigint)": (),
    "entered_again_stays(bigint, text, bigint[])": (),
    # set up a casino and its people, for an administrator who is there; what needs a second person
    # asks for one
    "begin_set_up(text, text, text, text, text, text)": ("web",),
    "set_up_casino(integer, bigint, jsonb)": ("web",),
    "set_up_system(integer, bigint, bigint, text, text)": ("web",),
    "set_up_tables(integer, bigint, jsonb)": ("web",),
    "rename_table(integer, bigint, text)": ("web",),
    "put_into_service(integer, bigint)": ("web",),
    "rekey_table(integer, bigint, text, text)": ("web",),
    "issue_device(integer, jsonb)": ("web",),
    "revoke_device(integer, bigint, text)": ("web",),
    "open_casino(integer, bigint)": ("web",),
    "invite_person(integer, jsonb, integer, bigint, text)": ("web",),
    "accept_invitation(text, text, bytea)": ("web",),
    "revoke_invitation(integer, bigint)": ("web",),
    "take_role(integer, integer, integer, bigint)": ("web",),
    "lock_person(integer, integer, boolean)": ("web",),
    "rename_person(integer, integer, text, text)": ("web",),
    "propose_mail(integer, integer, text)": ("web",),
    "person_leaves(integer, integer)": ("web",),
    "end_log_ins(integer, integer, text)": ("web",),
    "propose_reset(integer, integer)": ("web",),
    "end_factors(integer, integer, integer, text)": (),  # by decide_set_up, and the owner
    "draw_code(integer, integer, text)": ("web",),
    "use_code(integer, text)": ("web",),
    # ask for both halves of a mailed link
    "set_forgotten_password(text, text)": ("web",),
    "confirm_mail(text)": ("web",),
    # a new password by the code of two people
    "propose_password(integer, integer)": ("web",),
    "give_password_code(integer, integer, text)": (),  # by decide_set_up
    "draw_password_code(integer, integer, text)": ("web",),
    "set_password_by_code(text, text, text)": ("web",),
    "put_new_password(integer, text)": (),
    "propose_set_up(integer, text, bigint, jsonb)": ("web",),
    "decide_set_up(integer, bigint, boolean, text)": ("web",),
    "end_roles_past_their_time()": ("worker",),
    "set_up_webhook(integer, bigint, jsonb, bytea)": ("web",),
    "end_webhook(integer, bigint)": ("web",),
    "replay_webhook(integer, bigint, bigint, bigint)": ("web",),
    "rotate_webhook(integer, bigint, bytea, interval)": ("web",),
    "test_webhook(integer, bigint, uuid)": ("web",),
    "pair_screen(integer, bigint, text, jsonb)": ("web",),
    "change_screen(integer, bigint, jsonb)": ("web",),
    "remove_screen(integer, bigint)": ("web",),
    "put_slide(integer, bigint, jsonb, bytea, bigint)": ("web",),
    "end_slide(integer, bigint)": ("web",),
    "put_house_look(integer, bigint, jsonb, bytea)": ("web",),
    "put_house_font(integer, bigint, text, jsonb, bytea)": ("web",),
    # compute what tells nothing of a player, and nothing of a file
    "seals_of_identifications(bigint)": ("worker", "web", "reporting"),
    "digest_of_attachment(bigint)": ("worker", "web", "reporting"),
    "digest_of_filing_file(bigint)": ("worker", "web", "reporting"),
    "seals_of_exclusions(bigint)": ("worker", "web", "reporting"),
    "is_identified_as(bigint, text, date, text, text, text, text, text, text)": ("web",),
    "numbers_of_players(bigint[])": ("worker", "web", "reporting"),
    "number_of_player(bigint)": ("worker", "web", "reporting"),
    "player_reference(bigint, smallint)": ("worker", "web", "reporting"),
    "likely_to_be_each(bigint[])": (),
    "likely_on_days(bigint[], bigint[], date[], timestamp with time zone)": (
        "worker",
        "web",
        "reporting",
    ),
    "likely_to_be(bigint)": ("worker", "web", "reporting"),
    "likely_players(bigint, smallint)": ("worker", "web", "reporting"),
    "same_players(bigint[], timestamp with time zone[])": ("worker", "web", "reporting"),
    "players_as_one(bigint, timestamp with time zone)": ("worker", "web", "reporting"),
    "one_player(bigint, timestamp with time zone)": ("worker", "web", "reporting"),
    "identifications_of_player(bigint)": ("worker", "web"),
    "identifications_that_count(bigint, integer)": ("worker", "web", "reporting"),
    "residence_of_player(bigint, smallint, text)": ("web",),
    "paid_to_sharers(bigint, timestamp with time zone, timestamp with time zone, text)": (
        "worker",
        "web",
        "reporting",
    ),
    "paid_to_players(bigint, timestamp with time zone, timestamp with time zone)": (
        "worker",
        "web",
        "reporting",
    ),
}
