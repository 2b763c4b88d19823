# A trace of OpenTelemetry is a chain: the model's span a step, the retrieval and the tool before it its sources.
$ stemma import $DATA/formats/otlp.json --store t.db 2>&1 | sed 's/^stemma: .*formats/stemma: formats/'; stemma import $DATA/formats/otlp.json --store t.db 2>/dev/null | head -1; stemma list all --store t.db --order text
stemma: formats/otlp.json is traces of OpenTelemetry (OTLP/JSON, with gen_ai or OpenInference attributes) or Langfuse (2 KiB)
read 6 memories into t.db: 6 added, 0 updated, 0 unchanged
  1 note, 2 attributions, 1 document, 1 chain, 1 step
  5 links
  1 span of requests and embeddings left out
read 6 memories into t.db: 0 added, 0 updated, 6 unchanged
●  attribution:ID1   1.00    –  observation AGE  After a failover a message may be delivered again.
●  chain:ID2         0.80  1/1  inference AGE  How often may the consumer try again?
–  note:ID3         =0.80    –  external AGE  Retries: three
●  document:broker-g      1.00  1/1  external AGE  broker-guide
●  step:ID4          0.80  2/2  inference AGE  chat m
●  attribution:ID5   1.00    –  observation AGE  max_attempts: 3
$ stemma show chain:5f300424 --store t.db --trace | sed -n '/based on/,$p'; stemma show step:51f1772e --store t.db
── based on ─ 1 of 1 valid
● chain:ID2  How often may the consumer try again?  0.80  trust 0.90
└─ ● step:ID4  chat m  all of 1  step  0.80  trust 0.90
   ├─ ● document:broker-g  broker-guide  source  1.00  trust 0.60
   │  └─ ● attribution:ID1  After a failover a message may be delivered again.  1.00
   └─ ● attribution:ID5  max_attempts: 3  1.00
step:ID4
│ chat m

 created      2026-09-21 14:13:22Z (AGE)
 state        ● supported · rating
 changed      never
 agent        ash
 confidence   0.800
 trust        0.90, inference
 source       inference

── based on ─ 2 of 2 valid · 2 independent
   ● 1. ● document:broker-guide  broker-guide source 1.00 AGE
          relevance 0.91 measured  rank 1
          After a failover a message may be delivered again.
   ● 2. ● attribution:ID5   max_attempts: 3 derived 1.00 AGE

── used by ─ 1 memory · 1 with no other support
   ● chain:ID2         How often may the consumer try again? only this 0.80 AGE

── related
   part of          ● chain:ID2         How often may the consumer try again? 0.80 AGE

── flags
   rating         2026-09-21 14:13:23Z import of annotator  0.9  correctness: matches the guide

── step
   step number         1
   intermediate answer Three times.
   execution time      1
   model               m-1
   token usage         {"input":120,"output":12}






$ stemma history note:7c8b9968 --store t.db | head -20
NOW (AGE)  import  ash (agent)  version 1  event 6
    agent            + ash
    text             + Retries: three
    created          + 2026-09-21 14:13:23
    confidence       + 0.800
    source type      + external
    status           + active
    confidence defa… + true
    record           + r1
    store            + mem
    history          + update_memory (Retries: three), ash

# A trace that has grown updates its chain and adds its steps.
$ cp $DATA/formats/otlp.json run.json; stemma import run.json --store r.db >/dev/null 2>&1; sed 's/"spanId":"eee19b7ec3c1b178","name":"GET/"spanId":"eee19b7ec3c1b178","parentSpanId":"eee19b7ec3c1b174","name":"chat/; s/"startTimeUnixNano":"1790000002000000000","attributes":\[\]/"startTimeUnixNano":"1790000003500000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}}]/' $DATA/formats/otlp.json >grown.json; cp grown.json run.json; stemma import traces run.json --store r.db; stemma list step --store r.db; stemma history chain:5f300424 --store r.db | sed '/version 1/,$d'
read 7 memories into r.db: 1 added, 1 updated, 5 unchanged
  1 note, 2 attributions, 1 document, 1 chain, 2 steps
  7 links
–  step:ID6  0.80    –  step 2 AGE  chat /
●  step:ID4  0.80  2/2  step 1 AGE  chat m
NOW (AGE)  import  ash (agent)  version 2  event 8
    justifications   - step step:ID4
    justifications   + step all of step:ID4, step:ID6

