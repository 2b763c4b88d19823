# A chain of thought.
clock 1700000000000
ids c0000000 10101
join s1 claude-code ash
person sean
chains s1
env TERM=xterm-256color

== frames
view chain :chain:c0020202<Enter>
view chain-cell :chain:c0020202<Enter>jjllll
view chain-sources :chain:c0020202<Enter>jj<Tab>jjj
view chain-zoomed :chain:c0020202<Enter>jjz
view step :chain:c0020202<Enter>jjjl<Enter>

== at each size
every 80x24 | 120x36 | 200x50
> :chain:c0020202<Enter>jl)
  [.84]
every 80x24 | 120x36 | 200x50
> :chain:c0020202<Enter>jjhh
  ── step 3 ──
every 80x24 | 120x36 | 200x50
> :chain:c0020202<Enter>lk
  ── source B ──
every 80x24 | 120x36 | 200x50
> :chain:c0020202<Enter>jjllll<Tab><Tab>jj
  step 3 of 4 · E of 9
every 80x24 | 120x36 | 200x50
> :chain:c0020202<Enter>jjllll%
  by confidence
  [.83    .66]
every 80x24 | 120x36 | 200x50
> :chain:c0020202<Enter>o
  steps by confidence   highest confidence first
every 80x24 | 120x36 | 200x50
> :chain:c0020202<Enter>jjjh<Enter>%
  × .52

== ascii and no colour
colour no
set ascii: yes
> :chain:c0020202<Enter>jjllll
frame chain-ascii
> :chain:c0020202<Enter>jjjl<Enter>
frame step-ascii

== moves
> :chain:c0020202<Enter>
  step 1 of 4 · A of 9
> :chain:c0020202<Enter>jl
  step 2 of 4 · B of 9
> :chain:c0020202<Enter>G:last-column<Enter>
  step 4 of 4 · I of 9
> :chain:c0020202<Enter>G:last-column<Enter>g:first-column<Enter>
  step 1 of 4 · A of 9
> :chain:c0020202<Enter><Down><Right><Right><Left>
  step 2 of 4 · B of 9
> :chain:c0020202<Enter><PgDn>
  step 4 of 4
> :chain:c0020202<Enter><End><Home>
  step 1 of 4
> :chain:c0020202<Enter>jj)
  step 3 of 4 · D of 9
> :chain:c0020202<Enter>jj)))
  step 3 of 4 · F of 9
> :chain:c0020202<Enter>jj))))
  the step used no source after this one
> :chain:c0020202<Enter>jj)))(
  step 3 of 4 · E of 9
> :chain:c0020202<Enter>}}
  step 4 of 4 · A of 9
