# Agents over MCP and the answers of their tools: a line for each call of one session.
$ cat >f <<'END'
> export STEMMA_STORE=$PWD/s.db
> rm -f s.db*
> sound() { stemma fsck | sed 's/ and [0-9]* rows* of the call log//'; }
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

# A chain grows step by step; a wrong source is refused alone; a step number is used once.
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

── answer
│ It ran dry.

 state        finished, 2 steps, 3 documents
 strategy     decomposition
 confidence   0.800
 agent        ash
 time         1.5 s
 created      NOW (AGE)

── step 1 ─ confidence 0.90 · 1.5 s
 question     What does the manual say?
 answer       Oil it.
   #1 ━━━━━━━╸  .92★  The manual                                 manual  chunk 2

── step 2 ─ confidence 0.70
 question     Was it oiled?
 answer       No.
 given        the answer of step 1
   #1 ╍╍╍╍╍╍╍╍ ~1.0★  log
   #4 ╍╍╍╍╍╍   ~.70   context_doc_3 is document:sha256-0c0d6415

── sources by relevance ─ 3 documents, 2 primary ★
   ╍╍╍╍╍╍╍╍ ~1.0★  log                                                1 step
   ━━━━━━━╸  .92★  The manual                                 manual  1 step
   ╍╍╍╍╍╍   ~.70   context_doc_3 is document:sha256-0c0d6415          1 step

 scores: measured plain, ~ heuristic, = default, ? asserted

── time and tokens ─ 1.5 s
   step 1    ━━━━━━━━━━━━━━━━━━━━━━━━   1.5 s
   step 2
7 events, 6 memories, 8 links checked: all is well


# A whole chain is one change, stored as given; a wrong one is refused whole, and the error names the place.
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
INVALID_REQUEST: step 3: context_used contains an element that is not a text
INVALID_REQUEST: step 3 occurs twice
[0.525]
      5 add

# Citations are ranked, each place once; a wrong one is refused alone; citing again replaces them.
$ . ./f; agent ash <<'END'
> cite_sources {"conversation_id":"c","message_id":"m1","sources":[{"documentId":"a","documentName":"A","relevanceScore":0.5,"snippet":"one","page":3},{"documentId":"b","documentName":"B","relevanceScore":0.9},{"documentId":"c","relevanceScore":2}]}
> get_citations {"conversation_id":"c","message_id":"m1"}
> cite_sources {"conversation_id":"c","message_id":"m1","sources":[{"documentId":"d","documentName":"D","relevanceScore":0.7}]}
> get_citations {"conversation_id":"c","message_id":"m1"}
> END
> stemma list citation --status all --json | jq -c '[.status]'; sound
{"sources": [{"documentId": "b", "documentName": "B", "relevanceScore": 0.9}, {"documentId": "a", "documentName": "A", "location": {"page": 3}, "snippet": "one", "relevanceScore": 0.5}], "citations": [{"ref": "citation:ID5", "formatted": "(B, document)"}, {"ref": "citation:ID6", "formatted": "(A, page 3)"}], "uncertainty": "low", "left_out": 0, "refused": [{"index": 2, "reason": "sources[2] (“c”): relevanceScore is 2, which is not between 0 and 1"}]}
{"citations": [{"ref": "citation:ID5", "documentId": "b", "documentName": "B", "relevanceScore": 0.9, "formatted": "(B, document)", "conversationId": "c", "messageId": "m1", "document": "document:b"}, {"ref": "citation:ID6", "documentId": "a", "documentName": "A", "location": {"page": 3}, "snippet": "one", "relevanceScore": 0.5, "formatted": "(A, page 3)", "conversationId": "c", "messageId": "m1", "document": "document:a"}], "total": 2, "uncertainty": "low"}
{"sources": [{"documentId": "d", "documentName": "D", "relevanceScore": 0.7}], "citations": [{"ref": "citation:ID7", "formatted": "(D, document)"}], "uncertainty": "low", "left_out": 0}
{"citations": [{"ref": "citation:ID7", "documentId": "d", "documentName": "D", "relevanceScore": 0.7, "formatted": "(D, document)", "conversationId": "c", "messageId": "m1", "document": "document:d"}], "total": 1, "uncertainty": "low"}
["active"]
["superseded"]
["superseded"]
10 events, 6 memories, 3 links checked: all is well

# Agents cannot undo a person's decision, but can undo their own.
$ . ./f; printf '{"ref":"belief:%s","text":"x","agent_id":"ash","confidence":0.7}\n' a b c | stemma import jsonl - >/dev/null; stemma verify belief:a >/dev/null; stemma protect belief:b >/dev/null; agent ash <<'END'
> memory_update {"ref":"belief:a","confidence":0.3}
> memory_reinforce {"ref":"belief:a"}
> memory_update {"ref":"belief:b","text":"y"}
> memory_mark {"ref":"belief:c","mark":"planted"}
> memory_update {"ref":"belief:c","confidence":0.5}
> END
> stemma quarantine belief:c --yes >/dev/null; agent ash <<'END'
> memory_update {"ref":"belief:c","confidence":0.6}
> END
> stemma show belief:c --json | jq -c "[.confidence, .status]"
PERMISSION_DENIED: belief:a was approved by a person
PERMISSION_DENIED: belief:a was approved by a person
PERMISSION_DENIED: belief:b is locked
{"ref": "belief:c", "version": 2}
{"ref": "belief:c", "version": 3}
NOT_FOUND: no memory is called belief:c
[0.5,"quarantined"]

# Entries: put, read, listed in pages, gone when they expire, and new after a deletion.
$ . ./f; agent ash <<'END'
> putMemory {"namespace":"session.n","key":"a","value":{"x":[1,null]}}
> putMemory {"namespace":"session.n","key":"b","value":2,"ttl_seconds":3600}
> putMemory {"namespace":"session.n","key":"c","value":3}
> getMemory {"namespace":"session.n","key":"a"}
> putMemory {"namespace":"session.n","key":"a","value":"anew"}
> getMemory {"namespace":"session.n","key":"a"}
> listMemory {"namespace":"session.n","limit":2}
> deleteMemory {"namespace":"session.n","key":"a"}
> getMemory {"namespace":"session.n","key":"a"}
> putMemory {"namespace":"session.n","key":"a","value":1}
> getMemory {"namespace":"other.n","key":"a"}
> END
> stemma list entry --status all --json | jq -c '[.text, .status, .version]'; sound
{"success": true}
{"success": true}
{"success": true}
{"namespace": "session.n", "key": "a", "value": {"x": [1, null]}, "ref": "entry:ID8", "version": 1}
{"success": true}
{"namespace": "session.n", "key": "a", "value": "anew", "ref": "entry:ID8", "version": 2}
{"keys": ["a", "b"], "total": 3}
{"success": true}
NOT_FOUND: there is no such entry in the namespace session.n
{"success": true}
PERMISSION_DENIED: Access denied to namespace 'other.n'
["a","active",1]
["c","active",1]
["b","active",1]
["a","deleted",3]
6 events, 4 memories, 0 links checked: all is well

