= captures
+ {"ref":"raw:one","text":"as it came","agent_id":"ash"}
+ {"ref":"raw:two","text":"as it came, too","agent_id":"ash"}
+ {"ref":"episode:met","text":"met Claire","agent_id":"ash"}
+ {"ref":"belief:a","text":"alone","agent_id":"ash","confidence":0.7,"derived_from":["raw:one"],"tags":["t"]}
+ {"ref":"belief:b","text":"on top","agent_id":"ash","confidence":0.9,"derived_from":["belief:a"]}

== a raw entry is promoted
= captures
> memory_process_raw {"ref":"raw:one","as":"belief","relates_to":["met"],"derived_from":["raw:two","raw:one",
    "context:x","raw:later"],"context_tags":["c"]}
{"ref": "belief:ID1", "version": 1, "unresolved": ["raw:later"]}
> memory_get {"ref":"belief:ID1","detail":"full"}
{"text": "as it came", "source": "raw-processing", "agent_id": "ash", "tags": ["c"], "annotations": ["context:x"],
 "justifications": [{"role": "derived_from", "antecedents": [{"ref": "raw:one"}, "(any)", "(any)"]}, {"role": "evidence"}]}
> memory_get {"ref":"raw:one","detail":"full"}
{"relations": [{"type": "processed_into"}]}
> memory_get {"ref":"raw:one","detail":"full"}
{"relations": [{"to": "belief:ID1"}]}
> memory_process_raw {"ref":"raw:one","as":"note","text":"mine","source":"told by Claire","agent_id":"claire",
    "derivation":"all","derived_from":["raw:two"]}
{"ref": "note:ID2", "version": 1}
> memory_get {"ref":"note:ID2","detail":"full"}
{"text": "mine", "source": "told by Claire", "source_type": "told_by_agent", "agent_id": "ash",
 "justifications": [{"reading": "all"}]}
> memory_get {"ref":"raw:one","detail":"full"}
{"relations": [{"type": "processed_into", "to": "belief:ID1", "at": "NOW"},
  {"type": "processed_into", "to": "note:ID2", "at": "NOW"}]}
> memory_process_raw {"ref":"belief:a","as":"note"}
! INVALID_REQUEST: belief:a is not a raw entry -> Only a raw entry is promoted; replace or edit this one.

== reinforcing returns both confidences
= captures
> memory_reinforce {"ref":"belief:a","evidence_source":"episode:met","reason":"again"}
{"ref": "belief:a", "version": 2, "old": 0.7, "new": 0.713182}
> memory_get {"ref":"belief:a","detail":"full"}
{"confidence": 0.7131818181818181, "history": [{"evidence_source": "episode:met"}]}
> memory_consolidate {"ref":"belief:a","evidence":["raw:two"],"date":"2026-02-01"}
{"ref": "belief:a", "version": 3, "old": 0.713182, "new": 0.724716}
> memory_get {"ref":"belief:a","detail":"full"}
{"history": ["(any)", {"evidence_source": "consolidation:2026-02-01"}]}
> memory_consolidate {"ref":"belief:a","evidence":["raw:two"],"date":"1"}
! INVALID_REQUEST: 1 is no date -> Write it as 2026-02-01.

== a better statement replaces a belief
= captures
> memory_supersede {"ref":"belief:b","statement":"better","reason":"counted"}
{"ref": "belief:ID1", "version": 1}
> memory_get {"ref":"belief:ID1","detail":"full"}
{"text": "better", "source_type": "inference", "confidence": 0.9}
> memory_get {"ref":"belief:b","detail":"full"}
{"status": "superseded"}
> memory_history {"ref":"belief:b","format":"json"}
{"versions": ["belief:b", "belief:ID1"]}
> memory_supersede {"ref":"belief:b","statement":"x"}
! CONFLICT: belief:b is replaced already -> Replace belief:ID1.

