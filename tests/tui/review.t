# The inbox.
size 120x24
join s1 claude-code ash
write s1 ash {"ref":"raw:54c5507f-1","text":"The migration held a lock","confidence":1}
write s1 ash {"ref":"belief:7d10e6a2-2","text":"Never skip staging before a deploy","confidence":0.7,"derived_from":["raw:54c5507f-1"]}
write s1 ash {"ref":"note:41f09d2e-6","text":"The lock was taken by a worker","confidence":0.9,"derived_from":["raw:54c5507f-1"]}
join s2 codex claire
write s2 claire {"ref":"belief:66d0cfde-7","text":"Retries are safe on the new queue","confidence":0.4}
{"ref":"note:99c64f62-3","agent_id":"claire","text":"Canary first","created_at":1794990000000,"marks":[{"mark":"for_review","at":1794999000000,"actor":"ash","value":"contradicted"},{"mark":"rating","at":1794999000000,"value":"2"}]}
{"ref":"goal:aaaa1111-4","agent_id":"ash","text":"Ship","created_at":1794990000000,"marks":[{"mark":"for_review","at":1794991000000,"actor":"ash"},{"mark":"for_review","at":1794997000000,"actor":"claire","reason":"twice"}]}
{"ref":"note:gone-5","agent_id":"ash","text":"gone","status":"forgotten","created_at":1794990000000,"marks":[{"mark":"for_review","at":1794999900000}]}

== frames
view review 8
view review-decided 8aj;xseen<Enter><C-g>

== it begins with the inbox where something waits, and every header counts it
inbox
>
  › inbox  ~> 0 of 6 ~> 6 wait
on Retries are safe
+ q
  › beliefs 
  6 wait
+ <Enter>
  6 wait

== a key that is typed before the riskiest are on top leads on, but decides and selects nothing
events
> 8<ahead>a
  0 of 6 ~> `approve` was typed before the lines were shown
events 0
> 8<ahead>:<ahead>a<ahead>p<ahead>p<ahead>r<ahead>o<ahead>v<ahead>e<ahead><Enter>
  `approve` was typed before the lines were shown
events 0
> 8<ahead><Space>
  `select` was typed
! 1 selected
> 8<ahead>;<ahead>a
  0 of 6 ~> `approve` was typed before the lines were shown
events 0
> 8<ahead>1
  › beliefs 
> 8<ahead>j
on Never skip
> 8<ahead>?
  › help
> 8<ahead>Q
+
ended

== one key decides, and goes on to the next
> 8a<C-g>
  1 of 6 ~> 5 wait
! Retries are safe
on Never skip staging
+ aa<C-g>
  3 of 6 ~> 3 wait
+ u<C-g>
  2 of 6 ~> 4 wait
on The lock was taken
+ j
on The migration held a lock
+ x<C-g>
  3 of 6 ~> 3 wait

== fifty memories take fifty keys
join s3 codex robin
for 1 44 write s3 robin {"ref":"note:{03i}-0","text":"Robin found {i} tickets in queue {i%7} of {i+9}","confidence":0.5}
# 52 keys: a key for each, one to open the inbox, one to skip.
> 8aaaaaaaaaajaaaaaaaadaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
  50 of 50
  nothing waits for you

== a retraction asks only if others change with it
> 8d<C-g>
  1 of 6
row belief:66d0cfde-7
  "status":"retracted"
> 8/migration<Enter>d
  would lose all support
+ <Enter><C-g>
  1 of 5 ~> 4 wait
row raw:54c5507f-1
  "status":"retracted"
+ u
  0 of 5
on The migration held a lock

== an edit that is not saved, and an operation on another memory, decide nothing
> 8e<Esc>
  0 of 6
> 0/gone<Enter>:lock note:gone-5<Enter>8
  0 of 6

== what is not done comes back
> 8/migration<Enter>dq
  0 of 6 ~> 6 wait
on The migration held a lock

== one key selects what says the same, then its session, then all
write s2 claire {"ref":"belief:8a2770de-8","text":"Never skip staging before a deploy!","confidence":0.9}
> 8/skip<Enter>^
on >*
times 2  *
+ ^
times 4  *
+ ^
times 7  *
+ <Esc><Esc>
  › inbox ~> nothing is selected
> 8/held<Enter>^
  nothing says the same. 4 selected: all of this session
> 8/skip<Enter>^^^a
  would be approved ~> 7
+ <Enter><C-g>
  7 of 7
  nothing waits for you
+ u<C-g>
  0 of 7 ~> 7 wait

== a merge keeps one, with the sources of both
write s2 claire {"ref":"belief:8a2770de-8","text":"Never skip staging before a deploy!","confidence":0.9}
> 8/deploy!<Enter>m
  which one stays?
+ 2
  would be merged
  + replaces belief:8a2770de-8
+ <Enter><C-g>
  2 of 7 ~> 5 wait
row belief:8a2770de-8
  "status":"superseded"
> 8m<C-u>belief:7d10e6a2-2<Enter><Enter><C-g>
  1 of 5
row belief:66d0cfde-7
  "status":"superseded"

== a reason is asked for only after ;
> 8;aread it<Enter><C-g>
  1 of 6
event
  read it
> 8;da<Esc>
  0 of 5