# A message has at most five citations, the best first, each place once; made-up ids are documents of their content.
$ cat >cites <<'END'
> seven='[{"documentId":"d1","documentName":"One","location":{"page":1},"snippet":"s1","relevanceScore":0.3},{"documentId":"d2","snippet":"s2","relevanceScore":0.9},{"documentId":"d3","snippet":"s3","relevanceScore":0.8},{"documentId":"d4","snippet":"s4","relevanceScore":0.7},{"documentId":"d5","snippet":"s5","relevanceScore":0.6},{"documentId":"d6","snippet":"s6","relevanceScore":0.5},{"documentId":"d1","location":{"page":1},"snippet":"again","relevanceScore":0.4}]'
> cite() { agent ash <<LINE
> cite_sources {"conversation_id":"c1","message_id":"$1","sources":$2}
> LINE
> }
> cited() { stemma cite --json --conversation c1 --message $1 2>/dev/null | jq -c '[.citations[]? | [.documentId, .snippet]]' ; get "$1"; }
> get() { agent ash <<LINE | jq -c '[.total, [.citations[].documentId]]'
> get_citations {"conversation_id":"c1","message_id":"$1"}
> LINE
> }
> ref() { stemma list citation --json | jq -r "select(.text == \"$1\").ref"; }
> END
> . ./f; . ./cites; cite m1 "$seven" | jq -c '[.left_out, [.sources[] | [.documentId, .relevanceScore]]]'; for s in '"snippet":"same words",' '"snippet":"same words",' '"snippet":"others",' '' ''; do n=$((n + 1)); cite n$n "[{$s\"relevanceScore\":1}]" | jq -c '.sources[].documentId'; done; stemma list document --json | jq -r .ref | grep -c sha256; stemma list document --json | wc -l
[2,[["d2",0.9],["d3",0.8],["d4",0.7],["d5",0.6],["d6",0.5]]]
"source-1"
"source-1"
"source-1"
"source-1"
"source-1"
4
9

