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
  retrieved    2023-07-22 04:26:40, if its number is seconds; the format has milliseconds
! 1970
+ <Enter>
! 1970

== counts have thousands
for 1 1200 {"ref":"note:n-{04i}","text":"seen on day {i}","created_at":1000000000,"derived_from":["episode:one"]}
> 2
  used by      1,201 memories
+ <Enter>
  1,201 memories
