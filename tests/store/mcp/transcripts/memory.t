= lineage
+ {"ref":"raw:r","text":"heard"}
+ {"ref":"episode:e","text":"tried","derived_from":["raw:r"]}
+ {"ref":"belief:b","text":"so","derived_from":["episode:e"],"source_episodes":["other"]}
+ {"ref":"belief:t","text":"then","derived_from":["belief:b","raw:r"]}

== each kind is added with its fields
> memory_raw {"blob":"as it came","source":"told by Claire"}
{"ref": "raw:ID1", "version": 1}
> memory_get {"ref":"raw:ID1","detail":"full"}
{"text": "as it came", "source_type": "told_by_agent", "agent_id": "ash", "label": "supported"}
> memory_episode {"objective":"deploy","outcome":"rolled \"back\"","outcome_type":"failure","lessons":["one","two"],
    "tags":["a","b"],"derived_from":["raw:ID1"],"context_tags":["b","c"],"context":"ci"}
{"ref": "episode:ID2", "version": 1}
> memory_get {"ref":"episode:ID2","detail":"full"}
{"detail": {"outcome": "rolled \"back\"", "lessons": ["one", "two"]}, "tags": ["a", "b", "c"], "context": "ci",
 "justifications": [{"antecedents": [{"ref": "raw:ID1"}]}]}
> memory_note {"content":"keep it","type":"decision","reason":"r","speaker":"s"}
{"ref": "note:ID3", "version": 1}
> memory_get {"ref":"note:ID3","detail":"full"}
{"detail": {"note_type": "decision", "speaker": "s"}}
> memory_note {"content":"n"}
{"ref": "note:ID4", "version": 1}
> memory_get {"ref":"note:ID4","detail":"full"}
{"detail": {"note_type": "note"}}
> memory_belief {"statement":"it fails","confidence":0.65,"derived_from":["episode:ID2","raw:ID1","context:words"],
    "derivation":"all","relates_to":["raw:never","bare"],"agent_id":"ash","source_type":"inference",
    "source_entity":"human:c"}
{"ref": "belief:ID5", "version": 1, "unresolved": ["raw:never", "episode:bare"], "annotations": ["context:words"]}
> memory_get {"ref":"belief:ID5","detail":"full"}
{"agent_id": "ash", "source_type": "inference", "detail": {"belief_type": "fact"},
 "justifications": [{"reading": "all", "antecedents": ["(any)", {"ref": "raw:ID1"}]}, "(any)", "(any)"],
 "annotations": ["context:words"], "confidence": 0.65}

== what is based on a memory that has ended is accepted, and the answer says so
+ {"ref":"raw:11111111-0000-4000-8000-000000000001","text":"heard"}
+ {"ref":"raw:two","text":"heard, too"}
+ {"ref":"entry:e","text":"k","agent_id":"claire","detail":{"namespace":"n","key":"k","value":1}}
$ stemma retract raw:11111111 entry:e --yes | wc -l
6
> memory_add {"kind":"belief","text":"b","derived_from":["raw:11111111"]}
{"ref": "belief:ID1", "version": 1, "why": "unsupported: based on raw:11111111, which was retracted"}
> memory_add {"kind":"belief","text":"b","derived_from":["raw:11111111","raw:two"],"derivation":"all"}
{"ref": "belief:ID2", "version": 1, "why": "unsupported: based on raw:11111111, which was retracted"}
> memory_note {"content":"n","derived_from":["raw:11111111","raw:two"]}
{"ref": "note:ID3", "version": 1, "why": "weakened: based on raw:11111111, which was retracted"}
> memory_note {"content":"n","derived_from":["raw:11111111"],"relates_to":["raw:two"]}
{"ref": "note:ID4", "version": 1, "why": "weakened: based on raw:11111111, which was retracted"}
> memory_add {"kind":"belief","text":"b","derived_from":["raw:two"]}
{"ref": "belief:ID5", "version": 1}
> memory_add {"kind":"belief","text":"b","derived_from":["entry:e"]}
! NOT_FOUND: no memory is called entry:e -> Leave it out, or name one that is there.

== tags are taken by each tool that adds, whatever its specification calls them
> memory_add {"kind":"raw","text":"one","tags":["a","b"],"context_tags":["b","c"],"context":"ci","agent_id":"ash"}
{"ref": "raw:ID1", "version": 1}
> memory_get {"ref":"raw:ID1","detail":"full"}
{"tags": ["a", "b", "c"], "context": "ci", "agent_id": "ash"}
> memory_raw {"blob":"two","tags":["a"]}
{"ref": "raw:ID2", "version": 1}
> memory_get {"ref":"raw:ID2"}
{"tags": ["a"]}
> memory_belief {"statement":"three","tags":["a"],"context_tags":["b"]}
{"ref": "belief:ID3", "version": 1}
> memory_get {"ref":"belief:ID3"}
{"tags": ["a", "b"]}
> memory_process_raw {"ref":"raw:ID2","as":"note","tags":["d"]}
{"ref": "note:ID4", "version": 1}
> memory_get {"ref":"note:ID4"}
{"tags": ["d"]}