== an episode revises a belief
= captures
> memory_revise_from_episode {"episode":"episode:met","confirms":["belief:a"],"contradicts":["belief:b"]}
{"reinforced": ["belief:a"], "for_review": ["belief:b"]}
> memory_get {"ref":"belief:b","detail":"full"}
{"marks": [{"mark": "for_review"}]}
> memory_get {"ref":"belief:b","detail":"full"}
{"confidence": 0.9}
> memory_revise_from_episode {"episode":"episode:met","confirms":["belief:a","belief:none"]}
! NOT_FOUND: no memory is called belief:none -> Search for it, or list its kind.

== an update changes only the given fields
= captures
> memory_update {"ref":"belief:a","text":"a\u0000b","tags":[],"expected_version":1,"reason":"r"}
{"ref": "belief:a", "version": 2}
> memory_get {"ref":"belief:a","detail":"full"}
{"text": "a�b", "tags": "(absent)", "confidence": 0.7}
> memory_update {"ref":"belief:a","text":"x","expected_version":1}
! CONFLICT: it is at version 2, not 1 {"expected": {"version": 1, "text": "alone"}, "present": {"version": 2, "text": "a�b"}} -> memory_get reads the present version.
> memory_update {"ref":"belief:a"}
! INVALID_REQUEST: nothing to change is given -> Give a text, a confidence, tags, fields or sources.
> memory_update {"ref":"belief:a","confidence":0.7}
{"ref": "belief:a", "version": 2, "left": ["belief:a has these values already"]}

== a flag and a seed
= captures
> memory_mark {"ref":"raw:two","mark":"rating","value":"3"}
{"ref": "raw:two", "version": 2}
> memory_get {"ref":"raw:two","detail":"full"}
{"marks": [{"actor": "ash"}]}
> memory_mark {"ref":"raw:two","mark":"rating","value":"3"}
{"ref": "raw:two", "version": 2, "left": ["raw:two is flagged rating already"]}
> memory_seed {"statement":"care","confidence":0.5,"tags":["v"]}
{"ref": "belief:ID1", "version": 1}
> memory_get {"ref":"belief:ID1","detail":"full"}
{"source_type": "seed", "annotations": ["kernle:seed-beliefs"], "agent_id": "ash", "tags": ["v"]}
> memory_add {"kind":"goal","text":"g","detail":{"why":1}}
{"ref": "goal:ID2", "version": 1}
> memory_get {"ref":"goal:ID2","detail":"full"}
{"text": "g", "detail": {"why": 1}}
> memory_add {"kind":"attribution","text":"x","detail":{"foo":1}}
! INVALID_REQUEST: no field foo in a detail of the kind attribution -> Known are source_type, source_uri, retrieval_timestamp, content_summary, full_content_hash, full_content_json, citation.

== what a memory was made from is corrected, and its history keeps what it named
+ {"ref":"raw:right","text":"heard","agent_id":"ash"}
+ {"ref":"raw:wrong","text":"heard elsewhere","agent_id":"ash"}
+ {"ref":"episode:met","text":"met Claire","agent_id":"ash"}
> memory_add {"kind":"belief","text":"so","derived_from":["raw:wrogn","raw:right"],"derivation":"all","relates_to":["met"],"tags":["t"]}
{"ref": "belief:ID1", "version": 1, "unresolved": ["raw:wrogn"]}
> memory_update {"ref":"belief:ID1","derived_from":["raw:wrong"],"reason":"a slip"}
{"version": 2}
> memory_get {"ref":"belief:ID1"}
{"text": "so", "tags": ["t"], "based_on": "(2 items)"}
> memory_update {"ref":"belief:ID1","derived_from":["raw:right","context:heard twice","raw:later"],"expected_version":2}
{"version": 3}
> memory_get {"ref":"belief:ID1","detail":"full"}
{"text": "so", "annotations": ["context:heard twice"],
 "justifications": [{"role": "derived_from", "reading": "all", "recorded": "recorded", "at": "NOW",
   "antecedents": [{"ref": "raw:right"}, {"ref": "raw:later"}]},
  {"role": "evidence", "reading": "any", "recorded": "recorded", "at": "NOW", "antecedents": [{"ref": "episode:met"}]}]}