# An export of Langfuse: the JSON of a trace, and lines of observations. What is no trace is reported.
$ stemma import $DATA/formats/langfuse.json --store l.db 2>/dev/null; stemma list all --store l.db --order text; stemma show $(stemma list chain --store l.db --json | sed 's/.*"ref":"\([^"]*\)".*/\1/') --store l.db | tail -4
read 4 memories into l.db: 4 added, 0 updated, 0 unchanged
  1 attribution, 1 document, 1 chain, 1 step
  4 links
●  attribution:ID7  1.00    –  observation AGE  At least once.
●  document:kb-7         1.00  1/1  external AGE  Delivery
●  step:ID8         0.80  1/1  inference AGE  Is it delivered twice?
●  chain:ID9        0.80  1/1  inference AGE  Is it delivered twice?
   name                answer
   execution time      1
   model               m-1
   token usage         {"input":40,"output":4}
$ echo '{"id":"o1","trace_id":"tr-2","type":"AGENT","name":"plan","start_time":"2026-09-21 14:13:21.000000","end_time":"2026-09-21 14:13:25.000000","parent_observation_id":null,"input":"\"go\"","output":"\"done\"","usage_details":{"input":3,"output":1},"trace_name":"worker"}' >lines; echo '{"id":"o2","trace_id":"tr-2","type":"TOOL","name":"ls","start_time":"2026-09-21 14:13:22.000000","parent_observation_id":"o1","input":"ls","output":"a b c"}' >>lines; printf 'not json\n{"id":"x"}\n[1,2]\n' >>lines; stemma import lines --store o.db; stemma list all --store o.db --order text
stemma: lines is traces of OpenTelemetry (OTLP/JSON, with gen_ai or OpenInference attributes) or Langfuse (451 bytes)
stemma: line 3: not JSON: an unexpected character at byte 1. Fix the text there and try again.
stemma: line 4: is no trace and no span
stemma: line 5: is no trace and no span
stemma: line 5: is no trace and no span
read 3 memories into o.db: 3 added, 0 updated, 0 unchanged
  1 attribution, 1 chain, 1 step
  3 links
  4 not understood
●  attribution:ID10  1.00    –  observation AGE  a b c
●  step:ID11         0.80  1/1  inference AGE  go
●  chain:ID12        0.80  1/1  inference AGE  go

# Broken and hostile traces: what is whole is imported.
$ python3 -c '
> import json
> span = lambda i, **k: dict({"traceId": "t", "spanId": str(i), "name": "s", "startTimeUnixNano": str(10**18 + i), "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}]}, **k)
> key = lambda k, v: {"key": k, "value": {"stringValue": v}}
> spans = [span(1, parentSpanId="2"), span(2, parentSpanId="1"), span(3, attributes=[key("retrieval.documents.99999999.document.id", "far"), key("retrieval.documents.x.document.id", "y")]),
>          span(4, attributes=None), span(5, attributes=[1, {"key": 2}, {"key": "input.value"}]), span(6, startTimeUnixNano="soon"), {"name": "no trace"}, 7, span(8, attributes=[key("gen_ai.operation.name", "chat"), key("gen_ai.input.messages", "[{")])]
> print(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}, 1, {"resource": [], "scopeSpans": 2}]}))
> print(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span(1, traceId="u", attributes=[{"key": "gen_ai.operation.name", "value": {"stringValue": "search_memory"}}, {"key": "gen_ai.memory.records", "value": {"arrayValue": {"values": [{"kvlistValue": {"values": [{"key": "id", "value": {"stringValue": "m1"}}, {"key": "content", "value": {"stringValue": "recalled"}}]}}]}}}])]}]}]}))' >odd.json; stemma import odd.json --store odd.db; stemma list all --store odd.db --order text
stemma: odd.json is traces of OpenTelemetry (OTLP/JSON, with gen_ai or OpenInference attributes) or Langfuse (1 KiB)
read 7 memories into odd.db: 7 added, 0 updated, 0 unchanged
  1 attribution, 1 document, 2 chains, 3 steps
  7 links
  3 spans of requests and embeddings left out; 2 spans name no trace; left out
