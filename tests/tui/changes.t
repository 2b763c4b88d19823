# Changes of others while the explorer runs: they appear, and nothing under the cursor moves.
size 80x24
clock 1700000000000
person
for 0 59 {"ref":"belief:b-{02i}","agent_id":"ash","text":"number {02i}","created_at":10{02i}000000}

== nothing moves
> ocjjjjjjjjjjjjjjjjjjjjjjjj
  60 · created
later 1000
{"ref":"belief:newest","agent_id":"claire","text":"the newest of all","created_at":9000000000}
+ <C-g>
later 1000
{"ref":"belief:oldest","agent_id":"claire","text":"the oldest of all","created_at":1000000}
+ <C-g>
same line 1
same place 1
  62 · created
  1 new ↑
> ocg
  the newest of all
> ocG
  the oldest of all

== the status line reports them
>
later 1000
{"ref":"belief:newest","agent_id":"claire","text":"the newest of all","created_at":9000000000}
+
  the newest of all
  belief:newest
+

== a removed store is reported as long as it is gone, unless a key has another message
size 200x24
>
away
+
  was removed or replaced while it was open
+ j
  was removed or replaced while it was open
+ R
  was removed or replaced while it was open
+ pj
  was removed or replaced while it was open
back
+ jj
! was removed or replaced while it was open
>
away
+ jp
! was removed or replaced while it was open
back
>
away
+ jR
  was removed or replaced while it was open
back

== the cursor follows its memory
> jjjj<C-f>
later 1000
{"ref":"belief:newest","agent_id":"claire","text":"the newest of all","created_at":9000000000}
+ <C-g>
on the newest of all
  following
# A filter without a match does not end following.
every \nowhere at all<Enter> | \nowhere at all<Enter><Esc> | \nowhere at all<Enter>\<C-u>e<Enter>
> <C-f>{}
  following

== pause
> p
later 1000
{"ref":"belief:newest","agent_id":"claire","text":"the newest of all","created_at":9000000000}
+ <C-g>
  60 · recorded
  paused, 1 new
! the newest of all
+ p
  61 · recorded
! paused,

== rows read during a pause are not added again at its end
> p
later 1000
for 0 2 {"ref":"belief:three-{i}","agent_id":"claire","text":"held one","created_at":910{i}000000}
+ <C-g>0
  paused, 0 new
  63 · recorded
times 3 |  held one|
+ p
  63 · recorded
times 3 |  held one|
! | new |

== nor are those read with them
> p
later 1000
for 0 2 {"ref":"belief:three-{i}","agent_id":"claire","text":"held one","created_at":910{i}000000}
+ <C-g>R
  paused, 0 new
  63 · recorded
times 0 |  held one|
+ p
  63 · recorded
times 0 |  held one|
! | new |

== changes that came during a view of the past appear with the present
> 0:asof @50<Enter>
later 1000
for 0 2 {"ref":"belief:three-{i}","agent_id":"claire","text":"held one","created_at":910{i}000000}
+ <C-g>:asof now<Enter>
  63 · recorded
+ g
  63 · recorded
times 3 |  held one|

== the count of held-back changes excludes what the view already has
> p
later 1000
for 0 2 {"ref":"belief:three-{i}","agent_id":"claire","text":"held one","created_at":910{i}000000}
+ <C-g>0
later 1000
{"ref":"belief:newest","agent_id":"claire","text":"the newest of all","created_at":9000000000}
+ <C-g>
  63 · recorded
  paused, 1 new
+ 1
  60 · recorded
  paused, 4 new
+ p
  64 · recorded
+ 0g
  64 · recorded
times 3 |  held one|
times 1 |  the newest of all|

== "written since" does not count what the view has already read
size 120x24
> p
later 1000
for 0 2 {"ref":"belief:three-{i}","agent_id":"claire","text":"held one","created_at":910{i}000000}
+ <C-g>w
  paused, 0 new
