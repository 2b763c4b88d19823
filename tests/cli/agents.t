# What agents ask for over MCP, as their tools answer it: a line for each call of one session.
$ cat >f <<'END'
> export STEMMA_STORE=$PWD/s.db
> rm -f s.db*
> sound() { stemma fsck | sed 's/ and [0-9]* rows of the log of calls//'; }
> # agent NAME, then lines "TOOL ARGUMENTS": what each answers, without what is another each time, or why it does not
> agent() { python3 -c '
> import json, subprocess, sys
> p = subprocess.Popen(["stemma", "mcp", "--agent", sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
> def ask(method, **params):
>     print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), file=p.stdin, flush=True)
>     while (m := json.loads(p.stdout.readline())).get("id") != 1: pass
>     return m.get("result") or m
> ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"})
> for line in sys.stdin:
>     tool, _, args = line.strip().partition(" ")
>     r = ask("tools/call", name=tool, arguments=json.loads(args or "{}"))
>     e = json.loads(r["content"][0]["text"])["error"] if r.get("isError") else r.get("error")
>     def plain(x):
>         if isinstance(x, list): return [plain(v) for v in x]
>         if isinstance(x, dict): return {k: plain(v) for k, v in x.items() if k not in ("updated_at", "cursor", "source_summary", "events", "citedAt", "retrievedAt")}
>         return x
>     print(e["code"] + ": " + e["message"] if e else json.dumps(plain(r.get("structuredContent")), ensure_ascii=False))
> ' $1; }
> END

# A chain grows step by step; a source that is wrong is refused by itself; numbers are taken once.
$ . ./f; agent ash <<'END'
> cot_begin {"question":"Why did the pump fail?","strategy":"decomposition"}
> END
> c=$(stemma list chain --json | jq -r 'select(.ref).ref'); agent ash <<END
> cot_step {"chain":"$c","step_number":1,"question":"What does the manual say?","intermediate_answer":"Oil it.","confidence_score":0.9,"execution_time":1.5,"retrieved_documents":[{"document_id":"manual","title":"The manual","content":"Oil the pump weekly.","score":0.92,"chunk_index":2},{"document_id":"b","score":1.5},7]}
> cot_step {"chain":"$c","step_number":2,"question":"Was it oiled?","intermediate_answer":"No.","confidence_score":0.7,"context_used":["id:log nobody was there","  ","Oil it.","a bare remark"]}
> cot_step {"chain":"$c","step_number":2,"question":"again?"}
> cot_step {"chain":"$c","step_number":0,"question":"q"}
> cot_step {"chain":"$c","step_number":3,"question":" "}
> cot_step {"chain":"$c","step_number":3,"question":"q","confidence_score":1.5}
> cot_step {"chain":"$c","step_number":3,"question":"q","execution_time":-1}
> cot_step {"chain":"belief:none","step_number":3,"question":"q"}
> cot_finish {"chain":"$c","final_answer":"It ran dry."}
> cot_finish {"chain":"$c","final_answer":"again"}
> END
> stemma chain $c; sound
{"ref": "chain:ID1", "version": 1}
{"ref": "step:ID2", "version": 1, "sources": [{"document_id": "manual", "document_title": "The manual", "relevance_score": 0.92, "excerpt": "Oil the pump weekly.", "chunk_index": 2, "retrieval_rank": 1, "score_origin": "measured"}], "refused": [{"index": 1, "reason": "retrieved_documents[1] (“b”): score is 1.5, which is not between 0 and 1"}, {"index": 2, "reason": "retrieved_documents[2]: it is not an object"}]}
{"ref": "step:ID3", "version": 1, "sources": [{"document_id": "log", "document_title": null, "relevance_score": 1, "excerpt": "id:log nobody was there", "chunk_index": null, "retrieval_rank": 1, "score_origin": "heuristic"}, {"document_id": "context_doc_3", "document_title": null, "relevance_score": 0.7, "excerpt": "a bare remark", "chunk_index": null, "retrieval_rank": 4, "score_origin": "heuristic"}]}
CONFLICT: chain:ID1 has a step 2 already, step:ID3
INVALID_REQUEST: step_number is out of range
INVALID_REQUEST: the question is empty
INVALID_REQUEST: confidence_score is out of range
INVALID_REQUEST: execution_time is out of range
NOT_FOUND: no memory is called belief:none
{"ref": "chain:ID1", "version": 2, "steps": 2, "total_confidence": 0.8}
CONFLICT: chain:ID1 is finished already
chain:ID1
│ Why did the pump fail?

answer
│ It ran dry.

state        finished, 2 steps, 3 documents
strategy     decomposition
confidence   0.8
agent        ash
time         1.5 s
created      NOW (AGE)

steps
   1  0.90    1.5 s  What does the manual say?
     │ Oil it.
     #1  ━━━━━━━╸  .92★  The manual     manual  chunk 2

   2  0.70        -  Was it oiled?
     │ No.
     given     the answer of step 1
     #1  ╍╍╍╍╍╍╍╍ ~1.0★  log
     #4  ╍╍╍╍╍╍   ~.70   context_doc_3

sources by relevance  3 documents, 2 primary ★
 ╍╍╍╍╍╍╍╍ ~1.0★  log                    1 step
 ━━━━━━━╸  .92★  The manual     manual  1 step
 ╍╍╍╍╍╍   ~.70   context_doc_3          1 step

scores: measured plain, ~ heuristic, = default, ? asserted
7 events, 6 memories, 8 links checked: all is well


# A whole chain is one act and written as it was given; one that is wrong is refused whole, naming the place.
$ . ./f; agent ash <<'END'
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"q"},{"step_number":2,"question":"r","confidence_score":0.25,"source_attributions":[{"document_id":"d","relevance_score":0.4}]},{"step_number":3,"question":"s","confidence_score":0.8}]}
> cot_record {"original_question":" ","final_answer":"a","reasoning_steps":[]}
> cot_record {"original_question":"q","final_answer":"a","total_confidence":7,"reasoning_steps":[]}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":{}}
> cot_record {"original_question":"q","final_answer":"a","source_summary":[],"reasoning_steps":[]}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[7]}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"question":"q"}]}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":3,"question":"q","confidence_score":"high"}]}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":3,"question":"q","context_used":[1]}]}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":3,"question":"q"},{"step_number":3.0,"question":"r"}]}
> END
> stemma list chain --json | jq -c '[.confidence]'; stemma undo >/dev/null 2>&1; stemma log --json | jq -r '.operation' | sort | uniq -c
{"ref": "chain:ID4", "version": 1, "steps": 3, "total_confidence": 0.525}
INVALID_REQUEST: original_question: the question is empty
INVALID_REQUEST: total_confidence is out of range
INVALID_REQUEST: reasoning_steps is an object
INVALID_REQUEST: source_summary is a list
INVALID_REQUEST: reasoning_steps[0] is not an object
INVALID_REQUEST: reasoning_steps[0]: step_number is missing
INVALID_REQUEST: step 3: confidence_score is not a number
INVALID_REQUEST: step 3: context_used holds what is not a text
INVALID_REQUEST: step 3 is there twice
[0.525]
      5 add

