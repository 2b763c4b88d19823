== the example calls work unchanged
> log_source_attribution {   "agent_id": "my-ai-agent-001","source_type": "tavily_search",
    "source_uri": "latest advancements in large language models","retrieval_timestamp": 1678886400000,
    "content_summary": "Summary of search results on LLM advancements from various research papers and articles." }
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> get_source_attributions {   "agent_id": "my-ai-agent-001",   "source_type": "tavily_search",   "limit": 10 }
{"total": 1,
 "attributions": [{"attribution_id": "ID1", "agent_id": "my-ai-agent-001", "source_type": "tavily_search",
   "source_uri": "latest advancements in large language models", "retrieval_timestamp": 1678886400000,
   "content_summary": "Summary of search results on LLM advancements from various research papers and articles.",
   "full_content_hash": null, "full_content_json": null}]}

== every column is stored as given
> log_source_attribution {"agent_id":" A ","source_type":"we\"b\u00e9","source_uri":"","retrieval_timestamp":-5,
    "content_summary":"","full_content_hash":"ABCDEFabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123",
    "full_content_json":{"b":[1.50,null],"retrieval_timestamp":7}}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> get_source_attributions {"agent_id":" A "}
{"attributions": [{"source_type": "we\"bé", "source_uri": "", "content_summary": "", "retrieval_timestamp": -5,
   "full_content_hash": "ABCDEFabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123",
   "full_content_json": {"b": [1.5, null], "retrieval_timestamp": 7}}]}

== null means absent
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":2,"source_uri":null,
    "content_summary":null,"full_content_hash":null,"full_content_json":null,"supports":null,"citation":null}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1}
{"attribution_id": "ID2", "ref": "attribution:ID2", "version": 1}
> get_source_attributions {"agent_id":"a"}
{"attributions": [{"source_uri": null, "content_summary": null, "full_content_hash": null, "full_content_json": null},
  {"source_uri": null, "content_summary": null, "full_content_hash": null, "full_content_json": null}]}

== an agent does not rewrite what the log says; a person may correct it
@ a
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"source_uri":"http://u",
    "content_summary":"as it was"}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> memory_update {"ref":"attribution:ID1","text":"rewritten"}
! PERMISSION_DENIED: attribution:ID1 is a record of the log, which agents do not rewrite -> Log what you retrieved now, or flag this one.
> memory_update {"ref":"attribution:ID1","tags":["mine"]}
{"ref": "attribution:ID1", "version": 2}
> get_source_attributions {"agent_id":"a"}
{"attributions": [{"content_summary": "as it was"}]}
$ stemma edit attribution:ID1 --text corrected > /dev/null
> get_source_attributions {"agent_id":"a"}
{"attributions": [{"content_summary": "corrected", "source_uri": "http://u"}]}
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":2}
{"attribution_id": "ID2", "ref": "attribution:ID2", "version": 1}
$ stemma edit attribution:ID2 --text corrected > /dev/null
> get_source_attributions {"agent_id":"a","limit":1}
{"attributions": [{"content_summary": "corrected", "retrieval_timestamp": 2}]}
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":3,"content_summary":null}
{"attribution_id": "ID3", "ref": "attribution:ID3", "version": 1}
$ stemma edit attribution:ID3 --text corrected > /dev/null
> get_source_attributions {"agent_id":"a","limit":1}
{"attributions": [{"content_summary": "corrected", "retrieval_timestamp": 3}]}
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":4,"content_summary":""}
{"attribution_id": "ID4", "ref": "attribution:ID4", "version": 1}
$ stemma edit attribution:ID4 --text corrected > /dev/null
> get_source_attributions {"agent_id":"a","limit":1}
{"attributions": [{"content_summary": "corrected", "retrieval_timestamp": 4}]}
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":5,"content_summary":" \n"}
{"attribution_id": "ID5", "ref": "attribution:ID5", "version": 1}
$ stemma edit attribution:ID5 --text corrected > /dev/null
> get_source_attributions {"agent_id":"a","limit":1}
{"attributions": [{"content_summary": "corrected", "retrieval_timestamp": 5}]}

