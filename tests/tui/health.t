# The health view: each problem with its fix, which opens a preview.
clock 1795000000000
person sean
{"ref":"raw:good-1","agent_id":"ash","text":"A source","created_at":1794990000000}
{"ref":"raw:wrong-2","agent_id":"ash","text":"A wrong one","status":"retracted","created_at":1794990000000}
{"ref":"belief:fell-3","agent_id":"ash","text":"It fell","created_at":1794990000000,"derived_from":["raw:wrong-2"]}
{"ref":"belief:fell-4","agent_id":"ash","text":"It fell too","created_at":1794990000000,"derived_from":["raw:wrong-2"]}
{"ref":"belief:bare-5","agent_id":"ash","text":"From nowhere","created_at":1794990000000}
{"ref":"note:seconds-6","agent_id":"ash","text":"In seconds","created_at":1794990000,"derived_from":["raw:good-1"]}
{"ref":"belief:lost-7","agent_id":"claire","text":"Its source is not here","created_at":1794990000000,"derived_from":["raw:nowhere-8","raw:good-1"]}

== frames
view fix !j
view fix-menu !jX
view fix-preview !jX3

== a fix is shown and confirmed first, then the list refreshes itself
size 120x24
events
> !j
  fixes: 
> !jX2
  what confirms it?
> !jX2<Esc>
  cancelled
> !jX2raw:good-1<Enter>
  nothing has changed yet: Enter on the first line does it, q cancels
events 0
> !
  unsupported 2
> !jX2raw:good-1<Enter><Enter><C-g>
  unsupported 1
on It fell too
> u<C-g>!
  unsupported 2

== one change fixes all selected memories with the problem
size 120x24
> !j  kX3<Enter><C-g>
! unsupported
> :audit operation:retract<Enter>
  one of 2 changes made together
> !  X
  problem under the cursor
> u<C-g>!
  unsupported 2

== if the right time is known, the fix sets it
size 120x24
> !/seconds<Enter>
  fixes: 
> !/seconds<Enter>X1
  nothing has changed yet: Enter on the first line does it, q cancels
> !/seconds<Enter>X1<Enter><C-g>
  problem
row note:seconds-6
  "created_at":1794990000000

== it says why there is no fix
size 120x24
> !
  A ref that it names is not in this store
> !x
  A ref that it names is not in this store

== changes of others keep the cursor on its problem
size 120x24
> !/nowhere<Enter>
{"ref":"belief:new-9","agent_id":"ash","text":"Also from nowhere","created_at":1794990000000}
+ <C-g>
  unrecorded 2
on From nowhere
