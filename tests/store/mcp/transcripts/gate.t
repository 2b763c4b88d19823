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
$ stemma approve belief:ID1 --yes | grep -o '[a-z]* → .*\|promoted to.*'
pending → active
$ stemma list belief --agent ash | grep -c '●\|–'
2
> memory_get {"ref":"belief:ID1"}
{"status": "(absent)"}
> memory_get {"ref":"note:ID2"}
{"label": "supported"}
$ stemma undo --yes | grep -o '[a-z]* → .*\|promoted to.*'
active → pending
> memory_get {"ref":"belief:ID1"}
! NOT_FOUND
@ ash
> memory_get {"ref":"belief:ID1"}
{"status": "pending"}

== an approved memory has, for other agents, a history that begins with the approval
= facts
| gate: {ash: {all: yes}}
| share: yes
> memory_add {"kind":"note","text":"the password is hunter2"}
{"ref": "note:ID1"}
> memory_update {"ref":"note:ID1","text":"the password is in the vault"}
{"version": 2}
$ stemma approve note:ID1 --yes >/dev/null
@ bo
> memory_history {"ref":"note:ID1","format":"json"}
!~ hunter2
> memory_update {"ref":"note:ID1","text":"x","expected_version":1}
! CONFLICT: it is at version 3, not 1 {"expected": {"version": 1}, "present": {"version": 3, "text": "the password is in the vault"}} -> memory_get reads the present version.
!~ hunter2
> resources/read {"uri":"stemma://note/ID1"}
!~ hunter2
@ ash
> memory_history {"ref":"note:ID1","format":"json"}
~ hunter2

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
$ stemma retract note:ID1 --yes --reason "spam" | grep -o '[a-z]* → .*\|promoted to.*'
pending → rejected
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
$ stemma approve belief:ID1 --yes | grep -o '[a-z]* → .*\|promoted to.*'
pending → active
active → replaced
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
> memory_add {"kind":"belief","text":"of whom?","source_type":"unknown","derived_from":["raw:seen"]}
{"pending": "It waits for a person's approval: of unknown origin. Until then it supports nothing, and no other agent sees it."}
> memory_add {"kind":"raw","text":"as it came"}
{"pending": "It waits for a person's approval: every raw entry does. Until then it supports nothing, and no other agent sees it."}
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
$ stemma fsck | grep -o 'all is well'; stemma log --json | grep -c 'through the client tester'
all is well
2
$ stemma history belief:ID1 | grep -o 'why.*\|status .*'
why: through the client tester
status             pending → active
why: pending: every belief does
status           + pending
$ stemma undo --yes | grep -o '[a-z]* → .*\|promoted to.*'
rejected → pending
$ stemma undo --yes | grep -o '[a-z]* → .*\|promoted to.*'
active → pending
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
$ stemma show raw:seen | grep -o '[◌×] belief:[a-f0-9]* '
◌ belief:ID1
$ stemma approve belief:ID1 --yes | grep -o '[a-z]* → .*\|promoted to.*'
pending → active
promoted to belief:ID1

== a pending memory is kept by an export and an import, by fsck, and by the store as it was
= facts
| gate: {ash: {all: yes}}
> memory_add {"kind":"note","text":"kept as it is","derived_from":["raw:seen"]}
{"ref": "note:ID1"}
$ stemma export jsonl > all.jsonl; stemma import jsonl all.jsonl --store other.db >/dev/null; stemma export jsonl --store other.db | diff - all.jsonl && grep -o '"status":"pending"' all.jsonl
"status":"pending"
$ stemma export kernle -o k.db 2>&1 | grep pending; stemma export server-memory 2>&1 >/dev/null | grep pending
stemma: left out: 1 pending memory
stemma: left out: 1 pending memory, 2 names of agents, 2 confidences, 2 times, 2 sources
$ stemma approve note:ID1 --yes >/dev/null; for at in @3 @4; do stemma list note --json --as-of $at 2>/dev/null | grep -o '"status":"[a-z]*"'; done
"status":"pending"
"status":"active"
$ stemma fsck; stemma fsck --store other.db
4 events, 3 memories, 2 links and 1 row of the call log checked: all is well
3 events, 3 memories and 2 links checked: all is well

== a wrong gate names its line
= facts
$ for gate in '{ash: {beleif: risky}}' '{ash: {belief: maybe}}' '{ash: risky}' '{"a*": {all: yes}}'; do printf 'share: no\ngate: %s\n' "$gate" >c.yaml; stemma list raw --config c.yaml; done
stemma: c.yaml line 2: there is no kind of memory that a gate stops 'beleif'; did you mean 'belief'? Correct that line or remove it; `stemma help config` shows every setting.
stemma: c.yaml line 2: 'belief' takes no, risky or yes, not 'maybe'. Correct that line or remove it; `stemma help config` shows every setting.
stemma: c.yaml line 2: 'ash' takes kinds with no, risky or yes, as in {belief: risky}. Correct that line or remove it; `stemma help config` shows every setting.
stemma: c.yaml line 2: 'a*' is not an agent's name; all is every other agent. Correct that line or remove it; `stemma help config` shows every setting.
[3]