== every way in applies the rules of a retrieval
# memory_add, add, edit and import ask for a type, a time in whole milliseconds, and a hash of 64 hex digits.
> memory_add {"kind":"attribution","text":"x"}
! INVALID_REQUEST: source_type is missing -> Give the field source_type, such as web_scrape.
> memory_add {"kind":"attribution","text":"x","detail":{"source_type":"","retrieval_timestamp":1}}
! INVALID_REQUEST: source_type is empty -> Give the field source_type, such as web_scrape.
> memory_add {"kind":"attribution","text":"x","detail":{"source_type":"web"}}
! INVALID_REQUEST: retrieval_timestamp is missing -> Give when it was retrieved, in Unix milliseconds.
> memory_add {"kind":"attribution","text":"x","detail":{"source_type":"web","retrieval_timestamp":1.5}}
! INVALID_REQUEST: the detail's retrieval_timestamp is not a whole number
> memory_add {"kind":"attribution","text":"x","detail":{"source_type":"web","retrieval_timestamp":9007199254740992}}
! INVALID_REQUEST: retrieval_timestamp is not a whole number in range -> Give when it was retrieved, in Unix milliseconds.
> memory_add {"kind":"attribution","text":"x","detail":{"source_type":"web","retrieval_timestamp":1,"full_content_hash":"abc"}}
! INVALID_REQUEST: full_content_hash is not 64 hex digits -> Give the SHA-256 of the content, or leave it out.
$ stemma add attribution x --field source_type=web
stemma: retrieval_timestamp is missing. Give when it was retrieved, in Unix milliseconds.
[2]
$ stemma add attribution x --field source_type=web --field retrieval_timestamp=soon
stemma: the field retrieval_timestamp: "soon" is not a time. Write it as now, 2h ago, 2026-02-01 10:00Z, or in ms.
[2]
+ {"ref":"attribution:a","text":"x","detail":{"source_type":"web","retrieval_timestamp":1}}
$ stemma edit attribution:a --field retrieval_timestamp=
stemma: retrieval_timestamp is missing. Give when it was retrieved, in Unix milliseconds.
[2]
$ stemma edit attribution:a --field full_content_hash=abc
stemma: full_content_hash is not 64 hex digits. Give the SHA-256 of the content, or leave it out.
[2]
+ {"ref":"attribution:b","text":"x"}
+ {"ref":"attribution:c","text":"x","detail":{"source_type":"web","retrieval_timestamp":1,"full_content_hash":"abc"}}
+ {"ref":"attribution:d","text":"x","status":"forgotten"}
stemma: line 1: attribution:b: source_type is missing. Give the field source_type, such as web_scrape.
stemma: line 2: attribution:c: full_content_hash is not 64 hex digits. Give the SHA-256 of the content, or leave it out.
read 1 memory into DIR/memory.db: 1 added, 0 updated, 0 unchanged
  1 attribution
  2 not understood
[1]

