# The history of a memory: changes with differences, the state after each, and its versions, however many.
clock 1795000000000
person sean
{"ref":"raw:54c5507f-0000-4000-8000-000000000001","agent_id":"ash","text":"The migration held a lock","created_at":1794990000000}
{"ref":"belief:7d10e6a2-0000-4000-8000-000000000002","agent_id":"ash","confidence":0.7,"text":"Never skip staging before a deploy. It cost 40 minutes of downtime, and the rollback failed because the migration had already run.","created_at":1794990000000,"tags":["deploy"],"derived_from":["raw:54c5507f-0000-4000-8000-000000000001"]}

== frames, the state after a change, and its undo
by sean edit belief:7d10e6a2-0000-4000-8000-000000000002 text=Never skip staging before a deploy. It cost 41 minutes of downtime, and the rollback failed because the migration had already run. | reason=measured
by sean reinforce belief:7d10e6a2-0000-4000-8000-000000000002 reason=outage
by sean reinforce belief:7d10e6a2-0000-4000-8000-000000000002 reason=read the report
by sean undo
view history :history belief:7d10<Enter>
view history-state :history belief:7d10<Enter>jj<Enter>
size 120x24
every :history belief:7d10<Enter> | :belief:7d10<Enter>I
> {}
   5 changes
  event 5 · conf
> :history belief:7d10<Enter>jjj
  + Never skip staging before a deploy. It cost 41
> :history belief:7d10<Enter>G<Enter>
  It cost 40 minutes
  4 fields have changed since
> :history belief:7d10<Enter><Enter>
  it has not changed since
> :history belief:7d10<Enter><Enter><Enter>
  based on
# Changes are possible only in the present.
> :history belief:7d10<Enter><Enter>d
  retract works in lists and pages of memories
> :history belief:7d10<Enter>jjju<Enter><C-g>
  undone ·
> :history belief:7d10<Enter>
  40 minutes
> :history belief:7d10<Enter>jjjju
  it is already undone

== an undone addition has a history as well
size 120x24
by sean supersede belief:7d10e6a2-0000-4000-8000-000000000002 statement=A better one | reason=clearer
> :history belief:7d10<Enter><Tab>
  2 wordings
by sean undo
> :history belief:7d10<Enter>
   3 changes
> :audit operation:undo<Enter>
  the addition

== versions are the same from each member, and only those on the screen are read
size 120x24
{"ref":"belief:v-0000","agent_id":"ash","text":"It takes 0 minutes","created_at":1790000000000,"status":"superseded"}
for 1 4998 {"ref":"belief:v-{04i}","agent_id":"ash","text":"It takes {i} minutes","created_at":1790000000000,"status":"superseded","relations":[{"type":"supersedes","to":"belief:v-{04i-1}"}]}
{"ref":"belief:v-4999","agent_id":"ash","text":"It takes 4999 minutes","created_at":1790000000000,"relations":[{"type":"supersedes","to":"belief:v-4998"}]}
> :history belief:v-2500<Enter>
  wording 2,501 of 5,000
> :history belief:v-2500<Enter><Tab>
  2,500/5,000
  from wording 2500 to 2501
  It takes 2499 minutes
> :history belief:v-0000<Enter><Tab>
  5,000/5,000
> :history belief:v-0000<Enter><Tab>g
  It takes 4999 minutes
> :history belief:v-4999<Enter><Tab>G
  the first wording
> :history belief:v-4999<Enter><Tab>G<Enter>
  It takes 0 minutes
> :history belief:v-4999<Enter><Tab>/takes 77 <Enter>
  4,923/5,000
> :history belief:v-4999<Enter><Tab><size:1x1><size:20x6>jj<size:120x24>
  3/5,000

== many changes of one memory are read page by page
size 120x24
for 0 449 by sean edit raw:54c5507f-0000-4000-8000-000000000001 text=It takes {i} minutes
> :history raw:54c5<Enter>G
  451/451
> :history raw:54c5<Enter>Gk
  The migration held a lock
> :history raw:54c5<Enter>:200<Enter>
  200/4
