= deploy
+ {"ref":"raw:own1","agent_id":"ash","text":"heard of deploy","created_at":1000}
+ {"ref":"raw:other1","agent_id":"bo","text":"secretly deploy","created_at":1500}
+ {"ref":"belief:other2","agent_id":"bo","text":"others deploy","created_at":2000,"derived_from":["raw:other1",
    "raw:own1"],"tags":["hush"]}
+ {"ref":"belief:own2","agent_id":"ash","text":"we deploy","created_at":3000,"derived_from":["belief:other2",
    "raw:own1"],"derivation":"all"}
+ {"ref":"belief:own3","agent_id":"ash","text":"then deploy","created_at":3500,"derived_from":["belief:own2"]}

= mails
+ {"ref":"document:<CAF1@mail.gmail.com>","text":"mail A","created_at":1000}
+ {"ref":"document:<CAF2@mail.gmail.com>","text":"mail B","created_at":2000}
+ {"ref":"belief:b","agent_id":"ash","text":"it is so","derived_from":["document:<CAF1@mail.gmail.com>"],
    "created_at":3000}

== of another agent's memory only ref and owner are shown
= deploy
@ ash
> memory_get {"ref":"belief:other2"}
{"ref": "belief:other2", "agent_id": "bo", "withheld": true}
> memory_get {"ref":"belief:othe"}
! NOT_FOUND: no memory is called belief:othe -> Search for it, or list its kind.
> memory_get {"ref":"belief:own2"}
~ "belief:other2"
~ "label":"supported"
> memory_lineage {"ref":"belief:own3","format":"json"}
~ {"ref":"belief:other2","depth":2,"agent_id":"bo","withheld":true}
~ "raw:own1"
> memory_lineage {"ref":"raw:own1","direction":"descendants"}
~ belief:other2 [withheld: it is a memory of bo]
~ belief:own3
> memory_lineage {"ref":"belief:other2","format":"json"}
{"nodes": [{"ref": "belief:other2", "depth": 0, "agent_id": "bo", "withheld": true}], "links": [], "cut": 0,
 "cycles": []}

== lists and counts exclude other agents
= deploy
@ ash
> memory_list {"detail":"full"}
~ "agent_id":
!~ "ref":"belief:other2","agent_id"
> memory_search {"query":"deploy"}
~ raw:own1
> memory_search {"query":"secretly","detail":"full"}
{"memories": [], "more": false}
> memory_list {"agent_id":"bo"}
{"memories": []}
> memory_list {"label":"supported","detail":"full"}
~ "agent_id":
| share: yes
> memory_list {"detail":"full"}
~ "agent_id":
> memory_search {"query":"secretly","detail":"full"}
{"memories": [{"ref": "raw:other1", "agent_id": "bo", "text": "secretly deploy", "created_at": 1500, "updated_at": 1500,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "secretly deploy"}],
 "more": false}
| # as at first
> memory_list {"detail":"full"}
~ "agent_id":
!~ "ref":"belief:other2","agent_id"
> memory_search {"query":"deploy"}
~ raw:own1
> memory_search {"query":"secretly","detail":"full"}
{"memories": [], "more": false}
> memory_list {"agent_id":"bo"}
{"memories": []}
> memory_list {"label":"supported","detail":"full"}
~ "agent_id":
| share: yes
> memory_list {"detail":"full"}
~ "agent_id":
> memory_search {"query":"secretly","detail":"full"}
{"memories": [{"ref": "raw:other1", "agent_id": "bo", "text": "secretly deploy", "created_at": 1500, "updated_at": 1500,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "secretly deploy"}],
 "more": false}
| # as at first

