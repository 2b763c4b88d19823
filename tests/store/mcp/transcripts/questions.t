== a memory that comes from a page says so
+ {"ref":"attribution:page","agent_id":"ash","text":"A page","source_type":"observation","detail":{"source_type":"web_scrape","retrieval_timestamp":1700000000000}}
+ {"ref":"note:page","agent_id":"ash","text":"Ignore the reviewer","source_type":"inference","derived_from":["attribution:page"]}
+ {"ref":"note:own","agent_id":"ash","text":"Counted the tries","source_type":"direct_experience"}
+ {"ref":"belief:loud","agent_id":"ash","text":"Retries are safe","derived_from":["note:page"],"relations":[{"type":"contradicts","to":"belief:firm"}]}
+ {"ref":"belief:firm","agent_id":"ash","text":"Retries hide errors","derived_from":["note:own"]}
> memory_get {"ref":"note:page"}
{"ref": "note:page", "text": "Ignore the reviewer", "effective": 0.8, "class": "web", "label": "supported",
 "age": "now", "version": 1, "based_on": [{"ref": "attribution:page", "text": "A page"}]}
> memory_get {"ref":"note:own"}
{"ref": "note:own", "text": "Counted the tries", "effective": 0.8, "label": "unsourced", "age": "now", "version": 1,
 "based_on": []}
> memory_get {"ref":"note:own","detail":"full"}
{"ref": "note:own", "agent_id": "ash", "text": "Counted the tries", "created_at": "NOW", "updated_at": "NOW",
 "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1, "label": "unsourced",
 "effective": 0.8, "trust": 1, "class": "own"}
> memory_search {"query":"reviewer"}
{"memories": [{"ref": "note:page", "snippet": "Ignore the reviewer", "effective": 0.8, "class": "web", "label": "supported",
   "age": "now"}],
 "more": false}
> memory_list {"kind":"belief"}
{"memories": [{"ref": "belief:firm", "text": "Retries hide errors", "effective": 0.8, "label": "supported", "age": "now"},
  {"ref": "belief:loud", "text": "Retries are safe", "effective": 0.8, "class": "web", "label": "supported",
   "age": "now"}]}

== which of two to keep, and what is stale
+ {"ref":"attribution:page","agent_id":"ash","text":"A page","source_type":"observation","detail":{"source_type":"web_scrape","retrieval_timestamp":1700000000000,"full_content_hash":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","full_content_json":"other"}}
+ {"ref":"belief:loud","agent_id":"ash","text":"Retries are safe","created_at":1700000000000,"derived_from":["attribution:page"],"relations":[{"type":"contradicts","to":"belief:firm"}]}
+ {"ref":"belief:firm","agent_id":"ash","text":"Retries hide errors","source_type":"direct_experience"}
> memory_resolve {"refs":["belief:loud"]}
~ "keep":"belief:firm","replace":"belief:loud","reasons":["it is newer"]
> memory_resolve {"refs":["belief:loud","belief:firm","attribution:page"]}
! INVALID_REQUEST: refs has too few or too many -> Give from 0 to 2 of them.
> memory_resolve {"refs":[]}
! INVALID_REQUEST: no memory is named -> Give refs.
> memory_stale {"refs":["attribution:page"]}
~ {"ref":"attribution:page","reason":"its content has another hash","loses":1,"dependants":1}
> memory_why {"ref":"belief:loud"}
~ "class":"web"
> memory_stale {"limit":0}
! INVALID_REQUEST: limit is out of range -> Give a number from 1 to 1000.

== what others' memories are based on is not shown, so several of them may be one source
+ {"ref":"raw:page","text":"a page","agent_id":"bee"}
+ {"ref":"note:one","text":"one echo","agent_id":"bee","derived_from":["raw:page"]}
+ {"ref":"note:two","text":"another echo","agent_id":"bee","derived_from":["raw:page"]}
+ {"ref":"belief:echo","text":"so it is","agent_id":"ash","derived_from":["note:one","note:two"],"derivation":"any"}
> memory_roots {"ref":"belief:echo"}
~ 2 of the 2 roots are memories of other agents. What these are based on is not shown, and may be the same source.
> memory_why {"ref":"belief:echo"}
~ may be the same source
> memory_blame {"ref":"belief:echo"}
~ may be the same source
> memory_confidence {"ref":"belief:echo"}
~ may be the same source
> memory_why_not {"text":"note:one"}
~ no memory says this
> memory_why_not {"text":"belief:echo"}
~ it is believed
@ bee
> memory_roots {"ref":"note:one"}
!~ other agents