+ p
! changed since
later 1000
{"ref":"belief:newest","agent_id":"claire","text":"the newest of all","created_at":9000000000}
+ <C-g>
! changed since
# A memory that is based on it changes what is shown, and so does a change of it.
later 1000
{"ref":"belief:on-it","agent_id":"claire","text":"based on it","created_at":9000000000,"derived_from":["belief:b-59"]}
+ <C-g>
  changed since
+ R
! changed since
later 1000
by claire edit belief:b-59 text=another
+ <C-g>
  changed since

== filtered
> \"number 0"<Enter>jj
  10 of 60
later 1000
{"ref":"belief:match","agent_id":"claire","text":"number 0 once more","created_at":8000000000}
{"ref":"belief:newest","agent_id":"claire","text":"the newest of all","created_at":9000000000}
+ <C-g>
  11 of 62
! |the newest of all\n|
  number 0 once more ~> number 09

== many changes at once
> jjjjjj
later 1000
for 0 299 {"ref":"belief:many-{03i}","agent_id":"claire","text":"one of many","created_at":7{03i}000000}
+ <C-g>
same line
  360 · recorded

== changed under the cursor
> jj
later 1000
{"ref":"belief:b-57","agent_id":"ash","text":"number 57, again","created_at":1057000000}
+
on number 57, again
on –!
  |changed under the cursor: |
  | edited belief:b-57|
+ j
! –!
  –~
# The page of the memory says so, too.
> jj<Enter>
later 1000
{"ref":"belief:b-57","agent_id":"ash","text":"number 57, once more","created_at":1057000000}
+
  |changed under the cursor: |
+

# It stays under the cursor, marked as forgotten, until the cursor leaves.
== forgotten under the cursor
> jj
later 1000
{"ref":"belief:b-57","agent_id":"ash","text":"number 57","status":"forgotten","created_at":1057000000}
+
same place
on ×!
on forgotten
  60 · recorded
+ <C-g>
  forgotten
+ j<C-g>
on number 56
! forgotten
  59 · recorded
# Any other memory leaves at once, and the cursor stays on its own.
>
on number 59
later 1000
{"ref":"belief:b-58","agent_id":"ash","text":"number 58","status":"forgotten","created_at":1058000000}
+ <C-g>
on number 59
! number 58

# Here and in other views: the change affects another row.
== a row that counts other memories changes with them
{"ref":"entry:count-0","text":"k0","detail":{"namespace":"team.one","key":"k0","value":1}}
{"ref":"entry:count-1","text":"k1","detail":{"namespace":"team.two","key":"k1","value":1}}
{"ref":"attribution:count-0","text":"what was found","detail":{"source_type":"query","source_uri":"https://query.example","retrieval_timestamp":1700000000000}}
{"ref":"attribution:count-1","text":"what was found","detail":{"source_type":"scrape","source_uri":"https://scrape.example","retrieval_timestamp":1700000001000}}
later 1000
step - runbook how many?
step - postmortem how often?
{"ref":"chain:c","text":"how long?","source_entity":"ash"}
> 6/how long<Enter>
step chain:c - why?
+
on !
  |changed under the cursor: |
+ jk
! |!  |
! >!
> 6/how long<Enter>
step - postmortem another?
+
off !
! |changed under the cursor: |
> 7/runbook<Enter>
step - runbook another?
+
on !
  |changed under the cursor: |
+ jk
! |!  |
! >!
> 7/runbook<Enter>
step - postmortem another?
+
off !
! |changed under the cursor: |
> 5og/scrape<Enter>
later 1000
{"ref":"attribution:count-2","text":"what was found","detail":{"source_type":"scrape","source_uri":"https://scrape.example","retrieval_timestamp":1700000001000}}
+
on !
  |changed under the cursor: |
+ jk
! |!  |
! >!
> 5og/scrape<Enter>
later 1000
{"ref":"attribution:count-3","text":"what was found","detail":{"source_type":"query","source_uri":"https://query.example","retrieval_timestamp":1700000001000}}
+
off !
! |changed under the cursor: |
> 5ogo/scrape<Enter>
later 1000
{"ref":"attribution:count-4","text":"what was found","detail":{"source_type":"scrape","source_uri":"https://scrape.example","retrieval_timestamp":1700000001000}}
+
on !
  |changed under the cursor: |