== invalid values are refused and store nothing
> log_source_attribution {}
! INVALID_REQUEST: agent_id is missing -> Give a string.
> log_source_attribution {"source_type":"t","retrieval_timestamp":1}
! INVALID_REQUEST: agent_id is missing -> Give a string.
> log_source_attribution {"agent_id":"a","retrieval_timestamp":1}
! INVALID_REQUEST: source_type is missing -> user_input, tavily_search, internal_reasoning, database_query, web_scrape, …
> log_source_attribution {"agent_id":"a","source_type":"t"}
! INVALID_REQUEST: retrieval_timestamp is missing -> Unix milliseconds
> log_source_attribution {"agent_id":"","source_type":"t","retrieval_timestamp":1}
! INVALID_REQUEST: agent_id is empty -> Give a text that is not empty.
> log_source_attribution {"agent_id":"a","source_type":"","retrieval_timestamp":1}
! INVALID_REQUEST: source_type is empty -> Give a text that is not empty.
> log_source_attribution {"agent_id":null,"source_type":"t","retrieval_timestamp":1}
! INVALID_REQUEST: agent_id is null -> Give a string.
> log_source_attribution {"agent_id":1,"source_type":"t","retrieval_timestamp":1}
! INVALID_REQUEST: agent_id is a number -> Give a string.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":"1"}
! INVALID_REQUEST: retrieval_timestamp is a string -> Give a whole number.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1.5}
! INVALID_REQUEST: retrieval_timestamp is not a whole number in range -> Give a whole number.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1678886400000.00000000001}
! INVALID_REQUEST: retrieval_timestamp is not a whole number in range -> Give a whole number.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":9007199254740991.4}
! INVALID_REQUEST: retrieval_timestamp is not a whole number in range -> Give a whole number.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1e-400}
! INVALID_REQUEST: retrieval_timestamp is not a whole number in range -> Give a whole number.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1e300}
! INVALID_REQUEST: retrieval_timestamp is not a whole number in range -> Give a whole number.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":9007199254740993}
! INVALID_REQUEST: retrieval_timestamp is out of range -> Give a number from -9007199254740991 to 9007199254740991.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":null}
! INVALID_REQUEST: retrieval_timestamp is null -> Give a whole number.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"source_url":"x"}
! INVALID_REQUEST: there is no argument 'source_url' -> Known are agent_id, source_type, source_uri, retrieval_timestamp, content_summary, full_content_hash, full_content_json, supports, citation.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"source_uri":7}
! INVALID_REQUEST: source_uri is a number -> Give a string.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"full_content_hash":"abc"}
! INVALID_REQUEST: full_content_hash is not 64 hex digits -> Give the SHA-256 of the content, or leave it out.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,
    "full_content_hash":"zbcdefabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123"}
! INVALID_REQUEST: full_content_hash is not 64 hex digits -> Give the SHA-256 of the content, or leave it out.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"citation":{"relevance":2}}
! INVALID_REQUEST: citation.relevance is out of range -> Give a number from 0 to 1.
> log_source_attribution {"agent_id":"a\u0000b","source_type":"t","retrieval_timestamp":1}
! INVALID_REQUEST: agent_id contains NUL or half a surrogate pair, which cannot be stored -> Remove it.
> log_source_attribution {"agent_id":"a","source_type":"\ud800","retrieval_timestamp":1}
! INVALID_REQUEST: source_type contains NUL or half a surrogate pair, which cannot be stored -> Remove it.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"supports":[1]}
! INVALID_REQUEST: supports[0] is a number -> Give a string.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"supports":"raw:a"}
! INVALID_REQUEST: supports is a string -> Give a list.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"supports":[""]}
! INVALID_REQUEST: supports[0] is empty -> Give a text that is not empty.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"full_content_json":{"a":"\ud800"}}
! INVALID_REQUEST: full_content_json cannot be kept: a lone surrogate at byte 7 -> Nest it less, fix the text there, or give it as a string.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"content_summary":7}
! INVALID_REQUEST: content_summary is a number -> Give a string.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"full_content_hash":7}
! INVALID_REQUEST: full_content_hash is a number -> Give a string.
> log_source_attribution {"agent_id":"a","source_type":7,"retrieval_timestamp":1}
! INVALID_REQUEST: source_type is a number -> Give a string.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"full_content_hash":"<<a * 63>>"}
! INVALID_REQUEST: full_content_hash is not 64 hex digits
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"full_content_hash":"<<a * 65>>"}
! INVALID_REQUEST: full_content_hash is too long
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"citation":{"pages":1}}
! INVALID_REQUEST: there is no argument 'pages' in citation

