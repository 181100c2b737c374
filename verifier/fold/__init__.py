"""A plain fold of the order: what rules, posted terms and decisions make of what devices sent.

Written from docs/domain.md alone, without the console's code. It does what a person with a pencil
would: writes down each tier's story, and where a claim is rejected or a hand turns out to be for
another prize, plays the story again from there. What decisions give, take back or limit stands in
the story at its own place.

`folding` says what is whose; `rounds` what a round adds, `pools` what a hit takes, `hands` and
`cards` which prize a hand is for, `commands`, `claims` and `payments` what people decided, `payees`
who is paid, `terms` the posted terms.
"""
