= facts
+ {"ref":"raw:seen","agent_id":"ash","text":"the log says 30 seconds","created_at":1000}
+ {"ref":"belief:old","agent_id":"ash","text":"the timeout is long","created_at":2000,"confidence":0.6,
    "derived_from":["raw:seen"]}

== a belief without a source waits, is seen by its writer alone, and is active once a person approves it
= facts
| gate: {ash: {belief: risky}}
| share: yes
> memory_add {"kind":"belief","text":"the timeout is 30 seconds"}
{"ref": "belief:ID1", "version": 1,
 "pending": "It waits for a person's approval: no source. Until then it supports nothing, and no other agent sees it."}
> memory_get {"ref":"belief:ID1"}
{"status": "pending"}
> memory_list {"kind":"belief"}
{"memories": "(2 items)"}
> memory_list {"status":"pending"}
{"memories": "(1 items)"}
> memory_search {"query":"timeout 30 seconds"}
~ belief:ID1
> memory_add {"kind":"note","text":"so retries wait 30 seconds","derived_from":["belief:ID1"]}
{"ref": "note:ID2"}
> memory_get {"ref":"note:ID2"}
{"label": "unsupported"}
@ bo
> memory_get {"ref":"belief:ID1"}
! NOT_FOUND
> memory_list {"kind":"belief"}
{"memories": "(1 items)"}
> memory_search {"query":"timeout is 30 seconds","kind":"belief"}
!~ belief:ID1
> memory_lineage {"ref":"note:ID2"}
!~ belief:ID1
$ stemma approve belief:ID1 --yes
── approved ─ 1
     belief:ID1  the timeout is 30 seconds 0.80 now
       status             pending → active
       flags            + approved by sean
$ stemma list belief --agent ash
–  belief:ID1  0.80    –  direct   now  the timeout is 30 seconds
●  belief:old       0.60  1/1  direct   56y  the timeout is long
> memory_get {"ref":"belief:ID1"}
{"status": "(absent)"}
> memory_get {"ref":"note:ID2"}
{"label": "supported"}
$ stemma undo --yes
── undone ─ 1
     belief:ID1  the timeout is 30 seconds 0.00 now
       status             active → pending
       flags            - approved by sean

── lost all support ─ 1 · no other support
   ○ note:ID2    so retries wait 30 seconds 0.00 now



> memory_get {"ref":"belief:ID1"}
! NOT_FOUND
@ ash
> memory_get {"ref":"belief:ID1"}
{"status": "pending"}

== what a person rejects no other agent ever sees, and an agent does not bring it back
= facts
| gate: {ash: {all: yes}}
| share: yes
| destructive_tools: yes
> memory_add {"kind":"note","text":"buy from evil.example"}
{"ref": "note:ID1"}
> memory_verify {"ref":"note:ID1"}
! PERMISSION_DENIED: note:ID1 is pending -> Ask the person who reviews this memory to approve it.
> memory_restore {"ref":"note:ID1"}
{"ref": "note:ID1"}
$ stemma retract note:ID1 --yes --reason "spam"
── retracted ─ 1
     note:ID1  buy from evil.example 0.00 now
       status             pending → rejected
   no other memory is affected
> memory_get {"ref":"note:ID1"}
{"status": "rejected"}
> memory_restore {"ref":"note:ID1"}
! PERMISSION_DENIED: note:ID1 was retracted by a person -> Ask the person; they change it, or take that back, in the explorer.
@ bo
> memory_get {"ref":"note:ID1"}
! NOT_FOUND
> memory_list {"status":"all"}
!~ evil

== a replacement takes effect with its approval; an edit to what would have to wait is refused
= facts
| gate: {ash: {belief: risky, raw: no}}
> memory_supersede {"ref":"belief:old","statement":"the timeout is 30 seconds"}
{"ref": "belief:ID1"}
> memory_get {"ref":"belief:old"}
{"status": "(absent)"}
> memory_update {"ref":"belief:old","derived_from":[]}
! PERMISSION_DENIED: belief:old is active, and such a change needs a person (no source) -> memory_supersede it: the new statement waits for a person's approval.
> memory_update {"ref":"belief:old","tags":["slow"]}
{"ref": "belief:old", "pending": "(absent)"}
> memory_update {"ref":"belief:ID1","text":"the timeout is 31 seconds"}
{"ref": "belief:ID1"}
$ stemma approve belief:ID1 --yes
── approved ─ 2
     belief:ID1  the timeout is 31 seconds 0.60 now
       status             pending → active
       flags            + approved by sean
     belief:old       the timeout is long replaced 0.60 56y
       status             active → replaced
> memory_get {"ref":"belief:old"}
{"status": "superseded"}

== rules are named, one by one
= facts
+ {"ref":"attribution:web","agent_id":"ash","text":"a page","detail":{"source_type":"web_scrape","source_uri":"https://a.example/",
    "retrieval_timestamp":1000}}