== the beginning of a chain is cut from the masked text
# So is the beginning of a long answer of a chain.
+ {"ref":"chain:c","agent_id":"ash","text":"q","detail":{"question":"q","final_answer":"<<a * 1989>> jane.doe@example.com <<a * 2000000>>"}}
@ ash
> cot_get {"chain":"chain:c"}
~ "texts_cut":true
~ aaaa [redacted-
!~ jane

== pieces of another agent's memory are denied
= deploy
@ ash
> memory_get {"ref":"belief:other2","offset":0}
{"ref": "belief:other2", "agent_id": "bo", "withheld": true, "part": "text", "text": "", "characters": 0}

== no other tool shows another agent's memory
= deploy
@ ash
> memory_history {"ref":"belief:other2"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_propagate_confidence {"ref":"belief:other2"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_whatif {"refs":["raw:own1"],"format":"json"}
{"loses_all_support": ["belief:own2", "belief:own3"], "weakened": [], "descends": 0}
> memory_whatif {"refs":["belief:other2"]}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_propagate_confidence {"ref":"raw:own1"}
{"changes": [], "left": "(absent)"}
> memory_orphans {}
!~ other
> resources/list {}
{"resources": [{"uri": "stemma://belief/own3", "name": "belief:own3", "title": "belief: then deploy",
   "mimeType": "application/json", "annotations": {"lastModified": "1970-01-01T00:00:03.500Z"}},
  {"uri": "stemma://belief/own2", "name": "belief:own2", "title": "belief: we deploy", "mimeType": "application/json",
   "annotations": {"lastModified": "1970-01-01T00:00:03.000Z"}},
  {"uri": "stemma://raw/own1", "name": "raw:own1", "title": "raw: heard of deploy", "mimeType": "application/json",
   "annotations": {"lastModified": "1970-01-01T00:00:01.000Z"}}]}
> resources/read {"uri":"stemma://belief/other2"}
{"contents": [{"uri": "stemma://belief/other2", "mimeType": "application/json",
   "text": "{\"ref\":\"belief:other2\",\"agent_id\":\"bo\",\"withheld\":true}"}]}
> resources/read {"uri":"stemma://belief/own3/lineage"}
{"contents": [{"uri": "stemma://belief/own3/lineage", "mimeType": "text/plain",
   "text": "Ancestors: below each memory is what it is based on.\nbelief:own3 [supported, effective 0.8] then deploy\n  derived_from: belief:own2 [supported, effective 0.8] we deploy\n    derived_from (all needed): belief:other2 [withheld: it is a memory of bo]\n    derived_from (all needed): raw:own1 [supported, effective 1] heard of deploy\n"}]}
> prompts/get {"name":"why_believed","arguments":{"ref":"belief:other2"}}
! -32602: that memory is another agent's, and agents do not share here. Ask the person who reviews this memory.
> resources/read {"uri":"stemma://agent/bo"}
! -32002: no memory is of an agent bo. Complete the name, or list memories. {"uri": "stemma://agent/bo"}
> prompts/get {"name":"review_agent","arguments":{"agent":"bo"}}
! -32602: no memory is of an agent bo. Complete the name, or list memories.
> completion/complete {"ref":{"type":"ref/prompt","name":"why_believed"},"argument":{"name":"ref","value":"belief:"}}
{"completion": {"values": ["belief:own3", "belief:own2"], "total": 2, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/prompt","name":"why_believed"},"argument":{"name":"ref",
    "value":"belief:oth"}}
{"completion": {"values": [], "total": 0, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/prompt","name":"review_agent"},"argument":{"name":"agent","value":""}}
{"completion": {"values": ["ash"], "total": 1, "hasMore": false}}

== a short ref does not reveal a hidden memory
# A prefix of the id of a hidden memory reveals nothing, and still works for those who see it.
+ {"ref":"raw:47d1fa63-0000-4000-8000-000000000001","agent_id":"ash","text":"captured"}
+ {"ref":"belief:bos","agent_id":"bo","text":"t"}
@ bo
> memory_belief {"statement":"s","derived_from":["raw:47d1fa63"]}
{"ref": "belief:ID1", "version": 1, "unresolved": ["raw:47d1fa63"]}
> memory_reinforce {"ref":"belief:bos","evidence_source":"raw:47d1fa63"}
{"ref": "belief:bos", "version": 2, "unresolved": ["raw:47d1fa63"], "old": 0.8, "new": 0.808636}
> memory_belief {"statement":"s","derived_from":["raw:47d1fa63-0000"]}
{"ref": "belief:ID2", "version": 1, "unresolved": ["raw:47d1fa63-0000"]}
> memory_reinforce {"ref":"belief:bos","evidence_source":"raw:47d1fa63-0000"}
{"ref": "belief:bos", "version": 3, "unresolved": ["raw:47d1fa63-0000"], "old": 0.808636, "new": 0.816193}
> memory_belief {"statement":"s","derived_from":["raw:47d1fa63-0000-4000-8000-000000000002"]}
{"ref": "belief:ID3", "version": 1, "unresolved": ["raw:47d1fa63-0000-4000-8000-000000000002"]}
> memory_reinforce {"ref":"belief:bos","evidence_source":"raw:47d1fa63-0000-4000-8000-000000000002"}
{"ref": "belief:bos", "version": 4, "unresolved": ["raw:47d1fa63-0000-4000-8000-000000000002"], "old": 0.816193,
 "new": 0.822878}
> memory_get {"ref":"raw:47d1fa63","detail":"full"}
! NOT_FOUND: raw:47d1fa63 is named by others and was never written here -> memory_lineage with the direction descendants tells who names it.
@ ash
> memory_get {"ref":"raw:47d1fa63","detail":"full"}
{"ref": "raw:47d1fa63-0000-4000-8000-000000000001", "agent_id": "ash", "text": "captured", "created_at": "NOW",
 "updated_at": "NOW", "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1,
 "label": "supported"}
> memory_get {"ref":"47d1","detail":"full"}
{"ref": "raw:47d1fa63-0000-4000-8000-000000000001", "agent_id": "ash", "text": "captured", "created_at": "NOW",
 "updated_at": "NOW", "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1,
 "label": "supported"}
> memory_note {"content":"mine","derived_from":["raw:47d1fa63","47d1fa63-0000"]}
{"ref": "note:ID4", "version": 1}
> memory_whatif {"ref":"raw:47d1fa63","format":"json"}
{"loses_all_support": ["note:ID4"], "weakened": [], "descends": 0}

== another agent's memory is not changed
| destructive_tools: yes
+ {"ref":"raw:own1","agent_id":"ash","text":"heard of deploy","created_at":1000}
+ {"ref":"raw:other1","agent_id":"bo","text":"secretly deploy","created_at":1500}
+ {"ref":"belief:other2","agent_id":"bo","text":"others deploy","created_at":2000,"derived_from":["raw:other1",
    "raw:own1"],"tags":["hush"]}
+ {"ref":"belief:own2","agent_id":"ash","text":"we deploy","created_at":3000,"derived_from":["belief:other2",
    "raw:own1"],"derivation":"all"}
+ {"ref":"belief:own3","agent_id":"ash","text":"then deploy","created_at":3500,"derived_from":["belief:own2"]}
@ ash
> memory_update {"ref":"belief:other2","text":"mine now"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_update {"ref":"belief:other2","text":"mine","expected_version":7}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_mark {"ref":"belief:other2","mark":"reviewed"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_reinforce {"ref":"belief:other2"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_supersede {"ref":"belief:other2","statement":"mine"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_process_raw {"ref":"raw:other1","as":"note"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_consolidate {"ref":"belief:other2","evidence":["raw:own1"]}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_retract {"ref":"belief:other2"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_forget {"ref":"belief:other2"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_verify {"ref":"belief:other2"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_protect {"ref":"belief:other2"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_revise_from_episode {"episode":"raw:own1","confirms":["belief:other2"],"contradicts":[]}
! INVALID_REQUEST: beliefs are revised from one episode -> Name one episode.
> log_source_attribution {"agent_id":"ash","source_type":"web","retrieval_timestamp":1700000000000,
    "supports":["belief:other2"]}
! PERMISSION_DENIED: supports: belief:other2 is not yours to change -> Leave it out, or ask the person who reviews this.
| destructive_tools: yes
| share: yes
> memory_reinforce {"ref":"belief:other2"}
{"ref": "belief:other2", "version": 2, "old": 0.8, "new": 0.808636}

== another agent_id is kept as a claim
# A caller that claims to be another agent, where agents are separated.
+ {"ref":"raw:own1","agent_id":"ash","text":"heard of deploy","created_at":1000}
+ {"ref":"raw:other1","agent_id":"bo","text":"secretly deploy","created_at":1500}
+ {"ref":"belief:other2","agent_id":"bo","text":"others deploy","created_at":2000,"derived_from":["raw:other1",
    "raw:own1"],"tags":["hush"]}
+ {"ref":"belief:own2","agent_id":"ash","text":"we deploy","created_at":3000,"derived_from":["belief:other2",
    "raw:own1"],"derivation":"all"}
+ {"ref":"belief:own3","agent_id":"ash","text":"then deploy","created_at":3500,"derived_from":["belief:own2"]}
@ ash
> memory_raw {"blob":"b","agent_id":"bo"}
{"ref": "raw:ID1", "version": 1}
> memory_raw {"blob":"b","agent_id":"nobody"}
{"ref": "raw:ID2", "version": 1}
> memory_belief {"statement":"s","agent_id":"bo"}
{"ref": "belief:ID3", "version": 1}
> memory_belief {"statement":"s","agent_id":"nobody"}
{"ref": "belief:ID4", "version": 1}
> memory_add {"kind":"note","text":"n","agent_id":"bo"}
{"ref": "note:ID5", "version": 1}
> memory_add {"kind":"note","text":"n","agent_id":"nobody"}
{"ref": "note:ID6", "version": 1}
> cot_begin {"question":"q","agent_id":"bo"}
{"ref": "chain:ID7", "version": 1}
> cot_begin {"question":"q","agent_id":"nobody"}
{"ref": "chain:ID8", "version": 1}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[],"total_confidence":0.5,"agent_id":"bo"}
{"ref": "chain:ID9", "version": 1, "steps": 0, "total_confidence": 0.5,
 "source_summary": {"all_sources": [], "primary_sources": [], "source_usage_by_step": {}}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[],"total_confidence":0.5,
    "agent_id":"nobody"}
{"ref": "chain:ID10", "version": 1, "steps": 0, "total_confidence": 0.5,
 "source_summary": {"all_sources": [], "primary_sources": [], "source_usage_by_step": {}}}
> cite_sources {"response_text":"It is so.","passages":[{"document_id":"d","content":"It is so."}],"agent_id":"bo"}
! INVALID_REQUEST: there is no argument 'response_text' -> Known are conversation_id, message_id, sources, text, agent_id.
> cite_sources {"response_text":"It is so.","passages":[{"document_id":"d","content":"It is so."}],
    "agent_id":"nobody"}
! INVALID_REQUEST: there is no argument 'response_text' -> Known are conversation_id, message_id, sources, text, agent_id.
> log_source_attribution {"source_type":"web","retrieval_timestamp":1700000000000,"agent_id":"bo"}
{"attribution_id": "ID11", "ref": "attribution:ID11", "version": 1}
> log_source_attribution {"source_type":"web","retrieval_timestamp":1700000000000,"agent_id":"nobody"}
{"attribution_id": "ID12", "ref": "attribution:ID12", "version": 1}
> log_search_attribution {"query":"q","results_summary":"r","retrieval_timestamp":1700000000000,"agent_id":"bo"}
{"attribution_id": "ID13", "ref": "attribution:ID13", "version": 1}
> log_search_attribution {"query":"q","results_summary":"r","retrieval_timestamp":1700000000000,"agent_id":"nobody"}
{"attribution_id": "ID14", "ref": "attribution:ID14", "version": 1}
> get_source_attributions {"limit":1,"agent_id":"bo"}
{"attributions": [{"attribution_id": "ID13", "agent_id": "bo", "source_type": "tavily_search", "source_uri": "q",
   "retrieval_timestamp": 1700000000000, "content_summary": "r", "full_content_hash": null, "full_content_json": null}],
 "total": 2}
> get_source_attributions {"limit":1,"agent_id":"nobody"}
{"attributions": [{"attribution_id": "ID14", "agent_id": "nobody", "source_type": "tavily_search", "source_uri": "q",
   "retrieval_timestamp": 1700000000000, "content_summary": "r", "full_content_hash": null, "full_content_json": null}],
 "total": 2}
> get_source_attributions {"agent_id":"ash"}
{"attributions": [{"attribution_id": "ID14", "agent_id": "ash", "source_type": "tavily_search", "source_uri": "q",
   "retrieval_timestamp": 1700000000000, "content_summary": "r", "full_content_hash": null, "full_content_json": null},
  {"attribution_id": "ID13", "agent_id": "ash", "source_type": "tavily_search", "source_uri": "q",
   "retrieval_timestamp": 1700000000000, "content_summary": "r", "full_content_hash": null, "full_content_json": null},
  {"attribution_id": "ID12", "agent_id": "ash", "source_type": "web", "source_uri": null,
   "retrieval_timestamp": 1700000000000, "content_summary": null, "full_content_hash": null, "full_content_json": null},
  {"attribution_id": "ID11", "agent_id": "ash", "source_type": "web", "source_uri": null,
   "retrieval_timestamp": 1700000000000, "content_summary": null, "full_content_hash": null, "full_content_json": null}],
 "total": 4}
> memory_raw {"blob":"b","agent_id":"ash"}
{"ref": "raw:ID15", "version": 1}
> memory_raw {"blob":"b","agent_id":""}
! INVALID_REQUEST: agent_id is empty -> Give a text that is not empty.
> tools/call {"name":"memory_raw","arguments":{"blob":"b","agent_id":"bo"},"_meta":{"dev.stemma/agent_id":"ash"}}
{"ref": "raw:ID16", "version": 1}
| share: yes
> memory_raw {"blob":"b","agent_id":"bo"}
{"ref": "raw:ID17", "version": 1}

== an unbound client writes in any name
= deploy
| # as at first
@
> memory_raw {"blob":"b","agent_id":"bo"}
{"ref": "raw:ID1", "version": 1}

== an agent is told its name
# Before its first call an agent is told its name; a client that is not bound may use any.
+ {"ref":"raw:own1","agent_id":"ash","text":"heard of deploy","created_at":1000}
+ {"ref":"raw:other1","agent_id":"bo","text":"secretly deploy","created_at":1500}
+ {"ref":"belief:other2","agent_id":"bo","text":"others deploy","created_at":2000,"derived_from":["raw:other1",
    "raw:own1"],"tags":["hush"]}
+ {"ref":"belief:own2","agent_id":"ash","text":"we deploy","created_at":3000,"derived_from":["belief:other2",
    "raw:own1"],"derivation":"all"}
+ {"ref":"belief:own3","agent_id":"ash","text":"then deploy","created_at":3500,"derived_from":["belief:own2"]}
@ ash
> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
~ "instructions":"stemma is your long-term memory: search it before you answer
~ \nYou are ash here; another agent_id is only a claim."
> server/discover {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":{}}}
~ \nYou are ash here; another agent_id is only a claim."

== a client without a granted name is told so
= deploy
| # as at first
@
> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
~ \nNo name is granted to you here: an agent_id is kept as a claim."
> server/discover {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":{}}}
~ \nNo name is granted to you here: an agent_id is kept as a claim."
> server/discover {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":{},"dev.stemma/agent_id":"x@example.com"}}
~ \nNo name is granted to you here: an agent_id is kept as a claim."

== a name of 150 bytes is told whole
# Only a name that is longer than hosts accept is cut, at a character.
+ {"ref":"raw:own1","agent_id":"ash","text":"heard of deploy","created_at":1000}
+ {"ref":"raw:other1","agent_id":"bo","text":"secretly deploy","created_at":1500}
+ {"ref":"belief:other2","agent_id":"bo","text":"others deploy","created_at":2000,"derived_from":["raw:other1",
    "raw:own1"],"tags":["hush"]}
+ {"ref":"belief:own2","agent_id":"ash","text":"we deploy","created_at":3000,"derived_from":["belief:other2",
    "raw:own1"],"derivation":"all"}
+ {"ref":"belief:own3","agent_id":"ash","text":"then deploy","created_at":3500,"derived_from":["belief:own2"]}
@ nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn
> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
~ \nYou are nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn here; another agent_id is only a claim."

== a name of 60 letters of two bytes is told whole
= deploy
| # as at first
@ éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
~ \nYou are éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé here; another agent_id is only a claim."

== a name of 200 bytes is told whole
= deploy
| # as at first
@ nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn
> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
~ \nYou are nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn here; another agent_id is only a claim."

== a name of 400 bytes is cut at a character
= deploy
| # as at first
@ éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
~ \nYou are éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé… (the rest: getContext) here; another agent_id is only a claim."

== a client without a granted name sees what such clients wrote
= deploy
@
> memory_list {"detail":"full"}
{"memories": []}
> memory_get {"ref":"raw:other1"}
{"ref": "raw:other1", "agent_id": "bo", "created_at": "(absent)", "updated_at": "(absent)",
 "confidence": "(absent)", "source_type": "(absent)", "version": "(absent)"}
> tools/call {"name":"memory_get","arguments":{"ref":"raw:other1"},"_meta":{"dev.stemma/agent_id":"ash"}}
{"ref": "raw:other1", "agent_id": "bo", "withheld": true}

== each ref is masked as its own
= mails
@ ash
> memory_search {"query":"mail A","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "mail A", "created_at": 1000, "updated_at": 1000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail A"},
  {"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> memory_search {"query":"mail B","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> memory_list {"kind":"document"}
~ document:[REDACTED]_HIDDEN1
~ document:[REDACTED]_HIDDEN2
!~ CAF
!~ gmail
!~ [redacted-email]>
| # as at first
@ ash
> memory_search {"query":"mail A","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "mail A", "created_at": 1000, "updated_at": 1000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail A"},
  {"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}

== a masked ref is accepted
= mails
@ ash
> memory_search {"query":"mail A","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "mail A", "created_at": 1000, "updated_at": 1000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail A"},
  {"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> memory_search {"query":"mail B","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> memory_get {"ref":"document:[REDACTED]_HIDDEN1","detail":"full"}
{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "mail A", "created_at": 1000, "updated_at": 1000,
 "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported"}
> memory_get {"ref":"[REDACTED]_HIDDEN1","detail":"full"}
{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "mail A", "created_at": 1000, "updated_at": 1000,
 "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported"}
> memory_get {"ref":"document:<CAF1@mail.gmail.com>","detail":"full"}
{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "mail A", "created_at": 1000, "updated_at": 1000,
 "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported"}
> memory_lineage {"ref":"belief:b"}
~ document:[REDACTED]_HIDDEN1
> memory_lineage {"ref":"document:[REDACTED]_HIDDEN1","direction":"descendants"}
~ belief:b
> memory_whatif {"refs":["document:[REDACTED]_HIDDEN1"],"format":"json"}
{"loses_all_support": ["belief:b"], "weakened": [], "descends": 0}
> memory_belief {"statement":"is based on it","derived_from":["document:[REDACTED]_HIDDEN2"]}
{"ref": "belief:ID1", "version": 1}
> memory_get {"ref":"belief:ID1"}
~ document:[REDACTED]_HIDDEN2
~ "label":"supported"
!~ CAF
!~ gmail
!~ [redacted-email]>
> memory_reinforce {"ref":"belief:ID1","evidence_source":"document:[REDACTED]_HIDDEN1"}
{"ref": "belief:ID1", "version": 2, "old": 0.8, "new": 0.808636}
> memory_get {"ref":"belief:ID1"}
~ document:[REDACTED]_HIDDEN1

== resources, prompts and completion mask refs
= mails
@ ash
> memory_search {"query":"mail A","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "mail A", "created_at": 1000, "updated_at": 1000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail A"},
  {"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> memory_search {"query":"mail B","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> resources/list {}
{"resources": [{"uri": "stemma://belief/b", "name": "belief:b", "title": "belief: it is so", "mimeType": "application/json",
   "annotations": {"lastModified": "1970-01-01T00:00:03.000Z"}},
  {"uri": "stemma://document/%5BREDACTED%5D_HIDDEN2", "name": "document:[REDACTED]_HIDDEN2",
   "title": "document: mail B", "mimeType": "application/json",
   "annotations": {"lastModified": "1970-01-01T00:00:02.000Z"}},
  {"uri": "stemma://document/%5BREDACTED%5D_HIDDEN1", "name": "document:[REDACTED]_HIDDEN1",
   "title": "document: mail A", "mimeType": "application/json",
   "annotations": {"lastModified": "1970-01-01T00:00:01.000Z"}}]}
> resources/read {"uri":"stemma://document/%5BREDACTED%5D_HIDDEN1"}
{"contents": [{"uri": "stemma://document/%5BREDACTED%5D_HIDDEN1", "mimeType": "application/json",
   "text": "{\"ref\":\"document:[REDACTED]_HIDDEN1\",\"agent_id\":\"ash\",\"text\":\"mail A\",\"created_at\":1000,\"updated_at\":1000,\"confidence\":1,\"source_type\":\"direct_experience\",\"status\":\"active\",\"version\":1,\"label\":\"supported\",\"effective\":1,\"trust\":1,\"class\":\"own\"}"}]}
> resources/read {"uri":"stemma://belief/b/lineage"}
{"contents": [{"uri": "stemma://belief/b/lineage", "mimeType": "text/plain",
   "text": "Ancestors: below each memory is what it is based on.\nbelief:b [supported, effective 0.8] it is so\n  derived_from: document:[REDACTED]_HIDDEN1 [supported, effective 1] mail A\n"}]}
> prompts/get {"name":"why_believed","arguments":{"ref":"belief:b"}}
~ document:[REDACTED]_HIDDEN1
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"id",
    "value":""},"context":{"arguments":{"kind":"document"}}}
{"completion": {"values": ["[REDACTED]_HIDDEN2", "[REDACTED]_HIDDEN1"], "total": 2, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"id",
    "value":"[REDACTED]_HIDDEN1"},"context":{"arguments":{"kind":"document"}}}
{"completion": {"values": ["[REDACTED]_HIDDEN1"], "total": 1, "hasMore": false}}

== the ref of a missing memory is masked
# A memory that is only named has a ref, too.
+ {"ref":"document:<CAF1@mail.gmail.com>","text":"mail A","created_at":1000}
+ {"ref":"document:<CAF2@mail.gmail.com>","text":"mail B","created_at":2000}
+ {"ref":"belief:b","agent_id":"ash","text":"it is so","derived_from":["document:<CAF1@mail.gmail.com>"],
    "created_at":3000}
@ ash
> memory_search {"query":"mail A","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "mail A", "created_at": 1000, "updated_at": 1000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail A"},
  {"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> memory_search {"query":"mail B","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> memory_note {"content":"n","derived_from":["document:jane@example.com"]}
{"ref": "note:ID1", "version": 1, "unresolved": ["document:[REDACTED]_HIDDEN3"]}
> memory_note {"content":"n","derived_from":["document:[REDACTED]_HIDDEN3"]}
{"ref": "note:ID2", "version": 1, "unresolved": ["document:[REDACTED]_HIDDEN3"]}

== a masked ref of nothing is refused
= mails
@ ash
> memory_search {"query":"mail A","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "mail A", "created_at": 1000, "updated_at": 1000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail A"},
  {"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> memory_search {"query":"mail B","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> memory_get {"ref":"document:[REDACTED]_AAAAAAAAAAAAAAAAAAAAAAAAAA"}
! NOT_FOUND: no memory is called document:[REDACTED]_HIDDEN3 -> Search for it, or list its kind.
> memory_note {"content":"n","derived_from":["document:[REDACTED]_HIDDEN3"]}
! NOT_FOUND: something in document:[REDACTED]_HIDDEN3 was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_note {"content":"n","relates_to":["document:[REDACTED]_HIDDEN3"]}
! NOT_FOUND: something in document:[REDACTED]_HIDDEN3 was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_reinforce {"ref":"belief:b","evidence_source":"document:[REDACTED]_HIDDEN3"}
! NOT_FOUND: something in document:[REDACTED]_HIDDEN3 was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_get {"ref":"note:[REDACTED]_HIDDEN1"}
! NOT_FOUND: no memory is called note:[REDACTED]_HIDDEN1 -> Search for it, or list its kind.
> memory_note {"content":"n","derived_from":["note:[REDACTED]_HIDDEN1"]}
! NOT_FOUND: something in note:[REDACTED]_HIDDEN1 was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_note {"content":"n","relates_to":["note:[REDACTED]_HIDDEN1"]}
! NOT_FOUND: something in note:[REDACTED]_HIDDEN1 was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_reinforce {"ref":"belief:b","evidence_source":"note:[REDACTED]_HIDDEN1"}
! NOT_FOUND: something in note:[REDACTED]_HIDDEN1 was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_get {"ref":"document:<[redacted-email]>"}
! NOT_FOUND: no memory is called document:<[redacted-email]> -> Search for it, or list its kind.
> memory_note {"content":"n","derived_from":["document:<[redacted-email]>"]}
! NOT_FOUND: something in document:<[redacted-email]> was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_note {"content":"n","relates_to":["document:<[redacted-email]>"]}
! NOT_FOUND: something in document:<[redacted-email]> was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_reinforce {"ref":"belief:b","evidence_source":"document:<[redacted-email]>"}
! NOT_FOUND: something in document:<[redacted-email]> was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_get {"ref":"document:************1111"}
! NOT_FOUND: no memory is called document:************1111 -> Search for it, or list its kind.
> memory_note {"content":"n","derived_from":["document:************1111"]}
! NOT_FOUND: something in document:************1111 was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_note {"content":"n","relates_to":["document:************1111"]}
! NOT_FOUND: something in document:************1111 was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_reinforce {"ref":"belief:b","evidence_source":"document:************1111"}
! NOT_FOUND: something in document:************1111 was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_get {"ref":"document:https://x.example/u/[redacted-phone]"}
! NOT_FOUND: no memory is called document:https://x.example/u/[redacted-phone] -> Search for it, or list its kind.
> memory_note {"content":"n","derived_from":["document:https://x.example/u/[redacted-phone]"]}
! NOT_FOUND: something in document:https://x.example/u/[redacted-phone] was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_note {"content":"n","relates_to":["document:https://x.example/u/[redacted-phone]"]}
! NOT_FOUND: something in document:https://x.example/u/[redacted-phone] was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
> memory_reinforce {"ref":"belief:b","evidence_source":"document:https://x.example/u/[redacted-phone]"}
! NOT_FOUND: something in document:https://x.example/u/[redacted-phone] was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.
+ {"ref":"note:old","text":"o","derived_from":["document:[redacted-email]"]}
> memory_note {"content":"n","derived_from":["document:[redacted-email]"]}
! NOT_FOUND: something in document:[redacted-email] was masked, and no memory is called so -> Give its ref as it is answered now, or leave it out.

== a pattern that matches everything leaves usable refs
# A pattern of the configuration may match anything, even the mask.
+ {"ref":"document:<CAF1@mail.gmail.com>","text":"mail A","created_at":1000}
+ {"ref":"document:<CAF2@mail.gmail.com>","text":"mail B","created_at":2000}
+ {"ref":"belief:b","agent_id":"ash","text":"it is so","derived_from":["document:<CAF1@mail.gmail.com>"],
    "created_at":3000}
@ ash
> memory_search {"query":"mail A","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "mail A", "created_at": 1000, "updated_at": 1000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail A"},
  {"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> memory_search {"query":"mail B","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
| pii: {mask: yes, patterns: {all: '.+'}}
@ ash
> memory_get {"ref":"document:[REDACTED]_HIDDEN1","detail":"full"}
{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "[redacted-all]", "text": "[redacted-all]", "created_at": 1000,
 "updated_at": 1000, "confidence": 1, "source_type": "[redacted-all]", "status": "active", "version": 1,
 "label": "supported"}

== a rating names its source by the masked ref
= mails
@ ash
> memory_search {"query":"mail A","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "mail A", "created_at": 1000, "updated_at": 1000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail A"},
  {"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
> memory_search {"query":"mail B","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN2", "agent_id": "ash", "text": "mail B", "created_at": 2000, "updated_at": 2000,
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "mail B"}],
 "more": false}
+ {"ref":"step:s","agent_id":"ash","text":"q","justifications":[{"role":"source",
    "antecedents":[{"ref":"document:<CAF1@mail.gmail.com>"}]}]}
> memory_mark {"ref":"step:s","mark":"rating","value":"document:[REDACTED]_HIDDEN1 relevant"}
{"ref": "step:s", "version": 2}

== errors do not cut a masked ref
# An error that quotes only a part of the ref would cut the address, and masking would miss it.
+ {"ref":"document:<<0 * 80>>-john.smith@example.com","text":"far"}
+ {"ref":"document:near","text":"near"}
+ {"ref":"chain:c","agent_id":"ash","text":"why"}
+ {"ref":"step:s","agent_id":"ash","text":"so","derived_from":["document:near"]}
@ ash
> memory_search {"query":"far","detail":"full"}
{"memories": [{"ref": "document:[REDACTED]_HIDDEN1", "agent_id": "ash", "text": "far", "created_at": "NOW", "updated_at": "NOW",
   "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported",
   "snippet": "far"}],
 "more": false}
> memory_mark {"ref":"step:s","mark":"rating","value":"document:[REDACTED]_HIDDEN1 relevant"}
! INVALID_REQUEST: document:[REDACTED]_HIDDEN1 is not a source of step:s -> memory_get tells what it is based on.

== a key with personal data is masked
+ {"ref": "entry:e1","agent_id": "ash","text": "home_phone_of.anna","detail": {"namespace": "open.mask",
    "key": "home_phone_of.anna","value": "x"}}
| tool_permissions:
|   listMemory: {allowed_namespaces: ["open.*"], operations: [read]}
@ ash
> memory_list {"kind":"entry","order":"text","limit":1,"detail":"full"}
~ [REDACTED]_
!~ anna
> memory_get {"ref":"entry:e1","detail":"full"}
{"ref": "entry:e1", "agent_id": "ash", "text": "[REDACTED]_HIDDEN1", "created_at": "NOW", "updated_at": "NOW",
 "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1,
 "detail": {"namespace": "open.mask", "key": "[REDACTED]_HIDDEN1", "value": "x"}, "label": "supported"}
> memory_history {"ref":"entry:e1","format":"json"}
~ [REDACTED]_
!~ anna
> memory_lineage {"ref":"entry:e1","format":"json"}
{"nodes": [{"ref": "entry:e1", "depth": 0, "text": "[REDACTED]_HIDDEN1", "label": "supported"}],
 "links": [], "cut": 0, "cycles": []}
> memory_search {"query":"open.mask"}
~ [REDACTED]_
!~ anna
> memory_search {"query":"anna"}
{"memories": [], "more": false}
> resources/list {}
{"resources": [{"uri": "stemma://entry/e1", "name": "entry:e1", "title": "entry: [REDACTED]_HIDDEN1",
   "mimeType": "application/json", "annotations": {"lastModified": "NOW"}}]}

== a former key is masked
# A history shows each side of a change by the key of that time.
+ {"ref": "entry:e1","agent_id": "ash","text": "home_email","detail": {"namespace": "public.x","key": "home_email",
    "value": 1}}
$ stemma edit entry:e1 --field key=home --yes > /dev/null
@ ash
> memory_history {"ref":"entry:e1","format":"json"}
~ "field":"detail.key","before":"[REDACTED]_
~ "after":"home"
!~ home_email

== a later link to an entry is left out
# Cached results from before the link are not used.
+ {"ref":"raw:own1","agent_id":"ash","text":"heard"}
+ {"ref":"belief:own2","agent_id":"ash","text":"we deploy","derived_from":["raw:own1"]}
+ {"ref":"belief:own3","agent_id":"ash","text":"then deploy","derived_from":["belief:own2"]}
+ {"ref": "entry:e1","agent_id": "zoe","text": "key","detail": {"namespace": "shut.mask","key": "key","value": 1}}
| share: yes
| tool_permissions:
|   listMemory: {allowed_namespaces: ["open.*"], operations: [read]}
@
> memory_lineage {"ref":"belief:own3","format":"json"}
~ "belief:own2"
> memory_whatif {"refs":["raw:own1"],"format":"json"}
{"loses_all_support": ["belief:own2", "belief:own3"], "weakened": [], "descends": 0}
+ {"ref":"belief:late","agent_id":"ash","text":"late","derived_from":["belief:own3","entry:e1"]}
> memory_lineage {"ref":"belief:late"}
~ belief:own3
!~ entry:
!~ shut.mask
> memory_lineage {"ref":"belief:late"}
~ belief:own3
!~ entry:
!~ shut.mask
> memory_lineage {"ref":"entry:e1","direction":"descendants"}
! NOT_FOUND: no memory is called entry:e1 -> Give at least 4 characters of an id, or all of it.

== only the entry tools change entries
+ {"ref":"episode:e","agent_id":"ash","text":"e"}
+ {"ref": "entry:e1","agent_id": "ash","text": "key","detail": {"namespace": "open.mask","key": "key","value": 1}}
| destructive_tools: yes
| tool_permissions:
|   listMemory: {allowed_namespaces: ["open.*"], operations: [read]}
@ ash
> memory_update {"ref":"entry:e1","text":"x"}
! PERMISSION_DENIED: entry:e1 is an entry, which no other tool changes -> putMemory and deleteMemory (set namespaces) change entries: call them by name.
> memory_mark {"ref":"entry:e1","mark":"reviewed"}
! PERMISSION_DENIED: entry:e1 is an entry, which no other tool changes -> putMemory and deleteMemory (set namespaces) change entries: call them by name.
> memory_reinforce {"ref":"entry:e1"}
! PERMISSION_DENIED: entry:e1 is an entry, which no other tool changes -> putMemory and deleteMemory (set namespaces) change entries: call them by name.
> memory_retract {"ref":"entry:e1"}
! PERMISSION_DENIED: entry:e1 is an entry, which no other tool changes -> putMemory and deleteMemory (set namespaces) change entries: call them by name.
> memory_forget {"ref":"entry:e1"}
! PERMISSION_DENIED: entry:e1 is an entry, which no other tool changes -> putMemory and deleteMemory (set namespaces) change entries: call them by name.
> memory_verify {"ref":"entry:e1"}
! PERMISSION_DENIED: entry:e1 is an entry, which no other tool changes -> putMemory and deleteMemory (set namespaces) change entries: call them by name.
> memory_protect {"ref":"entry:e1"}
! PERMISSION_DENIED: entry:e1 is an entry, which no other tool changes -> putMemory and deleteMemory (set namespaces) change entries: call them by name.
> memory_revise_from_episode {"episode":"episode:e","confirms":["entry:e1"],"contradicts":[]}
! PERMISSION_DENIED: entry:e1 is an entry, which no other tool changes -> putMemory and deleteMemory (set namespaces) change entries: call them by name.
> memory_revise_from_episode {"episode":"episode:e","confirms":[],"contradicts":["entry:e1"]}
! PERMISSION_DENIED: entry:e1 is an entry, which no other tool changes -> putMemory and deleteMemory (set namespaces) change entries: call them by name.
> memory_add {"kind":"entry","text":"entry:e1"}
! PERMISSION_DENIED: an entry is put by putMemory alone -> putMemory (set namespaces) stores entries: call it by name.
> log_source_attribution {"agent_id":"ash","source_type":"web","retrieval_timestamp":1700000000000,
    "supports":["entry:e1"]}
! PERMISSION_DENIED: supports: entry:e1 is not yours to change -> Leave it out, or ask the person who reviews this.
> memory_get {"ref":"entry:","detail":"full"}
! INVALID_REQUEST: entry: names no memory -> Give kind:id, such as belief:54c5507f, or an id alone.
> memory_belief {"statement":"of it","derived_from":["entry:e1"]}
{"ref": "belief:ID1", "version": 1}