== the journal names the actor
# The journal records the actor: the agent that the call names, else the client.
> memory_raw {"blob":"one"}
{"ref": "raw:ID1", "version": 1}
> memory_raw {"blob":"two","agent_id":"ash"}
{"ref": "raw:ID2", "version": 1}
$ stemma log --json | cut -d, -f1,3-6,8,9
{"seq":1,"actor":"ash","class":"agent","agent":"ash","origin":"mcp","operation":"add","ref":"raw:ID1"
{"seq":2,"actor":"ash","class":"agent","agent":"ash","origin":"mcp","operation":"add","ref":"raw:ID2"

== invalid text is repaired
> memory_raw {"blob":"a\u0000b\ud800c"}
{"ref": "raw:ID1", "version": 1}
> memory_get {"ref":"raw:ID1","detail":"full"}
{"text": "a�b���c", "detail": {"original": "YQBi7aCAYw=="}}

== invalid memories are refused
> memory_raw {}
! INVALID_REQUEST: blob is missing -> Give a string.
> memory_raw {"blob":""}
! INVALID_REQUEST: blob is empty -> Give a text that is not empty.
> memory_raw {"blob":" \n"}
! INVALID_REQUEST: the text is empty -> Give a text.
> memory_raw {"blob":5}
! INVALID_REQUEST: blob is a number -> Give a string.
> memory_raw {"blob":"b","tag":"t"}
! INVALID_REQUEST: there is no argument 'tag' -> Known are blob, derived_from, relates_to, derivation, source, source_type, source_entity, context, context_tags, agent_id, tags.
> memory_raw {"blob":"b","source_type":"guess"}
! INVALID_REQUEST: source_type is not an allowed value -> Give one of: direct_experience, inference, consolidation, processing, seed, told_by_agent, told_by_human, observation, external, unknown.
> memory_raw {"blob":"b","agent_id":""}
! INVALID_REQUEST: agent_id is empty -> Give a text that is not empty.
> memory_raw {"blob":"b","agent_id":" "}
! INVALID_REQUEST: agent_id is blank -> Give a name that can be read.
> memory_raw {"blob":"b","agent_id":"\u200b\t\u2003"}
! INVALID_REQUEST: agent_id is blank -> Give a name that can be read.
> memory_note {"content":"c","agent_id":"­ㅤ"}
! INVALID_REQUEST: agent_id is blank -> Give a name that can be read.
> memory_episode {"objective":"o"}
! INVALID_REQUEST: outcome is missing -> Give a string.
> memory_episode {"objective":"o","outcome":"x","lessons":[1]}
! INVALID_REQUEST: lessons[0] is a number -> Give a string.
> memory_note {"content":"c","type":7}
! INVALID_REQUEST: type is a number -> Give a string.
> memory_belief {"statement":"s","confidence":1.01}
! INVALID_REQUEST: confidence is out of range -> Give a number from 0 to 1.
> memory_belief {"statement":"s","confidence":"0.8"}
! INVALID_REQUEST: confidence is a string -> Give a number.
> memory_belief {"statement":"s","derivation":"some"}
! INVALID_REQUEST: derivation is not an allowed value -> Give one of: any, all.
> memory_belief {"statement":"s","derived_from":[""]}
! INVALID_REQUEST: derived_from[0] is empty -> Give a text that is not empty.
> memory_belief {"statement":"s","derived_from":"raw:a"}
! INVALID_REQUEST: derived_from is a string -> Give a list.
> memory_note {"content":"s","tags":"one"}
! INVALID_REQUEST: tags is a string -> Give a list.
> memory_whatif {"refs":[""]}
! INVALID_REQUEST: refs[0] is empty -> Give a text that is not empty.
> memory_belief {"statement":"s","derived_from":["nothing"]}
! INVALID_REQUEST: no memory is called nothing -> Write kind:id, such as raw:…, or the whole id.
> memory_belief {"statement":"s","derived_from":["raw:x\u0000y"]}
! INVALID_REQUEST: derived_from[0] contains NUL or half a surrogate pair, which cannot be stored -> Remove it.
> memory_belief {"statement":"s","relates_to":{"ref":1}}
! INVALID_REQUEST: relates_to is an object -> Give a list.

== too many or too long values are refused
# Names and lists are limited, in the check and in the schema.
> memory_note {"content":"c","tags":[<<"same", * 299999>>"same"]}
! INVALID_REQUEST: tags has too few or too many -> Give from 0 to 200 of them.
> memory_belief {"statement":"s","relates_to":[<<"raw:a", * 99999>>"raw:a"]}
! INVALID_REQUEST: relates_to has too few or too many -> Give from 0 to 1000 of them.
> memory_raw {"blob":"b","agent_id":"<<é * 201>>"}
! INVALID_REQUEST: agent_id is too long -> Give at most 200 characters.
> memory_list {"agent_id":"<<a * 6000000>>"}
! INVALID_REQUEST: agent_id is too long -> Give at most 1000 characters.
> memory_note {"content":"c","type":"<<t * 1001>>"}
! INVALID_REQUEST: type is too long -> Give at most 1000 characters.
> memory_raw {"blob":"b","agent_id":"<<é * 200>>"}
{"ref": "raw:ID1", "version": 1}
> memory_get {"ref":"raw:ID1","detail":"full"}
{"agent_id": "ash"}
> memory_note {"content":"c","tags":[<<"same", * 199>>"same"]}
{"ref": "note:ID2", "version": 1}
> memory_belief {"statement":"s","relates_to":[<<"raw:a", * 999>>"raw:a"]}
{"ref": "belief:ID3", "version": 1, "unresolved": ["raw:a"]}

== an ambiguous ref is refused with its candidates
+ {"ref":"raw:aaaaaaaa-0000-4000-8000-000000000001","text":"t"}
+ {"ref":"raw:aaaaaaaa-0000-4000-8000-000000000002","text":"t"}
> memory_belief {"statement":"s","derived_from":["raw:aaaaaaaa"]}
! INVALID_REQUEST: raw:aaaaaaaa may be any of 2 memories -> Say which: raw:aaaaaaaa-0000-4000-8000-000000000001, raw:aaaaaaaa-0000-4000-8000-000000000002
> memory_get {"ref":"raw:aaaa"}
! INVALID_REQUEST: raw:aaaa may be any of 2 memories -> Say which: raw:aaaaaaaa-0000-4000-8000-000000000001, raw:aaaaaaaa-0000-4000-8000-000000000002

== a missing memory is not found
+ {"ref":"note:n","text":"t","derived_from":["raw:deadbeef"]}
> memory_get {"ref":"raw:nothing"}
! NOT_FOUND: no memory is called raw:nothing -> Search for it, or list its kind.
> memory_get {"ref":"raw:deadbeef","detail":"full"}
! NOT_FOUND: raw:deadbeef is named by others and was never written here -> memory_lineage with the direction descendants tells who names it.
> memory_history {"ref":"raw:deadbeef","format":"json"}
! NOT_FOUND: raw:deadbeef is named by others and was never written here -> memory_lineage with the direction descendants tells who names it.
> memory_get {"ref":"context:words"}
! INVALID_REQUEST: context:words names no memory: "context" is not a kind -> The kinds are raw, episode, belief, note, value, goal, drive, relationship, suggestion, attribution, document, chain, step, citation, entry.
> memory_get {}
! INVALID_REQUEST: ref is missing -> kind:id; 8 characters of the id suffice.
> memory_lineage {"ref":"raw:deadbeef","direction":"descendants","format":"json"}
{"nodes": [{"ref": "raw:deadbeef", "depth": 0, "missing": true},
  {"ref": "note:n", "depth": 1, "text": "t", "label": "unsupported"}]}

== a list is filtered and ordered
+ {"ref":"raw:a","text":"b","created_at":1,"updated_at":9}
+ {"ref":"belief:b","text":"a","created_at":2,"confidence":0.3,"derived_from":["raw:gone"]}
+ {"ref":"raw:gone","text":"c","created_at":3,"status":"retracted"}
+ {"ref":"belief:c","text":"d","created_at":4,"status":"forgotten"}
+ {"ref":"belief:d","text":"e","created_at":5,"derived_from":["raw:gone"]}
> memory_list {"label":"ungrounded","limit":1}
{"memories": [{"ref": "belief:d"}], "next": "CURSOR1"}
> memory_list {"label":"unsupported","limit":1,"cursor":"CURSOR1"}
{"memories": [{"ref": "belief:b"}], "next": "(absent)"}
> memory_list {"label":"ended"}
{"memories": "(2 items)"}
> memory_list {"detail":"full"}
{"memories": "(4 items)"}
> memory_list {"status":"all"}
{"memories": "(5 items)"}
> memory_list {"status":"forgotten"}
{"memories": [{"ref": "belief:c"}]}
> memory_list {"order":"text","kind":"raw","detail":"full"}
{"memories": [{"ref": "raw:a"}, {"ref": "raw:gone"}]}
> memory_list {"order":"updated"}
{"memories": [{"ref": "raw:a"}, "(any)", "(any)", "(any)"]}

== what does not stand comes last in the page, with its effective confidence and the reason
+ {"ref":"raw:r1","text":"deploy one","created_at":1}
+ {"ref":"raw:r2","text":"deploy two","created_at":2}
+ {"ref":"belief:sound","text":"deploy three","created_at":3,"derived_from":["raw:r2"]}
+ {"ref":"belief:lost","text":"deploy four","created_at":4,"derived_from":["raw:r1"],"confidence":0.93}
+ {"ref":"belief:deeper","text":"deploy five","created_at":5,"derived_from":["belief:lost"]}
+ {"ref":"belief:c1","text":"deploy six","created_at":6,"derived_from":["belief:c2"]}
+ {"ref":"belief:c2","text":"deploy seven","created_at":7,"derived_from":["belief:c1"]}
+ {"ref":"belief:nowhere","text":"deploy eight","created_at":8,"derived_from":["raw:never"]}
$ stemma retract raw:r1 --dependants leave --reason wrong --yes | wc -l
7
> memory_search {"query":"deploy","detail":"full"}
{"memories": [{"ref": "belief:sound", "effective": 0.8, "why": "(absent)"}, {"ref": "raw:r2", "effective": 1},
  {"ref": "belief:nowhere", "label": "unsupported", "effective": 0, "why": "unsupported: its source is missing"},
  {"ref": "belief:c2", "label": "circular", "effective": 0, "why": "circular: it is based only on itself"},
  {"ref": "belief:c1"},
  {"ref": "belief:deeper", "effective": 0, "why": "unsupported: what its source is based on was retracted on NOW by sean"},
  {"ref": "belief:lost", "label": "unsupported", "confidence": 0.93, "effective": 0,
   "why": "unsupported: its source was retracted on NOW by sean"},
  {"ref": "raw:r1", "status": "retracted", "effective": 0, "why": "retracted on NOW by sean"}],
 "more": false}
> memory_list {"order":"created","limit":7}
{"memories": [{"ref": "belief:sound"}, {"ref": "raw:r2"}, {"ref": "belief:nowhere"}, {"ref": "belief:c2"},
  {"ref": "belief:c1"}, {"ref": "belief:deeper"},
  {"ref": "belief:lost", "why": "unsupported: its source was retracted on NOW by sean"}],
 "next": "CURSOR1", "more": true}
> memory_list {"order":"created","limit":7,"cursor":"CURSOR1"}
{"memories": [{"ref": "raw:r1"}], "next": "(absent)"}
> memory_get {"ref":"belief:lost"}
{"why": "unsupported: its source was retracted on NOW by sean"}
> prompts/get {"name":"review_agent","arguments":{"agent":"ash"}}
~ - raw:r2 [supported, active, confidence 1] deploy two\n- belief:nowhere [unsupported, active, confidence 0; unsupported: its source is missing] deploy eight
> resources/read {"uri":"stemma://agent/ash"}
~ \"effective\":0,\"trust\":0,\"why\":\"retracted on
# Of several sources the last one counts.
+ {"ref":"belief:two","text":"release","derived_from":["raw:r1","raw:r2"]}
$ echo 'actor: eve' >eve.yaml; stemma --config eve.yaml --store memory.db retract raw:r2 --dependants leave --yes | wc -l
7
> memory_search {"query":"release"}
{"memories": [{"effective": 0, "confidence": 0.8, "why": "unsupported: its last source was retracted on NOW by eve"}]}
$ stemma forget raw:r1 --yes | wc -l
8
> memory_search {"query":"release"}
{"memories": [{"why": "unsupported: its last source was forgotten on NOW by sean"}]}

== what was superseded comes last, with what superseded it
+ {"ref": "belief:old", "agent_id": "ash", "text": "old view", "created_at": 1}
+ {"ref": "belief:other", "agent_id": "ash", "text": "other view", "created_at": 1, "marks": [{"mark": "poisoned", "at": 1}, {"mark": "reviewed", "at": 1}]}
> memory_supersede {"ref": "belief:old", "statement": "new view"}
{"ref": "belief:ID1"}
> memory_search {"query": "view"}
{"memories": [{"snippet": "new view"}, {"ref": "belief:other", "flags": ["poisoned"]}, {"ref": "belief:old", "label": "unsourced", "why": "superseded by belief:…"}], "more": false}

== of what was superseded before its source was retracted, the successor comes first
+ {"ref":"raw:a","agent_id":"ash","text":"heard","created_at":1}
+ {"ref":"belief:old","agent_id":"ash","text":"old view","created_at":1,"derived_from":["raw:a"]}
> memory_supersede {"ref": "belief:old", "statement": "new view"}
{"ref": "belief:ID1", "version": 1}
$ stemma retract raw:a --dependants leave --yes | wc -l
8
> memory_list {"kind":"belief","status":"superseded"}
{"memories": [{"ref": "belief:old", "text": "old view", "effective": 0, "confidence": 0.8, "label": "unsupported", "age": "56y",
   "why": "superseded by belief:ID1 on NOW by ash; its source was retracted on NOW by sean"}]}
> memory_get {"ref":"belief:old"}
{"ref": "belief:old", "text": "old view", "effective": 0, "confidence": 0.8, "label": "unsupported", "age": "56y",
 "why": "superseded by belief:ID1 on NOW by ash; its source was retracted on NOW by sean", "status": "superseded",
 "version": 2, "based_on": [{"ref": "raw:a", "text": "heard", "status": "retracted"}]}

== of another agent's source nobody is named
+ {"ref":"raw:bo","agent_id":"bo","text":"secret","created_at":1}
+ {"ref":"belief:b","text":"deploy","created_at":2,"derived_from":["raw:bo"]}
$ stemma retract raw:bo --dependants leave --yes | wc -l
6
> memory_search {"query":"deploy","detail":"full"}
{"memories": [{"why": "unsupported: its source is retracted"}]}
| share: yes
> memory_search {"query":"deploy","detail":"full"}
{"memories": [{"why": "unsupported: its source was retracted on NOW by sean"}]}

== mcp.hide leaves out what a configuration names, and says how many
+ {"ref":"raw:r1","text":"deploy one","created_at":1}
+ {"ref":"raw:r2","text":"deploy two","created_at":2}
+ {"ref":"belief:sound","text":"deploy three","created_at":3,"derived_from":["raw:r2"]}
+ {"ref":"belief:lost","text":"deploy four","created_at":4,"derived_from":["raw:r1"]}
$ stemma retract raw:r1 --dependants leave --yes | wc -l
6
| mcp: {hide: [unsupported]}
> memory_search {"query":"deploy","limit":1}
{"memories": [{"ref": "belief:sound"}], "left_out": 1, "more": true}
> memory_list {"detail":"full"}
{"memories": [{"ref": "belief:sound"}, {"ref": "raw:r2"}, {"ref": "raw:r1"}], "left_out": 1}
> memory_list {"limit":2}
{"memories": [{"ref": "belief:sound"}, {"ref": "raw:r2"}], "left_out": 1, "more": true, "next": "CURSOR2"}
> memory_list {"limit":2,"cursor":"CURSOR2"}
{"memories": [{"ref": "raw:r1"}], "left_out": "(absent)", "more": "(absent)"}
> memory_get {"ref":"belief:lost"}
{"label": "unsupported", "effective": 0, "confidence": 0.8, "trust": "(absent)"}
> memory_get {"ref":"belief:sound"}
{"effective": 0.8, "confidence": "(absent)"}
> memory_lineage {"ref":"raw:r1","direction":"descendants","format":"json"}
{"nodes": [{"effective": 0, "confidence": 1}, {"effective": 0, "confidence": 0.8}]}
| mcp: {hide: [unsupported, retracted]}
> memory_search {"query":"deploy","detail":"full"}
{"memories": [{"ref": "belief:sound"}, {"ref": "raw:r2"}], "left_out": 2, "more": false}
> resources/read {"uri":"stemma://agent/ash"}
~ \"left_out\":2,\"more\":false
| mcp: {hide: [unsourced, weakened, circular, superseded, expired, forgotten, deleted]}
> memory_search {"query":"deploy","limit":2}
{"memories": [{"ref": "belief:sound"}, {"ref": "belief:lost"}], "left_out": "(absent)", "more": true}

== trust is the weakest source along the best support
| trust: {source_types: {external: 0.25}, source_entities: {claire: 0.65}}
+ {"ref":"raw:r1","text":"deploy one","created_at":1}
+ {"ref":"note:told","text":"deploy two","created_at":2,"source_type":"told_by_agent","source_entity":"agent:claire"}
+ {"ref":"note:web","text":"deploy three","created_at":3,"source_type":"external"}
+ {"ref":"belief:b","text":"deploy four","created_at":4,"source_type":"inference","derived_from":["note:told","note:web"]}
> memory_get {"ref":"belief:b","detail":"full"}
{"confidence": 0.8, "effective": 0.8, "trust": 0.65}
> memory_list {"order":"trust"}
{"memories": [{"ref": "raw:r1", "text": "deploy one", "effective": 1, "trust": 1, "label": "supported", "age": "56y"},
  {"ref": "belief:b", "text": "deploy four", "effective": 0.8, "trust": 0.65, "label": "supported", "age": "56y"},
  {"ref": "note:told", "text": "deploy two", "effective": 0.8, "trust": 0.65, "label": "unsourced", "age": "56y"},
  {"ref": "note:web", "text": "deploy three", "effective": 0.8, "trust": 0.25, "label": "unsourced", "age": "56y"}]}
> memory_list {"order":"trust","detail":"full"}
{"memories": [{"ref": "raw:r1", "trust": 1}, {"ref": "belief:b", "trust": 0.65}, {"ref": "note:told", "trust": 0.65},
  {"ref": "note:web", "trust": 0.25}]}
> memory_list {"label":"unsourced","detail":"full"}
{"memories": [{"ref": "note:web", "trust": 0.25}, {"ref": "note:told", "trust": 0.65}]}
> memory_search {"query":"four","detail":"full"}
{"memories": [{"trust": 0.65}]}

== trust does not tell of what is denied
| tool_permissions: {getMemory: {allowed_namespaces: ["public.*"], operations: [read]}}
+ {"ref":"raw:r1","text":"read","source_type":"external"}
+ {"ref":"entry:e1","text":"key","source_type":"direct_experience","detail":{"namespace":"sensitive.x","key":"key","value":1}}
+ {"ref":"belief:b","text":"so","derived_from":["entry:e1","raw:r1"]}
> memory_get {"ref":"belief:b","detail":"full"}
{"trust": 0.6, "justifications": [{"antecedents": [{"ref": "raw:r1"}]}]}
> memory_list {"order":"trust","kind":"belief","detail":"full"}
{"memories": [{"trust": 0.6}]}
$ stemma show belief:b --json | grep -o '"trust":.*'
"trust":1,"class":"own","independent":2}

== large memories are not lost
# In full form large memories end a page early; a memory that is too large by itself is cut. None is left out.
+ {"ref":"raw:big0","text":"big <<x * 15000>>"}
+ {"ref":"raw:big1","text":"big <<x * 15000>>"}
+ {"ref":"raw:big2","text":"big <<x * 15000>>"}
+ {"ref":"raw:big3","text":"big <<x * 3145728>>"}
+ {"ref":"raw:big4","text":"big <<x * 15000>>"}
+ {"ref":"raw:big5","text":"big <<x * 15000>>"}
> memory_list {"limit":6,"cursor":"","detail":"full"}
{"memories": "(3 items)", "next": "CURSOR1"}
> memory_list {"limit":6,"cursor":"CURSOR1","detail":"full"}
{"memories": "(2 items)", "next": "CURSOR2"}
> memory_list {"limit":6,"cursor":"CURSOR2","detail":"full"}
{"memories": [{"ref": "raw:big0"}], "next": "(absent)"}
> memory_get {"ref":"raw:big3","detail":"full"}
{"too_large": 3145968, "text": "big xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"}
> memory_get {"ref":"raw:big2","detail":"full"}
{"too_large": "(absent)"}
> memory_search {"query":"big","detail":"full"}
{"more": true}
> memory_list {"limit":6}
{"memories": "(6 items)", "next": "(absent)"}
# A text that is too long is begun, and goes on at `next`.
> memory_get {"ref":"raw:big3"}
{"ref": "raw:big3", "characters": 3145732, "next": 38000}
> memory_get {"ref":"raw:big3","offset":3145722}
{"part": "text", "text": "xxxxxxxxxx", "characters": 3145732, "next": "(absent)"}
> resources/read {"uri":"stemma://raw/big3"}
~ memory_get gives each part, in pieces: part, offset.

== a conflict of large versions has the beginning of both
+ {"ref":"note:big","agent_id":"ash","text":"big <<x * 30000>>"}
> memory_update {"ref":"note:big","text":"<<y * 30000>>"}
{"ref": "note:big", "version": 2}
> memory_update {"ref":"note:big","text":"z","expected_version":1}
! CONFLICT: it is at version 2, not 1 {"expected": {"version": 1, "text": "big xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"}, "present": {"version": 2, "text": "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…"}} -> memory_get reads the present version.

== an answer is compact unless all is asked for
# A row and a memory tell what an agent goes by; refs are short, and accepted.
+ {"ref":"raw:11111111-0000-4000-8000-000000000001","agent_id":"ash","text":"Claire said:\n\"it fails\"","created_at":1000}
+ {"ref":"raw:11111111-0000-4000-8000-000000000002","agent_id":"ash","text":"seen on tuesday","created_at":1000}
+ {"ref":"belief:22222222-0000-4000-8000-000000000001","agent_id":"ash","text":"deploys fail","created_at":1000,"confidence":0.8123456,
   "source":"told","justifications":[{"role":"derived_from","reading":"all","at":1,"antecedents":["raw:11111111-0000-4000-8000-000000000001","raw:named"]},
   {"role":"evidence","at":1,"antecedents":["raw:11111111-0000-4000-8000-000000000002"]}]}
> memory_get {"ref":"belief:22222222"}
{"ref": "belief:22222222", "text": "deploys fail", "effective": 0.812, "label": "weakened", "age": "56y", "version": 1,
 "source": "told",
 "based_on": [{"ref": "raw:11111111-0000-4000-8000-000000000001", "text": "Claire said: \"it fails\"", "all": true},
  {"ref": "raw:named", "all": true, "status": "missing"},
  {"ref": "raw:11111111-0000-4000-8000-000000000002", "text": "seen on tuesday", "role": "evidence"}]}
> memory_list {}
{"memories": [{"ref": "belief:22222222", "text": "deploys fail", "effective": 0.812, "label": "weakened", "age": "56y"},
  {"ref": "raw:11111111-0000-4000-8000-000000000002", "text": "seen on tuesday", "effective": 1, "label": "supported",
   "age": "56y"},
  {"ref": "raw:11111111-0000-4000-8000-000000000001", "text": "Claire said: \"it fails\"", "effective": 1,
   "label": "supported", "age": "56y"}]}
> memory_search {"query":"fails"}
{"memories": [{"ref": "raw:11111111-0000-4000-8000-000000000001", "snippet": "Claire said: \"it fails\"", "effective": 1,
   "label": "supported", "age": "56y"}],
 "more": false}
> memory_lineage {"ref":"belief:22222222"}
{"type": "text",
 "text": "Ancestors: below each memory is what it is based on.\nbelief:22222222 [weakened, effective 0.812] deploys fail\n  derived_from (all needed): raw:11111111-0000-4000-8000-000000000001 [supported, effective 1] Claire said: \"it fails\"\n  derived_from (all needed): raw:named [missing: named, never written]\n  evidence: raw:11111111-0000-4000-8000-000000000002 [supported, effective 1] seen on tuesday\n"}
> memory_lineage {"ref":"raw:11111111-0000-4000-8000-000000000002","direction":"whatif"}
{"type": "text", "text": "1 would lose all support:\nbelief:22222222 deploys fail\nNothing was written.\n"}
> memory_whatif {"refs":["raw:11111111-0000-4000-8000-000000000001","raw:11111111-0000-4000-8000-000000000002"]}
{"type": "text", "text": "1 would lose all support:\nbelief:22222222 deploys fail\nNothing was written.\n"}
> memory_reinforce {"ref":"belief:22222222","evidence_source":"raw:11111111-0000-4000-8000-000000000001","reason":"again"}
{"ref": "belief:22222222", "version": 2, "old": 0.812346, "new": 0.820421}
> memory_history {"ref":"belief:22222222","limit":1}
{"type": "text",
 "text": "#2 NOW reinforce by ash, mcp: again\n  confidence: 0.8123456 -> 0.8204208\n  detail.times_reinforced -> 1\n  history -> 0.812 → 0.820 (again), by raw:11111111-0000-4000-8000-000000000001\nThere are older changes: give before: 2.\n"}
> memory_history {"ref":"belief:22222222","format":"json"}
{"events": [{"ref": "belief:22222222",
   "changes": {"2": {"field": "history", "after": "0.812 → 0.820 (again), by raw:11111111-0000-4000-8000-000000000001"}}},
  {"ref": "belief:22222222"}],
 "versions": []}
$ stemma retract belief:22222222 --yes --reason wrong
── retracted ─ 1
     belief:22222222  deploys fail 0.00 56y
       status             active → retracted
   no other memory is affected
> memory_get {"ref":"belief:22222222"}
{"ref": "belief:22222222", "text": "deploys fail", "effective": 0, "label": "ended", "age": "56y",
 "why": "retracted on NOW by sean", "status": "retracted", "version": 3, "source": "told",
 "based_on": [{"ref": "raw:11111111-0000-4000-8000-000000000001", "text": "Claire said: \"it fails\"", "all": true},
  {"ref": "raw:named", "all": true, "status": "missing"},
  {"ref": "raw:11111111-0000-4000-8000-000000000002", "text": "seen on tuesday", "role": "evidence"}]}
> memory_list {"status":"all","label":"ended"}
{"memories": [{"ref": "belief:22222222", "text": "…", "effective": 0, "label": "ended", "age": "56y",
   "why": "retracted on NOW by sean"}]}

== a damaged detail is left out, and is a part that has more
+ {"ref":"note:n","text":"t","detail":{"note_type":"decision","reason":"r"}}
> memory_get {"ref":"note:n"}
{"detail": {"note_type": "decision", "reason": "r"}, "more": "(absent)"}
$ sqlite3 -cmd '.timeout 30000' memory.db "UPDATE memory SET detail = '{\"note_type\":\"decision\"'"
> memory_get {"ref":"note:n"}
{"text": "t", "detail": "(absent)", "more": ["detail"]}
> memory_get {"ref":"note:n","part":"detail"}
{"part": "detail", "text": "{\"damaged\":\"{\\\"note_type\\\":\\\"decision\\\"\"}", "characters": 41}
> memory_get {"ref":"note:n","detail":"full"}
{"text": "t", "detail": {"damaged": "{\"note_type\":\"decision\""}}

== a lineage cuts long texts
# A lineage shows a memory however large its text is.
+ {"ref":"raw:a","text":"x<<é * 3000000>>"}
+ {"ref":"belief:b","text":"short","derived_from":["raw:a"]}
> memory_lineage {"ref":"belief:b","format":"json"}
{"nodes": [{"text": "short"},
  {"text": "xééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…"}]}
> memory_lineage {"ref":"raw:a","depth":0,"format":"json"}
{"nodes": [{"ref": "raw:a", "depth": 0,
   "text": "xééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…", "label": "supported"}],
 "links": [], "cut": 1, "cycles": []}
> resources/read {"uri":"stemma://belief/b/lineage.json"}
{"contents": [{"uri": "stemma://belief/b/lineage.json", "mimeType": "application/json",
   "text": "{\"nodes\":[{\"ref\":\"belief:b\",\"depth\":0,\"text\":\"short\",\"effective\":0.8,\"label\":\"supported\"},{\"ref\":\"raw:a\",\"depth\":1,\"text\":\"xééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…\",\"effective\":1,\"label\":\"supported\"}],\"links\":[{\"from\":\"belief:b\",\"to\":[\"raw:a\"]}],\"cut\":0,\"cycles\":[]}"}]}

== a lineage goes on at an offset
# A link comes with the later of its ends; the order of the text is that of its lines.
+ {"ref":"raw:a","text":"heard"}
+ {"ref":"note:b","text":"noted","derived_from":["raw:a"]}
+ {"ref":"belief:c","text":"held","derived_from":["note:b","raw:a"]}
> memory_lineage {"ref":"belief:c","offset":1}
{"type": "text",
 "text": "Ancestors: below each memory is what it is based on. After 1 lines; the next is below belief:c.\n  derived_from: note:b [supported, effective 0.8] noted\n    derived_from: raw:a [supported, effective 1] heard\n"}
> memory_lineage {"ref":"belief:c","offset":1,"format":"json"}
{"nodes": [{"ref": "note:b", "depth": 1, "text": "noted", "effective": 0.8, "label": "supported"},
  {"ref": "raw:a", "depth": 1, "text": "heard", "effective": 1, "label": "supported"}],
 "links": [{"from": "belief:c", "to": ["note:b", "raw:a"]}, {"from": "note:b", "to": ["raw:a"]}], "cut": 0}
> memory_lineage {"ref":"belief:c","offset":3}
{"type": "text", "text": "Ancestors: below each memory is what it is based on.\nNo memory comes after 3 lines.\n"}
> memory_lineage {"ref":"raw:a","direction":"whatif","offset":1}
{"type": "text", "text": "2 would lose all support; after the first 1:\nbelief:c held\nNothing was written.\n"}
> memory_lineage {"ref":"raw:a","direction":"whatif","offset":1,"format":"json"}
{"loses_all_support": ["belief:c"], "weakened": [], "descends": 0}
> memory_lineage {"ref":"raw:a","offset":-1}
! INVALID_REQUEST: offset is out of range -> Give a number from 0 to 9007199254740991.

== flags that have no room are counted, and are a part
+ {"ref":"raw:flagged","agent_id":"ash","text":"heard","marks":[{"mark":"a_flag_with_a_long_name_0","at":1000},{"mark":"a_flag_with_a_long_name_1","at":1001},{"mark":"a_flag_with_a_long_name_2","at":1002},{"mark":"a_flag_with_a_long_name_3","at":1003},{"mark":"a_flag_with_a_long_name_4","at":1004},{"mark":"a_flag_with_a_long_name_5","at":1005},{"mark":"a_flag_with_a_long_name_6","at":1006},{"mark":"a_flag_with_a_long_name_7","at":1007},{"mark":"a_flag_with_a_long_name_8","at":1008},{"mark":"a_flag_with_a_long_name_9","at":1009},{"mark":"a_flag_with_a_long_name_10","at":1010},{"mark":"a_flag_with_a_long_name_11","at":1011}]}
@ ash
> memory_get {"ref":"raw:flagged"}
{"flags": "(7 items)", "flags_more": 5, "more": ["marks"]}
> memory_get {"ref":"raw:flagged","part":"marks"}
{"part": "marks", "next": "(absent)"}

== a line of a history that is cut says so, and where the rest is
+ {"ref":"raw:long","agent_id":"ash","text":"<<x * 300>>","tags":["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q","r","s"],"source":"<<y * 120>>","context":"<<z * 300>>"}
@ ash
> memory_history {"ref":"raw:long"}
~ xxxxxxxxxx…\n
~ yyyyyyyyyy\n
~ more fields: format json
> memory_process_raw {"ref":"raw:long"}
! INVALID_REQUEST: as is missing -> Give one of: episode, belief, note.

== a search gives snippets
| share: yes
+ {"ref":"raw:m0000","agent_id":"bee","text":"memory 0 of staging","created_at":1000}
+ {"ref":"belief:m0001","agent_id":"ash","text":"memory 1 of staging","created_at":1000}
+ {"ref":"belief:m0002","agent_id":"bee","text":"memory 2 of staging","created_at":1000}
+ {"ref":"raw:m0003","agent_id":"ash","text":"memory 3 of staging","created_at":1000}
+ {"ref":"belief:m0004","agent_id":"bee","text":"memory 4 of staging","created_at":1001}
+ {"ref":"belief:m0005","agent_id":"ash","text":"memory 5 of staging","created_at":1001}
+ {"ref":"raw:m0006","agent_id":"bee","text":"memory 6 of staging","created_at":1001}
+ {"ref":"belief:m0007","agent_id":"ash","text":"memory 7 of staging","created_at":1001}
+ {"ref":"belief:m0008","agent_id":"bee","text":"memory 8 of staging","created_at":1002}
+ {"ref":"raw:m0009","agent_id":"ash","text":"memory 9 of staging","created_at":1002}
+ {"ref":"belief:m0010","agent_id":"bee","text":"memory 10 of staging","created_at":1002}
+ {"ref":"belief:m0011","agent_id":"ash","text":"memory 11 of staging","created_at":1002}
+ {"ref":"raw:m0012","agent_id":"bee","text":"memory 12 of staging","created_at":1003}
+ {"ref":"belief:m0013","agent_id":"ash","text":"memory 13 of staging","created_at":1003}
+ {"ref":"belief:m0014","agent_id":"bee","text":"memory 14 of staging","created_at":1003}
+ {"ref":"raw:m0015","agent_id":"ash","text":"memory 15 of staging","created_at":1003}
+ {"ref":"belief:m0016","agent_id":"bee","text":"memory 16 of staging","created_at":1004}
+ {"ref":"belief:m0017","agent_id":"ash","text":"memory 17 of staging","created_at":1004}
+ {"ref":"raw:m0018","agent_id":"bee","text":"memory 18 of staging","created_at":1004}
+ {"ref":"belief:m0019","agent_id":"ash","text":"memory 19 of staging","created_at":1004}
+ {"ref":"belief:m0020","agent_id":"bee","text":"memory 20 of staging","created_at":1005}
+ {"ref":"raw:m0021","agent_id":"ash","text":"memory 21 of staging","created_at":1005}
+ {"ref":"belief:m0022","agent_id":"bee","text":"memory 22 of staging","created_at":1005}
+ {"ref":"belief:m0023","agent_id":"ash","text":"memory 23 of staging","created_at":1005}
+ {"ref":"raw:m0024","agent_id":"bee","text":"memory 24 of staging","created_at":1006}
+ {"ref":"belief:m0025","agent_id":"ash","text":"memory 25 of staging","created_at":1006}
+ {"ref":"belief:m0026","agent_id":"bee","text":"memory 26 of staging","created_at":1006}
+ {"ref":"raw:m0027","agent_id":"ash","text":"memory 27 of staging","created_at":1006}
+ {"ref":"belief:m0028","agent_id":"bee","text":"memory 28 of staging","created_at":1007}
+ {"ref":"belief:m0029","agent_id":"ash","text":"memory 29 of staging","created_at":1007}
+ {"ref":"note:s","text":"restaging was needed","created_at":99999}
> memory_search {"query":"STAGING"}
{"memories": {"0": {"ref": "belief:m0029", "snippet": "memory 29 of staging"}}, "more": true}
> memory_search {"query":"staging","limit":200}
{"memories": {"30": {"ref": "note:s"}}, "more": false}
> memory_search {"query":"staging","limit":200,"kind":"raw","agent_id":"bee"}
{"memories": "(5 items)"}
> memory_search {"query":"staging","limit":29}
{"memories": {"0": {"ref": "belief:m0029"}, "28": {"ref": "belief:m0001"}}, "more": true, "next": "CURSOR2"}
> memory_search {"query":"staging","limit":29,"cursor":"CURSOR2"}
{"memories": [{"ref": "raw:m0000"}, {"ref": "note:s"}], "more": false, "next": "(absent)"}
> memory_search {"query":"staging","cursor":"e12"}
! INVALID_REQUEST: the cursor is damaged or belongs to another list -> Ask for the first page again, without a cursor.
> memory_search {"query":"nothing like it"}
{"memories": [], "more": false, "todo": "Give fewer words, or others."}
> memory_search {"query":""}
! INVALID_REQUEST: query is empty -> Give a text that is not empty.
> memory_search {"query":" \t"}
! INVALID_REQUEST: query has no words -> Give at least one word.
> memory_search {"query":"　"}
! INVALID_REQUEST: query has no words -> Give at least one word.
> memory_search {"query":" "}
! INVALID_REQUEST: query has no words -> Give at least one word.
> memory_search {"query":" "}
! INVALID_REQUEST: query has no words -> Give at least one word.
> memory_search {"query":"\u0085"}
! INVALID_REQUEST: query has no words -> Give at least one word.
> memory_search {"query":"\u2028　 "}
! INVALID_REQUEST: query has no words -> Give at least one word.
> memory_search {"query":"\u0001"}
! INVALID_REQUEST: query has no words -> Give at least one word.
> memory_search {"query":"　staging　"}
{"memories": "(10 items)"}
> memory_search {"query":"a","limit":0}
! INVALID_REQUEST: limit is out of range -> Give a number from 1 to 200.

== a lineage leads in both directions
= lineage
> memory_lineage {"ref":"belief:t","format":"json"}
{"nodes": [{"ref": "belief:t"}, "(any)", "(any)", "(any)", "(any)"], "links": "(4 items)", "cut": 0}
> memory_lineage {"ref":"belief:t","depth":1,"format":"json"}
{"nodes": "(3 items)", "cut": 2}
> memory_lineage {"ref":"episode:e","direction":"descendants","format":"json"}
{"nodes": "(3 items)"}
> memory_lineage {"ref":"raw:r","format":"json"}
{"nodes": "(4 items)"}
> memory_lineage {"ref":"raw:r","direction":"ancestors","format":"json"}
{"nodes": [{"ref": "raw:r", "depth": 0, "text": "heard", "label": "supported"}], "links": [],
 "cut": 0, "cycles": []}
> memory_lineage {"ref":"belief:t","direction":"up"}
! INVALID_REQUEST: direction is not an allowed value -> Give one of: ancestors, descendants, whatif.
> memory_lineage {"ref":"belief:t","depth":-1}
! INVALID_REQUEST: depth is out of range -> Give a number from 0 to 1000000.

== a retraction can be previewed
= lineage
> memory_whatif {"refs":["raw:r"],"format":"json"}
{"loses_all_support": ["episode:e", "belief:t", "belief:b"], "weakened": [], "descends": 0}
> memory_whatif {"ref":"belief:b","format":"json"}
{"loses_all_support": [], "weakened": [{"ref": "belief:t", "before": 2, "after": 1}], "descends": 0}
> memory_whatif {"refs":["belief:b"],"ref":"belief:b","format":"json"}
{"loses_all_support": [], "weakened": [{"ref": "belief:t", "before": 2, "after": 1}], "descends": 0}
> memory_whatif {}
! INVALID_REQUEST: refs is missing -> Give refs, a list of what to retract in thought.
> memory_whatif {"refs":[]}
! INVALID_REQUEST: refs has too few or too many -> Give from 1 to 1000 of them.
> memory_whatif {"refs":["raw:nothing"]}
! NOT_FOUND: no memory is called raw:nothing -> Search for it, or list its kind.

== orphans come in pages
| share: yes
+ {"ref":"belief:b0","agent_id":"bee","text":"t","derived_from":["raw:x0","raw:y0"]}
+ {"ref":"belief:b1","agent_id":"ash","text":"t","derived_from":["raw:x1","raw:y1"]}
+ {"ref":"belief:b2","agent_id":"bee","text":"t","derived_from":["raw:x2","raw:y2"]}
+ {"ref":"belief:b3","agent_id":"ash","text":"t","derived_from":["raw:x3","raw:y3"]}
+ {"ref":"belief:b4","agent_id":"bee","text":"t","derived_from":["raw:x4","raw:y4"]}
+ {"ref":"belief:b5","agent_id":"ash","text":"t","derived_from":["raw:x5","raw:y5"]}
+ {"ref":"belief:b6","agent_id":"bee","text":"t","derived_from":["raw:x6","raw:y6"]}
+ {"ref":"belief:u","text":"t"}
> memory_orphans {"limit":100}
{"problems": {"0": {"ref": "belief:b0", "problem": "missing", "field": "derived_from", "target": "raw:x0"},
  "1": {"ref": "belief:b0", "problem": "missing", "field": "derived_from", "target": "raw:y0"},
  "2": {"ref": "belief:b1", "problem": "missing", "field": "derived_from", "target": "raw:x1"},
  "3": {"ref": "belief:b1", "problem": "missing", "field": "derived_from", "target": "raw:y1"},
  "4": {"ref": "belief:b2", "problem": "missing", "field": "derived_from", "target": "raw:x2"},
  "5": {"ref": "belief:b2", "problem": "missing", "field": "derived_from", "target": "raw:y2"},
  "6": {"ref": "belief:b3", "problem": "missing", "field": "derived_from", "target": "raw:x3"},
  "7": {"ref": "belief:b3", "problem": "missing", "field": "derived_from", "target": "raw:y3"},
  "8": {"ref": "belief:b4", "problem": "missing", "field": "derived_from", "target": "raw:x4"},
  "9": {"ref": "belief:b4", "problem": "missing", "field": "derived_from", "target": "raw:y4"},
  "10": {"ref": "belief:b5", "problem": "missing", "field": "derived_from", "target": "raw:x5"},
  "11": {"ref": "belief:b5", "problem": "missing", "field": "derived_from", "target": "raw:y5"},
  "12": {"ref": "belief:b6", "problem": "missing", "field": "derived_from", "target": "raw:x6"},
  "13": {"ref": "belief:b6", "problem": "missing", "field": "derived_from", "target": "raw:y6"},
  "14": {"ref": "belief:b0", "problem": "unsupported"},
  "15": {"ref": "belief:b1", "problem": "unsupported"},
  "16": {"ref": "belief:b2", "problem": "unsupported"},
  "17": {"ref": "belief:b3", "problem": "unsupported"},
  "18": {"ref": "belief:b4", "problem": "unsupported"},
  "19": {"ref": "belief:b5", "problem": "unsupported"},
  "20": {"ref": "belief:b6", "problem": "unsupported"},
  "21": {"ref": "belief:u", "problem": "unrecorded"}},
 "next": "(absent)"}
> memory_orphans {"limit":3,"cursor":""}
{"problems": [{"ref": "belief:b0", "problem": "missing", "field": "derived_from", "target": "raw:x0"},
  {"ref": "belief:b0", "problem": "missing", "field": "derived_from", "target": "raw:y0"},
  {"ref": "belief:b1", "problem": "missing", "field": "derived_from", "target": "raw:x1"}],
 "next": "CURSOR1"}
> memory_orphans {"limit":3,"cursor":"CURSOR1"}
{"problems": [{"ref": "belief:b1", "problem": "missing", "field": "derived_from", "target": "raw:y1"},
  {"ref": "belief:b2", "problem": "missing", "field": "derived_from", "target": "raw:x2"},
  {"ref": "belief:b2", "problem": "missing", "field": "derived_from", "target": "raw:y2"}],
 "next": "CURSOR2"}
> memory_orphans {"limit":3,"cursor":"CURSOR2"}
{"problems": [{"ref": "belief:b3", "problem": "missing", "field": "derived_from", "target": "raw:x3"},
  {"ref": "belief:b3", "problem": "missing", "field": "derived_from", "target": "raw:y3"},
  {"ref": "belief:b4", "problem": "missing", "field": "derived_from", "target": "raw:x4"}],
 "next": "CURSOR3"}
> memory_orphans {"limit":3,"cursor":"CURSOR3"}
{"problems": [{"ref": "belief:b4", "problem": "missing", "field": "derived_from", "target": "raw:y4"},
  {"ref": "belief:b5", "problem": "missing", "field": "derived_from", "target": "raw:x5"},
  {"ref": "belief:b5", "problem": "missing", "field": "derived_from", "target": "raw:y5"}],
 "next": "CURSOR4"}
> memory_orphans {"limit":3,"cursor":"CURSOR4"}
{"problems": [{"ref": "belief:b6", "problem": "missing", "field": "derived_from", "target": "raw:x6"},
  {"ref": "belief:b6", "problem": "missing", "field": "derived_from", "target": "raw:y6"},
  {"ref": "belief:b0", "problem": "unsupported"}],
 "next": "CURSOR5"}
> memory_orphans {"limit":3,"cursor":"CURSOR5"}
{"problems": [{"ref": "belief:b1", "problem": "unsupported"},
  {"ref": "belief:b2", "problem": "unsupported"},
  {"ref": "belief:b3", "problem": "unsupported"}],
 "next": "CURSOR6"}
> memory_orphans {"limit":3,"cursor":"CURSOR6"}
{"problems": [{"ref": "belief:b4", "problem": "unsupported"},
  {"ref": "belief:b5", "problem": "unsupported"},
  {"ref": "belief:b6", "problem": "unsupported"}],
 "next": "CURSOR7"}
> memory_orphans {"limit":3,"cursor":"CURSOR7"}
{"problems": [{"ref": "belief:u", "problem": "unrecorded"}]}
> memory_orphans {"agent_id":"bee","problem":"unsupported"}
{"problems": "(4 items)"}
> memory_orphans {"problem":"lost"}
! INVALID_REQUEST: problem is not an allowed value -> Give one of: missing, unsupported, circular, unrecorded, disagreeing, suspect-time, unexplained.
> memory_orphans {"cursor":"x"}
! INVALID_REQUEST: the cursor is damaged or belongs to another list -> Ask for the first page again, without a cursor.
> memory_orphans {"cursor":"o"}
! INVALID_REQUEST: the cursor is damaged or belongs to another list -> Ask for the first page again, without a cursor.
> memory_orphans {"cursor":"o1.2"}
! INVALID_REQUEST: the cursor is damaged or belongs to another list -> Ask for the first page again, without a cursor.
> memory_orphans {"cursor":"o-5.-1.-1"}
! INVALID_REQUEST: the cursor is damaged or belongs to another list -> Ask for the first page again, without a cursor.
> memory_orphans {"cursor":"O1.2.3"}
! INVALID_REQUEST: the cursor is damaged or belongs to another list -> Ask for the first page again, without a cursor.

== a name of megabytes does not block a list
| share: yes
# An imported name that is longer than an answer: its memory is cut, the others are complete.
+ {"ref":"raw:a","text":"staging","created_at":4}
+ {"ref":"raw:named","text":"staging","created_at":5,"agent_id":"<<a * 6000000>>","source_entity":"<<b * 6000000>>"}
> memory_list {"detail":"full"}
{"memories": [{"agent_id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
   "too_large": 12000236},
  {"too_large": "(absent)"}]}
> memory_search {"query":"staging"}
{"memories": "(2 items)"}
> memory_get {"ref":"raw:named","detail":"full"}
{"too_large": 12000236}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://agent/{agent}"},"argument":{"name":"agent",
    "value":"a"}}
{"completion": {"values": ["ash"], "total": 2, "hasMore": false}}