== an edit and a flag decide as well
> 8e<C-u>Retries are not safe<Enter><C-g>
  1 of 6
> 8;xfine<Enter><C-g>
  1 of 5
> :audit operation:mark<Enter>
  +reviewed

== the risk and its parts
> 8
  risk 0.60 = (1 + 0 lose support) × 1 unsourced × (1 − trust 1.00 × conf 0.40)
> 8/migration<Enter>
  (1 + 2 lose support)

== changes of others
# A new memory of an agent comes at the end of its session, and the cursor stays on its own.
> 8jj
write s1 ash {"ref":"belief:00000000-9","text":"Written meanwhile","confidence":0.1}
+ <C-g>
  0 of 7 ~> 7 wait
  Written meanwhile
on The lock was taken

== a pending memory waits, and is approved or rejected as others
{"ref":"belief:00000001-p","agent_id":"ash","text":"Held back","created_at":1794990000000,"status":"pending"}
{"ref":"belief:00000002-p","agent_id":"ash","text":"Held as well","created_at":1794990000000,"status":"pending"}
> 8/Held back<Enter>
  pending ~> Held back
+ a<C-g>
  1 of 8 ~> 7 wait
row belief:00000001-p
  "status":"active"
> 8/Held as<Enter>d<C-g>
  1 of 7 ~> 6 wait
row belief:00000002-p
  "status":"rejected"

== an agents approval decides nothing
by agent:ash verify belief:66d0cfde-7
by agent:ash mark note:99c64f62-3 mark=reviewed
size 80x24
> 8
  6 wait

== the list is filtered by text, by who asked and why, by its session
> 8\canary<Enter>
  0 of 1
  Canary first
! Never skip staging
> 8\twice<Enter>
  0 of 1
> 8\codex<Enter>
  0 of 1
+ <Esc>
  0 of 6
> 8:agent claire<Enter>
  0 of 2
> :agent claire<Enter>8^^^a
  would be approved ~> 2

== of a past state it is not known what waited
> 8:asof @3<Enter>
  only what waits now is known
  6 wait
+ :asof now<Enter>
  0 of 6

== a reason names memories by their short refs
{"ref":"raw:0a4f62c1-1111-4222-8333-444455556666","agent_id":"ash","text":"heard"}
by ash mark goal:aaaa1111-4 mark=for_review | reason=see raw:0a4f62c1-1111-4222-8333-444455556666 again
> 8
  see raw:0a4f62c1 again
> @
  (see raw:0a4f62c1 again)

== 80 columns have the keys of a review, 60 those that decide
size 60x24
> 8jj
  a approve d retract e edit m merge u undo
size 80x24
> 8jj
  a approve d retract e edit m merge s sources Enter open u undo
# A prefix shows what goes on with it.
+ ;
  a approve d retract e edit
  Esc cancel  ? help
! u undo
+ <Esc>
  u undo

== q goes back from a view that was opened by its number
every {} | 8 | 9 | !
> {}q
  › beliefs 
  q quit

== what says the same stands together, from its sign to its corner; what differs in a word that counts does not
size 120x40
join s3 codex robin
write s3 robin {"ref":"belief:7ea00001-1","text":"Claire prefers strong green tea in the long afternoon meetings","confidence":0.5}
write s3 robin {"ref":"belief:c0ffee01-1","text":"Claire prefers strong green coffee in the long afternoon meetings","confidence":0.5}
write s3 robin {"ref":"belief:7ea00002-2","text":"Claire prefers strong green tea in long afternoon meetings.","confidence":0.5}
write s3 robin {"ref":"belief:7ea00003-3","text":"claire prefers strong green tea in the long afternoon meetings","confidence":0.5}
write s3 robin {"ref":"note:1a000001-1","text":"The queue drains before the workers restart","confidence":0.5}
write s3 robin {"ref":"note:1a000002-2","text":"The queue drains before workers restart","confidence":0.5}
> 8/coffee<Enter>^
  nothing says the same. 6 selected
> 8/tea<Enter>^
  3 selected
frame review-groups
set ascii: yes
> 8
  = claire prefers
  | Claire prefers strong green tea in long
  \ Claire prefers
set ascii: no
set screen_reader: yes
> 8
  alike 1 of 3
  alike 2 of 3
  alike 3 of 3
  alike 1 of 2

== without one that says the same, words find the memory to merge into
size 120x30
write s2 claire {"ref":"belief:aaaa1111-8","text":"Retries need a budget","confidence":0.9}
> 8/Retries are<Enter>m
  merge into:
times 2 belief:aaaa1111
times 2 belief:66d0cfde
+ stag
times 1 belief:aaaa1111
times 2 belief:7d10e6a2
+ xyz
  no match
+ <C-u>budget<Enter>
  would be merged
  replaces
+ <Enter><C-g>
row belief:66d0cfde-7
  "status":"superseded"

== what waits is counted where the way to a view is long
size 80x24
> 0\\confidence:<0.9 kind:note,belief,raw<Enter>
  6 wait
! everything › confidence:<0.9 kind:note,belief,raw  ~> recorded

== the legend of the inbox has the signs of what waits
> 8
  ◌ pending

== a retraction that others depend on shows its plan, and says as in a list what Enter does
> 8/held<Enter>d
  would lose all support
  nothing has changed yet: Enter on the first line does it, q cancels
! waits for the store