> :chain:c0020202<Enter>}}{
  step 3 of 4 · A of 9

== headings
# Row headings show the step, column headings the document, the corner the chain.
> :chain:c0020202<Enter>jh
  ── step 2 ──
> :chain:c0020202<Enter>jh<Enter>
  › step 2
> :chain:c0020202<Enter>lk
  ── source B ──
> :chain:c0020202<Enter>lk<Enter>
  › document:git:4f1c9e2
> :chain:c0020202<Enter>hk
  ── the chain ──
> :chain:c0020202<Enter>hk<Enter>
  ── based on ──
> :chain:c0020202<Enter>jjllll<Enter>
  › step 3
  on document:supervisor.c
> :chain:c0020202<Enter>jjllll<Enter><Enter>
  › document:supervisor.c
> :chain:c0020202<Enter>jjllll<Enter><Enter>qq
  step 3 of 4 · E of 9

== panes
> :chain:c0020202<Enter><Tab>jj
  step 1 of 4 · C of 9
> :chain:c0020202<Enter><Tab>jjl
  step 2 of 4 · C of 9
> :chain:c0020202<Enter><Tab>jjjj<Enter>
  › document:supervisor.c
> :chain:c0020202<Enter><Tab>jjjj<Enter>q
  step 1 of 4 · E of 9
> :chain:c0020202<Enter>jjllll<Tab><Tab>j<Enter>
  Do detached workers hear of a drain now?
> :chain:c0020202<Enter>jjllll<Tab><Tab>jjj<Enter>
  › belief:7d10e6a2
> :chain:c0020202<Enter>jjllll<Tab><Tab><Tab>
  step 3 of 4 · E of 9
> :chain:c0020202<Enter>s
  sources by relevance
> :chain:c0020202<Enter>z
! sources by relevance
> :chain:c0020202<Enter>zq
  sources by relevance
> :chain:c0020202<Enter><Tab>z
  sources by relevance
! What changed

== selection in a pane
# A selection limits what the cursor moves through, and is visible.
> :chain:c0020202<Enter>V
  4 selected
> :chain:c0020202<Enter><Tab>V
  9 selected
> :chain:c0020202<Enter>VV
  nothing is selected
> :chain:c0020202<Enter>jjllll<Tab><Tab>V
  *chain:c0121212
> :chain:c0020202<Enter>jjllll<Tab><Tab>
! *chain:c0121212

== orders
> :chain:c0020202<Enter>jjlllloa
  sources by title
  step 3 of 4 · E of 9
> :chain:c0020202<Enter>oc
  steps by confidence
  What changed ~> Which lock
> :chain:c0020202<Enter>ococ
  reversed
  Would staging ~> What changed
> :chain:c0020202<Enter>ot
  steps by time
  Would staging ~> Which lock
> :chain:c0020202<Enter>of
  sources by first use
  | > A ★ Incident report|
  deploy.log ~> Postgres manual

== by confidence
> :chain:c0020202<Enter>jjllll%
  0.83 × 0.79 = 0.66
  ×conf
  .83    .66
  finished · by confidence
> :chain:c0020202<Enter>jjllll%%
! ×conf
> :chain:c0020202<Enter>jjllll%<Esc>
! ×conf
> :chain:c0020202<Enter>jjllll<Enter>%
  × .66

== finds
> :chain:c0020202<Enter>/ACCESS EXCLUSIVE on<Enter>
  step 2 of 4
> :chain:c0020202<Enter>/registry<Enter>
  step 3 of 4
> :chain:c0020202<Enter>/registry<Enter>n
  E of 9
> :chain:c0020202<Enter>/policy<Enter>
  H of 9
> :chain:c0020202<Enter>/nothing like it<Enter>
  no match here

== sizes
size 1x1
> :chain:c0020202<Enter><Tab>jj
size 2x1
> :chain:c0020202<Enter><Tab><Tab>jj
size 3x1
> :chain:c0020202<Enter>%
size 4x1
> :chain:c0020202<Enter>zG:last-column<Enter>
size 5x1
> :chain:c0020202<Enter>hk
size 6x1
> :chain:c0020202<Enter><Enter>
size 7x1
> :chain:c0020202<Enter>jjll
size 8x1
> :chain:c0020202<Enter><Tab>jj
size 17x1
> :chain:c0020202<Enter>%
size 26x1
> :chain:c0020202<Enter>hk
size 35x1
> :chain:c0020202<Enter>jjll
size 44x1
> :chain:c0020202<Enter><Tab><Tab>jj
size 53x1
> :chain:c0020202<Enter>zG:last-column<Enter>
size 1x2
> :chain:c0020202<Enter><Tab>jj
size 2x2
> :chain:c0020202<Enter><Tab><Tab>jj
size 3x2
> :chain:c0020202<Enter>%
size 4x2
> :chain:c0020202<Enter>zG:last-column<Enter>
size 5x2
> :chain:c0020202<Enter>hk
size 6x2
> :chain:c0020202<Enter><Enter>
size 7x2
> :chain:c0020202<Enter>jjll
size 8x2
> :chain:c0020202<Enter><Tab>jj
size 17x2
> :chain:c0020202<Enter>%
size 26x2
> :chain:c0020202<Enter>hk
size 35x2
> :chain:c0020202<Enter>jjll
size 44x2
> :chain:c0020202<Enter><Tab><Tab>jj
size 53x2
> :chain:c0020202<Enter>zG:last-column<Enter>
size 1x3
> :chain:c0020202<Enter><Tab>jj
size 2x3
> :chain:c0020202<Enter><Tab><Tab>jj
size 3x3
> :chain:c0020202<Enter>%
size 4x3
> :chain:c0020202<Enter>zG:last-column<Enter>
size 5x3
> :chain:c0020202<Enter>hk
size 6x3
> :chain:c0020202<Enter><Enter>
size 7x3
> :chain:c0020202<Enter>jjll
size 8x3
> :chain:c0020202<Enter><Tab>jj
size 17x3
> :chain:c0020202<Enter>%
size 26x3
> :chain:c0020202<Enter>hk
size 35x3
> :chain:c0020202<Enter>jjll
size 44x3
> :chain:c0020202<Enter><Tab><Tab>jj
size 53x3
> :chain:c0020202<Enter>zG:last-column<Enter>
size 1x4
> :chain:c0020202<Enter><Tab>jj
size 2x4
> :chain:c0020202<Enter><Tab><Tab>jj
size 3x4
> :chain:c0020202<Enter>%
size 4x4
> :chain:c0020202<Enter>zG:last-column<Enter>
size 5x4
> :chain:c0020202<Enter>hk
size 6x4
> :chain:c0020202<Enter><Enter>
size 7x4
> :chain:c0020202<Enter>jjll
size 8x4
> :chain:c0020202<Enter><Tab>jj
size 17x4
> :chain:c0020202<Enter>%
size 26x4
> :chain:c0020202<Enter>hk
size 35x4
> :chain:c0020202<Enter>jjll
size 44x4
> :chain:c0020202<Enter><Tab><Tab>jj
size 53x4
> :chain:c0020202<Enter>zG:last-column<Enter>
size 1x7
> :chain:c0020202<Enter><Tab>jj
size 2x7
> :chain:c0020202<Enter><Tab><Tab>jj
size 3x7
> :chain:c0020202<Enter>%
size 4x7
> :chain:c0020202<Enter>zG:last-column<Enter>
size 5x7
> :chain:c0020202<Enter>hk
size 6x7
> :chain:c0020202<Enter><Enter>
size 7x7
> :chain:c0020202<Enter>jjll
size 8x7
> :chain:c0020202<Enter><Tab>jj
size 17x7
> :chain:c0020202<Enter>%
size 26x7
> :chain:c0020202<Enter>hk
size 35x7
> :chain:c0020202<Enter>jjll
size 44x7
> :chain:c0020202<Enter><Tab><Tab>jj
size 53x7
> :chain:c0020202<Enter>zG:last-column<Enter>
size 1x10
> :chain:c0020202<Enter><Tab>jj
size 2x10
> :chain:c0020202<Enter><Tab><Tab>jj
size 3x10
> :chain:c0020202<Enter>%
size 4x10
> :chain:c0020202<Enter>zG:last-column<Enter>
size 5x10
> :chain:c0020202<Enter>hk
size 6x10
> :chain:c0020202<Enter><Enter>
size 7x10
> :chain:c0020202<Enter>jjll
size 8x10
> :chain:c0020202<Enter><Tab>jj
size 17x10
> :chain:c0020202<Enter>%
size 26x10
> :chain:c0020202<Enter>hk
size 35x10
> :chain:c0020202<Enter>jjll
size 44x10
> :chain:c0020202<Enter><Tab><Tab>jj
size 53x10
> :chain:c0020202<Enter>zG:last-column<Enter>
size 1x13
> :chain:c0020202<Enter><Tab>jj
size 2x13
> :chain:c0020202<Enter><Tab><Tab>jj
size 3x13
> :chain:c0020202<Enter>%
size 4x13
> :chain:c0020202<Enter>zG:last-column<Enter>
size 5x13
> :chain:c0020202<Enter>hk
size 6x13
> :chain:c0020202<Enter><Enter>
size 7x13
> :chain:c0020202<Enter>jjll
size 8x13
> :chain:c0020202<Enter><Tab>jj
size 17x13
> :chain:c0020202<Enter>%
size 26x13
> :chain:c0020202<Enter>hk
size 35x13
> :chain:c0020202<Enter>jjll
size 44x13
> :chain:c0020202<Enter><Tab><Tab>jj
size 53x13
> :chain:c0020202<Enter>zG:last-column<Enter>
size 1x16
> :chain:c0020202<Enter><Tab>jj
size 2x16
> :chain:c0020202<Enter><Tab><Tab>jj
size 3x16
> :chain:c0020202<Enter>%
size 4x16
> :chain:c0020202<Enter>zG:last-column<Enter>
size 5x16
> :chain:c0020202<Enter>hk
size 6x16
> :chain:c0020202<Enter><Enter>
size 7x16
> :chain:c0020202<Enter>jjll
size 8x16
> :chain:c0020202<Enter><Tab>jj
size 17x16
> :chain:c0020202<Enter>%
size 26x16
> :chain:c0020202<Enter>hk
size 35x16
> :chain:c0020202<Enter>jjll
size 44x16
> :chain:c0020202<Enter><Tab><Tab>jj
size 53x16
> :chain:c0020202<Enter>zG:last-column<Enter>
size 1x19
> :chain:c0020202<Enter><Tab>jj
size 2x19
> :chain:c0020202<Enter><Tab><Tab>jj
size 3x19
> :chain:c0020202<Enter>%
size 4x19
> :chain:c0020202<Enter>zG:last-column<Enter>
size 5x19
> :chain:c0020202<Enter>hk
size 6x19
> :chain:c0020202<Enter><Enter>
size 7x19
> :chain:c0020202<Enter>jjll
size 8x19
> :chain:c0020202<Enter><Tab>jj
size 17x19
> :chain:c0020202<Enter>%
size 26x19
> :chain:c0020202<Enter>hk
size 35x19
> :chain:c0020202<Enter>jjll
size 44x19
> :chain:c0020202<Enter><Tab><Tab>jj
size 53x19
> :chain:c0020202<Enter>zG:last-column<Enter>
size 100x30
> :chain:c0020202<Enter>jj<size:1x1>l<size:40x9>l<size:200x60>l<size:100x30>l
  step 3 of 4 · E of 9

== copies
> :chain:c0020202<Enter>jjllllye
  copied the excerpt (154 bytes)
> :chain:c0020202<Enter>jjllllyu
  copied the excerpt, quoted (199 bytes)
> :chain:c0020202<Enter>jjllll<Enter>ye
  copied the excerpt (154 bytes)
> :chain:c0020202<Enter>jjllllyi
  copied the ref (
> :chain:c0020202<Enter>jjlly
! excerpt

== a finished chain is not followed
> :chain:c0020202<Enter><C-f>
  the chain is finished
! following

== the whole text of a cut excerpt is shown
# With what the step cost.
{"ref":"chain:long","agent_id":"ash","text":"How?","detail":{"final_answer":"So.","model":"big"}}
{"ref":"step:long","agent_id":"ash","text":"One?","detail":{"step_number":1,"execution_time":2,"token_usage":{"in":1000,"out":200},"model":"small","passages":["the beginning and the end"]},"justifications":[{"role":"source","antecedents":[{"ref":"document:d","relevance":0.5,"score":"measured","excerpt":"the beginning"}]}],"relations":[{"type":"part_of","to":"chain:long"}]}
> :goto step:long<Enter>
  2.0 s · 1,200 tokens · small
  the beginning and the end
> :goto chain:long<Enter>
  finished · 1 step · 1 source · 1,200 tokens
size 120x60
> 6/How<Enter>
  time and tokens ~> 2.0 s · 1,200 tokens ~> step 1 ~> small

== a cell lists only what its step quoted
demo
size 120x36
> :chain:3589b33b<Enter>
  page 1)
! page 3, What a canary
+ jj
  page 3, What a canary
! page 1)