> memory_update {"ref":"belief:ID1","derived_from":["raw:right","raw:later"]}
{"version": 3, "left": ["belief:ID1 has these values already"]}
> memory_history {"ref":"belief:ID1","limit":2}
{"text": "#3 NOW edit by ash, mcp\n  annotations -> context:heard twice\n  justifications: derived_from raw:wrong ->\n  justifications -> derived_from all of raw:right, raw:later\n#2 NOW edit by ash, mcp: a slip\n  justifications: derived_from all of raw:wrogn, raw:right ->\n  justifications -> derived_from raw:wrong\nThere are older changes: give before: 2.\n"}
> memory_update {"ref":"belief:ID1","derived_from":["belief:ID1"]}
! INVALID_REQUEST: a memory is not made from itself -> Name what it was made from.
> memory_update {"ref":"belief:ID1","derived_from":[]}
{"version": 4}
> memory_get {"ref":"belief:ID1"}
{"based_on": [{"ref": "episode:met", "text": "met Claire", "role": "evidence"}]}
$ stemma edit belief:ID1 --from raw:right --from raw:wrong --yes
── edited ─ 1
     belief:ID1  so 0.80 now
       justifications   + derived from any of raw:right, raw:wrong
$ stemma approve belief:ID1 --yes | wc -l
3
> memory_update {"ref":"belief:ID1","derived_from":["raw:right"]}
! PERMISSION_DENIED: belief:ID1 was approved by a person -> Ask the person; they change it, or take that back, in the explorer.
> memory_add {"kind":"attribution","text":"x","detail":{"source_type":"web","retrieval_timestamp":1}}
{"ref": "attribution:ID2"}
> memory_update {"ref":"attribution:ID2","derived_from":["raw:right"]}
! PERMISSION_DENIED: attribution:ID2 is a record of the log, which agents do not rewrite -> Log what you retrieved now, or flag this one.

== an agent takes back its own flag, and no other
| share: yes
+ {"ref":"raw:one","text":"heard","agent_id":"ash"}
> memory_mark {"ref":"raw:one","mark":"poisoned","reason":"planted?"}
{"version": 2}
> memory_mark {"ref":"raw:one","mark":"reviewed"}
{"version": 3}
$ stemma flag reviewed raw:one --yes | wc -l
3
@ bo
> memory_mark {"ref":"raw:one","mark":"poisoned","remove":true}
{"version": 4, "left": ["raw:one is not flagged poisoned by you"]}
@ ash
> memory_mark {"ref":"raw:one","mark":"poisoned","remove":true,"reason":"it is genuine"}
{"version": 5}
> memory_mark {"ref":"raw:one","mark":"reviewed","remove":true}
{"version": 6}
> memory_mark {"ref":"raw:one","mark":"reviewed","remove":true}
{"version": 6, "left": ["raw:one is not flagged reviewed by you"]}
> memory_get {"ref":"raw:one","detail":"full"}
{"version": 6, "marks": [{"mark": "reviewed", "at": "NOW", "actor": "sean"}]}
> memory_history {"ref":"raw:one","limit":2}
{"text": "#6 NOW unmark by ash, mcp\n  marks: reviewed by agent ash ->\n#5 NOW unmark by ash, mcp: it is genuine\n  marks: poisoned by agent ash: planted? ->\nThere are older changes: give before: 5.\n"}
$ stemma flag planted raw:one --yes | wc -l
6
> memory_mark {"ref":"raw:one","mark":"planted","remove":true}
{"version": 7, "left": ["raw:one is not flagged planted by you"]}
> memory_mark {"ref":"raw:one","mark":"approved","remove":true}
! INVALID_REQUEST: approved is no flag to set or to remove by hand -> Only a person approves; memory_mark verified says that you checked it.

