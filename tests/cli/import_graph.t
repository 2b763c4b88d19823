# The file of server-memory: an entity is a note, an observation a belief about it, a relation a relation. A torn line and a
# line with two objects are read as far as they are whole.
$ printf '%s\n' '{"type":"entity","name":"John_Smith","entityType":"person","observations":["Speaks fluent Spanish","Works at night"],"createdAt":"2026-01-02"}' '{"type":"entity","name":"Anth{"type":"entity","name":"Anthropic","entityType":"org","observations":["Makes Claude"]}{"type":"relation","from":"John_Smith","to":"Anthropic","relationType":"works_at"}' '{"type":"relation","from":"Nobody","to":"Anthropic","relationType":"knows"}' '{"type":"entity","name":"John_Smith","entityType":"person","observations":[]}' '{"type":"other"}' '{"type":"entity","name":"Ma' >memory.jsonl; stemma import memory.jsonl --store g.db; stemma list all --store g.db --order text; stemma show note:6a9a1aad --store g.db | grep -A9 related; stemma export --store g.db | grep John_Smith | sed "s,[0-9]\{13\},TIME,g"
stemma: memory.jsonl is a file of server-memory, the MCP reference server (541 bytes)
stemma: line 2: 29 bytes are not a whole entity or relation; left out
stemma: line 2: has 2 objects; each was read
stemma: line 4: the entity John_Smith stands twice: its observations are joined, and of all else the first one counts
stemma: line 5: 16 bytes are not a whole entity or relation; left out
stemma: line 6: 27 bytes are not a whole entity or relation; left out
stemma: 1 relation begins at Nobody, which is no entity; left out
read 5 memories into g.db: 5 added, 0 updated, 0 unchanged
  3 beliefs, 2 notes
  4 links
  4 not understood
–  note:ID1    =0.80  –  external AGE  Anthropic
–  note:ID2    =0.80  –  external AGE  John_Smith
–  belief:ID3  =0.80  –  external AGE  Makes Claude
–  belief:ID4  =0.80  –  external AGE  Speaks fluent Spanish
–  belief:ID5  =0.80  –  external AGE  Works at night
── related
   about from       – belief:ID4  Speaks fluent Spanish =0.80 AGE
   about from       – belief:ID5  Works at night =0.80 AGE
   works_at         – note:ID1    Anthropic =0.80 AGE

── note
   createdAt           2026-01-02
   confidence default  true
{"ref":"note:ID2","agent_id":"server-memory","text":"John_Smith","created_at":TIME,"updated_at":TIME,"confidence":0.8,"source_type":"external","status":"active","tags":["person"],"version":1,"detail":{"createdAt":"2026-01-02","confidence_default":true},"relations":[{"type":"related_to","to":"note:ID1","at":TIME,"reason":"works_at"}]}

# What the server changes is an event; what it removes stays here and is said.
$ printf '%s\n' '{"type":"entity","name":"John_Smith","entityType":"person","observations":["Speaks fluent Spanish","Works by day"],"createdAt":"2026-01-03"}' '{"type":"relation","from":"John_Smith","to":"Anthropic","relationType":"left"}' '{"type":"entity","name":"Anthropic","entityType":"org","observations":["Makes Claude"]}' >memory.jsonl; stemma import server-memory memory.jsonl --store g.db; stemma history note:6a9a1aad --store g.db
stemma: belief:ID5 is no longer in the source; kept here
read 5 memories into g.db: 1 added, 1 updated, 3 unchanged
  3 beliefs, 2 notes
  4 links
  1 no longer in the source; kept here
NOW (AGE)  import  server-memory (agent)  version 2  event 6
    createdAt          2026-01-02 → 2026-01-03
    relations        - related to note:ID1: works_at
    relations        + related to note:ID1: left
NOW (AGE)  import  server-memory (agent)  version 1  event 1
    agent            + server-memory
    text             + John_Smith
    created          + NOW
    confidence       + 0.800
    source type      + external
    status           + active
    tags             + person
    confidence defa… + true
    createdAt        + 2026-01-02
    relations        + related to note:ID1: works_at
