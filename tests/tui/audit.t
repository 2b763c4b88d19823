# The audit: changes and calls, and undo from there.
size 120x24
clock 1700000000000
join s1 claude-code ash
write s1 ash {"ref":"raw:54c5507f-0000-4000-8000-000000000001","text":"The migration held a lock while old workers still wrote"}
later 2000
write s1 ash {"ref":"belief:7d10e6a2-0000-4000-8000-000000000002","confidence":0.7,"text":"Never skip staging before a deploy. It cost 40 minutes of downtime, and the rollback failed because the migration had already run.","derived_from":["raw:54c5507f-0000-4000-8000-000000000001"]}
write s1 ash {"ref":"note:99c64f62-0000-4000-8000-000000000003","text":"A secret that must go"}
later 3000
ask s1 memory_search
ask s1 memory_purge at=20 of=note:99c64f62-0000-4000-8000-000000000003 outcome=PERMISSION_DENIED
flush
later 1000
by sean edit belief:7d10e6a2-0000-4000-8000-000000000002 text=Never skip staging before a deploy. It cost 41 minutes of downtime, and the rollback failed because the migration had already run. | reason=measured
later 1000
by sean reinforce belief:7d10e6a2-0000-4000-8000-000000000002 reason=outage
later 1000
by sean mark raw:54c5507f-0000-4000-8000-000000000001 belief:7d10e6a2-0000-4000-8000-000000000002 note:99c64f62-0000-4000-8000-000000000003 mark=for_review | reason=after the incident
later 1000
by sean undo
later 1000
by sean forget note:99c64f62-0000-4000-8000-000000000003 reason=it was told in confidence

== frames
later 60000
view audit @
view audit-undone @jjjjj
view audit-call :audit only:errors<Enter>
view audit-undo :audit operation:edit<Enter>u

== the events with the same
> @jj=
  ┌─ show only events with the same
> :audit actor:ash operation:import<Enter>G
  nothing matches the filter; Esc clears it

== search matches move with new lines
# New lines are searched, too, and a call that is logged late goes to its place.
> @/reinforce<Enter>
on reinforced
later 1000
by sean reinforce belief:7d10e6a2-0000-4000-8000-000000000002 reason=again
by sean verify belief:7d10e6a2-0000-4000-8000-000000000002
ask s1 memory_search at=-500
flush
+ <C-g>n
on (again)
+ n
on (outage)
+ n
on (again)

== filters
later 60000
> @\<Enter>
  | 14 events|
> @\actor:ash<Enter>
  | 5 events|
> @\actor:ash only:changes<Enter>
  | 3 events|
> @\only:reads<Enter>
  | 1 event |
> @\only:errors<Enter>
  | 1 event |
> @\actor:sean<Enter>
  | 9 events|
> @\operation:undo<Enter>
  | 3 events|
> @\operation:memory_search<Enter>
  | 1 event |
> @\kind:note<Enter>
  | 5 events|
> @\memory:raw:54c5 operation:mark<Enter>
  | 1 event |
> @\ref:belief:7d10e6a2<Enter>
  | 5 events|
> @\session:1<Enter>
  | 5 events|
> @\since:65s<Enter>
  | 11 events|
> @\until:65s<Enter>
  | 4 events|
> @\since:3000-01-01<Enter>
  | 0 events|
> @\outage<Enter>
  | 1 event |
> @\actor:"sean" secret<Enter>
  | 3 events|
> @\actor:nobody<Enter>
  | 0 events|

== wrong filters
later 60000
> @\kind:nothing<Enter>
  there is no kind 'nothing'
  | 14 events|
> @\since:whenever<Enter>
  Give a date
  | 14 events|
> @\memory:belief:ffff<Enter>
  no memory is called belief:ffff
  | 14 events|
> @\session:99<Enter>
  there is no session
  | 14 events|
> @\only:some<Enter>
  changes, reads, errors, cancellations
  | 14 events|

== completion
# A suggestion can be taken and continued.
later 60000
> @\op<Tab>
  \operation:
> @\op<Tab>rei<Tab>
  \operation:reinforce
> @\op<Tab>rei<Tab><Enter>
  | 1 event |
> @\actor:<Down><Down><Enter>
  \actor:ash
> @\actor:as
  | 14 events|
> @\actor:ash<Enter><Esc>
  | 14 events|

== actors
# All actors, even of calls alone. The owners of memories are another filter.
later 60000
join s2 codex gamma
ask s2 memory_search
write s1 ash {"ref":"note:of-another","text":"x","agent_id":"willow"}
flush
person ann
> @\<C-g>
+ actor:
  |actor:ann |
  |actor:ash |
  |actor:gamma |
  |actor:sean |
! actor:willow
> @\actor:g<Tab>
  \actor:gamma
> 9\actor:g<Tab><Enter>
  | 1 event |