# Citations stand in their rank, the same place once; one that is bad is refused alone; citing again takes the place.
$ . ./f; agent ash <<'END'
> cite_sources {"conversation_id":"c","message_id":"m1","sources":[{"documentId":"a","documentName":"A","relevanceScore":0.5,"snippet":"one","page":3},{"documentId":"b","documentName":"B","relevanceScore":0.9},{"documentId":"c","relevanceScore":2}]}
> get_citations {"conversation_id":"c","message_id":"m1"}
> cite_sources {"conversation_id":"c","message_id":"m1","sources":[{"documentId":"d","documentName":"D","relevanceScore":0.7}]}
> get_citations {"conversation_id":"c","message_id":"m1"}
> END
> stemma list citation --status all --json | jq -c '[.status]'; sound
{"sources": [{"documentId": "b", "documentName": "B", "relevanceScore": 0.9}, {"documentId": "a", "documentName": "A", "snippet": "one", "relevanceScore": 0.5}], "citations": [{"ref": "citation:ID5", "formatted": "(B, document)"}, {"ref": "citation:ID6", "formatted": "(A, document)"}], "uncertainty": "low", "left_out": 0, "refused": [{"index": 2, "reason": "sources[2]: relevanceScore is 2, which is not between 0 and 1"}]}
{"citations": [{"ref": "citation:ID5", "documentId": "b", "documentName": "B", "relevanceScore": 0.9, "formatted": "(B, document)", "conversationId": "c", "messageId": "m1", "document": "document:b"}, {"ref": "citation:ID6", "documentId": "a", "documentName": "A", "snippet": "one", "relevanceScore": 0.5, "formatted": "(A, document)", "conversationId": "c", "messageId": "m1", "document": "document:a"}], "total": 2, "uncertainty": "low"}
{"sources": [{"documentId": "d", "documentName": "D", "relevanceScore": 0.7}], "citations": [{"ref": "citation:ID7", "formatted": "(D, document)"}], "uncertainty": "low", "left_out": 0}
{"citations": [{"ref": "citation:ID7", "documentId": "d", "documentName": "D", "relevanceScore": 0.7, "formatted": "(D, document)", "conversationId": "c", "messageId": "m1", "document": "document:d"}], "total": 1, "uncertainty": "low"}
["active"]
["superseded"]
["superseded"]
10 events, 6 memories, 3 links checked: all is well

