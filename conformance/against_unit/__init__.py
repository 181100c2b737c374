"""The kit as the console: its scenes, in the order in which they are played with a unit.

`console` hears and answers, `acts` is whoever works at the unit, `tap` stands between unit and
broker, `trial` holds it together; `scenes` is the day at the table, `recovery` what may go wrong.
"""

from conformance.against_unit import recovery, scenes

SCENES = (*scenes.DAY, *recovery.NIGHT, *scenes.EVENING, *recovery.END)
