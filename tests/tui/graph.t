# The drawing of lineage: opening, moving, expanding and collapsing. Nothing moves by itself.
size 100x30
env TERM=xterm-256color

== opens
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
> :belief:focus-01<Enter>f
  belief:focus-01 based on
  n – Stage first
! No outage
> :belief:focus-01<Enter>r
  belief:focus-01 used by
  g ● No outage
> :belief:focus-01<Enter>b
  No outage
  Skipped staging
  |based on 17 · used by 1 · |
  ⋯ +
> :belief:focus-01<Enter>bq
  belief:focus-01
> :carries note:no-0001<Enter>
  No outage
> :belief:focus-01<Enter>f<Enter>q
  belief:focus-01 based on

== a memory without sources
# A memory without sources suggests the other direction.
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
> :raw:r05-0000<Enter>f
  it is based on nothing; r shows what is based on it
> :goal:goal-001<Enter>r
  nothing is based on it; f shows what it is based on

== an outline replaces a drawing that does not fit
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
size 79x30
> :belief:focus-01<Enter>f
  ├─ ● episode:ep-0001
size 80x30
> :belief:focus-01<Enter>f
! ├─ ● episode:ep-0001
size 100x30
> :belief:focus-01<Enter>f/note:<Enter>
+ <size:79x30>
  ─ – note:no-0001
+ <size:100x30>
same drawing 1
  n>
env TERM=dumb
> :belief:focus-01<Enter>f
  ├─ ● episode:ep-0001
env TERM=xterm-256color
set graph_style: outline
> :belief:focus-01<Enter>f
  ├─ ● episode:ep-0001

== exchange
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
> :belief:focus-01<Enter>b,
  , drawing
  belief:focus-01 based on  Never skip staging
> :belief:focus-01<Enter>b,G
  belief:focus-01 used by  Never skip staging
> :belief:focus-01<Enter>b/goal:<Enter>,
  |> |
> :belief:focus-01<Enter>b/goal:<Enter>,,
  g>
! , drawing
> :belief:focus-01<Enter>b,q
  belief:focus-01
> :belief:focus-01<Enter>b:draw-as<Enter>oqf
  , drawing
> :belief:focus-01<Enter>b:draw-as<Enter>lqf
  left supports right
> :belief:focus-01<Enter>b:draw-as<Enter>tqf
  above supports below
> :belief:focus-01<Enter>b:draw-as<Enter>Tqf
  ┌───
> :belief:focus-01<Enter>b:draw-as lr-box<Enter>
  left supports right
> :belief:focus-01<Enter>b:draw-as sideways<Enter>
  there is no "sideways": auto
size 50x30
> :belief:focus-01<Enter>f,
  b>● Never

== walks
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
set graph_style: lr
> :belief:focus-01<Enter>b
  b>● Never
+ h
! b>● Never
+ l
same drawing 1
+ l
  g>● No outage
+ h
  b>
same drawing 1
> :belief:focus-01<Enter>bll
  nothing further is based on it
> :belief:focus-01<Enter>bG
  r>
> :belief:focus-01<Enter>bGg
  b>● Never

== edges
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
> :belief:focus-01<Enter>b<Tab>
  |edge 1 of |
> :belief:focus-01<Enter>b<S-Tab>
  : used by goal:goal-001 · all of them are needed
> :belief:focus-01<Enter>b/Stage<Enter><Tab>
  |edge 1 of 2: used by |
set graph_style: lr
> :belief:focus-01<Enter>f<Tab>
+ h
  >
! b>● Never
> :raw:r05-0000<Enter>f<Tab>
  it has no edge here

== expanding
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
size 100x24
> :belief:focus-01<Enter>f/+1<Enter>
+ <Enter>
same no
same place
+ -
same drawing 1
set graph_style: lr
> :belief:focus-01<Enter>f/raw entries<Enter>h
  r>● Captured 05
set graph_style: auto
> :belief:focus-01<Enter>f++
  everything that it is based on and used by is in view
> :belief:focus-01<Enter>f-
  this memory is the root
> :belief:focus-01<Enter>f/Stage<Enter>-
  it has no neighbours here
> :belief:focus-01<Enter>f/episode<Enter>+
  >
> :belief:focus-01<Enter>f/Stage<Enter>+
  No outage
> :belief:focus-01<Enter>f/Stage<Enter>+-
! No outage
> :belief:focus-01<Enter>f/Stage<Enter>:expand-used-by<Enter>
  No outage
> :belief:focus-01<Enter>f/Stage<Enter>:expand-sources<Enter>
  everything that it is based on is in view

