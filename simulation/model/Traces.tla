-------------------------------- MODULE Traces --------------------------------
(* Behaviours of Receipts with the name of each step, for those who replay them. *)
EXTENDS Promises

VARIABLE did   \* the step that led here: its name and who made it

TraceInit == Init /\ did = <<"Init">>

TraceNext ==
    \/ \E u \in Units :
        \/ Press(u) /\ did' = <<"Press", u>>
        \/ Greet(u) /\ did' = <<"Greet", u>>
        \/ Exchange(u) /\ did' = <<"Exchange", u>>
        \/ \E r \in receipts : r.unit = u /\ Hear(r) /\ did' = <<"Hear", u, r>>
        \/ \E s \in 1..LastSeq : Resend(u, s) /\ did' = <<"Resend", u, s>>
    \/ \E i \in Intakes :
        \/ \E m \in net : m[1] = i /\ Record(i, m[2]) /\ did' = <<"Record", i, m[2]>>
        \/ Answer(i) /\ did' = <<"Answer", i>>
        \/ CrashIntake(i) /\ did' = <<"CrashIntake", i>>
    \/ \E p \in Posters :
        \/ Lease(p) /\ did' = <<"Lease", p>>
        \/ Open(p) /\ did' = <<"Open", p>>
        \/ Commit(p) /\ did' = <<"Commit", p>>
        \/ Freeze(p) /\ did' = <<"Freeze", p>>
        \/ Thaw(p) /\ did' = <<"Thaw", p>>
        \/ EndSession(p) /\ did' = <<"EndSession", p>>
        \/ CrashPoster(p) /\ did' = <<"CrashPoster", p>>
    \/ Expire /\ did' = <<"Expire">>
    \/ BackUp /\ lock = Nobody /\ did' = <<"BackUp">>
    \/ Restore /\ did' = <<"Restore">>
    \/ \E m \in net : Lose(m) /\ did' = <<"Lose", m>>
    \/ \E r \in receipts : LoseReceipt(r) /\ did' = <<"LoseReceipt", r>>

TraceSpec == TraceInit /\ [][TraceNext]_<<vars, did>>
===============================================================================