== content has a depth limit
# The content is stored one level deeper, in the detail.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"full_content_json":<<[ * 100>><<] * 100>>}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"full_content_json":<<[ * 101>><<] * 101>>}
! INVALID_REQUEST: full_content_json cannot be kept: JSON nested deeper than 100 levels at byte 101 -> Nest it less, fix the text there, or give it as a string.
# All ways out keep it.
> get_source_attributions {"agent_id":"a"}
{"attributions": [{"full_content_json": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}]}
> memory_get {"ref":"attribution:ID1","detail":"full"}
{"detail": {"full_content_json": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}}
$ stemma show attribution:ID1 --json | grep -c '<<[ * 100>><<] * 100>>'
1
$ stemma edit attribution:ID1 --text other > /dev/null; stemma undo --yes > /dev/null; stemma export | stemma import jsonl - --store copy.db | head -1
read 1 memory into copy.db: 1 added, 0 updated, 0 unchanged
$ stemma export | cmp - <(stemma export --store copy.db) && stemma fsck | grep -o "all is well"
all is well

== times in seconds are stored and reported
# Seconds given for milliseconds are stored and reported as implausible.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1678886400}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> get_source_attributions {"agent_id":"a"}
{"attributions": [{"retrieval_timestamp": 1678886400}]}
> memory_orphans {"problem":"suspect-time"}
{"problems": [{"ref": "attribution:ID1", "problem": "suspect-time", "field": "retrieval_timestamp", "target": "1678886400"}]}

== an invalid summary is repaired
# A summary with invalid text stays readable; its bytes are stored with it.
> log_source_attribution {"agent_id":"a","source_type":"t","retrieval_timestamp":1,"content_summary":"be\u0000fore"}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> get_source_attributions {"agent_id":"a"}
{"attributions": [{"content_summary": "be�fore"}]}
> memory_get {"ref":"attribution:ID1","detail":"full"}
{"detail": {"original": "YmUAZm9yZQ=="}}

== a retrieval is an observation of its agent
> log_source_attribution {"agent_id":"ash","source_type":"web","source_uri":"https://x","retrieval_timestamp":1}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> memory_list {"kind":"attribution","detail":"full"}
{"memories": [{"source_type": "observation", "agent_id": "ash", "detail": {"source_type": "web"}, "text": "https://x",
   "label": "supported"}]}

== it becomes a justification of the named memory
+ {"ref":"belief:one","text":"t"}
+ {"ref":"raw:r","text":"t"}
+ {"ref":"belief:two","text":"t","derived_from":["raw:r"]}
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"supports":["belief:one",
    "belief:two","belief:two"],"citation":{"page":12,"excerpt":"so","relevance":0.9}}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> memory_get {"ref":"belief:one","detail":"full"}
{"justifications": [{"antecedents": []}, {"role": "evidence", "antecedents": [{"page": 12, "excerpt": "so"}]}],
 "version": 2}
> memory_get {"ref":"belief:two","detail":"full"}
{"justifications": "(2 items)", "label": "supported"}

== a memory that a person decided about gets no support
# Otherwise a retracted memory would be supported again, and an approved one would no longer lose support with its source.
+ {"ref":"belief:free","text":"t"}
+ {"ref":"belief:b","text":"t"}
$ stemma protect belief:b --yes > /dev/null
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"supports":["belief:free",
    "belief:b"]}
! PERMISSION_DENIED: supports: belief:b is locked -> Leave it out, or ask the person who said so.
$ stemma unprotect belief:b --yes > /dev/null
$ stemma quarantine belief:b --yes > /dev/null
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"supports":["belief:free",
    "belief:b"]}
! NOT_FOUND: supports: no memory is called belief:b -> Search for it, or leave it out.
$ stemma release belief:b > /dev/null
$ stemma retract belief:b --yes > /dev/null
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"supports":["belief:free",
    "belief:b"]}
! PERMISSION_DENIED: supports: belief:b was retracted by a person -> Leave it out, or ask the person who said so.
$ stemma restore belief:b --yes > /dev/null
$ stemma verify belief:b --yes > /dev/null
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"supports":["belief:free",
    "belief:b"]}
