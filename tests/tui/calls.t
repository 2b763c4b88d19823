# Calls of agents in the live view and the audit: each outcome has a line, and lines say what was refused, masked or limited, and who called.
size 138x30
clock 1700000000000
person
join s1 claude-code ash
write s1 ash {"ref":"belief:canary-1","text":"Canary first"}
flush

== at any width the reason of a refusal is whole and the tool begins
ask s1 memory_revise_from_episode at=1 of=belief:canary-1 outcome=PERMISSION_DENIED
ask s1 memory_update at=2 of=belief:canary-1 outcome=INVALID_REQUEST
ask s1 memory_process_raw at=3 outcome=NOT_FOUND
later 3
flush
every 40x40 | 45x40 | 50x40 | 55x40 | 60x40 | 65x40 | 70x40 | 75x40 | 80x40 | 85x40 | 90x40 | 95x40 | 100x40 | 105x40 | 110x40 | 115x40 | 120x40 | 125x40 | 130x40 | 135x40 | 140x40 | 145x40 | 150x40 | 155x40 | 160x40 | 165x40 | 170x40 | 175x40 | 180x40 | 185x40 | 190x40 | 195x40
> 9
  PERMISSION_DENIED
  INVALID_REQUEST
  NOT_FOUND
  mem ~> mem ~> mem
size 40x10
> 9
line NOT_FOUND
  NOT_FOUND memory_

# Within a second, one tool failed for three reasons, was cancelled, and answered. A cancelled call is not refused.
== each outcome has a line
ask s1 memory_update at=1 of=belief:canary-1 outcome=PERMISSION_DENIED
ask s1 memory_update at=2 of=belief:canary-1 outcome=CONFLICT
ask s1 memory_update at=3 of=belief:canary-1 outcome=INVALID_REQUEST
ask s1 memory_update at=4 of=belief:canary-1 outcome=CONFLICT
ask s1 memory_update at=5 of=belief:canary-1 outcome=interrupted
ask s1 memory_update at=6 of=belief:canary-1
later 6
flush
every 9 | @
> {}
times 1 | refused |
times 3 | failed |
times 1 PERMISSION_DENIED memory_
times 1 CONFLICT memory_update ×2
times 1 INVALID_REQUEST memory_
times 1 | read  |
> 9\PERMISSION<Enter>
  | 1 event|
every 9\cancelled<Enter> | :audit only:cancellations<Enter>
> {}
! INTERNAL_ERROR
! refused
line memory_update
  | cancelled |
! ⊘
> 9
line CONFLICT
  ⊘
# The live view takes the words of the audit's filter; in one session they apply to that session.
> 9\actor:ash<Enter>
  | 6 events|
  | › live › actor:ash |
> 9\only:changes<Enter>
  | 1 event |
  | › live › only:changes |
every 9 | @
> {}`
  | › only:errors |
  | 3 events|
! | read  |
+ `
  | read  |
