"""The kit as a unit: its scenes, in the order in which they are played with a console.

`unit` says and hears, `trial` holds it together; `scenes` is the day at the table, `refusals` what
a console does not take.
"""

from conformance.against_console import refusals, scenes

SCENES = (*scenes.DAY, *refusals.REFUSALS, *scenes.END)