–  step:ID13         0.80    –  inference AGE  [{
●  document:m1           1.00  1/1  external AGE  m1
●  attribution:ID14  1.00    –  observation AGE  recalled
–  step:ID15         0.80    –  inference AGE  s
●  chain:ID16        0.80  1/1  inference AGE  s
–  step:ID17         0.80    –  inference AGE  s
–  chain:ID18           –    –  inference AGE  s

# The number in a flattened key is a rank: a high one makes no other documents. Parts of an evaluation belong together in any
# order. A span that names no trace is said.
$ python3 -c '
> import json
> key = lambda k, v: {"key": k, "value": {"stringValue": v}}
> span = lambda i, *keys: {"traceId": "t", "spanId": str(i), "name": "s%d" % i, "startTimeUnixNano": str(10**18 + i * 10**6), "attributes": list(keys)}
> spans = [span(1, key("openinference.span.kind", "RETRIEVER"), key("retrieval.documents.9000.document.id", "far"), key("retrieval.documents.0.document.id", "near"), key("retrieval.documents.9000.document.content", "of far")),
>          span(2, key("openinference.span.kind", "LLM"), key("evaluation.0.name", "tone"), key("evaluation.0.score", "0.5")), dict(span(3, key("openinference.span.kind", "LLM")), traceId=None)]
> print(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}))' >flat.json; stemma import traces flat.json --store flat.db; stemma export --store flat.db | jq -c 'select(.ref[:4] == "step") | [[.justifications[].antecedents[] | .ref, .rank], [.marks[] | .value, .reason]]'
read 6 memories into flat.db: 6 added, 0 updated, 0 unchanged
  2 attributions, 2 documents, 1 chain, 1 step
  6 links
  1 span names no trace; left out
[["document:far",9001,"document:near",1],["0.5","tone"]]

# An agent file of Letta: paragraphs of blocks are beliefs, based on the message that wrote them and on the person's words.
$ stemma import $DATA/formats/ash.af --store af.db 2>/dev/null; stemma list all --store af.db --order text; stemma show belief:61d4873b --trace --store af.db | sed -n '/based on/,$p'; stemma import af $DATA/formats/ash.af --store af.db | head -1
read 7 memories into af.db: 7 added, 0 updated, 0 unchanged
  2 raw entries, 3 beliefs, 1 attribution, 1 document
  2 links
  1 message has no text; left out
–  belief:ID19       =0.80    –  ⊘     external       ash AGE  Careful.
●  raw:ID20           1.00    –        told by human  ash AGE  I moved to Oslo, "for good".
●  raw:ID21           1.00    –        direct         ash AGE  I will remember that.
●  belief:ID22       =0.80  1/1        inference      ash AGE  Lives in Oslo, "for good".
–  belief:ID23       =0.80    –        external       ash AGE  Name: Sean
●  attribution:ID24   1.00    –        observation    ash AGE  None
●  document:file-0        1.00    –        external       af AGE  handbook.pdf
── based on ─ 1 of 1 valid
● belief:ID22  Lives in Oslo, "for good".  0.80  trust 0.90
├─ ● raw:ID21  I will remember that.  all of 2  1.00
└─ ● raw:ID20  I moved to Oslo, "for good".  all of 2  1.00  trust 0.90
read 7 memories into af.db: 0 added, 0 updated, 7 unchanged

# Files of two agents may number their blocks alike: a paragraph belongs to its agent.
$ for a in ada bob; do echo '{"agents":[{"id":"'$a'","name":"'$a'","block_ids":["b"]}],"blocks":[{"id":"b","label":"human","value":"Of '$a'."}]}' >$a.af; stemma import af $a.af --store two.db | head -1; done; stemma list beliefs --store two.db --order text --json | jq -c '[.text, .agent_id]'
read 1 memory into two.db: 1 added, 0 updated, 0 unchanged
read 1 memory into two.db: 1 added, 0 updated, 0 unchanged
["Of ada.","ada"]
["Of bob.","bob"]

