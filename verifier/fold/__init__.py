"""A plain fold of the order: what rules, posted terms and decisions make of what devices sent.

Written from docs/domain.md alone, without the console's code. It does what a person with a pencil
would: writes down each tier's story, and where a claim is rejected or a hand turns out to be for
another prize, plays the story again from there. What decisions give, take back or limit stands in
the story at its own place.

`folding` takes the entries one by one. `entries` says what each kind of them does, `claims` which
prize a hand is for and who shares it, `books` what a round adds and a hit takes, `terms` what is
posted.
"""
