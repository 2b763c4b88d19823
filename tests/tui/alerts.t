# Watched queries: a memory that begins to match one is an alert.
size 80x24
clock 1700000000000
person
{"ref":"raw:log","text":"the log of the day","agent_id":"ash"}
{"ref":"belief:a","text":"queues are full","agent_id":"ash","derived_from":["raw:log"]}
{"ref":"belief:b","text":"retries are safe","agent_id":"ash","derived_from":["raw:log"]}

== what loses its support by a change of another memory is an alert
> 1:watch label:unsupported kind:belief<Enter>
  watching label:unsupported kind:belief
> 2
by claire retract raw:log
+ <C-g>
  | 2 alerts |
+ :alerts<Enter>
  › alerts
  queues are full
  retries are safe
! 2 alerts
# What matched at the start is no alert.
{"ref":"belief:c","text":"queues are short","agent_id":"ash","derived_from":["raw:log"]}
> 1
! alert
by claire edit belief:b text=Retries are safe
+ :watch<Enter>
  label:unsupported kind:belief
! alert
+ <Enter>
  everything › label:unsupported kind:belief
> 1:unwatch<Enter><Enter>
  no longer watching label:unsupported kind:belief
> 1:watch<Enter>
  nothing is watched
> 1:unwatch tag:x<Enter>
  nothing watches 'tag:x'

== one's own changes are no alert, nor what follows from them; those of others are
> 1:watch label:unsupported kind:belief<Enter>
  watching label:unsupported kind:belief
> 3d
  2 lose all support
+ <Enter>
! alert
+ 1<C-g>
  ○
! alert
# An own change and one of another that are seen at the same time.
> 1:watch status:retracted<Enter>p
+ 3d<Enter>
by claire retract belief:b
+ p<C-g>
  | 1 alert |
+ :alerts<Enter>
  retries are safe
  › alerts

== the status line says what is new
> 1:watch tag:urgent<Enter>2
{"ref":"belief:d","text":"disks are full","tags":["urgent"]}
+ <C-g>
  alert: 1 new in tag:urgent; :alerts lists them

== a query with a mistake is not watched, and a file that cannot be written is named
> 1:watch lable:x<Enter>
  there is no field 'lable'
env XDG_CONFIG_HOME=/dev/null
> :watch tag:x<Enter>
  cannot be written
