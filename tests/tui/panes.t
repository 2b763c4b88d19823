# The preview, two panes, and times as a person reads them.
size 120x36
clock 1700000000000
person
{"ref":"episode:one","text":"the first deploy stopped the queue","agent_id":"ash","confidence":0.9}
{"ref":"belief:a","text":"queues are full","confidence":0.5,"derived_from":["episode:one"],"tags":["queue","load"]}
{"ref":"belief:b","text":"queues are almost full","confidence":0.6,"tags":["queue"]}

== the preview is hidden, moved and resized by key, and by its name
> 1<C-x>
  next to the list
  hides it; again: shows it
> 1<C-x>h
  the preview is hidden
! ─ belief:b
> 1<C-x>h<C-x>h
  preview: auto
  ─ belief:b
> 1<C-x>r
  preview: right
  │
> 1<C-x>r<C-x>+
  preview: right, 51 %
> 1<C-x>r<C-x>+<C-x>-<C-x>-
  preview: right, 31 %
> 1:preview 60<Enter>
  preview: auto, 60 %
> 1:preview 5<Enter>
  preview: auto, 10 %
> 1:preview left<Enter>
  there is no preview "left": auto, right, below, off
> 1:preview 60<Enter><C-x>=
  preview: auto
> 1<Enter>:preview off<Enter>
  this view has no preview

== its border follows the mouse
> 1<click:30,20><drag:30,10>:preview +<Enter>
  preview: auto, 85 %
# What began elsewhere is no drag, nor is a click without movement.
> 1<click:30,5><drag:30,10><click:30,20><C-x>+
  preview: auto, 53 %
> 1:preview right<Enter><click:71,9><drag:51,9>:preview -<Enter>
  preview: right, 48 %

== place and size are kept for the next start
places
> 1:preview right<Enter>:preview 40<Enter>
> <C-x>+
  preview: right, 50 %

== and config.yaml has them
set preview: off
set preview_size: 30
> 1<C-x>h
  preview: auto, 30 %

== times in UTC, or local where config.yaml says so; what is typed is in the same zone
> 1jT
  times as dates, in UTC
  2023-11-14 22:13:20
set times: local
env TZ=IST-5:30
> 1T
  times as dates, in local time
  2023-11-15 03:43:20
> 1<Enter>
  created      2023-11-15 03:43:20
> :list after:2023-11-15<Enter>
  queues are full
> :list after:2023-11-15T00:00Z<Enter>
! queues are full
> :asof 2023-11-15 03:43:30<Enter>
  '2023-11-15 03:43:30' is not yet
> :asof 2023-11-15 03:43:20<Enter>
  as of 2023-11-15 03:43:20 (event
> :asof 2023-11-14T22:13:20Z<Enter>
  as of 2023-11-15 03:43:20 (event

== a time that was not recorded, or is in seconds, is no day of 1970
{"ref":"attribution:sec","text":"read in seconds","detail":{"source_type":"web","retrieval_timestamp":1690000000}}
{"ref":"attribution:none","text":"read at some time","detail":{"source_type":"web","retrieval_timestamp":0}}
> 5
  retrieved    unknown
! 1970
  unknown
  suspect
+ T
! 1970
+ j
  retrieved    2023-07-22 04:26:40, read as seconds
! 1970
+ <Enter>
! 1970

== counts have thousands
for 1 1200 {"ref":"note:n-{04i}","text":"seen on day {i}","created_at":1000000000,"derived_from":["episode:one"]}
> 2
  used by      1,201 memories
+ <Enter>
  1,201 memories

== two selected memories stand side by side, with a sign where they differ
person
{"ref":"belief:full","text":"queues are full after each deploy, which stops the payments","agent_id":"ash","confidence":0.5,"derived_from":["episode:one"],"tags":["queue","load"]}
{"ref":"belief:almost","text":"queues are almost full after each deploy, which slows the payments down","agent_id":"claire","confidence":0.6,"tags":["queue"],"relations":[{"type":"contradicts","to":"belief:full"}]}
view compare 1<Space><Space><C-e>
> 1<Space><Space><C-e>
  compare belief:full, belief:almost
  which stops the ~> ≠ ~> which slows
  agent        ash ~> ≠ ~> agent        claire
  source       direct ~> │ ~> source       direct
  – episode:one
+ q
  › beliefs
! compare

== a memory and its source, one that is named, a bookmark
> 1G<C-e>
  compare belief:a, episode:one
> 1G:compare belief:b<Enter>
  compare belief:a, belief:b
> 1G"xg:compare 'x<Enter>
  compare belief:b, belief:a
> 1:compare belief:a episode:one<Enter>
  compare belief:a, episode:one
> 1g<C-e>
  it has no source: select two memories
> 1g:compare belief:b<Enter>
  belief:b is one memory
> 1:compare belief:nowhere<Enter>
  'belief:nowhere' is neither a memory, a bookmark ('a) nor a time
> 1<Space>j<Space>2<Space><C-e>
  3 memories are selected; select two
# On a page, it and the row under the cursor.
> 1G<Enter>j<C-e>
  compare belief:a, episode:one

== a memory or a list as of two times, and a version with the one before
later 1000
{"ref":"belief:a","text":"queues are never full","confidence":0.7,"derived_from":["episode:one"],"tags":["queue","load"]}
{"ref":"belief:new","text":"a belief of later","confidence":0.7}
> 1:compare @3<Enter>
  compare 2023-11-14 22:13:20 @3
  2 lines differ
  >  – belief:new
  queues are full ~> queues are never full
  – belief:b      queues are almost full                    │  – belief:b      queues are almost full
> 1G<Enter>:compare @3 @5<Enter>
  queues are full ~> ≠ ~> queues are never full
  confidence   0.500                                        ≠  confidence   0.700
> 1G<Enter>:compare @1 @5<Enter>
  nothing of it was written yet ~> queues are never full
> 1GI<C-e>
  queues are full ~> ≠ ~> queues are never full
> 1:compare @4 @4<Enter>
  nothing was written between these times

== 80 columns show what is equal once
size 80x24
> 1j<Space>k<Space><C-e>
  - belief:a   + belief:b
  -  queues are full ~> +  queues are almost full
times 1 created      2023-11-14 22:13:20
  -  confidence   0.500 ~> +  confidence   0.600
set ascii: yes
size 120x36
> 1j<Space>k<Space><C-e>
  queues are full                                           !  queues are almost full

== a list of thousands is compared as a whole
for 1 2100 {"ref":"note:{04i}-0","text":"number {i}","agent_id":"ash"}
by claire edit note:0007-0 text=changed
by claire retract note:2050-0
set ascii: no
size 120x36
> 4:compare @2103 @2105<Enter><C-g>
  2 lines differ
! in the first
