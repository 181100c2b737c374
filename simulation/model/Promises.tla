------------------------------- MODULE Promises -------------------------------
(* What must hold in each state of every behaviour of Receipts, and what in the end. *)
EXTENDS Receipts

(* What a unit was receipted in this era is held, on both disks. *)
ReceiptedIsHeld ==
    \A u \in Units : unit[u].era = db.era =>
        \A s \in 1..unit[u].upto :
            LET e == Event(u, unit[u].boot, s) IN Stored(db, e) /\ Stored(standby, e)

(* What was pressed is held, or its unit still has it, or it is named as lost by a restore. *)
NothingVanishes ==
    \A u \in Units : \A b \in 1..unit[u].boot : \A s \in 1..unit[u].pressed[b] :
        LET e == Event(u, b, s)
        IN  Stored(db, e) \/ e \in named \/ (b = unit[u].boot /\ s > unit[u].forgot)

NothingCountsTwice ==
    \A m, n \in DOMAIN db.order : db.order[m].event = db.order[n].event => m = n

(* Only what is held has a place, and the places of a unit's boot are in its order, whole. *)
OrderIsTheUnits ==
    \A n \in DOMAIN db.order :
        LET e == db.order[n].event
        IN  /\ Stored(db, e)
            /\ \A s \in 1..(e.seq - 1) :
                   \E m \in 1..(n - 1) : db.order[m].event = Event(e.unit, e.boot, s)

(* Nobody extends the order but whoever the head names. *)
OneWriter == \A n \in DOMAIN db.order : db.order[n].writer = db.order[n].holder

Pressed(u) == {Event(u, unit[u].boot, s) : s \in 1..unit[u].seq}

AllIsReceipted ==
    \A u \in Units : unit[u].upto = unit[u].seq /\ \A e \in Pressed(u) : Stored(db, e)

AllIsPlaced == \A u \in Units : \A e \in Pressed(u) : IsPlaced(db, e)

(* When faults have ended, all that was pressed is receipted, and has its place. *)
Receipted == <>[]AllIsReceipted
Placed == <>[]AllIsPlaced
===============================================================================