| gate: {all: {belief: risky, raw: yes}}
> memory_add {"kind":"belief","text":"small and supported","derived_from":["raw:seen"]}
{"pending": "(absent)"}
> memory_add {"kind":"belief","text":"of the web","derived_from":["attribution:web"]}
{"pending": "It waits for a person's approval: from the web or from outside. Until then it supports nothing, and no other agent sees it."}
> memory_add {"kind":"belief","text":"too sure","confidence":0.9,"derived_from":["belief:old"]}
{"pending": "It waits for a person's approval: more confident than its sources. Until then it supports nothing, and no other agent sees it."}
> memory_add {"kind":"belief","text":"of nothing","derived_from":["raw:never"]}
{"pending": "It waits for a person's approval: none of its sources stands. Until then it supports nothing, and no other agent sees it."}
> memory_add {"kind":"belief","text":"<<long * 300>>","derived_from":["raw:seen"]}
{"pending": "It waits for a person's approval: long. Until then it supports nothing, and no other agent sees it."}
> memory_add {"kind":"raw","text":"as it came"}
{"pending": "It waits for a person's approval: every raw does. Until then it supports nothing, and no other agent sees it."}
> memory_process_raw {"ref":"raw:seen","as":"belief","text":"the timeout was seen"}
{"pending": "(absent)"}

== the person is asked through the client: an approval, a rejection, and no decision
= facts
| gate: {ash: {belief: yes, ask: yes}}
> initialize {"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"tester","version":"1"}}
~ 2025-06-18
> memory_add {"kind":"belief","text":"the timeout is 30 seconds","derived_from":["raw:seen"]}
{"ref": "belief:ID1"}
> ping
{}
< elicitation/create {"message": "ash wrote a memory that waits for you (every belief does): the timeout is 30 seconds", "requestedSchema": {"type": "object", "properties": {"decision": {"type": "string", "title": "Decision", "enum": ["approve", "reject"]}}, "required": ["decision"]}}
> {"jsonrpc":"2.0","id":"approval-1","result":{"action":"accept","content":{"decision":"approve"}}}
> resources/read {"uri":"stemma://belief/ID1"}
~ active
> memory_supersede {"ref":"belief:ID1","statement":"the timeout is 31 seconds"}
! PERMISSION_DENIED: belief:ID1 was approved by a person -> Ask the person; they change it, or take that back, in the explorer.
> memory_add {"kind":"belief","text":"the timeout is 40 seconds","derived_from":["raw:seen"]}
{"ref": "belief:ID2"}
> ping
{}
> {"jsonrpc":"2.0","id":"approval-2","result":{"action":"decline"}}
> resources/read {"uri":"stemma://belief/ID2"}
~ rejected
> memory_add {"kind":"belief","text":"the timeout is 50 seconds","derived_from":["raw:seen"]}
{"ref": "belief:ID3"}
> ping
{}
> {"jsonrpc":"2.0","id":"approval-3","result":{"action":"cancel"}}
> {"jsonrpc":"2.0","id":"approval-3","result":{"action":"accept","content":{"decision":"approve"}}}
> {"jsonrpc":"2.0","id":"approval-9","result":{"action":"accept","content":{"decision":"approve"}}}
> memory_get {"ref":"belief:ID3"}
{"status": "pending"}
$ stemma history belief:ID1
NOW (now)  approve  sean  version 2  event 4
    why: through the client tester
    status             pending → active
    flags            + approved by sean: through the client tester
NOW (now)  add  ash (agent)  version 1  event 3
    agent_id         + ash
    text             + the timeout is 30 seconds
    created_at       + NOW
    confidence       + 0.800
    source_type      + direct_experience
    status           + pending
    belief_type      + fact
    justifications   + derived_from raw:seen
$ stemma undo --yes
── undone ─ 1
     belief:ID2  the timeout is 40 seconds 0.00 now
       status             rejected → pending
$ stemma undo --yes
── undone ─ 1
     belief:ID1  the timeout is 30 seconds 0.00 now
       status             active → pending
       flags            - approved by sean: through the client tester
   no other memory is affected
> memory_get {"ref":"belief:ID1"}
{"status": "pending"}
| gate: {ash: {belief: yes}}
> memory_add {"kind":"belief","text":"the timeout is 60 seconds","derived_from":["raw:seen"]}
{"ref": "belief:ID4"}
> {"jsonrpc":"2.0","id":7,"method":"ping"}
{"jsonrpc": "2.0", "id": 7, "result": {}}

== what is active is not reinforced, and promoting does not evade the gate
= facts
| gate: {all: {belief: yes}}
> memory_reinforce {"ref":"belief:old"}
! PERMISSION_DENIED: belief:old is active, and such a change needs a person (every belief does) -> memory_supersede it: the new statement waits for a person's approval.
> memory_process_raw {"ref":"raw:seen","as":"belief","text":"the timeout was seen"}
{"ref": "belief:ID1"}
$ stemma show raw:seen
raw:seen
│ the log says 30 seconds

 created      1970-01-01 00:00:01Z (56y)
 state        ● supported
 changed      never
 agent        ash
 confidence   1.000
 source       direct

── based on
   nothing: it is a source itself

── used by ─ 2 memories · 1 with no other support
   ● belief:old       the timeout is long only this 0.60 56y
   × belief:ID1  the timeout was seen only this pending



$ stemma approve belief:ID1 --yes
── approved ─ 2
     belief:ID1  the timeout was seen 0.70 now
       status             pending → active
       flags            + approved by sean
     raw:seen         the log says 30 seconds promoted 1.00 56y
       relations        + promoted to belief:ID1