# Empty lines in a row are one end of a paragraph. An empty file is refused with what its format is.
$ printf '{"agents":[{"id":"a","name":"ash","block_ids":["b"]}],"blocks":[{"id":"b","label":"l","value":"\\n\\none\\n\\n\\n\\n\\ntwo\\n\\n\\n"}]}' >lines.af; stemma import af lines.af --store p.db | head -1; stemma export --store p.db | jq -c .text; : >nothing; stemma import traces nothing --store p.db; stemma import af nothing --store p.db
read 2 memories into p.db: 2 added, 0 updated, 0 unchanged
"one"
"two"
stemma: there is nothing in nothing. Give traces of OpenTelemetry (OTLP/JSON, with gen_ai or OpenInference attributes) or Langfuse.
stemma: there is nothing in nothing. Give an agent file of Letta.
[3]
# A span that was exported twice counts once, as it was last. A span that failed says so.
$ python3 -c '
> import json
> key = lambda k, v: {"key": k, "value": {"stringValue": v}}
> span = lambda i, said, **k: dict({"traceId": "t", "spanId": str(i), "parentSpanId": "1", "name": said, "startTimeUnixNano": str(10**18 + i), "attributes": [key("gen_ai.operation.name", "chat"), key("input.value", said)]}, **k)
> root = span(1, "root", parentSpanId="")
> for spans in ([root, span(2, "asked"), span(3, "x", status={"code": 2, "message": "no quota"})], [root, span(2, "asked again", startTimeUnixNano=str(10**18 - 10**9)), span(4, "y", status={"code": "STATUS_CODE_ERROR"}), span(5, "z", status={"code": 1, "message": "fine"})]):
>     print(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}))' >again.json; stemma import traces again.json --store again.db; stemma list step --store again.db --order text --json | jq -c '[.text, .detail.error]'
> for l in '"level":"ERROR"' '"level":"ERROR","status_message":"no quota"' '"level":"DEFAULT"'; do n=$((n+1)); echo '{"id":"o'$n'","trace_id":"tr","type":"TOOL","name":"ls","start_time":"2026-09-21 14:13:2'$n'","input":"ls","output":"a",'$l'}'; done >levels; stemma import traces levels --store levels.db | head -1; stemma list attribution --store levels.db --json | jq -c .detail.error
read 5 memories into again.db: 5 added, 0 updated, 0 unchanged
  1 chain, 4 steps
  8 links
["asked again",null]
["x","no quota"]
["y","ERROR"]
["z",null]
read 4 memories into levels.db: 4 added, 0 updated, 0 unchanged
null
"no quota"
"ERROR"

# What a tool replaced is history of the paragraph. A block that no agent lists belongs to the first agent.
$ cat >replaced.af <<'END'
> {"agents":[{"id":"agent-1","name":"ash","block_ids":["b1"],"messages":[
> {"id":"m1","role":"assistant","content":"I replace it.","tool_calls":[{"function":{"name":"core_memory_replace","arguments":"{\"label\":\"human\",\"old_content\":\"Bergen\",\"new_content\":\"Oslo\"}"}}],"created_at":"2026-01-02T03:04:05Z"},
> {"id":"m2","role":"assistant","content":"Again.","tool_calls":[{"function":{"name":"memory_replace","arguments":"{\"label\":\"human\",\"old_str\":\"Lives in Oslo\",\"new_str\":\"Lives in Rome\"}"}},{"function":{"name":"memory_replace","arguments":"no json"}}],"created_at":"2026-01-02T03:04:06Z"}]}],
> "blocks":[{"id":"b1","label":"human","value":"Lives in Rome.\n\nLikes tea."},{"id":"b2","label":"spare","value":"Nobody lists it."},{"value":"It has no id."}]}
> END
> stemma import replaced.af --store re.db; stemma list beliefs --store re.db --order text --json | jq -c '[.text, .agent_id, .tags]'; stemma export --store re.db | jq -c 'select(.history) | .text, (.history[] | [.at, .operation, .actor, .before, .after, .origin])'
stemma: replaced.af is an agent file of Letta (774 bytes)
stemma: no agent lists the block spare; it is taken as one of ash
stemma: no agent lists the block without a label; it is taken as one of ash
read 6 memories into re.db: 6 added, 0 updated, 0 unchanged
  2 raw entries, 4 beliefs
["It has no id.","ash",null]
["Likes tea.","ash",["human"]]
["Lives in Rome.","ash",["human"]]
["Nobody lists it.","ash",["spare"]]
"Lives in Rome."
[1767323045000,"core_memory_replace","ash","Bergen","Oslo","af"]
[1767323046000,"memory_replace","ash","Lives in Oslo","Lives in Rome","af"]
