# The page of a memory: the changes of its confidence with their formulas; who locked and approved it; what replaces it;
# the effect of decay.
clock 1795000000000
person sean
size 120x50
{"ref":"episode:52a8b0c0-1","agent_id":"ash","text":"Skipped staging","created_at":1794990000000}
{"ref":"belief:54c5507f-2","agent_id":"ash","confidence":0.7,"text":"Never skip staging before a deploy","created_at":1794990000000,"source":"told by Claire","derived_from":["episode:52a8b0c0-1"]}
{"ref":"belief:old-3","agent_id":"ash","confidence":0.8,"text":"It is old","created_at":1790000000000}
{"ref":"belief:told-4","agent_id":"ash","confidence":0.8,"text":"From elsewhere","created_at":1794990000000,"history":[{"at":1794991000000,"old":0.7,"new":0.8,"reason":"theirs","origin":"kernle"}]}

== operations are listed, and the source of a change opens
by sean reinforce belief:54c5507f-2 evidence_source=episode:52a8b0c0-1 | reason=outage
by sean verify belief:54c5507f-2 reason=read the report
by sean reinforce belief:54c5507f-2 reason=postmortem
by sean protect belief:54c5507f-2
view memory-confidence :belief:54c5507f-2<Enter>
> :belief:54c5507f-2<Enter>
   by sean
   locked       20
   approved     20
> :belief:54c5507f-2<Enter><Tab><Tab><Tab><Enter>
  Skipped staging
# A history of another system keeps its digits.
> :belief:told-4<Enter>
     0.800  +0.100  
! 0.05/(1
by sean unprotect belief:54c5507f-2
> :belief:54c5507f-2<Enter>
   approved     20
!  locked       20
by sean retract belief:54c5507f-2 reason=wrong
> :belief:54c5507f-2<Enter>
   retracted    20

== the effect of age
> :belief:old-3<Enter>
! with age

== the effect of age, if confidence decays
set decay: yes
view memory-decayed :belief:old-3<Enter>
> :belief:old-3<Enter>
  with age: 0.800 - 0.01 * 
> :belief:54c5507f-2<Enter>
! with age

== reinforcements continue from the exact value, whatever is displayed
for 1 9 by sean reinforce belief:54c5507f-2 reason=why {i}
> :belief:54c5507f-2<Enter>
  0.778  +0.006   ~> 0.05/(1+0.1·9)·(0.99−0.773) ~> 0.773  +0.006   ~> 0.05/(1+0.1·8)·(0.99−0.766) ~> 0.766  +0.007   ~> 0.05/(1+0.1·7)·(0.99−0.760) ~> 0.760  +0.007   ~> 0.05/(1+0.1·6)·(0.99−0.752) ~> 0.752  +0.008   ~> 0.05/(1+0.1·5)·(0.99−0.744) ~> 0.744  +0.009   ~> 0.05/(1+0.1·4)·(0.99−0.735) ~> 0.735  +0.010   ~> 0.05/(1+0.1·3)·(0.99−0.725) ~> 0.725  +0.012   ~> 0.05/(1+0.1·2)·(0.99−0.713) ~> 0.713  +0.013   ~> 0.05/(1+0.1·1)·(0.99−0.700) ~>    0.700          

== undone changes are not in the history; the others keep their formulas
by sean reinforce belief:54c5507f-2 reason=first
by sean reinforce belief:54c5507f-2 reason=second
by sean undo
by sean reinforce belief:54c5507f-2 reason=third
> :belief:54c5507f-2<Enter>
  third
     0.725  +0.012  
     0.713  +0.013  
! second
by sean undo
> :belief:54c5507f-2<Enter>
  first
! approved

== a replaced memory names what replaces it
by sean supersede belief:54c5507f-2 statement=Always stage first
> :belief:54c5507f-2<Enter>
     replaced by      
  Always stage first
   replaced     20

== lines are added above the cursor, which stays on the second of two rows of one memory
size 80x50
by sean reinforce belief:54c5507f-2 evidence_source=episode:52a8b0c0-1 | reason=outage
> :belief:54c5507f-2<Enter><Tab>j<C-g>
! locked       20
on ● 2. 
by sean protect belief:54c5507f-2
+ <C-g>
   locked       20
on ● 2. 
