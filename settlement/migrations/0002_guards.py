"""What the database asks and refuses of people and payment (docs/proof.md)."""

from django.db import migrations

from tables.guards import load

# What guards ask: each stands behind those that it asks itself.
_QUESTIONS = (
    "gaming_day_of",
    "missed_rounds_alone",
    "missed_rounds_left",
    "adjusted_on_this_day",
    "role_given_by",
    "roles_held",
    "has_permission",
    "role_allows",
    "has_been_delegated",
    "may_agree_to_adjust",
    "may_confirm_claim",
    "is_asked_by_owner",
    "proves",
    "play_counts",
    "was_dealt_in",
    "was_dealt_in_round",
    "evidence_lacking",
)

# What a process calls because it may do no more itself (settlement/grants.py).
_CALLS = (
    "change_password",
    "digest_of_attachment",
    "look_at_identification",
    "name_on_slip",
    "seals_of_identifications",
)

_GUARDS = (
    "act_takes_two_people",
    "acts_happen_now",
    "alarm_is_cleared_once",
    "answer_shows_its_thing",
    "append_only",
    "approver_is_somebody_else",
    "approver_of_an_adjustment",
    "attachment_is_its_hash",
    "basis_is_not_given",
    "basis_takes_in_records",
    "boots_are_set_by_the_order",
    "claim_never_changes",
    "command_has_its_act",
    "command_has_its_acts",
    "command_has_its_proposal",
    "command_has_its_ruling",
    "confirmed_on_evidence",
    "countersigned_by_another",
    "enough_of_a_claim",
    "entered_hand_has_its_ruling",
    "figures_are_typed_by_both",
    "file_is_in_the_order",
    "handover_is_signed_by_both",
    "hash_has_its_file",
    "held_rounds_have_their_ruling",
    "is_recorded",
    "large_adjustment_takes_two_managers",
    "large_amount_takes_two_managers",
    "log_in_has_its_history",
    "log_in_is_written_down",
    "missed_rounds_have_a_limit",
    "nobody_acts_on_an_own_hand",
    "nobody_decides_on_an_own_hand",
    "nobody_decides_on_an_own_round",
    "nobody_is_named_twice_by_one",
    "nobody_rules_on_an_own_round",
    "payout_bears_the_time_of_its_entry",
    "payout_is_confirmed",
    "payout_of_no_stopped_claim",
    "payout_says_what_was_paid",
    "permissions_have_their_history",
    "person_is_written_down",
    "print_bears_its_time",
    "proposal_takes_two_people",
    "received_table_had_left",
    "record_is_taken_in_once",
    "recorder_is_somebody_else",
    "records_of_the_casino",
    "rejection_reversed_by_its_own_two_people",
    "reversal_by_its_own_two_people",
    "role_has_its_history",
    "roles_change_alone",
    "second_word_is_somebody_elses",
    "session_is_of_who_logged_in",
    "set_aside_by_two_people",
    "staff_play_ends_now",
    "staff_play_is_said_now",
    "stopped_claim_is_not_paid",
    "table_may_move",
    "table_moves_by_the_order",
    "terms_name_known_tables",
    "token_is_of_who_asked",
    "token_is_written_down",
    "verified_on_evidence",
    "what_was_done_is_said",
    "what_was_proposed_is_said",
    "what_was_ruled_is_said",
    "whoever_acts_may",
    "whoever_is_asked_may_decide",
    "whoever_says_it_may",
    "worker_decides_nothing",
)


class Migration(migrations.Migration):
    dependencies = [
        ("settlement", "0001_tables"),
        ("jackpot", "0002_guards"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        load("settlement", *_QUESTIONS),
        load("settlement", *_CALLS),
        load("settlement", *_GUARDS),
    ]