+ jk
! |!  |
! >!
> 5ogo/scrape<Enter>
later 1000
{"ref":"attribution:count-5","text":"what was found","detail":{"source_type":"query","source_uri":"https://query.example","retrieval_timestamp":1700000001000}}
+
off !
! |changed under the cursor: |
> :namespaces<Enter>/team.one<Enter>
later 1000
{"ref":"entry:count-2","text":"k2","detail":{"namespace":"team.one","key":"k2","value":1}}
+
on !
  |changed under the cursor: |
+ jk
! |!  |
! >!
> :namespaces<Enter>/team.one<Enter>
later 1000
{"ref":"entry:count-3","text":"k3","detail":{"namespace":"team.two","key":"k3","value":1}}
+
off !
! |changed under the cursor: |

== search matches move with their lines
> /number 0<Enter>
later 1000
{"ref":"belief:newest","agent_id":"claire","text":"the newest of all","created_at":9000000000}
+ <C-g>
later 1000
{"ref":"belief:match","agent_id":"claire","text":"number 0 once more","created_at":8000000000}
+ <C-g>
later 1000
{"ref":"belief:oldest","agent_id":"claire","text":"the oldest of all","created_at":1000000}
+ <C-g>n
  match 3 of 11
> /number 0<Enter>
later 1000
for 0 299 {"ref":"belief:many-{03i}","agent_id":"claire","text":"one of many","created_at":7{03i}000000}
+ <C-g>n
# On the match before it.
  match 2 of 11

== a view keeps its filter, order and position
> \number 1<Enter>jjj
+ 0jj<Enter>1
same all
> G
+ <Enter>fq<Esc>
same all
> jjjj<Enter>
+ 3[
same all

== no session
every :sessions<Enter>K | 9\no such<Enter>K
> {}
  there is no session here

== a list can be filtered by agent
{"ref":"belief:hers","agent_id":"claire","text":"hers alone","created_at":9000000000}
{"ref":"belief:hers-2","agent_id":"claire","text":"another","created_at":9000000000}
> \agent:claire
  2 of 62 ~> hers alone
> \agent:claire alone
  1 of 62 ~> hers alone
! another

== the past tells how to leave it, and the future is refused
> :asof @60<Enter><Esc>
  this is the first view; :asof now returns to the present
> :asof tomorrow<Enter>
  'tomorrow' is not yet

== a diff has room for names
size 120x36
{"ref":"attribution:04827047-eed8-42c6-a591-cb3770f28942","text":"a page","created_at":9000000000}
{"ref":"belief:b-00","agent_id":"ash","text":"number 00","created_at":1000000000,"detail":{"some_time":5}}
> :diff @60 now<Enter>
  attribution:04827047
  some time
! detail.
  + new  ~ changed
  oldest first
! weakened
> :asof @60<Enter>:diff @60 now<Enter>
  not yet written then
! missing
> @
  newest first
  + new  ~ changed  ⊘ failed  P person  × ended
size 80x24
> :diff @60 now<Enter>
  actor ~> action ~> memory
  tester ~> edited ~> belief:b-00
# A wide terminal gives the room to the text, not to an empty pane beside it.
size 200x50
> :diff @60 now<Enter>
  text
! │

== a countdown in the past counts from that time
{"ref":"entry:e","agent_id":"ash","text":"k","detail":{"namespace":"team","key":"k","value":1,"expires_at":1700007200000}}
later 3600000
> :namespaces team<Enter>
  1       1h    1h  k
> :namespaces team<Enter>:asof @61<Enter>
  1       2h   now  k

== the title of a diff has both times at 80 columns
size 80x24
clock 1795000000000
for 1 120 {"ref":"note:n-{i}","text":"number {i}","created_at":1794000000000}
> :diff @2 now<Enter>
  diff 2023-11-14 @2 → 2026-11-18 @180
  178 memories