! PERMISSION_DENIED: supports: belief:b was approved by a person -> Leave it out, or ask the person who said so.
$ stemma unprotect belief:b --yes > /dev/null
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"supports":["belief:free",
    "belief:b"]}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> memory_get {"ref":"belief:b","detail":"full"}
{"justifications": "(2 items)"}

== impossible support refuses the whole call
+ {"ref":"belief:held","text":"t","protected":true}
+ {"ref":"belief:gone","text":"t","status":"forgotten"}
+ {"ref":"note:n","text":"t","derived_from":["raw:never"]}
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"supports":["belief:held"]}
! PERMISSION_DENIED: supports: belief:held is locked -> Leave it out, or ask the person who said so.
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"supports":["belief:gone"]}
! NOT_FOUND: supports: belief:gone is forgotten -> Leave it out, or log the attribution without it.
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"supports":["belief:nothing"]}
! NOT_FOUND: supports: no memory is called belief:nothing -> Search for it, or leave it out.
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"supports":["raw:never"]}
! NOT_FOUND: supports: no memory is called raw:never -> Search for it, or leave it out.
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":1,"supports":["context:words"]}
! NOT_FOUND: supports: no memory is called context:words -> Search for it, or leave it out.
> get_source_attributions {"agent_id":"a"}
{"attributions": [], "total": 0}

== the newest are first, ties by insertion
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":300,"source_uri":"1"}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> log_source_attribution {"agent_id":"a","source_type":"db","retrieval_timestamp":100,"source_uri":"2"}
{"attribution_id": "ID2", "ref": "attribution:ID2", "version": 1}
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":200,"source_uri":"3"}
{"attribution_id": "ID3", "ref": "attribution:ID3", "version": 1}
> log_source_attribution {"agent_id":"a","source_type":"db","retrieval_timestamp":200,"source_uri":"4"}
{"attribution_id": "ID4", "ref": "attribution:ID4", "version": 1}
> log_source_attribution {"agent_id":"b","source_type":"web","retrieval_timestamp":400,"source_uri":"x"}
{"attribution_id": "ID5", "ref": "attribution:ID5", "version": 1}
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":200,"source_uri":"5"}
{"attribution_id": "ID6", "ref": "attribution:ID6", "version": 1}
> log_source_attribution {"agent_id":"a","source_type":"Web","retrieval_timestamp":250,"source_uri":"6"}
{"attribution_id": "ID7", "ref": "attribution:ID7", "version": 1}
> get_source_attributions {"agent_id":"a"}
{"attributions": [{"source_uri": "1"}, {"source_uri": "6"}, {"source_uri": "5"}, {"source_uri": "4"}, {"source_uri": "3"},
  {"source_uri": "2"}]}
> get_source_attributions {"agent_id":"a","source_type":"web"}
{"attributions": [{"source_uri": "1"}, {"source_uri": "5"}, {"source_uri": "3"}]}
> get_source_attributions {"agent_id":"a","source_type":"Web"}
{"attributions": [{"source_uri": "6"}]}
> get_source_attributions {"agent_id":"a","source_type":"WEB"}
{"attributions": [], "total": 0}
> get_source_attributions {"agent_id":"a","source_type":"we"}
{"attributions": [], "total": 0}
> get_source_attributions {"agent_id":"a","source_type":null}
{"attributions": [{"source_uri": "1"}, {"source_uri": "6"}, {"source_uri": "5"}, {"source_uri": "4"}, {"source_uri": "3"},
  {"source_uri": "2"}]}
> get_source_attributions {"agent_id":"a","source_type":""}
{"attributions": [{"source_uri": "1"}, {"source_uri": "6"}, {"source_uri": "5"}, {"source_uri": "4"}, {"source_uri": "3"},
  {"source_uri": "2"}]}
> get_source_attributions {"agent_id":"A"}
{"attributions": [], "total": 0}
> get_source_attributions {"agent_id":"b"}
{"attributions": [{"source_uri": "x"}]}