== a running chain
write s1 ash {"ref":"document:runbook","text":"Runbook of the payments queue"}
write s1 ash {"ref":"document:status-page","text":"Status page"}
write s1 ash {"ref":"chain:running","text":"How is the payments queue restarted?"}
write s1 ash {"ref":"step:r1","text":"What does the runbook say?","confidence":0.9,"detail":{"step_number":1,"intermediate_answer":"Restart the workers one at a time.","execution_time":0.7},"relations":[{"type":"part_of","to":"chain:running"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:runbook","relevance":0.88,"score":"measured","excerpt":"Restart workers one at a time.","chunk":2},{"ref":"document:status-page","relevance":0.52,"score":"measured","excerpt":"Payments are slow."}]}]}
write s1 ash {"ref":"step:r2","text":"Has anybody done so yet?","confidence":0.6,"detail":{"step_number":2,"execution_time":0.2},"relations":[{"type":"part_of","to":"chain:running"}]}
later 12000
view chain-running :chain:running<Enter>
view chain-running-none :chain:running<Enter>j

== what people say of sources and of the support of a step
size 120x36
> :chain:c0020202<Enter>jjllll;J+I looked: it says so<Enter>l;J-hearsay<Enter>Jsy
> :chain:c0020202<Enter>jjllll
frame chain-rated
> :chain:c0020202<Enter>jjllll<Enter>
frame step-rated

== a rating applies to one source
every 60x36 | 120x36
> :chain:c0020202<Enter>jjllll;J+
  E relevant to step 3: why?
> :chain:c0020202<Enter>jjllll;J+read it<Enter>
  [.83+]
row step:c0080808-1111-4111-8111-111100000008
  document:supervisor.c relevant
> :chain:c0020202<Enter>jjllll
  relevant, sean: read it
> :chain:c0020202<Enter>jjlll
  .77
> :chain:c0020202<Enter>jjlllllJ-
  F judged irrelevant in step 3
> :chain:c0020202<Enter>jjlllll
  [~.60-]
> :chain:c0020202<Enter>jjllll
  [.83+]
> :chain:c0020202<Enter>u
  C-r redoes it
> :chain:c0020202<Enter>jjlllll
  [~.60]
# A rating replaces the earlier one of the same person.
> :chain:c0020202<Enter>jjllll<Enter>;J-not of the drain<Enter>
  rated irrelevant by sean: not of the drain
> :chain:c0020202<Enter>jjllll
  [.83-]

== the support of a step
size 120x36
> :chain:c0020202<Enter>j;Js<Enter>
  faithful yes: why?
> :chain:c0020202<Enter>j;Jsn
  faithful no: why?
> :chain:c0020202<Enter>j;Jsnthe manual says more<Enter>
  2- Which lock
> :chain:c0020202<Enter>jh<Enter>
  not supported by its sources, sean: the manual says more
> :chain:c0020202<Enter>jh<Enter>Jsy
  supported by its sources, sean
> :chain:c0020202<Enter>j
  2+ Which lock
> :chain:c0020202<Enter>jjllll;Jsnnot at all<Enter>
  not supported by its sources, sean: not at all
> :chain:c0020202<Enter>:supported maybe<Enter>
  there is no "maybe": yes, no

== the mouse selects and opens
size 120x36
> :chain:c0020202<Enter><click:30,17>
  step 1 of 4 · C of 9
# Over the matrix it goes through the steps, over the sources through those.
> :chain:c0020202<Enter><wheeldown:20,8>
  step 4 of 4
> :chain:c0020202<Enter><wheeldown:20,18>
  step 1 of 4 · D of 9

== the reasoning and the sources of a memory open it
size 120x36
{"ref":"belief:concluded-1","text":"Detached workers are not drained","derived_from":["step:c0080808-1111-4111-8111-111100000008"]}
{"ref":"belief:of-itself","text":"Care before speed"}
> :belief:concluded-1<Enter>c
  Why did the deploy of 3 February
> :belief:concluded-1<Enter>s
  goes back to
  Worker supervisor
> :belief:of-itself<Enter>c
  no chain of thought led to it or used it
> :belief:of-itself<Enter>s
  nothing that it is based on is a source
> :document:supervisor.c<Enter>c
  document:supervisor.c in reasoning
  How does the supervisor drain?
  Is the drain fixed?
> :chain:c0020202<Enter>jjh<Enter>c
  step 3 of 4
> :chain:c0020202<Enter>.
  ── based on ──

== it grows with the chain
size 120x36
write s1 ash {"ref":"document:runbook","text":"Runbook of the payments queue"}
write s1 ash {"ref":"document:status-page","text":"Status page"}
write s1 ash {"ref":"chain:running","text":"How is the payments queue restarted?"}
write s1 ash {"ref":"step:r1","text":"What does the runbook say?","confidence":0.9,"detail":{"step_number":1,"intermediate_answer":"Restart the workers one at a time.","execution_time":0.7},"relations":[{"type":"part_of","to":"chain:running"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:runbook","relevance":0.88,"score":"measured","excerpt":"Restart workers one at a time.","chunk":2},{"ref":"document:status-page","relevance":0.52,"score":"measured","excerpt":"Payments are slow."}]}]}
write s1 ash {"ref":"step:r2","text":"Has anybody done so yet?","confidence":0.6,"detail":{"step_number":2,"execution_time":0.2},"relations":[{"type":"part_of","to":"chain:running"}]}
> :chain:running<Enter>l
  running · 2 steps · 2 sources
  step 1 of 2 · B of 2
write s1 ash {"ref":"document:dashboard","text":"Dashboard of the queue"}
write s1 ash {"ref":"step:r3","text":"Does the lag fall?","confidence":0.8,"detail":{"step_number":3,"intermediate_answer":"It does.","execution_time":0.5},"relations":[{"type":"part_of","to":"chain:running"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:runbook","relevance":0.74,"score":"measured","excerpt":"Then look at the lag.","chunk":5},{"ref":"document:dashboard","relevance":0.95,"score":"measured","excerpt":"The lag falls."}]}]}
# The third document is between the two; the cursor is where it was.
+ <C-g>
  1 new step · running · 3 steps · 3 sources
  step 1 of 3 · C of 3
  Does the lag fall?
write s1 ash {"ref":"step:r4","text":"Is anything left?","confidence":0.7,"detail":{"step_number":4,"execution_time":0.1},"relations":[{"type":"part_of","to":"chain:running"}]}
+ <C-g>
  2 new steps
+ G
  step 4 of 4
! new step
{"ref":"chain:running","agent_id":"ash","text":"How is the payments queue restarted?","detail":{"final_answer":"One worker at a time."},"justifications":[{"role":"step","reading":"all","antecedents":["step:r1","step:r2","step:r3","step:r4"]}]}
+ <C-g>
  finished · 4 steps
  One worker at a time.

== it follows new steps
# The cursor goes to the best source of the step; a movement ends following.
size 120x36
write s1 ash {"ref":"document:runbook","text":"Runbook of the payments queue"}
write s1 ash {"ref":"document:status-page","text":"Status page"}
write s1 ash {"ref":"chain:running","text":"How is the payments queue restarted?"}
write s1 ash {"ref":"step:r1","text":"What does the runbook say?","confidence":0.9,"detail":{"step_number":1,"intermediate_answer":"Restart the workers one at a time.","execution_time":0.7},"relations":[{"type":"part_of","to":"chain:running"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:runbook","relevance":0.88,"score":"measured","excerpt":"Restart workers one at a time.","chunk":2},{"ref":"document:status-page","relevance":0.52,"score":"measured","excerpt":"Payments are slow."}]}]}
write s1 ash {"ref":"step:r2","text":"Has anybody done so yet?","confidence":0.6,"detail":{"step_number":2,"execution_time":0.2},"relations":[{"type":"part_of","to":"chain:running"}]}
> :chain:running<Enter><C-f>
write s1 ash {"ref":"document:dashboard","text":"Dashboard of the queue"}
write s1 ash {"ref":"step:r3","text":"Does the lag fall?","confidence":0.8,"detail":{"step_number":3,"intermediate_answer":"It does.","execution_time":0.5},"relations":[{"type":"part_of","to":"chain:running"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:runbook","relevance":0.74,"score":"measured","excerpt":"Then look at the lag.","chunk":5},{"ref":"document:dashboard","relevance":0.95,"score":"measured","excerpt":"The lag falls."}]}]}
+ <C-g>
  step 3 of 3
  following
  [.95]
! new step
+ k
! following
write s1 ash {"ref":"step:r4","text":"Is anything left?","confidence":0.7,"detail":{"step_number":4,"execution_time":0.1},"relations":[{"type":"part_of","to":"chain:running"}]}
+ <C-g>
  step 2 of 4

== a paused view stays
size 120x36
write s1 ash {"ref":"document:runbook","text":"Runbook of the payments queue"}
write s1 ash {"ref":"document:status-page","text":"Status page"}
write s1 ash {"ref":"chain:running","text":"How is the payments queue restarted?"}
write s1 ash {"ref":"step:r1","text":"What does the runbook say?","confidence":0.9,"detail":{"step_number":1,"intermediate_answer":"Restart the workers one at a time.","execution_time":0.7},"relations":[{"type":"part_of","to":"chain:running"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:runbook","relevance":0.88,"score":"measured","excerpt":"Restart workers one at a time.","chunk":2},{"ref":"document:status-page","relevance":0.52,"score":"measured","excerpt":"Payments are slow."}]}]}
write s1 ash {"ref":"step:r2","text":"Has anybody done so yet?","confidence":0.6,"detail":{"step_number":2,"execution_time":0.2},"relations":[{"type":"part_of","to":"chain:running"}]}
> :chain:running<Enter>p
write s1 ash {"ref":"document:dashboard","text":"Dashboard of the queue"}
write s1 ash {"ref":"step:r3","text":"Does the lag fall?","confidence":0.8,"detail":{"step_number":3,"intermediate_answer":"It does.","execution_time":0.5},"relations":[{"type":"part_of","to":"chain:running"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:runbook","relevance":0.74,"score":"measured","excerpt":"Then look at the lag.","chunk":5},{"ref":"document:dashboard","relevance":0.95,"score":"measured","excerpt":"The lag falls."}]}]}
+ <C-g>
  2 steps
+ p
  3 steps

== a number that differs from the place of the step, long after the start
size 120x36
write s1 ash {"ref":"document:runbook","text":"Runbook of the payments queue"}
write s1 ash {"ref":"document:status-page","text":"Status page"}
write s1 ash {"ref":"chain:running","text":"How is the payments queue restarted?"}
write s1 ash {"ref":"step:r1","text":"What does the runbook say?","confidence":0.9,"detail":{"step_number":1,"intermediate_answer":"Restart the workers one at a time.","execution_time":0.7},"relations":[{"type":"part_of","to":"chain:running"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:runbook","relevance":0.88,"score":"measured","excerpt":"Restart workers one at a time.","chunk":2},{"ref":"document:status-page","relevance":0.52,"score":"measured","excerpt":"Payments are slow."}]}]}
write s1 ash {"ref":"step:r2","text":"Has anybody done so yet?","confidence":0.6,"detail":{"step_number":2,"execution_time":0.2},"relations":[{"type":"part_of","to":"chain:running"}]}
later 7200000
write s1 ash {"ref":"step:late","text":"And then?","confidence":0.5,"detail":{"step_number":7,"execution_time":0.1},"relations":[{"type":"part_of","to":"chain:running"}]}
later 5000
> :chain:running<Enter>jj
  by ash, 2h ago
  last written 5s ago
  step 7, 3rd of 3
> :chain:running<Enter>jjh<Enter>
  step 7, 3rd of 3
> :chain:running<Enter>j
  step 2 of 3

== as of the past
size 120x36
write s1 ash {"ref":"document:runbook","text":"Runbook of the payments queue"}
write s1 ash {"ref":"document:status-page","text":"Status page"}
write s1 ash {"ref":"chain:running","text":"How is the payments queue restarted?"}
write s1 ash {"ref":"step:r1","text":"What does the runbook say?","confidence":0.9,"detail":{"step_number":1,"intermediate_answer":"Restart the workers one at a time.","execution_time":0.7},"relations":[{"type":"part_of","to":"chain:running"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:runbook","relevance":0.88,"score":"measured","excerpt":"Restart workers one at a time.","chunk":2},{"ref":"document:status-page","relevance":0.52,"score":"measured","excerpt":"Payments are slow."}]}]}
write s1 ash {"ref":"step:r2","text":"Has anybody done so yet?","confidence":0.6,"detail":{"step_number":2,"execution_time":0.2},"relations":[{"type":"part_of","to":"chain:running"}]}
later 60000
write s1 ash {"ref":"step:late","text":"And then?","confidence":0.5,"detail":{"step_number":3,"execution_time":0.1},"relations":[{"type":"part_of","to":"chain:running"}]}
> :chain:running<Enter>
  And then?
> :asof 30s<Enter>:chain:running<Enter>
! And then?

== so many steps that the worker reads them after the first frame
size 120x36
large 70 30
> :chain:c0181818<Enter>G
  step 70 of 70
> :chain:c0181818<Enter>Gh<Enter>
  › step 70
> :chain:c0181818<Enter>Gh<Enter>R.
  ── based on ──
> 6G<Enter>Gh<Enter>c
  step 4 of 4

== a large chain
# The best sources are visible first, wherever those of the first step are.
large 40 200
later 60000
view chain-large :chain:c0181818<Enter>
view chain-large-end :chain:c0181818<Enter>G:last-column<Enter>
size 80x24
> :chain:c0181818<Enter>
  step 1 of 40 · A of 

== a chain without a step, a step without a source
size 120x36
write s1 ash {"ref":"chain:bare","text":"What now?"}
> :chain:bare<Enter>jjllGg^<Tab>j<Tab>j<Enter>
  What now?
> :chain:bare<Enter>
  no step yet
write s1 ash {"ref":"step:bare","text":"Has anybody done so yet?","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:bare"}]}
> :chain:bare<Enter>lljj<Tab>j
  no step used a source
> :chain:bare<Enter>jh<Enter>
  it used no sources
