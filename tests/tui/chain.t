# A chain of thought.
clock 1700000000000
ids c0000000 10101
join s1 claude-code ash
chains s1
env TERM=xterm-256color

== frames
size 80x24
> :chain:c0020202<Enter>
frame chain
> :chain:c0020202<Enter>jjllll
> :chain:c0020202<Enter>jl)
> :chain:c0020202<Enter>jjhh
> :chain:c0020202<Enter>lk
> :chain:c0020202<Enter>jj<Tab>jjj
> :chain:c0020202<Enter>jjllll<Tab><Tab>jj
> :chain:c0020202<Enter>jjllll%
> :chain:c0020202<Enter>o
> :chain:c0020202<Enter>jjz
> :chain:c0020202<Enter>jjjl<Enter>
frame step
> :chain:c0020202<Enter>jjjh<Enter>%
size 120x36
> :chain:c0020202<Enter>
frame chain
> :chain:c0020202<Enter>jjllll
frame chain-cell
> :chain:c0020202<Enter>jl)
frame chain-unused
> :chain:c0020202<Enter>jjhh
frame chain-step
> :chain:c0020202<Enter>lk
frame chain-heading
> :chain:c0020202<Enter>jj<Tab>jjj
frame chain-sources
> :chain:c0020202<Enter>jjllll<Tab><Tab>jj
frame chain-known
> :chain:c0020202<Enter>jjllll%
frame chain-by-confidence
> :chain:c0020202<Enter>o
frame chain-order
> :chain:c0020202<Enter>jjz
frame chain-zoomed
> :chain:c0020202<Enter>jjjl<Enter>
frame step
> :chain:c0020202<Enter>jjjh<Enter>%
frame step-by-confidence
size 200x50
> :chain:c0020202<Enter>
frame chain
> :chain:c0020202<Enter>jjllll
> :chain:c0020202<Enter>jl)
> :chain:c0020202<Enter>jjhh
> :chain:c0020202<Enter>lk
> :chain:c0020202<Enter>jj<Tab>jjj
> :chain:c0020202<Enter>jjllll<Tab><Tab>jj
> :chain:c0020202<Enter>jjllll%
> :chain:c0020202<Enter>o
> :chain:c0020202<Enter>jjz
> :chain:c0020202<Enter>jjjl<Enter>
frame step
> :chain:c0020202<Enter>jjjh<Enter>%

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