$ stemma import server-memory memory.jsonl --store g.db | head -1; echo '{"type":"thing"}' >other; stemma import server-memory other --store never.db; ls never.db
read 5 memories into g.db: 0 added, 0 updated, 5 unchanged
stemma: line 1: 16 bytes are not a whole entity or relation; left out
read 0 memories: 0 added, 0 updated, 0 unchanged
  1 not understood
ls: cannot access 'never.db': No such file or directory
[2]

# A line of nothing but beginnings is read in the time of its length.
$ python3 -c 'print("{\"type\":\"relation\",\"from\":\"E\",\"to\":\"E\",\"relationType\":\"is\"}\n" + "{\"type\":" * 100000 + "{\"type\":\"entity\",\"name\":\"E\",\"entityType\":\"x\",\"observations\":[]}")' >torn.jsonl; timeout 60 stemma import server-memory torn.jsonl --store torn.db 2>/dev/null
read 1 memory into torn.db: 1 added, 0 updated, 0 unchanged
  1 note
  1 link
  100000 not understood
[1]

# A report has what was said of the source's lines. It takes no place of the source or of the store.
$ printf '%s\n' '{"type":"entity","name":"A","entityType":"x","observations":[]}' '{"type":"entity","name":"B' >torn; stemma import torn --store rp.db --report said; cat said; stemma import torn --store rp.db --report torn; stemma import torn --store rp.db --report rp.db; stemma import torn --store rp.db --report no/where; cat torn | wc -l
stemma: torn is a file of server-memory, the MCP reference server (91 bytes)
stemma: line 2: 26 bytes are not a whole entity or relation; left out
read 1 memory into rp.db: 1 added, 0 updated, 0 unchanged
  1 note
  1 not understood
line 2: 26 bytes are not a whole entity or relation; left out
stemma: torn is a file of server-memory, the MCP reference server (91 bytes)
stemma: torn is the source. Give another file.
stemma: torn is a file of server-memory, the MCP reference server (91 bytes)
stemma: rp.db is the store itself. Write to another file.
stemma: torn is a file of server-memory, the MCP reference server (91 bytes)
stemma: line 2: 26 bytes are not a whole entity or relation; left out
stemma: cannot write no/where: No such file or directory. Write to another place.
2

# An entity that stands twice has the observations of both lines. An observation that is no text is reported.
$ printf '%s\n' '{"type":"entity","name":"Ada","entityType":"person","observations":["Likes tea","","Likes tea",7]}' '{"type":"entity","name":"Ada","entityType":"robot","observations":["Lives in Oslo","Likes tea",null,{"a":1}]}' '{"type":"entity","name":"Bob","entityType":"person","observations":"none"}' >twice.jsonl; stemma import twice.jsonl --store tw.db; stemma list all --store tw.db --order text --json | jq -c '[.text, .tags]'
stemma: twice.jsonl is a file of server-memory, the MCP reference server (284 bytes)
stemma: line 1: 1 of the observations of Ada is no text; left out
stemma: line 2: the entity Ada stands twice: its observations are joined, and of all else the first one counts
stemma: line 2: 2 of the observations of Ada are no text; left out
stemma: line 3: 1 of the observations of Bob is no text; left out
read 6 memories into tw.db: 4 added, 0 updated, 2 unchanged
  4 beliefs, 2 notes
  4 links
  3 not understood
["Ada",["person"]]
["Bob",["person"]]
["Likes tea",null]
["Lives in Oslo",null]

