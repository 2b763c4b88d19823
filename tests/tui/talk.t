# The conversation of a session: its calls and what they wrote, in order, as they come.
size 120x36
clock 1700000000000
person sean
{"ref":"raw:54c5507f-0000-4000-8000-000000000001","text":"The migration held a lock while old workers still wrote"}
join s1 claude-code ash
join s2 codex claire
write s1 ash {"ref":"belief:canary-1","text":"Canary first, then the fleet\nand never on a Friday","derived_from":["raw:54c5507f-0000-4000-8000-000000000001"]}
ask s1 memory_search at=1000
ask s1 memory_supersede at=2000 of=belief:canary-1 outcome=CONFLICT given={"ref":"belief:canary-1","statement":"Canary"} told={"error":{"code":"CONFLICT","message":"stale"}}
ask s2 memory_list at=2500
later 3000
write s1 ash {"ref":"note:n-1","text":"held one"}
flush

== in order, with what was written and what failed; another session is not in it
view talk 9<Tab>G&
> 9<Tab>G&
  conversation of session 1 (claude-code
  added       belief:canary-1 ~> Canary first, then the fleet ~> and never on a Friday ~> memory_search ~> failed      memory_supersede ~> note:n-1 ~> held one
  given {"ref":"belief:canary-1"
  told {"error"
  waits for the next call
! memory_list

== the end is followed while new calls come; a key ends that, C-f goes on
size 80x14
> 9<Tab>G&
  following
  held one
for 1 6 write s1 ash {"ref":"note:m-{i}","text":"more {i}"}
+ <C-g>
  more 6
  following
on note:m-6
+ kk<C-g>
! following
write s1 ash {"ref":"note:m-7","text":"more 7"}
+ <C-g>
on note:m-4
+ <C-f>
  more 7
on note:m-7

== a pause holds what comes and counts it
> 9<Tab>G&p
write s1 ash {"ref":"note:m-1","text":"more 1"}
ask s1 memory_get at=3100
ask s1 memory_list at=3200
later 1000
flush
+ <C-g>
  paused, 3 new
! more 1
+ p
  more 1
  memory_get
! paused,

== Enter opens the memory, or the failed call
> 9<Tab>G&gjj<Enter>
  CONFLICT memory_supersede
  arguments ref: "belief:canary-1"
> 9<Tab>G&g<Enter>
  › belief:canary-1
