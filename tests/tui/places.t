# Back where one was: what the explorer shows at the next start on the same store.
size 80x24
clock 1700000000000
person
places
{"ref":"episode:one","text":"the first deploy","agent_id":"ash"}
{"ref":"belief:a","text":"queues are full","confidence":0.5}
{"ref":"belief:b","text":"retries are safe","confidence":0.6}
{"ref":"belief:c","text":"retries are dear","confidence":0.7}
{"ref":"belief:d","text":"retries are late","confidence":0.8}

== the view, its filter and row, the order and the selected memories
> 0\kind:belief retries<Enter>:order confidence<Enter>j<Space>
  kind:belief retries
on retries are safe
> <C-g>
  everything › kind:belief retries
  confidence ↓
on retries are safe
  *–  0.70  belief
# It is kept again and again, and what was opened is open.
> <Enter>
> <C-g>
  retries are safe
  belief:b
> qq:unselect-all<Enter>
> <C-g>
! selected

== the neighbour of a row that is gone
> 1jj
on retries are safe
by sean purge belief:b
> <C-g>
on queues are full
> G
by sean purge belief:a
> <C-g>
on retries are dear

== a view of the past is not kept, nor read
> 2
  episodes
> 1:asof @1<Enter>
> <C-g>
  episodes

== a damaged file is ignored and named
places view: episod
> 
  where you were last time is not known
  beliefs
