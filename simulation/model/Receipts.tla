------------------------------- MODULE Receipts -------------------------------
(***************************************************************************)
(* Receipts, eras, leases and takeover: how an event of a table unit gets   *)
(* into the order, once, whatever fails on the way.                         *)
(*                                                                          *)
(* A unit journals an event, then sends it to every intake. An intake       *)
(* records it in the database and then answers with a receipt: how far the  *)
(* console holds the events of this boot. What no receipt covers is sent    *)
(* again. One poster at a time, who holds the lease of the order, gives     *)
(* recorded events their places. Networks lose, repeat and reorder;         *)
(* processes die or stand still; the primary database is lost, and its      *)
(* standby leads; the database is restored from a backup, and an era        *)
(* begins.                                                                  *)
(*                                                                          *)
(* docs/simulation.md says what is modelled and what is not. "Wrong" names  *)
(* a mistake that somebody might make ("none": none): for each of them the  *)
(* checker must find a behaviour that breaks one of Promises.               *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS Units, Intakes, Posters,
          LastSeq,      \* so many events a unit records in one boot
          LastBoot,     \* so often a unit begins to count anew
          Faults,       \* which kinds of faults there are
          MostFaults,   \* how many in one behaviour, of all kinds together
          MostReceipts, \* so many are on their way at once
          Wrong         \* the mistake that is made, or "none"

VARIABLES unit,      \* what each table unit knows
          net,       \* events on their way: <<intake, event>>
          receipts,  \* receipts on their way
          intake,    \* the batch of each intake: "idle", or a record
          db,        \* the primary database
          standby,   \* the synchronous standby
          backup,    \* the last backup
          crashed,   \* the primary came back, and shows what the standby may not have
          poster,    \* what each poster knows
          lock,      \* who has locked the head of the order, in a transaction
          leased,    \* whether the lease of the head's writer still runs
          restores,  \* how often the database was restored
          named,     \* events that a restore lost, and no journal has any more
          left       \* faults that may still come

vars == <<unit, net, receipts, intake, db, standby, backup, crashed, poster, lock, leased,
          restores, named, left>>

(* What most steps leave as it is. *)
disks == <<db, standby, backup, crashed>>
posting == <<poster, lock, leased>>
history == <<restores, named>>

Nobody == <<>>
Max(a, b) == IF a > b THEN a ELSE b

(* --------------------------- What a database says ----------------------- *)

Streams == Units \X (1..LastBoot)
Empty == [stored |-> [t \in Streams |-> {}], order |-> <<>>, epoch |-> 0, writer |-> Nobody,
          era |-> 1]

Event(u, b, s) == [unit |-> u, boot |-> b, seq |-> s]

(* d.stored: of each unit and boot the seqs that the inbox has. *)
Held(d, u, b) == IF Wrong = "no_boot" THEN UNION {d.stored[u, c] : c \in 1..LastBoot}
                 ELSE d.stored[u, b]

Stored(d, e) == e.seq \in d.stored[e.unit, e.boot]
With(d, e) == IF e.seq \in Held(d, e.unit, e.boot) THEN d
              ELSE [d EXCEPT !.stored[e.unit, e.boot] = @ \cup {e.seq}]

(* The watermark: the last seq up to which nothing is missing. *)
Watermark(d, u, b) ==
    LET held == Held(d, u, b)
    IN  CHOOSE n \in 0..LastSeq : (\A s \in 1..n : s \in held) /\ n + 1 \notin held

(* `last`: the newest seq that the console heard of. *)
Receipt(d, u, b, last) ==
    LET upto == Watermark(d, u, b)
    IN  [unit |-> u, boot |-> b, upto |-> upto,
         era |-> IF Wrong = "no_era" THEN 1 ELSE d.era,
         missing |-> last > upto]

Newest(d, u, b) == LET held == Held(d, u, b) \cup {0}
                   IN  CHOOSE n \in held : \A m \in held : m <= n

IsPlaced(d, e) == \E n \in DOMAIN d.order : d.order[n].event = e

(* What may get its place now: nothing behind a gap. *)
Waiting(d) ==
    UNION {LET upto == IF Wrong = "no_gaps" THEN LastSeq ELSE Watermark(d, t[1], t[2])
           IN  {e \in {Event(t[1], t[2], s) : s \in {n \in d.stored[t] : n <= upto}} :
                    ~IsPlaced(d, e)} : t \in Streams}

RECURSIVE InOrder(_)
InOrder(events) ==
    IF events = {} THEN <<>>
    ELSE LET first == CHOOSE e \in events :
                 \A f \in events : (f.unit = e.unit /\ f # e) =>
                     (f.boot > e.boot \/ (f.boot = e.boot /\ f.seq > e.seq))
         IN  <<first>> \o InOrder(events \ {first})

(* A commit is answered, and shown to others, when the standby has it. Only a server that
   crashed and came back shows what it never answered. *)
CanCommit == standby = db \/ crashed
Write(d) == /\ db' = d
            /\ standby' = IF "failover" \in Faults THEN standby ELSE d

Fault(kind) == kind \in Faults /\ left > 0 /\ left' = left - 1

(* ------------------------------- Table units ---------------------------- *)

(* `pressed`: of each boot how many events there were; the unit itself forgets that. *)
NewUnit(b, pressed) == [boot |-> b, seq |-> 0, forgot |-> 0, era |-> 0, upto |-> 0, from |-> 0,
                        until |-> 0, pressed |-> pressed]

(* The dealer presses: on the disk of the unit first, then on the wire. *)
Press(u) ==
    LET e == Event(u, unit[u].boot, unit[u].seq + 1)
    IN  /\ unit[u].seq < LastSeq
        /\ unit' = [unit EXCEPT ![u].seq = @ + 1, ![u].pressed[unit[u].boot] = @ + 1]
        /\ net' = net \cup {<<i, e>> : i \in Intakes}
        /\ UNCHANGED <<receipts, intake, disks, posting, history, left>>

(* It sends again what the console says it misses, and what came after that. *)
Resend(u, s) ==
    LET me == unit[u]  e == Event(u, me.boot, s)
    IN  /\ me.from > 0 /\ s >= me.from /\ s > me.forgot /\ s <= me.seq
        /\ \A i \in Intakes : <<i, e>> \notin net
        /\ net' = net \cup {<<i, e>> : i \in Intakes}
        /\ UNCHANGED <<unit, receipts, intake, disks, posting, history, left>>

Heard(me, r) ==
    IF r.era < me.era \/ (r.era = me.era /\ r.upto < me.upto) THEN me
    ELSE [me EXCEPT !.era = r.era, !.upto = r.upto,
                    !.from = IF r.missing \/ (me.from > 0 /\ r.upto < me.until)
                             THEN r.upto + 1 ELSE 0,
                    !.until = IF r.missing THEN me.seq
                              ELSE IF me.from > 0 /\ r.upto < me.until THEN @ ELSE 0]

(* Receipts overtake one another; one of an earlier era, or with less, counts no more. *)
Hear(r) ==
    /\ r \in receipts
    /\ receipts' = receipts \ {r}
    /\ unit' = IF unit[r.unit].boot = r.boot THEN [unit EXCEPT ![r.unit] = Heard(@, r)] ELSE unit
    /\ UNCHANGED <<net, intake, disks, posting, history, left>>

(* Journals keep what is covered for seven days: longer than a backup is old. *)
Forget(u) ==
    LET me == unit[u]  e == Event(u, me.boot, me.forgot + 1)
    IN  /\ "restore" \in Faults
        /\ me.forgot < me.upto
        /\ Wrong = "forgets_at_once" \/ Stored(backup, e)
        /\ unit' = [unit EXCEPT ![u].forgot = @ + 1]
        /\ UNCHANGED <<net, receipts, intake, disks, posting, history, left>>

(* The unit is exchanged when all it recorded is covered: the next one has no memory, and
   goes on with the boot that the console names. *)
Exchange(u) ==
    LET me == unit[u]
    IN  /\ me.boot < LastBoot /\ me.seq > 0 /\ me.upto = me.seq /\ me.era = db.era
        /\ CanCommit
        /\ db.stored[u, me.boot] # {}
        /\ unit' = [unit EXCEPT ![u] = NewUnit(me.boot + 1, me.pressed)]
        /\ UNCHANGED <<net, receipts, intake, disks, posting, history, left>>

(* --------------------------------- Intakes ------------------------------ *)

IsCovered(d, r) == r.era < d.era \/ r.upto <= Watermark(d, r.unit, r.boot)

(* A unit says that it is there, and how far it got; an intake answers from the database. *)
Greet(u) ==
    LET me == unit[u]  r == Receipt(db, u, me.boot, Max(me.seq, Newest(db, u, me.boot)))
    IN  /\ CanCommit
        /\ r \notin receipts /\ Heard(me, r) # me /\ Cardinality(receipts) < MostReceipts
        /\ IsCovered(standby, r) \/ Wrong = "unreplicated"
        /\ receipts' = receipts \cup {r}
        /\ UNCHANGED <<unit, net, intake, disks, posting, history, left>>

(* One transaction: the event, where it is new, and what is answered. *)
Record(i, e) ==
    LET stored == With(db, e)
        r == Receipt(stored, e.unit, e.boot, Newest(stored, e.unit, e.boot))
        early == Wrong = "receipt_before_commit"
    IN  /\ intake[i].state = "idle" /\ CanCommit
        /\ intake' = [intake EXCEPT ![i] = [state |-> "recorded", event |-> e, receipt |-> r]]
        /\ receipts' = IF early THEN receipts \cup {r} ELSE receipts
        /\ IF early THEN UNCHANGED <<db, standby>> ELSE Write(stored)
        /\ UNCHANGED <<unit, net, backup, crashed, posting, history, left>>

(* After the commit: the receipt leaves, and the broker may forget the event. *)
Answer(i) ==
    LET done == intake[i]
    IN  /\ done.state = "recorded"
        /\ IsCovered(standby, done.receipt) \/ Wrong = "receipt_before_commit"
        /\ done.receipt \in receipts \/ Cardinality(receipts) < MostReceipts
        /\ intake' = [intake EXCEPT ![i] = [state |-> "idle"]]
        /\ net' = net \ {<<i, done.event>>}
        /\ IF Wrong = "receipt_before_commit"
           THEN Write(With(db, done.event)) /\ UNCHANGED receipts
           ELSE receipts' = receipts \cup {done.receipt} /\ UNCHANGED <<db, standby>>
        /\ UNCHANGED <<unit, backup, crashed, posting, history, left>>

(* --------------------------------- Posters ------------------------------ *)

(* A poster that starts again is another writer. *)
Me(p) == <<p, poster[p].life>>
Idle(life) == [life |-> life, epoch |-> 0, open |-> FALSE, batch |-> <<>>, frozen |-> FALSE]

(* Whoever finds no lease that runs takes it, with a new epoch; whoever has it keeps it. *)
Lease(p) ==
    LET epoch == IF db.writer = Me(p) THEN db.epoch ELSE db.epoch + 1
        d == [db EXCEPT !.epoch = epoch, !.writer = Me(p)]
    IN  /\ ~poster[p].open /\ ~poster[p].frozen
        /\ lock = Nobody /\ standby = db
        /\ ~leased \/ (db.writer = Me(p) /\ poster[p].epoch # db.epoch)
        /\ db' = d /\ standby' = d /\ leased' = TRUE
        /\ poster' = [poster EXCEPT ![p].epoch = epoch]
        /\ UNCHANGED <<unit, net, receipts, intake, backup, crashed, lock, history, left>>

IsLawful(p) == CASE Wrong = "no_fence" -> TRUE
                 [] Wrong = "epoch_alone" -> db.epoch = poster[p].epoch
                 [] OTHER -> db.epoch = poster[p].epoch /\ db.writer = Me(p)

(* A batch begins: the head is locked, and its epoch and writer looked at. *)
Open(p) ==
    /\ ~poster[p].open /\ ~poster[p].frozen /\ poster[p].epoch > 0
    /\ CanCommit /\ Waiting(db) # {}
    /\ lock = Nobody \/ Wrong = "fence_apart"
    /\ IF IsLawful(p)
       THEN /\ poster' = [poster EXCEPT ![p].open = TRUE, ![p].batch = InOrder(Waiting(db))]
            /\ lock' = IF Wrong = "fence_apart" THEN lock ELSE p
       ELSE /\ poster' = [poster EXCEPT ![p].epoch = 0]   \* fenced off
            /\ UNCHANGED lock
    /\ UNCHANGED <<unit, net, receipts, intake, disks, leased, history, left>>

(* It ends: the events have their places. `holder`: whose the order is by the head. *)
Commit(p) ==
    LET batch == poster[p].batch
        places == [n \in 1..Len(batch) |->
                       [event |-> batch[n], writer |-> Me(p), holder |-> db.writer]]
    IN  /\ poster[p].open /\ ~poster[p].frozen /\ CanCommit
        /\ Write([db EXCEPT !.order = @ \o places])
        /\ poster' = [poster EXCEPT ![p].open = FALSE, ![p].batch = <<>>]
        /\ lock' = IF lock = p THEN Nobody ELSE lock
        /\ UNCHANGED <<unit, net, receipts, intake, backup, crashed, leased, history, left>>

(* The lease of one who stands still, or is gone, runs out. *)
Expire ==
    /\ leased
    /\ \A p \in Posters : db.writer = Me(p) => poster[p].frozen \/ poster[p].epoch # db.epoch
    /\ leased' = FALSE
    /\ UNCHANGED <<unit, net, receipts, intake, disks, poster, lock, history, left>>

Ended(p) == [poster EXCEPT ![p].open = FALSE, ![p].batch = <<>>]

(* A session that keeps the head locked and stands still is ended by the others. *)
EndSession(p) ==
    /\ lock = p /\ poster[p].frozen /\ ~leased
    /\ lock' = Nobody /\ poster' = Ended(p)
    /\ UNCHANGED <<unit, net, receipts, intake, disks, leased, history, left>>

Thaw(p) ==
    /\ poster[p].frozen
    /\ poster' = [poster EXCEPT ![p].frozen = FALSE]
    /\ UNCHANGED <<unit, net, receipts, intake, disks, lock, leased, history, left>>

(* --------------------------------- Database ----------------------------- *)

Replicate ==
    /\ standby # db
    /\ standby' = db /\ crashed' = FALSE
    /\ UNCHANGED <<unit, net, receipts, intake, db, backup, posting, history, left>>

BackUp ==
    /\ "restore" \in Faults /\ standby = db
    /\ backup = Empty /\ db # Empty
    /\ backup' = db
    /\ UNCHANGED <<unit, net, receipts, intake, db, standby, crashed, posting, history, left>>

(* --------------------------------- Faults ------------------------------- *)

Lose(m) == /\ Fault("loss") /\ m \in net /\ net' = net \ {m}
           /\ UNCHANGED <<unit, receipts, intake, disks, posting, history>>

LoseReceipt(r) == /\ Fault("loss") /\ r \in receipts /\ receipts' = receipts \ {r}
                  /\ UNCHANGED <<unit, net, intake, disks, posting, history>>

CrashIntake(i) ==
    /\ Fault("crash") /\ intake[i].state # "idle"
    /\ intake' = [intake EXCEPT ![i] = [state |-> "idle"]]
    /\ UNCHANGED <<unit, net, receipts, disks, posting, history>>

CrashPoster(p) ==
    /\ Fault("crash") /\ poster[p].epoch > 0
    /\ poster' = [poster EXCEPT ![p] = Idle(poster[p].life + 1)]
    /\ lock' = IF lock = p THEN Nobody ELSE lock
    /\ UNCHANGED <<unit, net, receipts, intake, disks, leased, history>>

Freeze(p) ==
    /\ Fault("freeze") /\ ~poster[p].frozen /\ poster[p].epoch > 0
    /\ poster' = [poster EXCEPT ![p].frozen = TRUE]
    /\ UNCHANGED <<unit, net, receipts, intake, disks, lock, leased, history>>

(* Every session ends. A batch that the standby does not have yet was never answered. *)
SessionsEnd ==
    /\ poster' = [p \in Posters |-> [poster[p] EXCEPT !.open = FALSE, !.batch = <<>>]]
    /\ lock' = Nobody
    /\ intake' = [i \in Intakes |->
           IF intake[i].state = "recorded" /\ ~IsCovered(standby, intake[i].receipt)
           THEN [state |-> "idle"] ELSE intake[i]]

(* The primary dies; it comes back and shows all that its disk has, or the standby leads. *)
Restart ==
    /\ Fault("failover") /\ standby # db /\ ~crashed
    /\ crashed' = TRUE /\ SessionsEnd
    /\ UNCHANGED <<unit, net, receipts, db, standby, backup, leased, history>>

Failover ==
    /\ Fault("failover")
    /\ db' = standby /\ crashed' = FALSE /\ SessionsEnd
    /\ UNCHANGED <<unit, net, receipts, standby, backup, leased, history>>

(* Eras are numbered by the clock: a backup that is restored twice begins two of them. *)
Restore ==
    LET era == IF Wrong = "era_from_backup" THEN backup.era + 1 ELSE restores + 2
        d == [backup EXCEPT !.era = era, !.epoch = @ + 1, !.writer = Nobody]
        gone(t) == IF unit[t[1]].boot = t[2] THEN {}
                   ELSE {Event(t[1], t[2], s) : s \in db.stored[t] \ backup.stored[t]}
    IN  /\ Fault("restore") /\ standby = db
        /\ db' = d /\ standby' = d /\ restores' = restores + 1 /\ crashed' = FALSE
        /\ leased' = FALSE
        /\ named' = named \cup UNION {gone(t) : t \in Streams}
        /\ SessionsEnd
        /\ UNCHANGED <<unit, net, receipts, backup>>

(* ---------------------------- Behaviours -------------------------------- *)

Init ==
    /\ unit = [u \in Units |-> NewUnit(1, [b \in 1..LastBoot |-> 0])]
    /\ net = {} /\ receipts = {}
    /\ intake = [i \in Intakes |-> [state |-> "idle"]]
    /\ db = Empty /\ standby = Empty /\ backup = Empty /\ crashed = FALSE
    /\ poster = [p \in Posters |-> Idle(1)]
    /\ lock = Nobody /\ leased = FALSE
    /\ restores = 0 /\ named = {} /\ left = MostFaults

Ask(u, s) == Wrong # "no_resend" /\ Resend(u, s)
Take(i, s) == \E m \in net : m[1] = i /\ m[2].seq = s /\ Record(i, m[2])
Listen(u) == \E r \in receipts : r.unit = u /\ Hear(r)
Post(p) == Lease(p) \/ Open(p) \/ Commit(p) \/ Thaw(p) \/ EndSession(p)

Next ==
    \/ \E u \in Units : Press(u) \/ Greet(u) \/ Listen(u) \/ Forget(u) \/ Exchange(u)
    \/ \E u \in Units, s \in 1..LastSeq : Ask(u, s)
    \/ \E i \in Intakes : Answer(i) \/ CrashIntake(i)
    \/ \E i \in Intakes, s \in 1..LastSeq : Take(i, s)
    \/ \E p \in Posters : Post(p) \/ CrashPoster(p) \/ Freeze(p)
    \/ Expire \/ Replicate \/ BackUp \/ Restart \/ Failover \/ Restore
    \/ \E m \in net : Lose(m)
    \/ \E r \in receipts : LoseReceipt(r)

(* Whatever may be done again and again is done some time; nobody must press, and no fault
   must come. Of what waits for an intake nothing waits for ever. *)
Fairness ==
    /\ \A u \in Units : WF_vars(Greet(u)) /\ WF_vars(Listen(u))
    /\ \A u \in Units, s \in 1..LastSeq : WF_vars(Ask(u, s))
    /\ \A i \in Intakes : WF_vars(Answer(i))
    /\ \A i \in Intakes, s \in 1..LastSeq : SF_vars(Take(i, s))
    /\ \A p \in Posters : WF_vars(Post(p))
    /\ WF_vars(Expire) /\ WF_vars(Replicate)

(* Processes of a kind are alike. *)
Symmetry == Permutations(Intakes) \cup Permutations(Posters)

Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fairness
===============================================================================