== a word for what another operation does is no flag
+ {"ref":"belief:a","text":"alone","agent_id":"ash"}
> memory_mark {"ref":"belief:a","mark":"approved"}
! INVALID_REQUEST: approved is no flag to set or to remove by hand -> Only a person approves; memory_mark verified says that you checked it.
> memory_mark {"ref":"belief:a","mark":"verified"}
{"ref": "belief:a", "version": 2}
> memory_mark {"ref":"belief:a","mark":"locked"}
! INVALID_REQUEST: locked is no flag to set by hand -> Ask the person who reviews this memory to lock it, or flag it for_review.
> memory_mark {"ref":"belief:a","mark":"retracted"}
! INVALID_REQUEST: retracted is no flag to set by hand -> Ask the person who reviews this memory to retract it: flag it for_review.
> memory_mark {"ref":"belief:a","mark":"quarantined"}
! INVALID_REQUEST: quarantined is no flag to set by hand -> Ask the person who reviews this memory to quarantine it: flag it poisoned.
> memory_mark {"ref":"belief:a","mark":"superseded"}
! INVALID_REQUEST: superseded is no flag to set by hand -> memory_supersede replaces a belief.
> memory_mark {"ref":"belief:a","mark":"locked","remove":true}
{"ref": "belief:a", "version": 2, "left": ["belief:a is not flagged locked by you"]}
$ stemma flag locked belief:a --yes
stemma: locked is no flag to set by hand. Lock it instead.
[2]

== such a word names the tool where agents may use it
| destructive_tools: yes
+ {"ref":"belief:a","text":"alone","agent_id":"ash"}
> memory_mark {"ref":"belief:a","mark":"protected"}
! INVALID_REQUEST: protected is no flag to set by hand -> memory_protect (set kernle) locks it: call it by name.
> memory_mark {"ref":"belief:a","mark":"forgotten"}
! INVALID_REQUEST: forgotten is no flag to set by hand -> memory_retract retracts or forgets it.

== decisions are returned as stored
| share: yes
| destructive_tools: yes
+ {"ref":"raw:one","text":"as it came","agent_id":"ash"}
+ {"ref":"raw:two","text":"as it came, too","agent_id":"ash"}
+ {"ref":"episode:met","text":"met Claire","agent_id":"ash"}
+ {"ref":"belief:a","text":"alone","agent_id":"ash","confidence":0.7,"derived_from":["raw:one"],"tags":["t"]}
+ {"ref":"belief:b","text":"on top","agent_id":"ash","confidence":0.9,"derived_from":["belief:a"]}
> memory_verify {"ref":"belief:a","reason":"looked"}
{"ref": "belief:a", "version": 2}
> memory_get {"ref":"belief:a","detail":"full"}
{"confidence": 0.7, "marks": [{"mark": "verified", "actor": "ash", "reason": "looked"}]}
> memory_get {"ref":"belief:a"}
{"flags": ["verified"]}
> memory_verify {"ref":"belief:a","reason":"looked"}
{"ref": "belief:a", "version": 2, "left": ["belief:a is verified by ash already"]}
> memory_mark {"ref":"belief:a","mark":"approved"}
! INVALID_REQUEST: approved is no flag to set or to remove by hand
> memory_retract {"ref":"raw:one"}
{"ref": "raw:one", "version": 2}
> memory_get {"ref":"belief:a","detail":"full"}
{"label": "unsupported"}
> memory_retract {"ref":"raw:one"}
{"ref": "raw:one", "version": 2, "left": ["raw:one is retracted already"]}
> memory_restore {"ref":"raw:one"}
{"ref": "raw:one", "version": 3}
> memory_get {"ref":"belief:a","detail":"full"}
{"label": "supported"}
> memory_forget {"ref":"raw:one"}
{"ref": "raw:one", "version": 4}
> memory_get {"ref":"raw:one","detail":"full"}
{"status": "forgotten"}
> memory_get {"ref":"belief:a","detail":"full"}
{"marks": [{"mark": "verified", "at": "NOW", "actor": "ash", "reason": "looked"},
  {"mark": "for_review", "at": "NOW", "actor": "ash", "reason": "based on raw:one, which was forgotten"}]}