# What the explorer imports from a source that it follows is by the person who runs it, as with the command. What was removed there
# is flagged.
$ cat >explore.py <<'END'
> import os, pty, select, sqlite3, time
> child, screen = pty.fork()
> if child == 0:
>     os.execvpe("stemma", ["stemma", "followed.jsonl", "--store", "f.db"], dict(os.environ, TERM="xterm"))
> def read():
>     try: return select.select([screen], [], [], 0.05)[0] and os.read(screen, 65536)
>     except OSError: return b""  # the terminal is closed
> def wait_for(sql):
>     end = time.time() + 30
>     while time.time() < end:
>         read()
>         try:
>             if sqlite3.connect("file:f.db?mode=ro", uri=True).execute(sql).fetchone()[0]: return
>         except sqlite3.Error: pass
>     print("in vain:", sql)
> entity = '{"type":"entity","name":"%s","entityType":"x","observations":[]}\n'
> wait_for("SELECT count(*) FROM event")
> open("followed.jsonl", "a").write(entity % "Bob")
> wait_for("SELECT count(*) = 2 FROM event")
> open("new", "w").write(entity % "Ada")
> os.replace("new", "followed.jsonl")
> wait_for("SELECT count(*) = 3 FROM event")
> os.kill(child, 15)
> while read() != b"": pass
> END
> echo '{"type":"entity","name":"Ada","entityType":"x","observations":[]}' >followed.jsonl; python3 explore.py; stemma log --store f.db; stemma log --store f.db --json | jq -c '[.actor, .class, .origin]'
#1        NOW  server-memory (agent)  import              note:ID6  Ada
#2        NOW  server-memory (agent)  import              note:ID7  Bob
#3        NOW  server-memory (agent)  import              note:ID7  (no longer in DIR/followed.jsonl)  Bob
["server-memory","agent","import server-memory"]
["server-memory","agent","import server-memory"]
["server-memory","agent","import server-memory"]

# What was removed from the source is flagged. The flag is taken back when it is there again, changed or not; what a person changed stays.
$ line() { echo '{"type":"entity","name":"'$1'","entityType":"x","observations":['$2']}'; }; take() { stemma import server-memory r.jsonl --store r.db 2>&1 | sed -n '1s/ into.*:/:/p;/removed/p;/no longer/p;/not understood/p'; stemma list all --flag removed_at_source --store r.db --order text --json 2>/dev/null | jq -c .text; }
> line Ada '"one","two"' >r.jsonl; line Bob >>r.jsonl; take; line Ada '"one"' >r.jsonl; take; ref=$(stemma list note --store r.db --json | jq -r 'select(.text == "Bob").ref'); stemma show $ref --store r.db | grep -A2 flags; stemma history $ref --store r.db | head -2; stemma log --store r.db | tail -2; take
> line Ada '"one","two"' >r.jsonl; echo '{"type":"entity","name":"Bob","entityType":"y","observations":[]}' >>r.jsonl; take; stemma history $ref --store r.db | head -4; stemma log --store r.db | tail -2
> line Ada '"one","two"' >r.jsonl; take; stemma edit $ref --text Robert --store r.db >/dev/null; line Bob >>r.jsonl; take; stemma show $ref --store r.db | head -2; stemma fsck --store r.db
> line Ada '"one"' >r.jsonl; echo '{"type":"ent' >>r.jsonl; take
read 4 memories: 4 added, 0 updated, 0 unchanged
stemma: note:ID7 is no longer in the source; kept here
stemma: belief:ID8 is no longer in the source; kept here
  2 no longer in the source; kept here
"Bob"
"two"
── flags
   removed_at_so… NOW import of server-memory  no longer in DIR/r.jsonl

NOW (AGE)  import  server-memory (agent)  version 2  event 5
    why: no longer in DIR/r.jsonl
#5        NOW  server-memory (agent)  import              note:ID7  (no longer in DIR/r.jsonl)  Bob
#6        NOW  server-memory (agent)  import              belief:ID8  (no longer in DIR/r.jsonl)  two
read 2 memories: 0 added, 0 updated, 2 unchanged
  2 no longer in the source; kept here
"Bob"
"two"
read 4 memories: 0 added, 2 updated, 2 unchanged
NOW (AGE)  import  server-memory (agent)  version 3  event 7
    tags             - x
    tags             + y
    flags            - removed_at_source by server-memory: no longer in DIR/r.jsonl
#7        NOW  server-memory (agent)  import              note:ID7  Bob
#8        NOW  server-memory (agent)  import              belief:ID8  two
stemma: note:ID7 is no longer in the source; kept here
  1 no longer in the source; kept here
"Bob"
note:ID7
│ Robert
11 events, 4 memories and 2 links checked: all is well
  2 no longer in the source; kept here
  1 not understood