# Citing again keeps locked citations; forgotten, retracted and purged sources are no longer cited; one undo takes a response back.
$ . ./f; . ./cites; cite m1 "$seven" >/dev/null; stemma protect $(ref s2) >/dev/null; cite m1 '[]' | jq -c 'del(.uncertainty)'; get m1; cite m2 "$seven" >/dev/null; get m2; for o in forget purge retract; do r=$(stemma list citation --json | jq -r .ref | head -1); stemma $o $r --yes >/dev/null; get m2; done; stemma fsck | grep -o 'all is well'
{"sources":[],"citations":[],"left_out":0,"kept":["citation:ID9"]}
[1,["d2"]]
[5,["d2","d3","d4","d5","d6"]]
[4,["d2","d3","d4","d5"]]
[3,["d2","d3","d4"]]
[2,["d2","d3"]]
all is well
$ . ./f; . ./cites; cite m1 "$seven" >/dev/null; cite m1 '[{"documentId":"d9","snippet":"new","relevanceScore":0.9}]' >/dev/null; n=$(stemma log --json | jq .seq | tail -1); get m1; stemma undo $n >/dev/null; get m1; stemma show document:d9 --json 2>&1 | tail -1 | cut -c1-60; stemma undo $n 2>&1 | grep -o 'already undone'; stemma redo >/dev/null; get m1; stemma fsck | grep -o 'all is well'
[1,["d9"]]
[5,["d2","d3","d4","d5","d6"]]
stemma: document:d9 was undone: only its ref is left. `stemm
already undone
[1,["d9"]]
all is well
$ . ./f; . ./cites; cite m1 "$seven" >/dev/null; cite m2 '[{"documentId":"d2","documentName":"Two","location":{"page":12},"snippet":"q","relevanceScore":0.6}]' >/dev/null; agent ash <<'END' | jq -c '[.total, .uncertainty, [.citations[]? | [.documentId, .snippet, .formatted, .document]]]' 2>/dev/null
> get_citations {"conversation_id":"c1"}
> get_citations {"document_id":"d2"}
> get_citations {"message_id":"m2"}
> get_citations {"conversation_id":"nothing"}
> END
> agent ash <<'END'
> get_citations {}
> END
[6,"low",[["d2","s2","(Unknown source, document)","document:d2"],["d3","s3","(Unknown source, document)","document:d3"],["d4","s4","(Unknown source, document)","document:d4"],["d5","s5","(Unknown source, document)","document:d5"],["d6","s6","(Unknown source, document)","document:d6"],["d2","q","(Two, page 12)","document:d2"]]]
[2,"none",[["d2","s2","(Unknown source, document)","document:d2"],["d2","q","(Two, page 12)","document:d2"]]]
[1,"low",[["d2","q","(Two, page 12)","document:d2"]]]
[0,"complete",[]]
INVALID_REQUEST: no citations are named

# A response that cites nothing is one, too: its text is checked, and citing again takes its place. Unnamed documents are told apart; members without a meaning are named.
$ . ./f; agent ash <<'END' | jq -c '[.uncertainty, .uncited, .ignored]'
> cite_sources {"conversation_id":"c1","message_id":"e-1","sources":[],"text":"All is well. Nothing happened."}
> cite_sources {"conversation_id":"c2","message_id":"e-2","sources":[{"documentId":"d","relevanceScore":1.2}],"text":"All is well."}
> cite_sources {"conversation_id":"c2","message_id":"m-1","sources":[{"documentId":"d-1","snippet":"a","score":1.2},{"documentId":"d-2","snippet":"b"}]}
> END
> stemma responses e-1; stemma responses | grep -e message -e unc -e document:; stemma responses e-1 --json | jq -c '.responses[] | [.messageId, .uncertainty, .citations, .uncited]'; stemma log | cut -c37-; stemma orphans; echo 'get_citations {"conversation_id":"c1"}' | agent ash; stemma export >out; stemma import jsonl out --store copy.db >/dev/null; stemma responses e-1 --store copy.db | grep uncertainty; agent ash <<'END' >/dev/null
> cite_sources {"conversation_id":"c1","message_id":"e-1","sources":[{"documentId":"d-1"}],"text":"All is well."}
> END
> stemma cite e-2; echo $?; stemma cite c2
> stemma responses e-1 | grep 'uncertainty\|citation'; stemma undo $(stemma log --json | jq .seq | tail -1) >/dev/null; stemma responses e-1 | grep 'uncertainty\|citation'; sound
["complete",["All is well.","Nothing happened."],null]
["complete",["All is well."],null]
["medium",null,["sources[0].score"]]
── conversation c1 ─ 1 response

 message e-1
     by ash, NOW (AGE), uncertainty complete
     0 citations · 2 sentences without one:
       All is well.
       Nothing happened.
 message e-2
     by ash, NOW (AGE), uncertainty complete
 message m-1
     by ash, NOW (AGE), uncertainty medium
  1  0.50 default  (Unknown source, document)  document:d-1
  2  0.50 default  (Unknown source, document)  document:d-2
 message e-1
     by ash, NOW (AGE), uncertainty complete
["e-1","complete",[],["All is well.","Nothing happened."]]
(agent)          add                 citation:ID10  Nothing is cited in message e-1.
(agent)          done                no sources
(agent)          add                 citation:ID11  Nothing is cited in message e-2.
(agent)          done                no sources
(agent)          add                 document:d-1  d-1
(agent)          source_added        citation:ID12  a
(agent)          add                 document:d-2  d-2
(agent)          source_added        citation:ID13  b
(agent)          done                2 sources
The lineage has no problems.
{"citations": [], "total": 0, "uncertainty": "complete"}
     by ash, NOW (AGE), uncertainty complete
stemma: e-2 cites nothing. `stemma responses` shows its sentences.
1
(Unknown source, document)
(Unknown source, document)
     by ash, NOW (AGE), uncertainty medium
     1 citation · 1 sentence without one:
     by ash, NOW (AGE), uncertainty complete
     0 citations · 2 sentences without one:
14 events, 6 memories, 2 links checked: all is well

# A repeated document keeps its place; made-up ids mean the document of the content; attributions come before results, results before contexts.
$ cat >chains <<'END'
> begin() { agent ash <<LINE | jq -r .ref
> cot_begin {"question":"${1:-q}"}
> LINE
> }
> step() { agent ash <<LINE
> cot_step {"chain":"$1","step_number":$2,"question":"a",$3}
> LINE
> }
> used() { stemma chain $1 --json | jq -c '.reasoning_steps[] | [.source_attributions[] | [.document_id, .relevance_score, .retrieval_rank, .score_origin]]'; }
> END
> . ./f; . ./chains; c=$(begin); d=$(begin r); step $c 1 '"retrieved_documents":[{"document_id":"a","score":0.1,"chunk_index":1},{"document_id":"b","score":0.2},{"document_id":"a","score":0.3,"chunk_index":2},{"document_id":"c"},{"document_id":"b","score":0.4},{"document_id":"a","score":0.5}]' >/dev/null; step $c 2 '"context_used":["a bare remark"]' >/dev/null; step $d 1 '"context_used":["a bare remark"]' >/dev/null; step $c 3 '"context_used":["another remark"]' >/dev/null; step $c 4 '"source_attributions":[{"document_id":"x","relevance_score":0.4}],"retrieved_documents":[{"document_id":"y"}],"context_used":["id:z x"]' >/dev/null; step $c 5 '"source_attributions":[],"retrieved_documents":[{"document_id":"y"}],"context_used":["id:z x"]' >/dev/null; step $c 6 '"retrieved_documents":[],"context_used":["id:z x"]' >/dev/null; used $c; stemma list document --json | jq -r .text | sort | uniq -c; stemma show $(stemma list step --json | jq -r .ref | tail -1) --json | jq -c '[.justifications[] | [.role, .reading, [.antecedents[] | [.ref, .chunk]]]]'; stemma fsck | grep -o 'all is well'
[["a",0.1,1,"measured"],["b",0.2,2,"measured"],["a",0.3,3,"measured"],["c",0.5,4,"default"],["b",0.4,5,"measured"],["a",0.5,6,"measured"]]
[["context_doc_0",1,1,"heuristic"]]
[["context_doc_0",1,1,"heuristic"]]
[["x",0.4,null,"asserted"]]
[["y",0.5,1,"default"]]
[["z",1,1,"heuristic"]]
      1 a
      1 a bare remark
      1 another remark
      1 b
      1 c
      1 x
      1 y
      1 z
[["source","any",[["document:a",1],["document:b",null]]],["source","any",[["document:a",2],["document:c",null],["document:b",null]]],["source","any",[["document:a",null]]]]
all is well

# One undo takes a recorded chain back, except what others use by then; chains that others wrote are read.
$ . ./f; . ./chains; whole='{"original_question":"Why?","final_answer":"So.","reasoning_steps":[{"step_number":1,"question":"a","source_attributions":[{"document_id":"manual","relevance_score":0.9},{"document_id":"wiki","relevance_score":0.4}]}]}'; rec() { echo "cot_record $whole" | agent ash | jq -r .ref; }; rec >/dev/null; n=$(stemma log --json | jq .seq | tail -1); c=$(begin); step $c 1 '"retrieved_documents":[{"document_id":"wiki","title":"The wiki"}]' >/dev/null; stemma undo $n >/dev/null; stemma list all --json | jq -r '[.ref, .text] | @tsv' | sed 's/:[0-9a-f-]\{36\}//' | sort; rec >/dev/null; stemma list chain | wc -l; stemma fsck | grep -o 'all is well'
chain	q
document:wiki	The wiki
step	a
2
all is well
$ . ./f; stemma import jsonl - --agent ash 2>/dev/null >/dev/null <<'END'
> {"ref":"document:d","text":"D"}
> {"ref":"step:s1","text":"one","detail":{"step_number":2,"intermediate_answer":7},"justifications":[{"role":"source","antecedents":[{"ref":"document:d"},{"ref":"document:e","relevance":0.9}]}]}
> {"ref":"step:s2","text":"two","detail":{"step_number":"1"},"relations":[{"type":"part_of","to":"chain:c"}]}
> {"ref":"chain:c","text":"q","detail":{"final_answer":"a"},"justifications":[{"role":"step","reading":"all","antecedents":[{"ref":"step:s1"},{"ref":"step:gone"}]}]}
> END
> stemma chain chain:c; stemma chain step:s2 | head -1; stemma sources chain:c --json | jq -c .step_breakdown; stemma chain document:d
chain:c
│ q

── answer
│ a

 state        finished, 2 steps, 2 documents
 confidence   0.800 stored, 0.000 effective
 agent        ash
 created      NOW (AGE)

── step 2 ─ confidence 0.80
 question     one
   ┈┈┈┈┈┈┈  ?.90★  e       missing
   ────     =.50   D  d

── step ─ neither confidence nor time · missing

── sources by relevance ─ 2 documents, 1 primary ★
   ┈┈┈┈┈┈┈  ?.90★  e     1 step  missing
   ────     =.50   D  d  1 step

 scores: measured plain, ~ heuristic, = default, ? asserted
stemma: no memory is called step:s2. Give at least 4 characters of an id, or all of it.
{"step_2":{"step_number":2,"sources_used":2,"document_ids":["d","e"]},"step:gone":{"step_number":null,"sources_used":0,"document_ids":[]}}
stemma: document:d is a memory of kind document, not a chain or step. `stemma list chain` lists the chains; `stemma show` shows any memory.
[2]

# A step's number, tokens, time and model have their types at every door, and a number is once in a chain. Where a store has it twice all the same, no answer makes one up.
$ cat >broken <<'END'
> {"ref":"step:t","text":"a","detail":{"step_number":1,"token_usage":"many"}}
> {"ref":"step:n","text":"a","detail":{"token_usage":-1}}
> {"ref":"step:z","text":"a","detail":{"step_number":0}}
> {"ref":"step:x","text":"a","detail":{"execution_time":-1}}
> {"ref":"step:m","text":"a","detail":{"model":7}}
> {"ref":"chain:k","text":"a","detail":{"token_usage":{"in":-1}}}
> {"ref":"chain:l","text":"a","detail":{"total_time":"long"}}
> END
> cat >twice <<'END'
> {"ref":"chain:c","agent_id":"ash","text":"Q"}
> {"ref":"step:s1","agent_id":"ash","text":"first","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:c"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:d","relevance":0.9}]}]}
> {"ref":"step:s2","agent_id":"ash","text":"again","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:c"}]}
> {"ref":"step:s0","agent_id":"ash","text":"none","relations":[{"type":"part_of","to":"chain:c"}]}
> {"ref":"step:s9","agent_id":"ash","text":"last","detail":{"step_number":9},"relations":[{"type":"part_of","to":"chain:c"}]}
> END
> . ./f; stemma import jsonl broken; for f in step_number=0 token_usage=-1 execution_time=1e999 model=7; do stemma add step a --field $f; done; stemma import jsonl twice >/dev/null 2>&1; stemma sources chain:c; stemma sources chain:c --json | jq -c '.step_breakdown | map_values(.step_number)'; stemma chain chain:c --json | jq -c '.source_summary.source_usage_by_step, [.reasoning_steps[].step_number]'; stemma edit step:s0 --field step_number=1; stemma edit step:s2 --field step_number=2 >/dev/null; stemma sources chain:c --json | jq -c '.step_breakdown | keys_unsorted'; agent ash <<'END'
> memory_add {"kind":"step","text":"a","detail":{"step_number":0}}
> cot_step {"chain":"chain:c","step_number":3,"question":"q","token_usage":-1}
> cot_step {"chain":"chain:c","step_number":3,"question":"q","token_usage":{"in":-1}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"q","token_usage":-1}]}
> END
stemma: line 1: step:t: detail: token_usage is "many"; give a number from 0 on, or an object of such numbers
stemma: line 2: step:n: detail: token_usage is -1; give a number from 0 on, or an object of such numbers
stemma: line 3: step:z: detail: step_number is 0; give a whole number from 1 on
stemma: line 4: step:x: detail: execution_time is -1; give a number of seconds from 0 on
stemma: line 5: step:m: detail: model is 7; give a text
stemma: line 6: chain:k: detail: token_usage is {"in":-1}; give a number from 0 on, or an object of such numbers
stemma: line 7: chain:l: detail: total_time is "long"; give a number of seconds from 0 on
read 0 memories into DIR/s.db: 0 added, 0 updated, 0 unchanged
  7 not understood
stemma: the detail's step_number is not a whole number from 1 on. Correct that field and try again.
stemma: the detail's token_usage is not a number from 0 on, or an object of such numbers. Correct that field and try again.
stemma: the detail's execution_time is not a number of seconds from 0 on. Correct that field and try again.
step:ID14
chain:c
│ Q

── sources ─ 1 document, 1 primary ★
   ┈┈┈┈┈┈┈  ?.90★  d

 scores: measured plain, ~ heuristic, = default, ? asserted

── by step
  step 1    1 d
  step 1    0
  step 9    0
  step      0
{"step_1":1,"step:s2":1,"step_9":9,"step:s0":null}
{"1":["d"],"step:s2":[],"9":[],"step:s0":[]}
[1,1,9,null]
stemma: step:s1 has the number 1 already. Give it another number.
["step_1","step_2","step_9","step:s0"]
INVALID_REQUEST: the detail's step_number is not a whole number from 1 on
INVALID_REQUEST: token_usage is below 0
INVALID_REQUEST: token_usage is an object with other values
INVALID_REQUEST: step 1: token_usage is neither a number nor an object of numbers

# What each step and the chain cost: a bar for each step in its turn, tokens, and the model. A summary that differs is named.
$ . ./f; agent ash <<'END' >/dev/null
> cot_record {"original_question":"Why?","final_answer":"So.","model":"big","token_usage":{"input":2000,"output":1180},"source_summary":{"all_sources":[]},"reasoning_steps":[{"step_number":1,"question":"a","execution_time":1,"token_usage":1200,"model":"small","source_attributions":[{"document_id":"d","relevance_score":0.7}]},{"step_number":2,"question":"b","execution_time":3,"token_usage":{"in":3,"total":12}},{"step_number":3,"question":"c"}]}
> cot_record {"original_question":"Odd?","final_answer":"So.","reasoning_steps":[{"step_number":1,"question":"a","execution_time":0,"token_usage":1e300},{"step_number":2,"question":"b","execution_time":0,"token_usage":1234}]}
> END
> stemma chain $(stemma list chain --json | jq -r 'select(.text == "Why?").ref'); stemma chain $(stemma list chain --json | jq -r 'select(.text == "Odd?").ref') | tail -4
chain:ID15
│ Why?

── answer
│ So.

 state        finished, 3 steps, 1 document
 agent        ash
 time         4.0 s
 tokens       3,180 tokens (input 2,000, output 1,180)
 model        big
 created      NOW (AGE)

── step 1 ─ 1.0 s · 1,200 tokens · small
 question     a
   ┈┈┈┈┈┈   ?.70★  d

── step 2 ─ 3.0 s · 12 tokens
 question     b

── step 3 ─ neither confidence nor time
 question     c

── sources by relevance ─ 1 document, 1 primary ★
   ┈┈┈┈┈┈   ?.70★  d  1 step

 scores: measured plain, ~ heuristic, = default, ? asserted

── the recorded summary differs ─ 1 difference
   all_sources is 0 long, but its steps give 1

── time and tokens ─ 4.0 s · 3,180 tokens
   step 1    ━━━━━━                     1.0 s       1,200 tokens  small
   step 2         ━━━━━━━━━━━━━━━━━━━   3.0 s          12 tokens
   step 3

── time and tokens ─ 0.0 s · 1e+300 tokens
   step 1      0.0 s      1e+300 tokens
   step 2      0.0 s       1,234 tokens

# A passage is found in content that is JSON, whatever is escaped in it, over the border of two lines, too.
$ . ./f; rm -f s.db; agent ash <<'END' >/dev/null
> log_source_attribution {"agent_id":"ash","source_type":"document","source_uri":"wiki://j","content_summary":"j","retrieval_timestamp":1767225600000,"full_content_json":{"pages":["He said \"no\"\nand left.","Nothing else"]}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s","source_attributions":[{"document_id":"json","document_title":"JSON","uri":"wiki://j","relevance_score":0.5}]}]}
> cite_sources {"conversation_id":"j","message_id":"m-9","sources":[{"documentId":"json","documentName":"JSON","snippet":"said \"no\" and left.","relevanceScore":0.9},{"documentId":"json","documentName":"JSON","location":{"page":2},"snippet":"never said","relevanceScore":0.5}]}
> END
> stemma responses m-9 --json | jq -c '.responses[].citations[] | .passage'
"found"
"never"

# What responses cited, in order, and checks: a passage that is gone, other numbers, sentences without a citation.
$ . ./f; agent ash <<'END' >/dev/null
> log_source_attribution {"agent_id":"ash","source_type":"document","source_uri":"wiki://a","content_summary":"a","retrieval_timestamp":1767225600000,"full_content_json":"Revenue was 5.2M in 2025. Other words."}
> log_source_attribution {"agent_id":"ash","source_type":"document","source_uri":"wiki://a","content_summary":"a","retrieval_timestamp":1769904000000,"full_content_json":"Revenue was 5.4M in 2025. Other words."}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s","source_attributions":[{"document_id":"report","document_title":"The Report","uri":"wiki://a","relevance_score":0.5}]}]}
> cite_sources {"conversation_id":"c","message_id":"m-6","sources":[{"documentName":"Nameless","relevanceScore":0.7},{"documentId":"source-1","documentName":"Named","relevanceScore":0.4}]}
> cite_sources {"conversation_id":"c","message_id":"m-7","text":"Revenue was 5.2M (The Report, page 3). It grew a lot. Costs fell [2]. (source: X.pdf, p.2)","sources":[{"documentId":"report","documentName":"The Report","location":{"page":3},"snippet":"Revenue was 5.2M in 2025.","relevanceScore":0.9},{"documentId":"other","documentName":"Other","snippet":"Revenue was 5.4M in 2025.","relevanceScore":0.7}]}
> cite_sources {"conversation_id":"d","message_id":"m-8","sources":[]}
> END
> stemma flag rating $(stemma list step --json | jq -r .ref) --value "document:report irrelevant" >/dev/null; stemma retract document:other --yes >/dev/null; stemma edit document:report --field author=Smith --field year=2024 >/dev/null
> stemma responses m-7 --color always | grep -c $'\033\[33m2 citations'; stemma responses | sed 's/retracted 2[0-9-]*/retracted DAY/; s/attribution:[0-9a-f]*/attribution:ID/; s/sha256-[0-9a-f]*/sha256-ID/'; stemma responses m-6 --json | jq -c '.responses[] | .uncertainty, (.citations[] | [.documentId, .document[:12], .quality.citations])'; stemma responses m-7 --json | jq -c '.responses[] | .uncited, .contradictions, (.citations[] | [.passage, .match, .quality])' | sed 's/"ended_at":[0-9]*/"ended_at":AT/'; stemma responses m-8; stemma responses citation:nobody
> for style in plain numbered author-year footnote markdown bibtex csl-json; do stemma cite m-7 --format $style; done | sed 's/202[0-9]-[0-9][0-9]-[0-9][0-9]/DAY/; s/\(accessed":{"date-parts":\[\[\)[0-9,]*/\1DAY/'
1
── conversation c ─ 2 responses

 message m-6
     by ash, NOW (AGE), uncertainty low
     2 citations · its text was not recorded: no sentence is checked
  1  0.70 asserted  (Nameless, document)  source-1-2 is document:sha256-ID
     retrieved NOW (AGE), not logged
     source cited 1 time, used by 0 steps
  2  0.40 asserted  (Named, document)
     retrieved NOW (AGE), not logged
     source cited 1 time, used by 0 steps

 message m-7
     by ash, NOW (AGE), uncertainty none
     2 citations · 1 sentence without one:
       It grew a lot.
  1  0.90 asserted  (The Report, page 3)
     "Revenue was 5.2M in 2025."
     retrieved 2026-02-01 00:00:00Z (AGE), attribution:ID, by URI
     source cited 1 time, used by 1 step, rated irrelevant 1 time
     not in the content that was logged last; that of 2026-01-01 00:00:00Z (AGE) has this passage
  2  0.70 asserted  (Other, document)
     "Revenue was 5.4M in 2025."
     retrieved NOW (AGE), not logged
     source cited 1 time, used by 0 steps, retracted DAY by sean
     1 and 2 contradict each other: the same words with other numbers
"low"
["source-1-2","document:sha",1]
["source-1","document:sou",1]
["It grew a lot."]
[{"citations":[1,2],"how":"numbers"}]
["gone","uri",{"citations":1,"steps":1,"relevant":0,"irrelevant":1,"status":"active"}]
["unknown",null,{"citations":1,"steps":0,"relevant":0,"irrelevant":0,"status":"retracted","ended_at":AT,"ended_by":"sean"}]
stemma: there is no conversation or message 'm-8'. `stemma responses` lists the newest.
stemma: no memory is called citation:nobody. Search for it, or list its kind.
stemma: (Other, document): its document was retracted
stemma: (Other, document): its document was retracted
stemma: (Other, document): its document was retracted
stemma: (Other, document): its document was retracted
stemma: (Other, document): its document was retracted
stemma: (Other, document): its document was retracted
stemma: (Other, document): its document was retracted
(The Report, page 3)
(Other, document)
[1] Smith. The Report (2024), page 3. wiki://a, retrieved DAY.
[2] Other. Retrieved DAY.
(Smith, 2024, p. 3)
(Other, n.d.)
[^1]: Smith. The Report (2024), page 3. wiki://a, retrieved DAY.
[^2]: Other. Retrieved DAY.
1. The Report, page 3, wiki://a
2. Other
@misc{stemma1,
  author = {Smith},
  title = {The Report},
  year = {2024},
  url = {wiki://a},
  note = {page 3},
  urldate = {DAY}
}

@misc{stemma2,
  title = {Other},
  urldate = {DAY}
}
[{"id":"stemma1","type":"document","title":"The Report","author":[{"literal":"Smith"}],"issued":{"date-parts":[[2024]]},"URL":"wiki://a","locator":"3","label":"page","accessed":{"date-parts":[[DAY]]},"note":"Revenue was 5.2M in 2025."},
 {"id":"stemma2","type":"document","title":"Other","accessed":{"date-parts":[[DAY]]},"note":"Revenue was 5.4M in 2025."}]

# An agent's flag stays an agent's through an export and an import. One that does not say who set it is then the import's: no decision of a person, though its actor is one.
$ . ./f; echo '{"ref":"belief:a","agent_id":"ash","text":"a","created_at":1000,"marks":[{"mark":"approved","at":1,"actor":"sean"},{"mark":"planted","at":1,"actor":"sean"}]}' | stemma import jsonl - >/dev/null; agent ash <<'END' >/dev/null
> memory_mark {"ref":"belief:a","mark":"rating","value":"0.1"}
> memory_mark {"ref":"belief:a","mark":"faithful","value":"no"}
> END
> stemma flag rating belief:a --value 0.9 >/dev/null; flags() { stemma show belief:a --store $1 | grep -E '^ +(approved|planted|rating|faithful) ' | sed 's/[12][0-9-]* [0-9:]*Z/WHEN/'; }; flags s.db; stemma export | tee one.jsonl | jq -c '.marks[] | [.mark, .actor, .by_agent]'; stemma import jsonl one.jsonl --store copy.db >/dev/null; flags copy.db; stemma export --store copy.db | cmp - one.jsonl; stemma fsck --store copy.db; agent ash <<'END'
> memory_mark {"ref":"belief:a","mark":"rating","value":"0.2"}
> END
> flags s.db
   approved       WHEN import of sean
   planted        WHEN import of sean
   rating         WHEN agent ash  0.1
   faithful       WHEN agent ash  no
   rating         WHEN sean  0.9
["approved","sean",null]
["planted","sean",null]
["rating","ash",true]
["faithful","ash",true]
["rating","sean",null]
   approved       WHEN import of sean
   planted        WHEN import of sean
   rating         WHEN agent ash  0.1
   faithful       WHEN agent ash  no
   rating         WHEN import of sean  0.9
cmp: EOF on one.jsonl after byte 495, line 1
7 events, 7 memories and 2 links checked: all is well
{"ref": "belief:a", "version": 5}
   approved       WHEN import of sean
   planted        WHEN import of sean
   faithful       WHEN agent ash  no
   rating         WHEN sean  0.9
   rating         WHEN agent ash  0.2

# A store of version 11 did not write who set a flag; its journal knows. It verifies as before, a later rating replaces the agent's, and its export tells.
$ python3 -c 'import os, sqlite3; sqlite3.connect("old.db").executescript(open(os.environ["DATA"] + "/version-11.sql").read())'; export STEMMA_STORE=$PWD/old.db; stemma fsck; flags() { stemma show step:s-1 | grep -E '^ +(rating|faithful) ' | sed 's/[12][0-9-]* [0-9:]*Z/WHEN/'; }; flags; stemma export | jq -c '.marks[]? | [.mark, .actor, .by_agent]'; stemma show step:s-1 --json | jq -c '.marks[] | [.mark, .actor, .by_agent]'; stemma document document:doc-9 | grep quality; . ./f; export STEMMA_STORE=$PWD/old.db; printf 'share: yes\nactor: sean\n' >.config/stemma/config.yaml; agent ash <<'END'
> memory_mark {"ref":"step:s-1","mark":"rating","value":"document:doc-9 relevant"}
> END
> flags; stemma fsck | sed 's/ and [0-9]* rows* of the call log//'
5 events, 2 memories, 1 link and 1 row of the call log checked: all is well
It is first seen here: what was cut from its journal before would not be noticed.
   faithful       WHEN import of sean  yes
   rating         WHEN sean  document:doc-9 relevant
   rating         WHEN agent ash  document:doc-9 irrelevant  r0
   rating         WHEN agent ash  document:doc-9 irrelevant  r1
["faithful","sean",null]
["rating","sean",null]
["rating","ash",true]
["rating","ash",true]
["faithful","sean",null]
["rating","sean",null]
["rating","ash",true]
["rating","ash",true]
 quality      cited 0 times, used by 1 step, rated relevant 1 time, rated irrelevant 1 time by agents
{"ref": "step:s-1", "version": 5}
   faithful       WHEN import of sean  yes
   rating         WHEN sean  document:doc-9 relevant
   rating         WHEN agent ash  document:doc-9 relevant
6 events, 2 memories, 1 link checked: all is well

# Retracted retrievals are marked at every door: that which the document is linked to, that which has the passage, in
# counts; and so is a retracted document.
$ . ./f; rm -f s.db; agent ash <<'END' >/dev/null
> log_source_attribution {"agent_id":"ash","source_type":"web","source_uri":"wiki://r","content_summary":"older","retrieval_timestamp":1767225600000,"full_content_json":"Revenue was 5.2M."}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s","source_attributions":[{"document_id":"r","document_title":"R","uri":"wiki://r","relevance_score":0.5}]}]}
> log_source_attribution {"agent_id":"ash","source_type":"document","source_uri":"wiki://r","content_summary":"newer","retrieval_timestamp":1769904000000,"full_content_json":"Revenue was 5.4M."}
> cite_sources {"conversation_id":"c","message_id":"m-1","sources":[{"documentId":"r","documentName":"R","snippet":"Revenue was 5.2M.","relevanceScore":0.9}]}
> END
> stemma retract $(stemma list attribution --json | jq -r 'select(.text=="older").ref') --yes >/dev/null
> stemma cite m-1 | sed 's/  *[0-9a-f]* *$//'; stemma responses m-1 | sed -n 's/attribution:[0-9a-f]*/attribution:ID/; /retriev\|passage/p'
> stemma responses m-1 --json | jq -c '.responses[].citations[] | [.retrieval_status, .linked_retrieval_status, .passage, .passage_retrieval_status]'
> agent ash <<<'get_citations {"message_id":"m-1"}' | jq -c '.citations[0].retrieval'
> stemma retrievals; stemma retrievals --by uri --json | jq -c '[.count, .retracted]'
> doc=$(stemma list document --json | jq -r .ref); stemma retract $doc --yes >/dev/null; stemma cite m-1; stemma cite m-1 --format json | jq -c '.citations[0] | [.document_status, .retrieval]'
> stemma cite $doc; stemma restore $doc --yes >/dev/null; stemma cite m-1 --format json | jq -c '.citations[0] | [.document_status, .retrieval]'
stemma: (R, document): its retrieval was retracted
(R, document)
     retrieved 2026-02-01 00:00:00Z (AGE), attribution:ID, by URI
     the retrieval that the document is linked to is retracted
     not in the content that was logged last; that of 2026-01-01 00:00:00Z (AGE), retracted, has this passage
[null,"retracted","gone","retracted"]
"retracted"
document  1  2026-02-01  █·······················  2026-02-01
web       1  2026-01-01  █·······················  2026-01-01  1 retracted
[2,1]
stemma: (R, document): its document was retracted
stemma: (R, document): its retrieval was retracted
(R, document)
["retracted","retracted"]
stemma: (R, document): its document was retracted
stemma: (R, document): its retrieval was retracted
(R, document)
[null,"retracted"]

# A trace says that a confidence was replaced, reinforced, raised by hand or lowered.
$ . ./f; rm -f s.db; agent ash <<'END' >/dev/null
> memory_belief {"statement":"old","confidence":0.6}
> memory_episode {"objective":"o","outcome":"u"}
> END
> old=$(stemma list belief --json | jq -r .ref); agent ash <<END >/dev/null
> memory_supersede {"ref":"$old","statement":"new","confidence":0.85}
> END
> new=$(stemma list belief --json | jq -r 'select(.text=="new").ref')
> way() { stemma show $new --trace | grep -o '0[.0-9]* → .*'; }
> way; stemma edit $new --confidence 0.9 --reason surer --yes >/dev/null; way; stemma edit $new --confidence 0.7 --yes >/dev/null; way
> stemma reinforce $new --evidence $(stemma list episode --json | jq -r .ref) --yes >/dev/null; way
0.60 → 0.85 (replaced)
0.85 → 0.90 (raised)
0.90 → 0.70 (lowered)
0.70 → 0.71 (reinforced)

# A chain, a step or a response without a stated confidence is listed without one, for an agent, too, and comes last, in pages as well.
$ . ./f; agent ash <<'END' >/dev/null
> memory_belief {"statement":"low","confidence":0.3}
> cot_begin {"question":"open"}
> cite_sources {"conversation_id":"c","message_id":"e-1","sources":[],"text":"All is well."}
> memory_belief {"statement":"high","confidence":0.9}
> END
> echo '{"original_question":"done","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s"}]}' | stemma import cot - --agent ash >/dev/null
> shown() { awk '{print $3, $NF}'; }; stemma list all --order confidence | shown; stemma list all --order confidence --reverse | shown
> for from in "" --reverse; do c=; for i in 1 2 3 4 5 6; do stemma list all --order confidence $from --limit 1 $c 2>/dev/null | shown; c=$(stemma list all --order confidence $from --limit 1 $c --json | jq -r '.next // empty | "--cursor " + .'); done; done | paste -sd' '
> stemma show $(stemma list citations --json | jq -r .ref) | grep '^ confidence'; stemma show $(stemma list chains --json | jq -r .ref | head -1) --trace | tail -2; agent ash <<'END' | jq -c '.memories[] | [.text, .effective, .confidence]'
> memory_list {"order":"confidence"}
> END
0.90 high
0.30 low
– done
– s
– e-1.
– open
– open
– e-1.
– s
– done
0.30 low
0.90 high
0.90 high 0.30 low – done – s – e-1. – open – open – e-1. – s – done 0.30 low 0.90 high
 confidence   not stated
● chain:ID16  done  trust 0.90
└─ – step:ID17  s  all of 1  step  trust 0.90
["high",0.9,null]
["low",0.3,null]
["done",null,null]
["s",null,null]
["Nothing is cited in message e-1.",null,null]
["open",null,null]

# A step that was undone returns only if no other step has its number since: not by a redo, nor by an import.
$ . ./f; agent ash <<'END' >/dev/null
> cot_begin {"question":"q"}
> END
> c=$(stemma list chains --json | jq -r .ref); step() { agent ash <<END
> cot_step {"chain":"$c","step_number":1,"question":"$1"}
> END
> }
> step one >/dev/null; stemma export >all; stemma undo 2 --yes | head -2; step two >/dev/null; stemma undo 3 --yes; echo $?; stemma chain $c | grep -A1 '── step'
> stemma import jsonl all --dry-run; stemma import jsonl all; echo $?; stemma chain $c | grep -c '── step'; stemma undo 4 --yes >/dev/null; stemma import jsonl all; stemma chain $c | grep -A1 '── step'; sound
── undone ─ 1
     step:ID18  one undone 0.80 AGE
stemma: step:ID19 has the number 1 already. Give it another number.
4
── step 1 ─ neither confidence nor time
 question     two
stemma: line 2: step:ID18: step:ID19 has the number 1 already. Give it another number.
would import 2 memories into DIR/s.db: 0 added, 0 updated, 1 unchanged
  1 chain, 1 step
  1 link
  1 refused: another one has its key or its number
stemma: line 2: step:ID18: step:ID19 has the number 1 already. Give it another number.
read 2 memories into DIR/s.db: 0 added, 0 updated, 1 unchanged
  1 chain, 1 step
  1 link
  1 refused: another one has its key or its number
4
1
read 2 memories into DIR/s.db: 1 added, 0 updated, 1 unchanged
  1 chain, 1 step
  1 link
── step 1 ─ neither confidence nor time
 question     one
6 events, 2 memories, 1 link checked: all is well

# A session is contained: what it wrote, and in rings what was written from that, is quarantined by one event that one undo takes back.
# No agent sees any of it, in no answer, count or search; what is based on something else, too, is weakened.
$ . ./f; stemma add raw "a log" >/dev/null; stemma add belief "the pump is fine" --from $(stemma list raw --json | jq -r .ref) >/dev/null; old=$(stemma list belief --json | jq -r .ref); agent mole <<END
> memory_raw {"blob":"planted words"}
> memory_update {"ref":"$old","text":"the pump is dead"}
> END
> raw=$(stemma list raw --json | jq -r 'select(.text == "planted words").ref'); agent ash <<END
> memory_belief {"statement":"planted belief","derived_from":["$raw"]}
> memory_belief {"statement":"it stands","derived_from":["$raw","$old"]}
> END
> b=$(stemma list belief --json | jq -r 'select(.text == "planted belief").ref'); both=$(stemma list belief --json | jq -r 'select(.text == "it stands").ref'); stemma add note "planted note" --from $b >/dev/null
> labels() { stemma list all --json | jq -r '[.ref, .status, .label] | join(" ")'; }
> labels >before; stemma quarantine --session 1 --dry-run; stemma quarantine --session 1 --yes --json | jq -c '[.loses_all_support, .rings, .left]'; agent ash <<END
> memory_get {"ref":"$raw"}
> memory_get {"ref":"${b:0:15}"}
> memory_list {"limit":9}
> memory_list {"status":"all","order":"text"}
> memory_search {"query":"planted"}
> memory_lineage {"ref":"$both","format":"json"}
> memory_mark {"ref":"$b","mark":"reviewed"}
> memory_restore {"ref":"$b"}
> memory_note {"content":"again","derived_from":["$b"]}
> END
> stemma undo --yes | head -1; labels | grep -v ^note:$(stemma list note --json | jq -r 'select(.text == "again").ref | split(":")[1]') | diff before - && echo as it was; stemma quarantine --session 9 --dry-run; stemma quarantine --session 1 $raw --dry-run; sound
{"ref": "raw:ID20", "version": 1}
{"ref": "belief:ID21", "version": 2}
{"ref": "belief:ID22", "version": 1}
{"ref": "belief:ID23", "version": 1}
── would be quarantined ─ 1
     raw:ID20     planted words 0.00 AGE
       status             active → quarantined

── would lose all support ─ 2 · no other support
   they are quarantined too
   ring 1: 1 step from it
   ○ belief:ID22  planted belief 0.00 AGE
   ring 2: 2 steps from it
   ○ note:ID24    planted note 0.00 AGE

── would be weakened ─ 1 · keep some of their justifications
   ◐ belief:ID23  it stands 2 → 1 valid 0.80 AGE

── would follow ─ 3 · changed as well, and undone with it
     belief:ID22  planted belief 0.00 AGE
       status             active → quarantined
     note:ID24    planted note 0.00 AGE
       status             active → quarantined
     belief:ID23  it stands for review AGE

── unchanged
   belief:ID21 is older: the session only changed it, last by event 4
Nothing was changed.
[["belief:ID22","note:ID24"],[1,1],["belief:ID21 is older: the session only changed it, last by event 4"]]
NOT_FOUND: no memory is called raw:ID20
NOT_FOUND: no memory is called belief:ID22
{"memories": [{"ref": "belief:ID23", "text": "it stands", "effective": 0.8, "label": "weakened", "age": "AGE", "flags": ["for_review"]}, {"ref": "belief:ID21", "text": "the pump is dead", "effective": 0.8, "label": "supported", "age": "AGE", "agent_id": "sean"}, {"ref": "raw:ID25", "text": "a log", "effective": 1, "label": "supported", "age": "AGE", "agent_id": "sean"}]}
{"memories": [{"ref": "raw:ID25", "text": "a log", "effective": 1, "label": "supported", "age": "AGE", "agent_id": "sean"}, {"ref": "belief:ID23", "text": "it stands", "effective": 0.8, "label": "weakened", "age": "AGE", "flags": ["for_review"]}, {"ref": "belief:ID21", "text": "the pump is dead", "effective": 0.8, "label": "supported", "age": "AGE", "agent_id": "sean"}]}
{"memories": [], "more": false, "todo": "Give fewer words, or others."}
{"nodes": [{"ref": "belief:ID23", "depth": 0, "text": "it stands", "effective": 0.8, "label": "weakened"}, {"ref": "belief:ID21", "depth": 1, "text": "the pump is dead", "effective": 0.8, "label": "supported"}, {"ref": "raw:ID25", "depth": 2, "text": "a log", "effective": 1, "label": "supported"}], "links": [{"from": "belief:ID23", "to": ["belief:ID21"]}, {"from": "belief:ID21", "to": ["raw:ID25"]}], "cut": 0, "cycles": []}
NOT_FOUND: no memory is called belief:ID22
PERMISSION_DENIED: memory_restore is not for agents here
{"ref": "note:ID26", "version": 1, "unresolved": ["belief:ID22"]}
── undone ─ 4
as it was
stemma: there is no session 9. `stemma sessions --all` lists them.
stemma: memories and a session are named. Give one or the other.
16 events, 7 memories, 6 links checked: all is well
