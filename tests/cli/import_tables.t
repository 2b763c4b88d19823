# Databases of other programs, as they made them: what becomes of each, and that importing one again finds nothing new.
$ cat >lib.sh <<'END'
> make() { rm -f $1; shift; for f in "$@"; do cat $DATA/formats/$f.sql; done | sqlite3 $db; }
> both() { db=$1.db; make $db "$@"; sha256sum $db >sum; stemma import $db --store $1.s; stemma import $db --store $1.s 2>&1 | head -2; sha256sum -c sum --quiet; }
> # Each memory with what it is based on (~ migrated or guessed), its relations and events.
> shown() { stemma export --store $1.s | jq -r 'def id: .[:14]; [(.ref|id), .agent_id, (.text|gsub("\n";" / ")|.[:34]), ([.status|select(. != "active")]+[.tags[]?]|join(",")),
>   ([.justifications[]?|(if .recorded == "recorded" then "" else "~" end) as $m | .antecedents[]|$m+(.ref|id)]|join(" ")), ([.relations[]?|.type+" "+(.to|id)]|join(" ")), ([.history[]?|.operation+"@"+(.actor // "")]|join(" "))]
>   | join(" | ")' | sed 's/ *|\( *|\)* *$//'; }
> END
> . ./lib.sh; both claude-mem-52; shown claude-mem-52
stemma: claude-mem-52.db is a claude-mem database (3 observations, 1 session; schema 52; 1 kind of record shown as notes)
stemma: episode:ID1: names episode:ID2, which is not here
read 14 memories into claude-mem-52.s: 14 added, 0 updated, 0 unchanged
  2 raw entries, 2 episodes, 6 beliefs, 1 note, 2 attributions, 1 document
  20 links
  1 ref that is not in this store
  schema 52
  1 kind of record shown as notes
stemma: claude-mem-52.db is a claude-mem database (3 observations, 1 session; schema 52; 1 kind of record shown as notes)
read 14 memories into claude-mem-52.s: 0 added, 0 updated, 14 unchanged
attribution:00 | claude-code | {"content":"for (i = 0; i < len -  |  | raw:bae3c47a-1
attribution:06 | claude-code/Explore | 1 failed |  | raw:9739cc3b-a
belief:0eee257 | claude-code | Every parser bug gets a test | pattern | raw:9739cc3b-a | part_of episode:76c2d3
belief:689f599 | claude-code | lex.c has the loop | how-it-works | belief:ee45a77
belief:ea208d1 | claude-code | The loop ends at len - 1 | how-it-works | belief:ee45a77
belief:ee45a77 | claude-code | Parser drops the last token / off  | how-it-works | attribution:00 raw:bae3c47a-1 document:6522d | part_of episode:76c2d3
belief:efe09e3 | claude-code | A test per bug | pattern | belief:0eee257
belief:fed840a | claude-code | The lexer stops one token early |  | episode:6deb66
document:6522d | claude-code | src/lex.c
episode:6deb66 | claude-code | fix the parser / the lexer |  | ~belief:ee45a77 | part_of episode:76c2d3
episode:76c2d3 | claude-code | fix the parser |  |  | copy_of episode:111111
note:6dfd44c3- | claude-code/Explore | Loop bound corrected / The bound i |  | raw:9739cc3b-a document:6522d | part_of episode:76c2d3
raw:9739cc3b-a | claude-code | add a test |  |  | part_of episode:76c2d3
raw:bae3c47a-1 | claude-code | fix the parser bug |  |  | part_of episode:76c2d3
$ . ./lib.sh; both claude-mem-52 claude-mem-server 2>&1 | head -7; stemma export --store claude-mem-52.s | jq -c 'select(.ref | startswith("note:0b3")) | [.text, .annotations, .relations[]?.type, .justifications[]?.antecedents]'
stemma: claude-mem-52.db is a claude-mem database (3 observations, 1 session, 2 items; schema 52; 1 kind of record shown as notes; not imported: agent_events 1)
read 16 memories into claude-mem-52.s: 2 added, 0 updated, 14 unchanged
  2 raw entries, 2 episodes, 6 beliefs, 3 notes, 2 attributions, 1 document
  22 links
  1 ref that is not in this store
  schema 52
  1 kind of record shown as notes
["Loop bound corrected\nThe bound is len now.",null,"copy_of",[{"ref":"raw:ID3"}]]
["Ask before a release",["https://wiki.example/releases"]]
$ . ./lib.sh; both claude-mem-4; shown claude-mem-4
stemma: claude-mem-4.db is a claude-mem database (1 observation, 1 session; schema 4)
stemma: episode:ID4: names episode:ID5, which is not here
read 4 memories into claude-mem-4.s: 4 added, 0 updated, 0 unchanged
  2 episodes, 2 beliefs
  5 links
  1 ref that is not in this store
  schema 4
stemma: claude-mem-4.db is a claude-mem database (1 observation, 1 session; schema 4)
read 4 memories into claude-mem-4.s: 0 added, 0 updated, 4 unchanged
belief:1f87829 | claude-code | Tables are not faster here |  | episode:9cafcf
belief:29f5b08 | claude-code | A lexer without a table |  |  | part_of episode:3ce688
episode:3ce688 | claude-code | write the lexer |  |  | copy_of episode:222222
episode:9cafcf | claude-code | a lexer / flex |  | ~belief:29f5b08 | part_of episode:3ce688
$ . ./lib.sh; for f in mcp-memory-service mem0 openmemory langgraph memori cognee; do both $f; shown $f; done
stemma: mcp-memory-service.db is a database of mcp-memory-service (6 memories)
read 6 memories into mcp-memory-service.s: 6 added, 0 updated, 0 unchanged
  1 raw entry, 4 beliefs, 1 note
  9 links
stemma: mcp-memory-service.db is a database of mcp-memory-service (6 memories)
read 6 memories into mcp-memory-service.s: 0 added, 0 updated, 6 unchanged
belief:a1 | ash | Deploys on Friday fail | superseded,proj:loom,user:ash
belief:a2 | ash | Deploys on Friday after noon fail | proj:loom,user:ash | note:a3 | contradicts belief:a4 supersedes belief:a1
belief:a4 | mcp-memory-service | Friday is fine | forgotten |  | contradicts belief:a2 | forget@
belief:a5 | mcp-memory-service | Cluster of two | source:auto | belief:a1 note:a3 | supersedes raw:a6
note:a3 | claire | It failed on Friday | user:claire |  | related_to belief:a1 related_to belief:a5
raw:a6 | mcp-memory-service | say hi | superseded
stemma: mem0.db is a history of mem0 (4 changes)
read 5 memories into mem0.s: 5 added, 0 updated, 0 unchanged
  3 raw entries, 2 beliefs
  4 links
stemma: mem0.db is a history of mem0 (4 changes)
read 5 memories into mem0.s: 0 added, 0 updated, 5 unchanged
belief:m1 | mem0 | Likes green tea |  | ~raw:x1 ~raw:x2 |  | add@ update@sean
belief:m2 | mem0 | Has a dog | forgotten | ~raw:x1 ~raw:x2 |  | add@ delete@
raw:x1 | mem0 | I like tea
raw:x2 | mem0 | Noted
raw:x3 | mem0 | Bye
stemma: openmemory.db is a database of OpenMemory (2 memories)
read 2 memories into openmemory.s: 2 added, 0 updated, 0 unchanged
  2 beliefs
stemma: openmemory.db is a database of OpenMemory (2 memories)
read 2 memories into openmemory.s: 0 added, 0 updated, 2 unchanged
belief:aa | cursor | Likes tea | drinks
belief:bb | cursor | Has a dog | forgotten |  |  | deleted@sean
stemma: langgraph.db is a store of LangGraph (4 items; schema 4; 2 checkpoints of 1 thread are not decoded)
read 4 memories into langgraph.s: 4 added, 0 updated, 0 unchanged
  4 entries
  schema 4
  2 checkpoints of 1 thread are not decoded
stemma: langgraph.db is a store of LangGraph (4 items; schema 4; 2 checkpoints of 1 thread are not decoded)
read 4 memories into langgraph.s: 0 added, 0 updated, 4 unchanged
entry:ID6 | langgraph | broken
entry:ID7 | langgraph | k1
entry:ID8 | langgraph | gone | expired
entry:ID9 | langgraph | a_key_with_blanks_c6d135b9
stemma: memori.db is a database of Memori (1 fact; schema 1)
read 4 memories into memori.s: 4 added, 0 updated, 0 unchanged
  1 raw entry, 1 episode, 2 beliefs
  1 link
  schema 1
stemma: memori.db is a database of Memori (1 fact; schema 1)
read 4 memories into memori.s: 0 added, 0 updated, 4 unchanged
belief:f-1 | memori | Likes tea
belief:g-1 | memori | Sean likes tea
episode:c-1 | bot | About tea
raw:m-1 | bot | I like tea |  |  | part_of episode:c-1
stemma: cognee.db is a database of cognee with its ledger of provenance (6 entries)
read 6 memories into cognee.s: 6 added, 0 updated, 0 unchanged
  1 raw entry, 1 belief, 3 notes, 1 document
  7 links
stemma: cognee.db is a database of cognee with its ledger of provenance (6 entries)
read 6 memories into cognee.s: 0 added, 0 updated, 6 unchanged
belief:rel:ds: | sean@example.com | Sean é likes Tea |  | note:ds:sean note:ds:tea
document:ds:do | sean@example.com | /tmp/doc.txt
note:ds:sean | sean@example.com | Sean é | retracted | raw:ds:chunk |  | invalidate@admin
note:ds:tea | sean@example.com | Tea |  | raw:ds:chunk | supersedes note:ds:tea:v:
note:ds:tea:v: | sean@example.com | Tea | superseded | raw:ds:chunk
raw:ds:chunk | sean@example.com | /tmp/doc.txt #0 |  | document:ds:do
$ for f in claude-mem-52 mem0 cognee; do stemma fsck --store $f.s | tail -1; done
16 events, 16 memories and 23 links checked: all is well
5 events, 5 memories and 4 links checked: all is well
6 events, 6 memories and 7 links checked: all is well

# What is kept of a claude-mem database besides texts and links.
$ stemma export --store claude-mem-52.s | jq -c 'select(.text | test("^(for|Parser|.\"content)")) | .detail, .source_type, .confidence'
{"source_type":"Read","source_uri":"file:/w/loom/src/lex.c","retrieval_timestamp":1782000003000,"full_content_hash":"7bbf0ec503af2ec07f9317e062c99afd8214aad5e33e90ddee281b51e4f1ce2d","input":{"file_path":"/w/loom/src/lex.c"},"tool_use_id":"toolu_01","session_id":"ID2"}
"observation"
1
{"type":"discovery","model":"claude-x","project":"loom","files_modified":[],"content_hash":"d9e0903691d86ff3","tokens":100,"confidence_default":true}
"observation"
0.8
$ stemma export --store claude-mem-52.s | jq -c 'select(.annotations) | .annotations, .detail'
["https://wiki.example/releases"]
{"type":"note","metadata":{},"files_modified":[],"facts":[],"confidence_default":true}

# A change there is one event here, with what was before. --agent takes the memories of one agent.
$ sqlite3 mem0.db "INSERT INTO history VALUES('h5','m1','Likes green tea','Likes oolong','UPDATE','2026-08-01T10:00:00+00:00','2026-08-04T10:00:00+00:00',0,'sean','user')"; stemma import mem0.db --store mem0.s | head -1; stemma history belief:m1 --store mem0.s | head -3
stemma: mem0.db is a history of mem0 (5 changes)
read 5 memories into mem0.s: 0 added, 1 updated, 4 unchanged
NOW (AGE)  import  mem0 (agent)  version 2  event 6
    text               Likes green tea → Likes oolong
    history          + update (was: Likes green tea), sean
$ stemma import claude-mem-52.db --agent claude-code/Explore --store agent.s | head -2; stemma import claude-mem-52.db --agent explorer --store never.s; ls never.s
stemma: claude-mem-52.db is a claude-mem database (3 observations, 1 session, 2 items; schema 52; 1 kind of record shown as notes; not imported: agent_events 1)
stemma: attribution:ID10: names raw:ID3, which is not here
stemma: note:ID11: names document:ID12, which is not here
stemma: note:ID11: names episode:ID1, which is not here
read 2 memories into agent.s: 2 added, 0 updated, 0 unchanged
  1 note, 1 attribution
stemma: claude-mem-52.db is a claude-mem database (3 observations, 1 session, 2 items)
stemma: claude-mem-52.db has no agent 'explorer'; it has claude-code, claude-code/Explore, claude-mem. Name one of its agents.
ls: cannot access 'never.s': No such file or directory
[2]

# With the transcripts of Claude Code in the same store, a session of claude-mem leads to its transcript.
$ mkdir -p .claude/projects/w; s=11111111-2222-4333-8444-555555555555; echo '{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"fix the parser bug"},"uuid":"u1","timestamp":"2026-06-21T00:00:01.000Z","cwd":"/w/loom","sessionId":"'$s'","version":"2.1.202","origin":{"kind":"human"}}' >.claude/projects/w/$s.jsonl
> stemma import claude .claude --store claude-mem-52.s | head -1; stemma import claude-mem-52.db --store claude-mem-52.s | grep -E '^read|not in'; stemma show $(stemma export --store claude-mem-52.s | jq -r 'select(.relations[]?.type == "copy_of") | .ref' | head -1) --store claude-mem-52.s | grep -i 'copy'
read 1 memory into claude-mem-52.s: 1 added, 0 updated, 0 unchanged
stemma: claude-mem-52.db is a claude-mem database (3 observations, 1 session, 2 items; schema 52; 1 kind of record shown as notes; not imported: agent_events 1)
read 16 memories into claude-mem-52.s: 0 added, 0 updated, 16 unchanged
   copy of          ● episode:11111111  fix the parser bug 0.80 AGE

# The checksums of cognee's ledger: a changed entry, one that is missing, one that got another id.
$ . ./lib.sh; for q in "UPDATE provenance_entries SET confidence = 0.5 WHERE entity_id = 'ds:tea'" "DELETE FROM provenance_entries WHERE entity_id = 'ds:chunk'" "UPDATE provenance_entries SET sequence_id = sequence_id + 7 WHERE sequence_id > 2" "UPDATE provenance_entries SET entity_id = 'x' WHERE entity_id LIKE 'ds:tea:v:%'" "UPDATE provenance_entries SET metadata = replace(metadata, 'caf\u00e9', 'cafe')"; do db=c.db; make c.db cognee; sqlite3 c.db "$q"; stemma import c.db --dry-run --store c.s 2>&1 | grep -E 'check|chain'; done
stemma: ds:tea: its checksum does not fit its content: it was changed
stemma: ds:tea:v:2026-08-14T00:00:01+00:00: the chain of checksums is broken before it: entry 2 is missing
stemma: ds:tea:v:2026-08-14T00:00:01+00:00: its checksum does not fit its content: it was changed
stemma: ds:tea:v:2026-08-14T00:00:01+00:00: the chain of checksums is broken before it: entries 3 to 9 are missing
stemma: ds:tea: its checksum does not fit its content: it was changed
stemma: ds:sean: its checksum does not fit its content: it was changed
stemma: rel:ds:sean:likes:ds:tea: its checksum does not fit its content: it was changed
stemma: x: its checksum does not fit its content: it was changed
stemma: ds:chunk: its checksum does not fit its content: it was changed

# Damaged and hostile rows: each is reported, nothing is lost, and the import goes on.
$ cat >hostile.py <<'END'
> import sqlite3
> c = sqlite3.connect("hostile.db")
> c.executescript("""CREATE TABLE sdk_sessions(id,content_session_id,memory_session_id,project,platform_source,user_prompt,started_at,started_at_epoch,completed_at,completed_at_epoch,status);
> CREATE TABLE observations(id,memory_session_id,project,text,type,created_at_epoch,title,facts,concepts,files_read,prompt_number);
> CREATE TABLE user_prompts(id,session_db_id,content_session_id,prompt_number,prompt_text,created_at_epoch); CREATE TABLE odd(x); INSERT INTO odd VALUES (1);
> CREATE TABLE tool_uses(id,tool_use_id,content_session_id,tool_name,tool_input,tool_response,prompt_number,platform_source,observation_id,created_at_epoch,agent_type);
> CREATE VIEW session_summaries AS SELECT 1 AS id;""")
> put = lambda table, *v: c.execute(f"INSERT INTO {table} VALUES({','.join('?' * len(v))})", v)
> put("sdk_sessions", *[None] * 11)
> put("sdk_sessions", 2, "s", "m", b"\xff\xfe", b"\x80", "p", "x", "never", None, -5, "odd")
> put("observations", 1, "m", "p", b"\xff\0abc", "bugfix", 1e300, None, '[1,{"a":[]},null,"f"', '{"a":1}', "not json", None)
> put("observations", 2, "m", "p", "ok", "bugfix", 1782000000000, "t", '[1,{"a":[]},null,"f"]', '[1,"tag",null]', '["","a"]', 7)
> put("observations", "x", *[None] * 10)
> put("observations", 4, "m", "p", "x" * 70_000_000, "bugfix", 1782000000000, "big", None, None, None, None)
> put("observations", 5, "m", "p", "\33[31m" + "y" * 2_000_000, "bugfix", 1782000000, "five", None, None, None, None)
> put("user_prompts", 1, 2, "s", 1, None, None)
> put("tool_uses", 1, None, None, None, "{bad", None, None, None, 2, None, None)
> c.commit()
> END
> python3 hostile.py; for i in 1 2; do stemma import hostile.db --store hostile.s; done; stemma fsck --store hostile.s | tail -1; rm hostile.db
stemma: hostile.db is a claude-mem database (5 observations, 2 sessions; 1 kind of record shown as notes; not imported: odd 1)
stemma: episode:ID13: created_at “never” is not a time; left out
stemma: attribution:ID14: source_type is missing. Give the field source_type, such as web_scrape.
stemma: document:ID15: created_at “1.0e+300” is not a time; left out
stemma: note:ID16: created_at “1.0e+300” is not a time; left out
stemma: observations, row 4: it is larger than 64 MiB; not imported
stemma: belief:ID17: created_at “1.0e+300” is not a time; left out
stemma: note:ID18: names attribution:ID14, which is not here
read 13 memories into hostile.s: 13 added, 0 updated, 0 unchanged
  1 raw entry, 2 episodes, 4 beliefs, 4 notes, 2 documents
  11 links
  1 ref that is not in this store
  6 not understood
  1 kind of record shown as notes
  not imported: odd 1
stemma: hostile.db is a claude-mem database (5 observations, 2 sessions; 1 kind of record shown as notes; not imported: odd 1)
stemma: episode:ID13: created_at “never” is not a time; left out
stemma: attribution:ID14: source_type is missing. Give the field source_type, such as web_scrape.
stemma: document:ID15: created_at “1.0e+300” is not a time; left out
stemma: note:ID16: created_at “1.0e+300” is not a time; left out
stemma: observations, row 4: it is larger than 64 MiB; not imported
stemma: belief:ID17: created_at “1.0e+300” is not a time; left out
read 13 memories into hostile.s: 0 added, 0 updated, 13 unchanged
  1 raw entry, 2 episodes, 4 beliefs, 4 notes, 2 documents
  11 links
  1 ref that is not in this store
  6 not understood
  1 kind of record shown as notes
  not imported: odd 1
13 events, 13 memories and 13 links checked: all is well
$ stemma export --store hostile.s | jq -c '[.ref[:13], .agent_id, .text[:30], .created_at > 1782000000000, .tags, .detail.original]'
["belief:180b25","�","1",false,["tag"],null]
["belief:6d0b69","�","[1,{\"a\":[]},null,\"f\"",true,["{\"a\":1}"],null]
["belief:a05e5c","�","f",false,["tag"],null]
["belief:b5e308","�","{\"a\":[]}",false,["tag"],null]
["document:5491","claude-code","a",false,null,null]
["document:db27","claude-code","not json",true,null,null]
["episode:1269a","claude-code","",true,null,null]
["episode:6b114","�","p",true,null,null]
["note:ID16","�","��abc",true,["{\"a\":1}"],"/wBhYmM="]
["note:ID19","claude-mem","",true,null,null]
["note:ID18","�","t\nok",false,["tag"],null]
["note:ID20","�","five\n\u001b[31myyyyyyyyyyyyyyyyyyyy",false,null,null]
["raw:57b8341d-","�","",true,null,null]
$ sqlite3 wrong.db 'CREATE TABLE sdk_sessions(x); CREATE TABLE observations(y); CREATE TABLE user_prompts(z); INSERT INTO observations VALUES (1)'; stemma import wrong.db --store wrong.s; sqlite3 one.db 'CREATE TABLE x(y)'; stemma import one.db; stemma import mem0 one.db; stemma import cognee claude-mem-52.db; cp $DATA/kernle-1000.db k.db; stemma import mem0 k.db
stemma: wrong.db is a claude-mem database (1 observation; not imported: observations 1)
stemma: sdk_sessions: no such column: s.content_session_id; not imported
stemma: user_prompts: no such column: u.id; not imported
stemma: observations: no such column: o.project; not imported
stemma: observations: no such column: o.type; not imported
stemma: observations: no such column: o.id; not imported
read 0 memories into wrong.s: 0 added, 0 updated, 0 unchanged
  5 not understood
  not imported: observations 1
stemma: one.db is in no format that stemma knows. --map FILE reads any database; docs/formats/map.md says how.
stemma: one.db is not a history of mem0. Check the path.
stemma: claude-mem-52.db is not a database of cognee with its ledger of provenance. Check the path.
stemma: k.db is a store of Kernle. Run stemma import kernle on it.
[3]

# A map: a database of one's own.
$ cat >notes.sql <<'END'
> CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT, written TEXT, sure REAL, about INTEGER, labels TEXT);
> CREATE TABLE versions(number INTEGER); INSERT INTO versions VALUES (3); CREATE TABLE junk(x); INSERT INTO junk VALUES (1); CREATE TABLE cache_1(x); INSERT INTO cache_1 VALUES (1);
> INSERT INTO notes VALUES (1, 'Tea is green', '2026-05-01T10:00:00Z', 0.7, NULL, 'tea, green,'), (2, 'So it is healthy', 1777629600, 7, 1, '["tea"]'), (3, x'ff41', NULL, NULL, 2, NULL), (4, 'x', 'yesterday', 'a', 99, '');
> END
> sqlite3 notes.db <notes.sql; cat >map.yaml <<'END'
> name: my-notes
> version: SELECT max(number) FROM versions
> ignored: [cache_*]
> selects:
>   - table: notes
>     sql: |
>       SELECT 'note:my-' || id AS ref, body AS text, written AS created_at, sure AS confidence, labels AS tags, '{' AS "detail.brace",
>              'note:my-' || about AS derived_from, {nothing} AS context, 'told by Claire' AS "derived_from:guessed" FROM notes
>   - table: missing
>     sql: SELECT 'note:x' AS ref FROM missing
> END
> . ./lib.sh; stemma import --map map.yaml notes.db --store notes.s; shown notes; stemma import --map map.yaml notes.db --store notes.s 2>&1 | grep read; stemma import --map map.yaml notes.db --agent my-notes --dry-run --store notes.s 2>/dev/null | head -1
stemma: note:my-2: confidence “7.0” is not between 0 and 1; left out
stemma: note:my-4: created_at “yesterday” is not a time; left out
stemma: note:my-4: confidence “a” is not between 0 and 1; left out
stemma: there is no table missing
stemma: note:my-4: names note:my-99, which is not here
read 4 memories into notes.s: 4 added, 0 updated, 0 unchanged
  4 notes
  3 links
  1 ref that is not in this store
  4 not understood
  schema 3
  not imported: junk 1
note:my-1 | my-notes | Tea is green | tea,green
note:my-2 | my-notes | So it is healthy | tea | note:my-1
note:my-3 | my-notes | �A |  | note:my-2
note:my-4 | my-notes | x |  | note:my-99
read 4 memories into notes.s: 0 added, 0 updated, 4 unchanged
would import 4 memories into notes.s: 0 added, 0 updated, 4 unchanged
$ stemma export --store notes.s | jq -c '[.created_at > 1790000000000, .confidence, .detail, .annotations, .justifications[0].at > 1790000000000]'
[false,0.7,{"brace":"{"},["told by Claire"],false]
[false,0.8,{"brace":"{","confidence_default":true},["told by Claire"],false]
[true,0.8,{"brace":"{","confidence_default":true,"original":"/0E="},["told by Claire"],true]
[true,0.8,{"brace":"{","confidence_default":true},["told by Claire"],true]

# A map that is wrong is an error with its line, before a store is made; only SELECT is allowed.
$ try() { printf "$1\n" >bad.yaml; stemma import --map bad.yaml notes.db --store never.s || echo $?; }; s='name: a\nselects:\n  - table: notes\n    sql: '
> for q in 'SELECT bdy AS text FROM notes' 'SELECT id AS ref, body AS bode FROM notes' 'SELECT body AS text FROM notes' "SELECT 1 AS ref, 'x' AS text, 'y' AS text FROM notes" 'DELETE FROM notes' 'SELECT 1 AS ref; DELETE FROM notes' "ATTACH 'x' AS y" 'PRAGMA journal_mode = DELETE' 'SELECT ? AS ref' "SELECT load_extension('x') AS ref"  'SELEC' "'"; do try "$s$q"; done
> for m in 'name: a b\nselects: [x]' 'nam: x' 'name: [x' '' '[a]' 'name: a\nselects:\n  - table: x' 'name: a\nselects: x' 'name: a\nselects: []' 'name: a\nversion: SELECT max(x) FROM nix\nselects:\n  - table: notes\n    sql: SELECT 1 AS ref' 'name: a\nselects:\n  - table: nix\n    sql: SELECT 1 AS ref' '\x01'; do try "$m"; done
> stemma import --map nix.yaml notes.db; stemma import kernle notes.db --map map.yaml; stemma import --map map.yaml notes.db --agent bob --store never.s; stemma import --map map.yaml nix.db; ls never.s nix.db; sqlite3 notes.db 'SELECT count(*) FROM notes'
stemma: bad.yaml line 3: no such column: bdy. Correct it; docs/formats/map.md says what a SELECT gives.
3
stemma: bad.yaml line 3: the column 'bode' is no member of a memory. Name each column as a member: `body AS text`; docs/formats/map.md lists them.
3
stemma: bad.yaml line 3: no column is named 'ref'. Select a ref: `'note:' || id AS ref`.
3
stemma: bad.yaml line 3: two columns are named 'text'. Give one of them.
3
stemma: bad.yaml line 3: it is no SELECT. Correct it; docs/formats/map.md says what a SELECT gives.
3
stemma: bad.yaml line 3: it is not one SELECT without parameters. Correct it; docs/formats/map.md says what a SELECT gives.
3
stemma: bad.yaml line 3: it is no SELECT. Correct it; docs/formats/map.md says what a SELECT gives.
3
stemma: bad.yaml line 3: it is no SELECT. Correct it; docs/formats/map.md says what a SELECT gives.
3
stemma: bad.yaml line 3: it is not one SELECT without parameters. Correct it; docs/formats/map.md says what a SELECT gives.
3
stemma: bad.yaml line 3: not authorized to use function: load_extension. Correct it; docs/formats/map.md says what a SELECT gives.
3
stemma: bad.yaml line 3: near "SELEC": syntax error. Correct it; docs/formats/map.md says what a SELECT gives.
3
stemma: bad.yaml line 5: this is not YAML: found unexpected end of stream. Correct that line; docs/formats/map.md has an example.
3
stemma: bad.yaml line 1: a name has letters, digits, - _ and ., 40 at most. Correct that line; docs/formats/map.md has an example.
3
stemma: bad.yaml line 1: 'nam' is no key of a map: name, version, ignored, selects. Correct that line; docs/formats/map.md has an example.
3
stemma: bad.yaml line 2: this is not YAML: did not find expected ',' or ']'. Correct that line; docs/formats/map.md has an example.
3
stemma: bad.yaml line 1: the map is empty. Correct that line; docs/formats/map.md has an example.
3
stemma: bad.yaml line 1: a map takes keys and values. Correct that line; docs/formats/map.md has an example.
3
stemma: bad.yaml line 3: a SELECT has a 'table' and an 'sql'. Correct that line; docs/formats/map.md has an example.
3
stemma: bad.yaml line 2: 'selects' takes a list. Correct that line; docs/formats/map.md has an example.
3
stemma: bad.yaml line 1: a map has a 'name' and 'selects'. Correct that line; docs/formats/map.md has an example.
3
stemma: bad.yaml: version: no such table: nix. Correct it; docs/formats/map.md says what a SELECT gives.
3
stemma: notes.db is not a database with a table of the map. Check the path.
3
stemma: bad.yaml line 1: this is not YAML: control characters are not allowed. Correct that line; docs/formats/map.md has an example.
3
stemma: cannot read nix.yaml: No such file or directory. Check the path.
stemma: --map takes the place of the format kernle. Give one of them.
stemma: notes.db has no agent 'bob'; it has my-notes. Name one of its agents.
stemma: cannot read nix.db: No such file or directory. Check the path.
ls: cannot access 'never.s': No such file or directory
ls: cannot access 'nix.db': No such file or directory
4
# A folder stands for the only source in it; copies that `apply` made are none. Several are named.
$ mkdir -p home/data; cp claude-mem-52.db home/data/claude-mem.db; cp claude-mem-52.db home/data/claude-mem.db.stemma-backup; stemma import home --store home.s | head -1; stemma home </dev/null 2>&1 | sed 's/mem-[0-9a-f]*[.]db/mem-HASH.db/'; for n in 1 2 3; do cp claude-mem-52.db home/$n.db; done; stemma import home; mkdir -p none; touch none/x; stemma import none
stemma: home/data/claude-mem.db is a claude-mem database (3 observations, 1 session, 2 items; schema 52; 1 kind of record shown as notes; not imported: agent_events 1)
stemma: episode:ID1: names episode:ID2, which is not here
read 16 memories into home.s: 16 added, 0 updated, 0 unchanged
stemma: home/data/claude-mem.db is a claude-mem database (3 observations, 1 session, 2 items; schema 52; 1 kind of record shown as notes; not imported: agent_events 1)
stemma: the explorer needs a terminal to draw on. `stemma import DIR/home/data/claude-mem.db --store DIR/.local/share/stemma/claude-mem-HASH.db` imports it.
stemma: home has several sources: 1.db, 2.db, 3.db and more. Give the path of one of them.
stemma: none is in no format that stemma knows. `stemma help import` names the formats that it reads.
[3]