== limits are applied
> get_source_attributions {"agent_id":"a","limit":1001}
! INVALID_REQUEST: limit is out of range -> Give a number from 0 to 1000.
> get_source_attributions {"agent_id":"a","limit":-1}
! INVALID_REQUEST: limit is out of range -> Give a number from 0 to 1000.
> get_source_attributions {"agent_id":"a","limit":1.5}
! INVALID_REQUEST: limit is not a whole number in range -> Give a whole number.
> get_source_attributions {"agent_id":"a","limit":"5"}
! INVALID_REQUEST: limit is a string -> Give a whole number.
> get_source_attributions {"agent_id":"a","offset":-1}
! INVALID_REQUEST: offset is out of range -> Give a number from 0 to 9007199254740991.
> get_source_attributions {"agent_id":"a","page":2}
! INVALID_REQUEST: there is no argument 'page' -> Known are agent_id, source_type, limit, offset.
> get_source_attributions {"agent_id":""}
! INVALID_REQUEST: agent_id is empty -> Give a text that is not empty.
> get_source_attributions {"source_type":"t"}
! INVALID_REQUEST: agent_id is missing -> Give a string.
> get_source_attributions {"agent_id":"a","source_type":5}
! INVALID_REQUEST: source_type is a number -> Give a string.

== a search is logged as one call
> log_search_attribution {"agent_id":"a","query":"wal mode","results_summary":"found",
    "retrieval_timestamp":1678886400000}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> log_search_attribution {"agent_id":"a","query":"q","retrieval_timestamp":1}
{"attribution_id": "ID2", "ref": "attribution:ID2", "version": 1}
> get_source_attributions {"agent_id":"a","source_type":"tavily_search"}
{"total": 2, "attributions": [{"source_uri": "wal mode", "content_summary": "found"}, {"content_summary": null}]}
> log_search_attribution {"agent_id":"a","retrieval_timestamp":1}
! INVALID_REQUEST: query is missing -> Give a string.
> log_search_attribution {"query":"q","retrieval_timestamp":1}
! INVALID_REQUEST: agent_id is missing
> log_search_attribution {"agent_id":"a","query":"q"}
! INVALID_REQUEST: retrieval_timestamp is missing
> log_search_attribution {"agent_id":"a","query":"q","retrieval_timestamp":1.5}
! INVALID_REQUEST: retrieval_timestamp is not a whole number in range
> log_search_attribution {"agent_id":"a","query":"q","retrieval_timestamp":1,"source_type":"web"}
! INVALID_REQUEST: there is no argument 'source_type'

== the log follows changes of memories
| share: yes
@ a
# It includes changes of others and forgotten memories, and counts that were requested before.
> log_source_attribution {"agent_id":"a","source_type":"web","retrieval_timestamp":300,"source_uri":"1"}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> get_source_attributions {"agent_id":"a"}
{"total": 1}
+ {"ref":"attribution:x","agent_id":"a","text":"s","detail":{"source_type":"web","source_uri":"2",
    "retrieval_timestamp":400}}
+ {"ref":"attribution:y","agent_id":"a","text":"s","detail":{"source_uri":"3","source_type":"db",
    "retrieval_timestamp":200}}
> get_source_attributions {"agent_id":"a"}
{"attributions": [{"source_uri": "2"}, {"source_uri": "1"}, {"source_uri": "3"}]}
> get_source_attributions {"agent_id":"a","source_type":"web"}
{"attributions": [{"source_uri": "2"}, {"source_uri": "1"}]}
> get_source_attributions {"agent_id":"a"}
{"total": 3, "attributions": [{"retrieval_timestamp": 400}, "(any)", {"source_type": "db"}]}
+ {"ref":"attribution:x","agent_id":"a","text":"s","status":"forgotten"}
+ {"ref":"attribution:y","agent_id":"b","text":"s","detail":{"source_type":"db","retrieval_timestamp":200}}
> get_source_attributions {"agent_id":"a"}
{"total": 1,
 "attributions": [{"attribution_id": "ID1", "agent_id": "a", "source_type": "web", "source_uri": "1", "retrieval_timestamp": 300,
   "content_summary": null, "full_content_hash": null, "full_content_json": null}]}
