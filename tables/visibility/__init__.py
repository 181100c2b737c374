"""Which casinos and systems whoever asks may see: said once for a request, asked by every query.

The managers here leave out what is of other casinos, wherever a query begins with them; a process
that said nothing sees all. So a page that forgets to ask shows nothing, and an address of another
casino's leads to nothing.

A rehearsal is a jackpot system by whose code everybody knows it: the code stands in the hash of
each of its blocks and never changes (`system_stays.sql`). What is asked for inside a rehearsal
sees rehearsals alone, and everything else sees none of them.
"""
