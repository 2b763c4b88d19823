# Why, blame and the other questions of the graph; disbelieving memories for the moment; lists by what each takes away.
demo
size 120x36
person sean

== frames
view question-why jj*
view question-blame jj:blame<Enter>
view question-roots jj:roots<Enter>
view question-confidence jj:confidence<Enter>
view question-keystones :keystones<Enter>
view question-taint 5:order keystones<Enter>g:taint<Enter>
view question-forensics jj:forensics<Enter>
view question-conflicts :conflicts<Enter>
view question-why-not :why-not retries are safe<Enter>
view disbelieved jj*j~q
view disbelieved-drawing jjfk~
view order-keystones 5:order keystones<Enter>g

== after undo the cursor is again on the source that was retracted
> jj*jd<Enter>
on Retries beyond three
+ u<C-g>
on attribution:03b3f0bb

== why begins with one sentence, and ten echoes of a page are one derivation
> jj*
  10 of 10 justifications are valid, 1 independent derivation: it hangs on
  derivations 1 to 10
times 2 attribution:03b3f0bb
+ j<Enter>
  A vendor's page claims
> 5:why<Enter>
  It is based on nothing else.

== a source is retracted from the page of blame, after a preview
> jj:blame<Enter>jd
  retract attribution:03b3f0bb?
  11 lose all support
+ <Enter><C-g>
  It has no support
row attribution:03b3f0bb-c746-4151-8c78-e8debe974f24
  "status":"retracted"
+ u<C-g>
  the smallest sets ~> 1 ──

== and all selected ones, in one change
> jj*jjjj  d
  retract 2 selected memories?
+ <Enter><C-g>
  8 of 10 justifications are valid

== the answer is copied as text
> jj*ya
  copied the answer

== a disbelieved source takes support away in every view, and nothing is written
events
> jj*j~
  1 disbelieved, 11 others lose all support · nothing is written · Esc ends it
  None of its 10 justifications is valid.
+ q
on ↓○ ~> 0/10
+ \label:unsupported<Enter>
  Retries are always safe
+ <Esc>f
  ×¬A vendor's page
+ ,
  ¬ ~> × attribution:03b3f0bb
+ q5:order keystones<Enter>g
  ¬×        0
+ <Esc>
  everything is believed again
events 0
> jj~~
  everything is believed again

== among the keystones it stays, first and under the cursor, so that the same key believes it again
> :keystones<Enter>jj~
  >¬×
+ ~
  everything is believed again

== meanwhile nothing can be changed, and Esc ends it
events
> jj~
  ¬×  0.00
> jj~d
  memories are disbelieved for the moment, and nothing is written; Esc ends that
> jj~w
  memories are disbelieved for the moment, and nothing is written; Esc ends that
> jj~<Esc>
  everything is believed again
events 0
> jj~<Esc>d
  retract belief:c2992c46?

== selected memories are disbelieved together, and named ones
> jj*jjjj   ~
  3 disbelieved, 0 others lose all support
  7 of 10 justifications are valid
! selected
+ q
on ◐ ~> 7/10
+ :disbelieve attribution:03b3f0bb<Enter>
  4 disbelieved, 8 others lose all support
on ↓○ ~> 0/10
+ <Esc>
on ● ~> 10/10

== it follows the store, and holds in the past
{"ref":"raw:heard","agent_id":"ash","text":"heard"}
{"ref":"note:first","agent_id":"ash","text":"a first note","derived_from":["raw:heard"]}
> 4:disbelieve raw:heard<Enter>
  1 disbelieved, 1 other loses all support
{"ref":"note:second","agent_id":"ash","text":"a second note","derived_from":["note:first"]}
+ <C-g>
  1 disbelieved, 2 others lose all support
  ↓○ ~> a second note
+ :asof @170<Enter><C-g>
  1 disbelieved
+ <Esc>:asof now<Enter><C-g>
! disbelieved

== on a page of sources as well
> /Retries are always<Enter>:roots<Enter>/A vendor<Enter>~
  >¬× ~> A vendor's page
+ ~
  10 of 10
+ q:blame<Enter>/A vendor<Enter>~
  >¬× ~> A vendor's page

== lists by what a memory takes away, with a column
> 5:order keystones<Enter>g
  loses
on ●       11
+ olg
  keystones ↑
on ●        0
+ 3
  loses