> get_source_attributions {"agent_id":"b"}
{"total": 1}

== a match by URI links a chunk, too
# The retrieval has the hash of the page, the source that of a chunk of it.
> log_source_attribution {"agent_id":"ash","source_type":"web","source_uri":"https://x/a","retrieval_timestamp":1790000000000,
    "full_content_hash":"<<a * 64>>"}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> cot_begin {"question":"q"}
{"ref": "chain:ID2", "version": 1}
> cot_step {"chain":"ID2","step_number":1,"question":"s","retrieved_documents":[{"document_id":"https://x/a",
    "content":"the third part","chunk_index":3,"score":0.9},{"document_id":"https://x/b","content":"of another","chunk_index":0,
    "score":0.8},{"document_id":"https://x/c","content":"the whole of c","score":0.7}]}
{"ref": "step:ID3"}
> memory_get {"ref":"document:https://x/a","detail":"full"}
{"justifications": [{"antecedents": []}, {"role": "evidence", "recorded": "auto-linked",
   "antecedents": [{"ref": "attribution:ID1", "version_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}]}]}
# Logged afterwards, and for a whole document with other content not at all.
> log_source_attribution {"agent_id":"ash","source_type":"web","source_uri":"https://x/b","retrieval_timestamp":1790000000000,
    "full_content_hash":"<<b * 64>>"}
{"attribution_id": "ID4", "ref": "attribution:ID4", "version": 1}
> log_source_attribution {"agent_id":"ash","source_type":"web","source_uri":"https://x/c","retrieval_timestamp":1790000000000,
    "full_content_hash":"<<c * 64>>"}
{"attribution_id": "ID5", "ref": "attribution:ID5", "version": 1}
> memory_get {"ref":"document:https://x/b","detail":"full"}
{"justifications": [{"antecedents": []}, {"antecedents": [{"ref": "attribution:ID4", "version_hash": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}]}]}
> memory_get {"ref":"document:https://x/c"}
{"justifications": "(absent)"}

# Of several retrievals of one URI, a chunk takes the one that was logged for it, else the latest.
> log_source_attribution {"agent_id":"ash","source_type":"web","source_uri":"https://x/d","retrieval_timestamp":1790000000000,
    "citation":{"chunk":7}}
{"attribution_id": "ID6", "ref": "attribution:ID6", "version": 1}
> log_source_attribution {"agent_id":"ash","source_type":"web","source_uri":"https://x/d","retrieval_timestamp":1790000000001}
{"attribution_id": "ID7", "ref": "attribution:ID7", "version": 1}
> cot_step {"chain":"ID2","step_number":2,"question":"s","retrieved_documents":[{"document_id":"d-seven","uri":"https://x/d",
    "content":"the eighth part","chunk_index":7},{"document_id":"d-nought","uri":"https://x/d","content":"the first part",
    "chunk_index":0}]}
{"ref": "step:ID8"}
> memory_get {"ref":"document:d-seven","detail":"full"}
{"justifications": [{"antecedents": []}, {"antecedents": [{"ref": "attribution:ID6"}]}]}
> memory_get {"ref":"document:d-nought","detail":"full"}
{"justifications": [{"antecedents": []}, {"antecedents": [{"ref": "attribution:ID7"}]}]}

== a retracted retrieval is marked wherever a retrieval is listed
> log_source_attribution {"agent_id":"ash","source_type":"web","source_uri":"https://x/a","retrieval_timestamp":1790000000000}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> cot_begin {"question":"q"}
{"ref": "chain:ID2", "version": 1}
> cot_step {"chain":"ID2","step_number":1,"question":"s","retrieved_documents":[{"document_id":"https://x/a",
    "title":"A","content":"of a","score":0.9},{"document_id":"https://x/b","title":"B","content":"of b","score":0.8}]}
{"ref": "step:ID3"}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"https://x/a","documentName":"A",
    "location":{"page":3}}]}
< notifications/message {}
< notifications/message {}
{"citations": [{"ref": "citation:ID4"}]}
> cot_sources {"chain":"chain:ID2"}
{"all_sources": [{"document_id": "https://x/a", "retrieval": "(absent)"}, {"document_id": "https://x/b"}]}
$ stemma retract attribution:ID1 --yes > /dev/null
> cot_sources {"chain":"chain:ID2"}
{"primary_sources": [{"document_id": "https://x/a", "retrieval": "retracted"}, {"retrieval": "(absent)"}],
 "all_sources": [{"document_id": "https://x/a", "retrieval": "retracted"}, {"retrieval": "(absent)"}]}
> cot_get {"chain":"chain:ID2"}
{"reasoning_steps": [{"source_attributions": [{"retrieval": "retracted"}, {"retrieval": "(absent)"}]}]}
> get_citations {"conversation_id":"c"}
{"citations": [{"ref": "citation:ID4", "retrieval": "retracted"}]}
> get_source_attributions {"agent_id":"ash"}
{"attributions": [{"attribution_id": "ID1", "status": "retracted"}]}
$ stemma chain chain:ID2 | grep -n 'retrieval'
10:   #1 ━━━━━━━   .90★  A  https://x/a    retrieval retracted
14:   ━━━━━━━   .90★  A  https://x/a  1 step  retrieval retracted
$ stemma sources chain:ID2 | grep -o '[^ ]* *retrieval.*'
https://x/a    retrieval retracted
$ stemma cite c
stemma: (A, page 3): its retrieval was retracted
(A, page 3)
$ stemma cite chain:ID2
stemma: (A, document): its retrieval was retracted
(A, document)
(B, document)
$ stemma cite c --json | grep -o '"retrieval":"[a-z]*"'
"retrieval":"retracted"
$ stemma document document:https://x/a --json | grep -o '"match":[^}]*'
"match":"uri","status":"retracted"
$ stemma list citations | grep -o 'retrieval retracted, page [0-9]*'
retrieval retracted, page 3
$ stemma list attributions | grep -o '\[.*'
[retracted] https://x/a
# Another retrieval of it stands.
> log_source_attribution {"agent_id":"ash","source_type":"web","source_uri":"https://x/a","retrieval_timestamp":1790000000001}
{"attribution_id": "ID5", "ref": "attribution:ID5", "version": 1}
> cot_sources {"chain":"chain:ID2"}
{"all_sources": [{"document_id": "https://x/a", "retrieval": "(absent)"}, {"document_id": "https://x/b"}]}

== what another agent logged stays its own, though it shares an entry
# Nor does an agent of that name take the retrievals away that the caller claimed.
| # as at first
@ zed
> log_source_attribution {"agent_id":"zed","source_type":"web","retrieval_timestamp":1795000000000,"full_content_json":"private zed"}
{"ref": "attribution:ID1"}
@ claude
> log_source_attribution {"agent_id":"zed","source_type":"web","retrieval_timestamp":1795000000000,"content_summary":"claimed"}
{"ref": "attribution:ID2"}
@ zed
> putMemory {"namespace":"session.a","key":"k","value":1}
{"success": true}
@
> get_source_attributions {"agent_id":"zed"}
{"total": 0, "attributions": []}
@ claude
> get_source_attributions {"agent_id":"zed"}
{"total": 1, "attributions": [{"content_summary": "claimed"}]}
# A list by that name has what the caller sees of the agent; claims count only where nobody has the name.
> memory_list {"agent_id":"zed"}
{"memories": [{"text": "k"}]}
@ zed
> get_source_attributions {"agent_id":"zed"}
{"total": 1, "attributions": [{"full_content_json": "private zed"}]}