> 1<Enter>I`
  a history has no calls
> 9\only:refusals PERMISSION<Enter>
  | 1 event |
  | › live › only:refusals PERMISSION |
> 9\session:1<Enter>
  | 6 events|
  | › live › session:1 |
> 9\operation:memory_update<Enter>
  | 5 events|
  | › live › operation:memory_update |
> 9\memory:belief:canary only:reads<Enter>
  | 1 event |
  | › live › memory:belief:canary only:reads |
> 9\PERMISSION<Enter>
  | › live › "PERMISSION" |
every actor:ash | only:changes | only:refusals PERMISSION | session:1 | operation:memory_update | memory:belief:canary only:reads | PERMISSION
> 9\{}<Enter><Esc>
  | 6 events|
> 9\kind:nothing<Enter>
  there is no kind
join s2 codex willow
flush
> 9<Tab>G<Enter>\only:changes<Enter>
  | 1 event |
> 9<Tab>G<Enter>\session:2<Enter>
  this view shows one session. 9 shows all

== sessions take those words that apply to them; the others apply to events
join s2 claude-code willow
end s2
join s3 codex
flush
> 9<Tab>\actor:willow<Enter>
  | 1 of 3 sessions|
  | › sessions › actor:willow |
> 9<Tab>\actor:?codex<Enter>
  | 1 of 3 sessions|
  | › sessions › actor:?codex |
> 9<Tab>\actor:wil<Enter>
  | 0 of 3 sessions|
  | › sessions › actor:wil |
> 9<Tab>\session:2 claude<Enter>
  | 1 of 3 sessions|
  | › sessions › session:2 claude |
> 9<Tab>\since:2001-01-01<Enter>
  | 3 of 3 sessions|
  | › sessions › since:2001-01-01 |
> 9<Tab>\until:2001-01-01<Enter>
  | 0 of 3 sessions|
  | › sessions › until:2001-01-01 |
> 9<Tab>\since:2100-01-01 willow<Enter>
  | 0 of 3 sessions|
  | › since:2100-01-01 willow |
> 9<Tab>\willow<Enter>
  | 1 of 3 sessions|
  | › sessions › "willow" |
every actor:willow | actor:?codex | actor:wil | session:2 claude | since:2001-01-01 | until:2001-01-01 | since:2100-01-01 willow | willow
> 9<Tab>\{}<Enter><Esc>
  | 3 sessions|
every operation:edit | kind:note | memory:belief:canary | correlation:x | only:reads
> 9<Tab>\{}<Enter>
  not of sessions
  | 3 sessions|
> 9<Tab>\<C-g>
  agent:
  it was made then or earlier
! operation:
+ actor:<C-g>
  actor:willow

== a failed call opens to what it was given and what the agent was told
ask s1 memory_update at=1 of=belief:canary-1 outcome=CONFLICT given={"ref":"belief:canary-1","expected_version":1} told={"type":"error","error":{"code":"CONFLICT","message":"stale"}}
ask s1 memory_get at=2 outcome=NOT_FOUND given={"ref":"raw:jane@example.com"} told={"code":-32602,"message":"none"}
ask s1 putMemory at=3 in=session.a outcome=PII_DETECTED told={"code":"PII_DETECTED"}
ask s1 memory_list at=4 outcome=INVALID_REQUEST given={"limit":… told=cut
ask s1 memory_search at=5 outcome=INVALID_REQUEST
ask s1 memory_search at=6
later 6
flush
every 9 | @ | 9<Tab><Enter>
> {}\CONFLICT<Enter><Enter>
  | › CONFLICT memory_update|
  |arguments ref: "belief:canary-1"\n|
  | expected_version: 1\n|
  |error     message: "stale"\n|
> 9\CONFLICT<Enter><Enter>j<Enter>
  | › belief:canary-1|
  |Canary first|
> 9\CONFLICT<Enter><Enter>
  |retries   none with these arguments|
for 1 2 ask s1 memory_update at={i} of=belief:canary-1 outcome=CONFLICT given={"ref":"belief:canary-1","expected_version":1} told={"type":"error","error":{"code":"CONFLICT","message":"stale"}}
ask s1 memory_update at=3 of=belief:canary-1 outcome=CONFLICT given={"ref":"belief:canary-1","expected_version":2} told={"type":"error","error":{"code":"CONFLICT","message":"stale"}}
later 60000
flush
> 9\CONFLICT<Enter>G<Enter>
  |retries   2 more failed with these arguments, |
> 9\CONFLICT<Enter><Enter>q
  | › "CONFLICT"|
> 9\raw:jane<Enter>
! jane@
> 9\NOT_FOUND<Enter><Enter>
  |arguments ref: "raw:jane@example.com"\n|
  |error     code: -32602\n|
> :mask<Enter>9\NOT_FOUND<Enter><Enter>
  |arguments ref: "raw:[redacted-email]"\n|
! jane@
> 9\PII<Enter><Enter>
  |arguments not kept: they were refused for personal data\n|
  |error     code: "PII_DETECTED"\n|
> 9\memory_list<Enter><Enter>
  |arguments {"limit":…\n|
  |error     cut\n|
> 9\failed memory_search<Enter><Enter>
  |arguments not kept: only those of the newest 500 failed calls, until a purge\n|
! error
> 9\read memory_search<Enter><Enter>
  no single memory

== the preview of a failed call is the call; \failed and \refused find calls by what they came to
write s1 ash {"ref":"note:n-1","text":"the rollback failed and was refused"}
ask s1 memory_get at=1 outcome=NOT_FOUND given={"ref":"raw:jane@example.com"} told={"code":-32602,"message":"none"}
ask s1 putMemory at=2 outcome=QUOTA_EXCEEDED told={"code":"QUOTA_EXCEEDED"}
later 3
flush
> 9\failed<Enter>
  NOT_FOUND memory_get
  |arguments ref: "raw:jane@example.com"\n|
! the rollback
! QUOTA
> 9\refused<Enter>
  |error     code: "QUOTA_EXCEEDED"\n|
! the rollback
! NOT_FOUND
> :mask<Enter>9\failed<Enter>
  [redacted-email]
! jane@

== $ shows calls, errors, times and what each tool sent, of all sessions or of one
ask s1 memory_list at=1 sent=400 full=9000
ask s1 memory_get at=2 sent=200
join s2 codex willow
ask s2 memory_get at=3 sent=300 outcome=NOT_FOUND
later 3
flush
> 9
  |sent 1.1 KB, ~285 tokens, in full form ~2.4k ──|
> 9$
  | › tools of session 2 (codex 2.1)|
> 9\session:1<Enter>$
  | › tools of session 1 (claude-code 2.1)|
> 1:tools<Enter>$
  these are the tools of all sessions
> 9$$
  | › tools of all sessions|
  | 1.1 KB, ~285 tokens, in full form ~2.4k|
  | memory_get                          2       1  703us  703us     500 B     ~125     ~125\n|
  memory_get ~> memory_list ~> memory_add
> 9<Tab>$
  | › tools of session 2 (codex 2.1)|
  | memory_get                          1       1  703us  703us     300 B      ~75      ~75\n|
! memory_list
> 9<Tab>j<Enter>$
  | › tools of session 1 (claude-code 2.1)|
  | memory_list                         1       0  703us  703us     400 B     ~100    ~2.2k\n|
ask s1 memory_list at=4 sent=400 full=9000
later 1000
flush
+ <C-g>
  | memory_list                         2       0  703us  703us     800 B     ~200    ~4.5k\n|
> 1:tools<Enter>
  › tools of all sessions
  tokens are estimated
# Enter lists the calls of the tool; the columns sort by what they show.
> 9<Tab>$<Enter>
  | › audit › session:2 operation:memory_get |
  | 1 event |
  NOT_FOUND
> 9$$:order calls<Enter>
  by calls
on memory_list
> 9$$j<Enter>
  | › audit › operation:memory_get |
  | 2 events|
size 40x12
> 9$$
  | memory_get              2     ~125\n|

# Each time three refusals of one tool, another call and a change: three lines, and one event, which is counted.
== lines that are held back are counted and appear when the pause ends
> 9p
for 1 3 ask s1 memory_get of=belief:canary-1 at={i} outcome=NOT_FOUND
ask s1 memory_list of=belief:canary-1 at=4
later 5
write s1 ash {"ref":"note:n-0","text":"held one"}
flush
+ <C-g>
  paused, 3 new
for 1 3 ask s1 memory_get of=belief:canary-1 at={i} outcome=NOT_FOUND
ask s1 memory_list of=belief:canary-1 at=4
later 5
write s1 ash {"ref":"note:n-1","text":"held one"}
flush
+ <C-g>
  paused, 6 new
+ p
  7 events
> 9\failed<Enter>p
for 1 3 ask s1 memory_get of=belief:canary-1 at={i} outcome=NOT_FOUND
ask s1 memory_list of=belief:canary-1 at=4
later 5
write s1 ash {"ref":"note:n-2","text":"held one"}
flush
+ <C-g>
  paused, 1 new
for 1 3 ask s1 memory_get of=belief:canary-1 at={i} outcome=NOT_FOUND
ask s1 memory_list of=belief:canary-1 at=4
later 5
write s1 ash {"ref":"note:n-3","text":"held one"}
flush
+ <C-g>
  paused, 2 new
+ p
  4 events
> @\only:changes<Enter>p
for 1 3 ask s1 memory_get of=belief:canary-1 at={i} outcome=NOT_FOUND
later 5
write s1 ash {"ref":"note:n-4","text":"held one"}
flush
+ <C-g>
  paused, 1 new
for 1 3 ask s1 memory_get of=belief:canary-1 at={i} outcome=NOT_FOUND
later 5
write s1 ash {"ref":"note:n-5","text":"held one"}
flush
+ <C-g>
  paused, 2 new
+ p
  7 events

== a list keeps what it read during the pause
> 9p
for 1 3 ask s1 memory_get of=belief:canary-1 at={i} outcome=NOT_FOUND
ask s1 memory_list of=belief:canary-1 at=4
later 5
write s1 ash {"ref":"note:n-0","text":"held one"}
flush
+ <C-g>R
  paused, 0 new
for 1 3 ask s1 memory_get of=belief:canary-1 at={i} outcome=NOT_FOUND
ask s1 memory_list of=belief:canary-1 at=4
later 5
write s1 ash {"ref":"note:n-1","text":"held one"}
flush
+ <C-g>
  paused, 3 new
+ p
  7 events

== lists are limited to one agent; activity and shared memory are not, and do not claim to be
size 120x30
{"ref":"entry:one","agent_id":"claire","text":"k","detail":{"namespace":"team","key":"k","value":1}}
every 9 | 9<Tab> | @
> {}:agent lat<Enter>
  | stemma › all agents › |
  |lists show only the memories of lat; |
  this view shows all agents, and \ filters
> :diff @0 now<Enter>:agent lat<Enter>
  | stemma › all agents › |
  |lists show only the memories of lat; |
  this view shows all agents, and \ filters
every :namespaces<Enter> | :namespaces<Enter><Enter>
> {}:agent lat<Enter>
  | stemma › all agents › |
  |lists show only the memories of lat; |
  a namespace has the entries of all agents
> 9:agent lat<Enter>0
  | stemma › lat › |
> 9:agent lat<Enter>:agent all<Enter>
  the memories of all agents

== agents are counted, not their sessions
> 9
  | 1 agent live|
join s2 codex ash
join s3 claude-code ash
flush
> 9
  | 1 agent live|
join s4 codex willow
flush
> 9
  | 2 agents live|
> 9<Tab>
  | 4 sessions|

== a name with hidden characters is distinguished everywhere
join h "z\xe2\x80\x8bqx" "z\xe2\x80\x8bqx"
write h "z\xe2\x80\x8bqx" {"ref":"belief:hidden-1","text":"One","agent_id":"z\u200bqx","source_entity":"z\u200bqx"}
flush
every 9 | 9<Tab> | 9<Tab><Enter> | 1 | 1<Enter> | 1<Enter>. | @ | @<Enter> | 1A | 1Azqx<Enter> | 9\actor:z | 9<Tab>Kr
> {}
  z�qx
! | zqx|

== a name of invisible characters only, from before such names were refused, is shown
join b "\xe2\x80\x83" willow
write b " " {"ref":"belief:blank-1","text":"One","agent_id":" "}
flush
> 9
  | " " |
  | unnamed clie|
> 9<Tab>
  unnamed client 2.1
> :belief:blank-1<Enter>.
  agent        " "

# One agent leaves.
== decisions about a session are shown
join s2 "" willow
flush
> 9<Tab>Kr<C-g>
+
every 9<Enter> | @<Enter>
> {}
  |(unnamed client 2.1)  |
  | made read-only |
! no single memory
> 9<Enter><Enter>
  "made read-only" was about this session

== the cursor goes to new lines on request and then waits
write s1 ash {"ref":"note:n-0","text":"held one"}
> 9j
for 1 3 ask s1 memory_get of=belief:canary-1 at={i} outcome=NOT_FOUND
later 5
write s1 ash {"ref":"note:n-1","text":"held one"}
flush
+ <C-g><C-f>
  | following|
  the cursor follows new lines
  | 1/|
! | new ↑|
> @j
ask s1 memory_list of=belief:canary-1
write s1 ash {"ref":"note:n-2","text":"held one"}
flush
+ <C-g><C-f>
  | following|
  the cursor follows new lines
  | 1/|
! | new ↑|
> 0j
write s1 ash {"ref":"note:n-3","text":"held one"}
+ <C-g><C-f>
  | following|
  the cursor follows new lines
  | 1/|
! | new ↑|

# The status line says so too, counting from the last key; lists get a column of agents.
== a second agent
size 120x36
>
! | agent  |
write s1 root {"ref":"belief:r-1","text":"one"}
+
  | agent  |
  root (agent, via claude-code) added belief:r-1
write s1 ash {"ref":"belief:r-2","text":"two"}
+
  2 changes in this store, the last by ash (agent, via claude-code)
+