> memory_protect {"ref":"belief:b"}
{"ref": "belief:b", "version": 3}
> memory_forget {"ref":"belief:b"}
! PERMISSION_DENIED: belief:b is locked -> Ask the person who reviews this memory: only they can unlock it.

== a person's decision stands
# For any tool.
| destructive_tools: yes
+ {"ref":"raw:one","text":"as it came","agent_id":"ash"}
+ {"ref":"raw:two","text":"as it came, too","agent_id":"ash"}
+ {"ref":"episode:met","text":"met Claire","agent_id":"ash"}
+ {"ref":"belief:a","text":"alone","agent_id":"ash","confidence":0.7,"derived_from":["raw:one"],"tags":["t"]}
+ {"ref":"belief:b","text":"on top","agent_id":"ash","confidence":0.9,"derived_from":["belief:a"]}
$ stemma protect belief:a --yes > /dev/null
> memory_update {"ref":"belief:a","text":"x"}
! PERMISSION_DENIED: belief:a is locked -> Ask the person; they change it, or take that back, in the explorer.
> memory_reinforce {"ref":"belief:a"}
! PERMISSION_DENIED: belief:a is locked -> Ask the person; they change it, or take that back, in the explorer.
> memory_supersede {"ref":"belief:a","statement":"x"}
! PERMISSION_DENIED: belief:a is locked -> Ask the person; they change it, or take that back, in the explorer.
> memory_consolidate {"ref":"belief:a","evidence":["raw:two"]}
! PERMISSION_DENIED: belief:a is locked -> Ask the person; they change it, or take that back, in the explorer.
> memory_mark {"ref":"belief:a","mark":"rating"}
! PERMISSION_DENIED: belief:a is locked -> Ask the person; they change it, or take that back, in the explorer.
> memory_revise_from_episode {"episode":"episode:met","confirms":["belief:b","belief:a"]}
! PERMISSION_DENIED: belief:a is locked -> Ask the person; they change it, or take that back, in the explorer.
> memory_verify {"ref":"belief:a"}
! PERMISSION_DENIED: belief:a is locked -> Ask the person; they change it, or take that back, in the explorer.
> memory_retract {"ref":"belief:a"}
! PERMISSION_DENIED: belief:a is locked -> Ask the person; they change it, or take that back, in the explorer.
> memory_forget {"ref":"belief:a"}
! PERMISSION_DENIED: belief:a is locked -> Ask the person who reviews this memory: only they can unlock it.
$ stemma unprotect belief:a --yes > /dev/null
$ stemma quarantine belief:a --yes > /dev/null
> memory_update {"ref":"belief:a","text":"x"}
! NOT_FOUND: no memory is called belief:a -> Give at least 4 characters of an id, or all of it.
> memory_reinforce {"ref":"belief:a"}
! NOT_FOUND: no memory is called belief:a -> Give at least 4 characters of an id, or all of it.
> memory_supersede {"ref":"belief:a","statement":"x"}
! NOT_FOUND: no memory is called belief:a -> Give at least 4 characters of an id, or all of it.
> memory_consolidate {"ref":"belief:a","evidence":["raw:two"]}
! NOT_FOUND: no memory is called belief:a -> Give at least 4 characters of an id, or all of it.
> memory_mark {"ref":"belief:a","mark":"rating"}
! NOT_FOUND: no memory is called belief:a -> Give at least 4 characters of an id, or all of it.
> memory_revise_from_episode {"episode":"episode:met","confirms":["belief:b","belief:a"]}
! NOT_FOUND: no memory is called belief:b -> Give at least 4 characters of an id, or all of it.
> memory_verify {"ref":"belief:a"}
! NOT_FOUND: no memory is called belief:a -> Give at least 4 characters of an id, or all of it.
> memory_retract {"ref":"belief:a"}
! NOT_FOUND: no memory is called belief:a -> Give at least 4 characters of an id, or all of it.
> memory_forget {"ref":"belief:a"}
! NOT_FOUND: no memory is called belief:a -> Give at least 4 characters of an id, or all of it.
$ stemma release belief:a > /dev/null
$ stemma verify belief:a --yes > /dev/null
> memory_update {"ref":"belief:a","text":"x"}
! PERMISSION_DENIED: belief:a was approved by a person -> Ask the person; they change it, or take that back, in the explorer.
> memory_reinforce {"ref":"belief:a"}
! PERMISSION_DENIED: belief:a was approved by a person -> Ask the person; they change it, or take that back, in the explorer.
> memory_supersede {"ref":"belief:a","statement":"x"}
! PERMISSION_DENIED: belief:a was approved by a person -> Ask the person; they change it, or take that back, in the explorer.
> memory_consolidate {"ref":"belief:a","evidence":["raw:two"]}
! PERMISSION_DENIED: belief:a was approved by a person -> Ask the person; they change it, or take that back, in the explorer.
> memory_mark {"ref":"belief:a","mark":"rating"}
! PERMISSION_DENIED: belief:a was approved by a person -> Ask the person; they change it, or take that back, in the explorer.
> memory_revise_from_episode {"episode":"episode:met","confirms":["belief:b","belief:a"]}
! PERMISSION_DENIED: belief:a was approved by a person -> Ask the person; they change it, or take that back, in the explorer.
> memory_verify {"ref":"belief:a"}
! PERMISSION_DENIED: belief:a was approved by a person -> Ask the person; they change it, or take that back, in the explorer.
> memory_retract {"ref":"belief:a"}
! PERMISSION_DENIED: belief:a was approved by a person -> Ask the person; they change it, or take that back, in the explorer.
> memory_forget {"ref":"belief:a"}
! PERMISSION_DENIED: belief:a was approved by a person -> Ask the person; they change it, or take that back, in the explorer.
$ stemma retract belief:b --yes > /dev/null
> memory_restore {"ref":"belief:b"}
! PERMISSION_DENIED: belief:b was retracted by a person -> Ask the person; they change it, or take that back, in the explorer.