== sessions are suggested
# Ended sessions are suggested, living ones first.
later 60000
join s2 codex claire
end s2
flush
join s3 cursor claire
end s3
flush
> 9\<C-g>
+ session:
  |session:1 | ~> |session:3 | ~> |session:2 |
  claude-code 2.1, live
  cursor 2.1, ended
> @\<C-g>
+ session:
  |session:1 | ~> |session:3 | ~> |session:2 |
  claude-code 2.1, live
  cursor 2.1, ended
> @\session:2<Tab>
  \session:2
> @\session:a00000<Tab>
  \session:a0000000

== same
later 60000
> :audit operation:mark<Enter>=c
  operation:mark correlation:
  | 3 events|
> @=m
  | 5 events|
> 9=a
  audit › actor:sean

== changes of others
# New events appear above, and the cursor stays on its event. With a filter only matching events appear.
later 60000
> @jj
write s1 claire {"ref":"note:more-0","text":"landed 0"}
write s1 ash {"ref":"note:more-1","text":"landed 1"}
write s1 claire {"ref":"note:more-2","text":"landed 2"}
write s1 ash {"ref":"note:more-3","text":"landed 3"}
write s1 claire {"ref":"note:more-4","text":"landed 4"}
+ <C-g>
  | 5 new ↑ · 19 events|
same line

== changes of others with a filter
later 60000
> :audit actor:claire<Enter>
write s1 claire {"ref":"note:more-0","text":"landed 0"}
write s1 ash {"ref":"note:more-1","text":"landed 1"}
write s1 claire {"ref":"note:more-2","text":"landed 2"}
write s1 ash {"ref":"note:more-3","text":"landed 3"}
write s1 claire {"ref":"note:more-4","text":"landed 4"}
+ <C-g>
  | 3 events|

== pages
# Pages go back to the first event, and a filter finds few events among many.
later 60000
for 0 449 write s1 claire {"ref":"note:more-{i}","text":"landed {i}"}
for 450 899 write s1 ash {"ref":"note:more-{i}","text":"landed {i}"}
> @G
  914/914
> :audit actor:claire<Enter>G
  450/450
> :audit operation:edit<Enter>
  | 1 event |
> @/held a lock<Enter>
  raw:54c5507f

== undo of one event, which cannot be undone twice
later 60000
events
> :audit operation:edit<Enter>u
  undo event 4, by sean
> :audit operation:edit<Enter>u<Esc>
events 0
> :audit operation:edit<Enter>u<Enter><C-g>
  undone ·
events 1
> :audit operation:edit<Enter>u
  it is already undone
> :audit operation:redo<Enter>
   0 events

== a name of the greatest length is suggested and found
join cat 猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫 猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫
write cat 猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫 {"ref":"note:cat","text":"meow"}
flush
> @\actor:猫<Tab><Enter>
   1 event
  meow

== undo of a batch
# Changes of one batch are undone together, and the plan says so.
later 61000
by sean verify raw:54c5507f-0000-4000-8000-000000000001 belief:7d10e6a2-0000-4000-8000-000000000002
> :audit operation:verify<Enter>u
  undo 2 changes made together
> :audit operation:verify<Enter>u<Enter><C-g>
> :audit operation:verify<Enter>
  undone · ~> undone ·

== a purged memory
# A purge cannot be undone, and erased text is shown nowhere.
later 60000
size 120x36
> :audit memory:note:99c6 only:changes<Enter>G
  A secret
later 1000
by sean purge note:99c64f62-0000-4000-8000-000000000003
> :audit memory:note:99c6 only:changes<Enter>G
! secret
> :audit memory:note:99c6<Enter>
! secret
> :history note:99c6<Enter>G<Enter>
! secret
> :audit operation:purge<Enter>u<Enter><C-g>
! undone ·
> :audit operation:purge<Enter>
  | 1 event |

== copies
later 60000
> @yj
  copied the event (
> @yJ
  copied 14 lines of JSON (
> :audit only:reads<Enter>yj
  copied the event (
> @jjjjyi
  copied the ref (

== the filter takes agent:NAME, in lists, too
> @\agent:claire<Enter>
  nothing
> @\agent:ash<Enter>
  5 events ~> Never skip

== an edit that only adds words shows the old words, too
by sean edit raw:54c5507f-0000-4000-8000-000000000001 text=The migration held a lock while old workers still wrote to it
> @
  - The migration held a lock while old workers still wrote
  + The migration held a lock while old workers still wrote to it

== a line about an entry shows its value, masked if the mask is on
{"ref":"entry:one","agent_id":"ash","text":"contact","detail":{"namespace":"team","key":"contact","value":{"mail":"jane.doe@example.com","n":1}}}
{"ref":"entry:old","agent_id":"ash","text":"gone","detail":{"namespace":"team","key":"gone","value":"secret value","expires_at":1700000000001}}
later 1000
> @
  contact = {"mail":"jane.doe@example.com","n":1}
! secret value
> @:mask<Enter>
  contact = {"mail":"
! jane.doe