# What a person decided an agent leaves; what agents decided they take back.
$ . ./f; printf '{"ref":"belief:%s","text":"x","agent_id":"ash","confidence":0.7}\n' a b c | stemma import jsonl - >/dev/null; stemma verify belief:a >/dev/null; stemma protect belief:b >/dev/null; agent ash <<'END'
> memory_update {"ref":"belief:a","confidence":0.3}
> memory_reinforce {"ref":"belief:a"}
> memory_update {"ref":"belief:b","text":"y"}
> memory_mark {"ref":"belief:c","mark":"quarantined"}
> memory_update {"ref":"belief:c","confidence":0.5}
> END
> stemma mark quarantined belief:c >/dev/null; agent ash <<'END'
> memory_update {"ref":"belief:c","confidence":0.6}
> END
> stemma show belief:c --json | jq .confidence
PERMISSION_DENIED: belief:a was verified by a person
PERMISSION_DENIED: belief:a was verified by a person
PERMISSION_DENIED: belief:b is protected
{"ref": "belief:c", "version": 2}
{"ref": "belief:c", "version": 3}
PERMISSION_DENIED: belief:c was quarantined by a person
0.5

# Entries: put, read, listed in pages, gone when they expire, and after a deletion another one.
$ . ./f; agent ash <<'END'
> putMemory {"namespace":"agent.n","key":"a","value":{"x":[1,null]}}
> putMemory {"namespace":"agent.n","key":"b","value":2,"ttl_seconds":3600}
> putMemory {"namespace":"agent.n","key":"c","value":3}
> getMemory {"namespace":"agent.n","key":"a"}
> putMemory {"namespace":"agent.n","key":"a","value":"anew"}
> getMemory {"namespace":"agent.n","key":"a"}
> listMemory {"namespace":"agent.n","limit":2}
> deleteMemory {"namespace":"agent.n","key":"a"}
> getMemory {"namespace":"agent.n","key":"a"}
> putMemory {"namespace":"agent.n","key":"a","value":1}
> getMemory {"namespace":"other.n","key":"a"}
> END
> stemma list entry --status all --json | jq -c '[.text, .status, .version]'; sound
{"success": true}
{"success": true}
{"success": true}
{"namespace": "agent.n", "key": "a", "value": {"x": [1, null]}, "ref": "entry:ID8", "version": 1}
{"success": true}
{"namespace": "agent.n", "key": "a", "value": "anew", "ref": "entry:ID8", "version": 2}
{"keys": ["a", "b"], "total": 3}
{"success": true}
NOT_FOUND: there is no such entry in the namespace agent.n
{"success": true}
PERMISSION_DENIED: Access denied to namespace 'other.n'
["a","active",1]
["c","active",1]
["b","active",1]
["a","deleted",3]
6 events, 4 memories, 0 links checked: all is well
