= others
+ {"ref":"raw:of-bo","agent_id":"bo","text":"heard by bo"}
+ {"ref":"note:of-claire","agent_id":"claire","text":"written by claire"}

== a caller without a granted name sees only what such callers wrote
= others
@
> memory_get {"ref":"raw:of-bo","detail":"full"}
{"ref": "raw:of-bo", "agent_id": "bo", "withheld": true}
> memory_list {"detail":"full"}
{"memories": []}
> memory_note {"content":"mine"}
{"ref": "note:ID1", "version": 1}
> memory_list {"detail":"full"}
{"memories": [{"ref": "note:ID1", "agent_id": "unnamed", "text": "mine", "created_at": "NOW", "updated_at": "NOW",
   "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1,
   "detail": {"note_type": "note", "claimed_agent": "tester"}, "label": "unsourced"}]}
> memory_update {"ref":"note:of-claire","text":"not yours"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
> memory_mark {"ref":"raw:of-bo","mark":"disputed"}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
@ bo
> memory_list {"kind":"note"}
{"memories": []}
> memory_get {"ref":"raw:of-bo","detail":"full"}
{"ref": "raw:of-bo", "agent_id": "bo", "text": "heard by bo", "created_at": "NOW", "updated_at": "NOW",
 "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported"}
| share: yes
@
> memory_get {"ref":"raw:of-bo","detail":"full"}
{"ref": "raw:of-bo", "agent_id": "bo", "text": "heard by bo", "created_at": "NOW", "updated_at": "NOW",
 "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "label": "supported"}

== a claimed name takes over no grant and no memory
= others
| agents: {claire: {tool_permissions: {putMemory: {allowed_namespaces: ["vault"], operations: [write]}}}}
@
> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"claire","version":"1"}}
~ No name is granted to you here
> putMemory {"namespace":"vault","key":"k","value":1}
! PERMISSION_DENIED: Access denied to namespace 'vault' {"namespace": "vault", "operation": "write"}
> memory_get {"ref":"note:of-claire","detail":"full"}
{"ref": "note:of-claire", "agent_id": "claire", "withheld": true}
> tools/call {"name":"putMemory","arguments":{"namespace":"vault","key":"k","value":1},"_meta":{"dev.stemma/agent_id":"claire"}}
! PERMISSION_DENIED: Access denied to namespace 'vault' {"namespace": "vault", "operation": "write"}
> tools/call {"name":"memory_get","arguments":{"ref":"note:of-claire"},"_meta":{"dev.stemma/agent_id":"claire"}}
{"ref": "note:of-claire", "agent_id": "claire", "withheld": true}
> memory_list {"agent_id":"claire","detail":"full"}
{"memories": []}
@ claire
> putMemory {"namespace":"vault","key":"k","value":1}
{"success": true}
> memory_get {"ref":"note:of-claire","detail":"full"}
{"ref": "note:of-claire", "agent_id": "claire", "text": "written by claire", "created_at": "NOW", "updated_at": "NOW",
 "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1, "label": "unsourced"}

== a claim of a name hides nothing of the agent with that name
@ ash
> putMemory {"namespace":"session.z","key":"pump","value":1}
{"success": true}
@
> memory_list {"agent_id":"ash"}
{"memories": [{"text": "pump", "agent_id": "ash"}]}
> memory_add {"kind":"note","text":"the pump claims","agent_id":"ash"}
{"ref": "note:ID2"}
> memory_list {"agent_id":"ash"}
{"memories": [{"text": "pump", "agent_id": "ash"}]}
> memory_search {"query":"pump","agent_id":"ash"}
{"memories": [{"ref": "entry:…", "agent_id": "ash"}]}
@ bo
> memory_add {"kind":"note","text":"bo claims the pump","agent_id":"ash"}
{"ref": "note:ID3"}
> memory_list {"agent_id":"ash"}
{"memories": [{"text": "pump", "agent_id": "ash"}]}

== a claim is a label to filter by, and shown as a claim
= others
@
> memory_note {"content":"one","agent_id":"claire"}
{"ref": "note:ID1", "version": 1}
> memory_belief {"statement":"two","agent_id":"zoe"}
{"ref": "belief:ID2", "version": 1}
> memory_note {"content":"three"}
{"ref": "note:ID3", "version": 1}
> memory_list {"agent_id":"claire","detail":"full"}
{"memories": [{"ref": "note:ID1", "agent_id": "unnamed", "text": "one", "created_at": "NOW", "updated_at": "NOW",
   "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1,
   "detail": {"note_type": "note", "claimed_agent": "claire"}, "label": "unsourced"}]}
> memory_search {"query":"one","agent_id":"claire","detail":"full"}
{"memories": [{"ref": "note:ID1", "agent_id": "unnamed", "text": "one", "created_at": "NOW", "updated_at": "NOW",
   "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1,
   "detail": {"note_type": "note", "claimed_agent": "claire"}, "label": "unsourced", "snippet": "one"}],
 "more": false}
> memory_search {"query":"one","agent_id":"zoe"}
{"memories": [], "more": false}
> memory_list {"agent_id":"unnamed","order":"text","detail":"full"}
{"memories": [{"ref": "note:ID1", "agent_id": "unnamed", "text": "one", "created_at": "NOW", "updated_at": "NOW",
   "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1,
   "detail": {"note_type": "note", "claimed_agent": "claire"}, "label": "unsourced"},
  {"ref": "note:ID3", "agent_id": "unnamed", "text": "three", "created_at": "NOW", "updated_at": "NOW",
   "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1,
   "detail": {"note_type": "note", "claimed_agent": "tester"}, "label": "unsourced"},
  {"ref": "belief:ID2", "agent_id": "unnamed", "text": "two", "created_at": "NOW", "updated_at": "NOW",
   "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1,
   "detail": {"belief_type": "fact", "claimed_agent": "zoe"}, "label": "unsourced"}]}
$ stemma list all --claims claire --json | grep -o '"agent_id":"[^"]*","text":"[^"]*"\|"claimed_agent":"[^"]*"'
"agent_id":"unnamed","text":"one"
"claimed_agent":"claire"
$ stemma list all --agent claire --json | grep -o '"text":"[^"]*"'
"text":"written by claire"
$ stemma show note:ID1 | grep -o '[a-z]*, claims to be .*'
unnamed, claims to be claire
$ stemma log --limit 3 2>&1 | grep -o '?[a-z]* (agent)'
?claire (agent)
?zoe (agent)
?tester (agent)
$ stemma search claire --json | grep -o '"ref":"[^"]*"'
"ref":"note:of-claire"

== in a named session another agent_id is a claim, and the memory is the granted name's
@ ash
> memory_note {"content":"n","agent_id":"claire"}
{"ref": "note:ID1", "version": 1}
> memory_get {"ref":"note:ID1","detail":"full"}
{"ref": "note:ID1", "agent_id": "ash", "text": "n", "created_at": "NOW", "updated_at": "NOW", "confidence": 0.8,
 "source_type": "direct_experience", "status": "active", "version": 1,
 "detail": {"note_type": "note", "claimed_agent": "claire"}, "label": "unsourced"}
$ stemma show note:ID1 | grep -o '[a-z]*, claims to be .*'
ash, claims to be claire
@ claire
> memory_get {"ref":"note:ID1","detail":"full"}
! NOT_FOUND: no memory is called note:ID1 -> Search for it, or list its kind.

== the example of the specification works with and without a granted name
@
> log_source_attribution {"agent_id":"my-ai-agent-001","source_type":"tavily_search","source_uri":"latest advancements in large language models","retrieval_timestamp":1678886400000,"content_summary":"Summary of search results on LLM advancements."}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> get_source_attributions {"agent_id":"my-ai-agent-001"}
{"attributions": [{"attribution_id": "ID1", "agent_id": "my-ai-agent-001", "source_type": "tavily_search",
   "source_uri": "latest advancements in large language models", "retrieval_timestamp": 1678886400000,
   "content_summary": "Summary of search results on LLM advancements.", "full_content_hash": null,
   "full_content_json": null}],
 "total": 1}
> get_source_attributions {"agent_id":"another"}
{"attributions": [], "total": 0}
@ claude
> log_source_attribution {"agent_id":"my-ai-agent-001","source_type":"tavily_search","source_uri":"u","retrieval_timestamp":1678886400000,"content_summary":"s"}
{"attribution_id": "ID2", "ref": "attribution:ID2", "version": 1}
> get_source_attributions {"agent_id":"my-ai-agent-001"}
{"attributions": [{"attribution_id": "ID2", "agent_id": "my-ai-agent-001", "source_type": "tavily_search", "source_uri": "u",
   "retrieval_timestamp": 1678886400000, "content_summary": "s", "full_content_hash": null, "full_content_json": null}],
 "total": 1}
$ stemma list attributions --claims my-ai-agent-001 --as-of now --json 2> /dev/null | grep -c '"ref"'
2

== by default an agent writes to agent.NAME and below, and to no other's
@ ash
> putMemory {"namespace":"agent.ash","key":"k","value":1}
{"success": true}
> putMemory {"namespace":"agent.ash.notes","key":"k","value":1}
{"success": true}
> putMemory {"namespace":"agent.boss","key":"k","value":1}
! PERMISSION_DENIED: Access denied to namespace 'agent.boss' {"namespace": "agent.boss", "operation": "write"}
> getMemory {"namespace":"agent.boss","key":"k"}
! PERMISSION_DENIED: Access denied to namespace 'agent.boss' {"namespace": "agent.boss", "operation": "read"}
@
> putMemory {"namespace":"agent.ash","key":"k","value":1}
! PERMISSION_DENIED: Access denied to namespace 'agent.ash' {"namespace": "agent.ash", "operation": "write"}
> putMemory {"namespace":"agent.unnamed","key":"k","value":1}
{"success": true}
> tools/call {"name":"putMemory","arguments":{"namespace":"agent.ash","key":"k","value":1},"_meta":{"dev.stemma/agent_id":"ash"}}
! PERMISSION_DENIED: Access denied to namespace 'agent.ash' {"namespace": "agent.ash", "operation": "write"}

== no agent is called unnamed
$ stemma mcp --agent unnamed < /dev/null; echo $?
stemma: unnamed is what all sessions without a name are called. Leave --agent out, or give another name.
2

== an entry is of the claim that wrote it last, and its history names each
$ put() { printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"'$1'","version":"1"}}}' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"putMemory","arguments":{"namespace":"agent.unnamed","key":"k","value":"'$2'"}}}' | stemma mcp > /dev/null; }; put claire one; put zoe two; n=$(stemma list entry --json | jq -r .ref); stemma show $n | grep -o '[a-z]*, claims to be .*'; stemma history $n | grep -o 'put .*'; for claim in claire zoe; do stemma list entry --claims $claim --json | jq -r .detail.claimed_agent; done
stemma: there was no store at DIR/memory.db: a new one was created
unnamed, claims to be zoe
put  ?zoe (agent)  version 2  event 2
put  ?claire (agent)  version 1  event 1
stemma: nothing matched
zoe