== capping confidence is only previewed
= captures
> memory_propagate_confidence {"ref":"belief:a"}
{"changes": [{"ref": "belief:b", "before": 0.9, "after": 0.7}]}
$ stemma protect belief:b --yes > /dev/null
> memory_propagate_confidence {"ref":"belief:a"}
{"changes": "(1 items)"}

== a history comes in pages
= captures
> memory_update {"ref":"belief:a","text":"text 0","reason":"why 0"}
{"ref": "belief:a", "version": 2}
> memory_update {"ref":"belief:a","text":"text 1","reason":"why 1"}
{"ref": "belief:a", "version": 3}
> memory_update {"ref":"belief:a","text":"text 2","reason":"why 2"}
{"ref": "belief:a", "version": 4}
> memory_update {"ref":"belief:a","text":"text 3","reason":"why 3"}
{"ref": "belief:a", "version": 5}
> memory_update {"ref":"belief:a","text":"text 4","reason":"why 4"}
{"ref": "belief:a", "version": 6}
> memory_update {"ref":"belief:a","text":"text 5","reason":"why 5"}
{"ref": "belief:a", "version": 7}
> memory_update {"ref":"belief:a","text":"text 6","reason":"why 6"}
{"ref": "belief:a", "version": 8}
> memory_history {"ref":"belief:a","limit":2,"format":"json"}
{"events": [{"reason": "why 6"}, {"reason": "why 5"}], "older": 7}
> memory_history {"ref":"belief:a","limit":2,"before":7,"format":"json"}
{"events": [{"reason": "why 4"}, {"reason": "why 3"}], "older": 5}
> memory_history {"ref":"belief:a","limit":2,"before":5,"format":"json"}
{"events": [{"reason": "why 2"}, {"reason": "why 1"}], "older": 3}
> memory_history {"ref":"belief:a","limit":2,"before":3,"format":"json"}
{"events": [{"reason": "why 0"}, "(any)"], "older": "(absent)"}
> memory_history {"ref":"belief:a","limit":1,"format":"json"}
{"events": [{"class": "agent", "changes": [{"field": "text", "before": "text 5", "after": "text 6"}], "version": 8, "seq": 8}]}