== a search goes on where a higher limit does not help
| mcp: {hide: [superseded]}
+ {"ref":"note:a1","agent_id":"ash","text":"deploy"}
+ {"ref":"note:a2","agent_id":"ash","text":"deploy","status":"superseded"}
+ {"ref":"note:a3","agent_id":"ash","text":"deploy"}
+ {"ref":"note:a4","agent_id":"ash","text":"redeploy"}
+ {"ref":"note:a5","agent_id":"ash","text":"redeploy"}
> memory_search {"query":"deploy","limit":1}
{"memories": [{"ref": "note:a3"}], "more": true, "next": "CURSOR1"}
> memory_search {"query":"deploy","limit":2,"cursor":"CURSOR1"}
{"memories": [{"ref": "note:a1"}, {"ref": "note:a5"}], "more": true, "next": "CURSOR2", "left_out": 1}
> memory_search {"query":"deploy","limit":1,"cursor":"CURSOR2","detail":"full"}
{"memories": [{"ref": "note:a4"}], "more": false, "next": "(absent)"}

== a history has short refs as data, too
+ {"ref":"belief:22222222-0000-4000-8000-000000000001","agent_id":"ash","text":"deploys fail","created_at":1000}
> memory_supersede {"ref":"belief:22222222","statement":"deploys fail on tuesday"}
{"ref": "belief:ID1", "version": 1}
> memory_history {"ref":"belief:ID1","format":"json"}
{"events": [{"ref": "belief:ID1",
   "changes": {"6": {"field": "justifications", "after": "derived_from belief:22222222"},
    "8": {"field": "relations", "after": "supersedes belief:22222222"}}}],
 "versions": ["belief:22222222", "belief:ID1"]}
!~ 8000-

== a query of memory_list and memory_search has terms
+ {"ref":"belief:q1","text":"retry twice","tags":["queue"],"confidence":0.5,"created_at":1700000000000}
+ {"ref":"belief:q2","text":"retry once","tags":["disk"],"confidence":0.9,"created_at":1700000000000}
+ {"ref":"note:q3","text":"retry later","created_at":1700000000000}
> memory_list {"query":"retry confidence:<0.7 kind:belief"}
{"memories": [{"ref": "belief:q1"}]}
> memory_list {"query":"retry -tag:queue kind:belief","status":"active"}
{"memories": [{"ref": "belief:q2"}]}
> memory_search {"query":"retry \"retry once\" tag:disk"}
{"memories": [{"ref": "belief:q2"}]}
> memory_list {"query":"lable:supported"}
! INVALID_REQUEST: there is no field 'lable' -> Did you mean label:? Put it in quotes to look for the text.