== what fits is not folded
# All fifteen have a line, as there is room; with less room some are folded.
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
for 0 3 {"ref":"raw:twin-{i}","text":"Twin {i}"}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
size 100x40
> :belief:focus-01<Enter>f
  Captured 00
  Captured 14
! ⋯
+ q
size 100x24
> :belief:focus-01<Enter>f
  ⋯ +

== the most useful come first
for 0 29 {"ref":"raw:u{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"note:old-0001","text":"Old doubt","created_at":1,"derived_from":["raw:absent-1"]}
{"ref":"note:old-0002","text":"Contested","created_at":2}
{"ref":"note:old-0003","text":"Opposed","created_at":3,"relations":[{"type":"contradicts","to":"note:old-0002"}]}
for 0 29 {"ref":"note:nw{02i}-000","text":"Newer {02i}","created_at":{i+2000},"derived_from":["raw:u{02i}-0000"]}
{"ref":"belief:useful-1","text":"Both","derived_from":["note:old-0001","note:old-0002","note:nw00-000","note:nw01-000","note:nw02-000","note:nw03-000","note:nw04-000","note:nw05-000","note:nw06-000","note:nw07-000","note:nw08-000","note:nw09-000","note:nw10-000","note:nw11-000","note:nw12-000","note:nw13-000","note:nw14-000","note:nw15-000"]}
size 100x24
> :belief:useful-1<Enter>f
  Old doubt
  Contested
  ⋯ +

== collapsing hides what is beyond
for 0 3 {"ref":"belief:deep-{i}","text":"Deep {i}","derived_from":["belief:deep-{i+1}","raw:deep-{i}"]}
> :belief:deep-0<Enter>f
  Deep 2
> :belief:deep-0<Enter>f/Deep 1<Enter>-
! ○ Deep 2
> :belief:deep-0<Enter>f/Deep 1<Enter>-+
  Deep 2

== ungrouping
for 0 11 {"ref":"raw:twin-{i}","text":"Twin {i}"}
{"ref":"belief:other-01","text":"O","derived_from":["raw:twin-0","raw:twin-1","raw:twin-2","raw:twin-3","raw:twin-4","raw:twin-5","raw:twin-6","raw:twin-7","raw:twin-8","raw:twin-9","raw:twin-10","raw:twin-11"]}
{"ref":"belief:twins-1","text":"T","derived_from":["belief:other-01","raw:twin-0","raw:twin-1","raw:twin-2","raw:twin-3","raw:twin-4","raw:twin-5","raw:twin-6","raw:twin-7","raw:twin-8","raw:twin-9","raw:twin-10","raw:twin-11"]}
size 100x28
> :belief:twins-1<Enter>f
  Twin 3
! ● 12 raw entries
size 100x7
> :belief:twins-1<Enter>f
  ● 12 raw entries
> :belief:twins-1<Enter>f/12 raw<Enter><size:100x28>
  12 raw entries with the same neighbours
> :belief:twins-1<Enter>f/12 raw<Enter><size:100x28><Enter>
  Twin 0
! ● 12 raw entries
> :belief:twins-1<Enter>f/12 raw<Enter><size:100x28><Enter>-
  ●>12 raw entries
> :belief:twins-1<Enter>f/12 raw<Enter><size:100x28>#
  Twin 3
  |12 raw entries  |

== chain
{"ref":"belief:ver-00000","text":"Version 0","created_at":1}
for 1 8 {"ref":"belief:ver-{05i}","text":"Version {i}","created_at":{i+1},"supersedes":"belief:ver-{05i-1}","derived_from":["belief:ver-{05i-1}"]}
size 100x18
> :belief:ver-00008<Enter>f
  |⋮ |
! Version 4
> :belief:ver-00008<Enter>f/7 beliefs<Enter>
  in a row, each with one neighbour
> :belief:ver-00008<Enter>f/7 beliefs<Enter><Enter>
  b>● Version 7
> :belief:ver-00008<Enter>f/7 beliefs<Enter><Enter>-
  ⋮>

== list
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
size 100x24
> :belief:focus-01<Enter>f/⋯<Enter>#
  belief:focus-01 based on raw
  | 15\n|
> :belief:focus-01<Enter>f/⋯<Enter>#\Captured 11<Enter>
  1 of 15
> :belief:focus-01<Enter>f/⋯<Enter>#o
  a group shows recorded links first
> :belief:focus-01<Enter>f#
  this is a single memory

== highlights
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
> :belief:focus-01<Enter>b/Stage<Enter>W
  without note:no-0001, 1 would lose all support and 1 be weakened
  n>×
  g ○ No outage
  b ◐ Never skip
  without note:no-0001: ○ 1 loses all support
> :belief:focus-01<Enter>b/Stage<Enter>Wg
  b>◐ Never skip
> :belief:focus-01<Enter>b/Stage<Enter>W<Esc><Esc>
! 1 loses all support
> :belief:focus-01<Enter>b/Stage<Enter>WW
! 1 loses all support
> :belief:focus-01<Enter>b/Stage<Enter>w
  would lose all support
{"ref":"belief:alone-01","text":"Alone","derived_from":["note:no-0001"]}
> :belief:focus-01<Enter>b/Stage<Enter>W
  2 lose all support, 1 in view
> :note:no-0001<Enter>fW
  2 lose all support, none in view

== highlighted derivations and keystones
for 0 1 {"ref":"raw:root-{i}","text":"Root {i}"}
{"ref":"note:mid-0001","text":"Mid 1","derived_from":["raw:root-0"]}
{"ref":"note:mid-0002","text":"Mid 2","derived_from":["raw:root-0"]}
{"ref":"note:mid-0003","text":"Mid 3","derived_from":["raw:root-1"]}
{"ref":"belief:deriv-1","text":"Derived","derived_from":["note:mid-0001","note:mid-0002","note:mid-0003"]}
{"ref":"goal:above-01","text":"Above","derived_from":["belief:deriv-1"]}
> :belief:deriv-1<Enter>bWW
  belief:deriv-1 has 2 independent derivations from 2 roots
  ●1Root 0
  ●2Root 1
  : 2 independent derivations, 2 roots
> :belief:deriv-1<Enter>bWWW
  ●2Root 0
  ●1Root 1
  ●1Derived
  3 keystones in view
> :belief:deriv-1<Enter>bWWWW
  nothing is highlighted any more
! keystones in view
> :belief:deriv-1<Enter>bWWW<Esc>
! keystones in view

== the focus is in the middle
# There is more on one side than on the other.
for 0 3 {"ref":"belief:way-000{i}","text":"Way {i}","derived_from":["belief:way-000{i+1}"]}
{"ref":"belief:way-0004","text":"Way 4"}
size 100x30
set graph_style: lr
> :belief:way-0001<Enter>b
  |          b – Way 4|
! |           b – Way 4|

== dots
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
> :belief:focus-01<Enter>b
+ Z
! Skipped staging─
! Skipped staging│
! Skipped staging┤
  | b ● Never skip staging|
+ Z
same drawing 1
> :belief:focus-01<Enter>bZhk
  |r ● |
> :belief:focus-01<Enter>b/+1<Enter>
+ <Enter>Z
  -- cursor
+ -
  -- cursor
same no
same place
+ Z
  raw

== search
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
> :belief:focus-01<Enter>b/staging<Enter>
  2 matches here for "staging"; n and N go to the others, S searches all
> :belief:focus-01<Enter>b/staging<Enter>n
  match 1 of 2
> :belief:focus-01<Enter>b/staging<Enter>nn
  match 2 of 2
> :belief:focus-01<Enter>b/ep-0001<Enter>
  e>● Skipped
> :belief:focus-01<Enter>b/nowhere<Enter>
  no match here

== legend
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
{"ref":"belief:circle-0","text":"C0","derived_from":["belief:circle-1"]}
{"ref":"belief:circle-1","text":"C1","derived_from":["belief:circle-2"]}
{"ref":"belief:circle-2","text":"C2","derived_from":["belief:circle-0"]}
> :belief:focus-01<Enter>b
  needs all of them
> :belief:focus-01<Enter>b_
  │ kinds
> :belief:focus-01<Enter>b__
! needs all of them
> :belief:focus-01<Enter>b___
  needs all of them
> :belief:focus-01<Enter>b_<Esc>
! │ kinds
> :belief:circle-0<Enter>f
  circle: belief:circle-0 → belief:circle-1 → belief:circle-2 → itself
  1 circle
{"ref":"belief:beside-1","text":"B","derived_from":["belief:circle-1"]}
> :belief:beside-1<Enter>f
  circle: belief:circle-1 → belief:circle-2
> :belief:focus-01<Enter>b?/# lists all
  a drawn lineage

== a missing memory
{"ref":"belief:haunted1","text":"H","derived_from":["raw:absent-99"]}
> :belief:haunted<Enter>f
  r ?absent-9
> :belief:haunted<Enter>f/absent<Enter>
  r>?absent-9

== changes of others
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
> :belief:focus-01<Enter>b
{"ref":"value:other-10000001","text":"Other"}
+ <C-l>
  in view
> :belief:focus-01<Enter>b
{"ref":"value:other-10000002","text":"Other"}
+ <C-g>
! press R
> :belief:focus-01<Enter>b
  -- cursor
{"ref":"value:newer-10000003","text":"Newer","derived_from":["belief:focus-01"]}
+ <C-g>
  1 new, press R
same drawing
+ R
  Newer
! press R
  -- cursor
same place 1
> :belief:focus-01<Enter>b<Enter>
{"ref":"value:other-10000004","text":"Other"}
+ q
! press R
> :belief:focus-01<Enter>r<Enter>
{"ref":"value:newer-10000005","text":"Newer","derived_from":["belief:focus-01"]}
+ q
  press R
> :belief:focus-01<Enter>b,
{"ref":"value:newer-10000006","text":"Newer","derived_from":["belief:focus-01"]}
+ <C-l>,
  1 new, press R

== own changes
# Own changes appear at once, in place.
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
> :belief:focus-01<Enter>b/Stage<Enter><Esc>
  g ● No outage
  -- cursor
+ d<Enter>
! press R
  g ○ No outage
  -- cursor
same place
+ <C-l>
  n>×

== as of
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
{"ref":"value:later-01","text":"Later","derived_from":["belief:focus-01"]}
> :belief:focus-01<Enter>b
  Later
> :belief:focus-01<Enter>b:asof @19<Enter>
! Later
  No outage
> :belief:focus-01<Enter>b:asof @19<Enter>:asof now<Enter>
  Later

== operations
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
> :belief:focus-01<Enter>b<Space>
  1 selected
  b>●*Never
> :belief:focus-01<Enter>b<Space>hk<Space>
  2 selected
> :belief:focus-01<Enter>bC
  act on belief:focus-01
> :belief:focus-01<Enter>be
  Never skip staging
> :belief:focus-01<Enter>bI
  belief:focus-01 › history
> :belief:focus-01<Enter>by
  graphviz
> :belief:focus-01<Enter>byd
  copied the drawing (
> :belief:focus-01<Enter>byi
  copied the ref (
> :belief:focus-01<Enter>b"ahhh'a
  b>
> :belief:focus-01<Enter>bq[
  in view
> :belief:focus-01<Enter>bv
  select-range works in lists and pages of memories

== the mouse
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
> :belief:focus-01<Enter>b
  Stage first
> :belief:focus-01<Enter>b<click:24,17>
  n>
> :belief:focus-01<Enter>b<click:24,17><click:24,17>
  ref          note:no-0001
> :belief:focus-01<Enter>b<click:1,3><wheeldown:5,5><wheelup:5,5>

== an outline says that a side is empty
{"ref":"raw:empty-00","text":"A source","created_at":1000}
{"ref":"belief:empty-0","text":"Nothing uses it","created_at":2000,"derived_from":["raw:empty-00"]}
> :belief:empty-0<Enter>b,
  belief:empty-0 based on  Nothing uses it
  raw:empty-00  A source
  belief:empty-0 used by  nothing
> :raw:empty-00<Enter>f,
  raw:empty-00 based on  nothing
> :belief:empty-0<Enter>r,
  belief:empty-0 used by  nothing

== sizes
# Any size at any time.
for 0 14 {"ref":"raw:r{02i}-0000","text":"Captured {02i}","created_at":{i+1000}}
{"ref":"episode:ep-0001","text":"Skipped staging","created_at":2000,"derived_from":["raw:r03-0000"]}
{"ref":"note:no-0001","text":"Stage first","created_at":2001}
{"ref":"belief:focus-01","text":"Never skip staging","created_at":3000,"derived_from":["episode:ep-0001","note:no-0001","raw:r00-0000","raw:r01-0000","raw:r02-0000","raw:r03-0000","raw:r04-0000","raw:r05-0000","raw:r06-0000","raw:r07-0000","raw:r08-0000","raw:r09-0000","raw:r10-0000","raw:r11-0000","raw:r12-0000","raw:r13-0000","raw:r14-0000"]}
{"ref":"goal:goal-001","text":"No outage","created_at":4000,"derivation":"all","derived_from":["belief:focus-01","note:no-0001"]}
{"ref":"belief:circle-0","text":"C0","derived_from":["belief:circle-1"]}
{"ref":"belief:circle-1","text":"C1","derived_from":["belief:circle-2"]}
{"ref":"belief:circle-2","text":"C2","derived_from":["belief:circle-0"]}
> :belief:focus-01<Enter>b<size:1x1>jl<size:200x50>l<size:60x4>hjkl+<size:61x5>Z<size:7x90><size:80x24>W<size:300x100>_<size:20x3>,<size:90x20>,
> :belief:circle-0<Enter>b<size:60x1><size:60x2>l<size:60x3><Tab><size:59x3><size:60x3>
