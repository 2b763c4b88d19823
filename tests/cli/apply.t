# Decisions are shown in the form of the source, and what it cannot say. Nothing is written without being asked.
$ cat >start.sh <<'END'
> printf '%s\n%s\n%s' '{"type":"entity","name":"John_Smith","entityType":"person","observations":["Speaks fluent Spanish", "Works at night","Likes tea"]}' '{"type":"entity","name":"Acme","entityType":"org","observations":["Makes anvils"]}' '{"type":"relation","from":"John_Smith","to":"Acme","relationType":"works_at"}' >memory.jsonl
> rm -f g.db*; stemma import server-memory memory.jsonl --store g.db >/dev/null
> END
> sh start.sh; cp memory.jsonl was.jsonl; export STEMMA_STORE=$PWD/g.db
> stemma edit belief:03cef513 --text "Speaks some Spanish" --reason "said so" >/dev/null; stemma retract belief:35cb7d13 --yes --reason "moved to days" >/dev/null
> stemma replace belief:b728a8e4 "Likes coffee" >/dev/null; stemma approve "$(stemma search anvils --json | grep -o 'belief:[0-9a-f-]*' | head -1)" >/dev/null; stemma apply --dry-run; stemma apply >/dev/null; cmp memory.jsonl was.jsonl
  belief:ID1 edited by sean: said so
    memory.jsonl:1 John_Smith
    - "Speaks fluent Spanish"
    + "Speaks some Spanish"

  belief:ID2 retracted by sean: moved to days
    memory.jsonl:1 John_Smith
    - "Works at night"

  belief:ID3 replaced by sean
    memory.jsonl:1 John_Smith
    - "Likes tea"
    + "Likes coffee"

── cannot be written
  belief:ID4: approved by sean; server-memory has no field for it
3 changes to DIR/memory.jsonl
stemma: nothing was changed: this needs confirmation. Add --yes to confirm.

# Confirmed, it is written; a copy stands beside it. Then both agree: nothing differs, and no edit came back as a second belief.
$ export STEMMA_STORE=$PWD/g.db; stemma apply --yes | tail -1; diff was.jsonl memory.jsonl; cmp was.jsonl memory.jsonl.stemma-backup; stemma apply --yes; stemma import server-memory memory.jsonl; stemma list belief --order text; stemma fsck
written; what was there is in DIR/memory.jsonl.stemma-backup
1c1
< {"type":"entity","name":"John_Smith","entityType":"person","observations":["Speaks fluent Spanish", "Works at night","Likes tea"]}
---
> {"type":"entity","name":"John_Smith","entityType":"person","observations":["Speaks some Spanish","Likes coffee"]}
── cannot be written
  belief:ID4: approved by sean; server-memory has no field for it
nothing to write: memory.jsonl says what was decided here, as far as it can
read 5 memories into DIR/g.db: 0 added, 0 updated, 5 unchanged
  3 beliefs, 2 notes
  4 links
  2 no longer in the source; kept here
●  belief:ID5  =0.80  1/1        inference AGE  Likes coffee
–  belief:ID3  =0.80    –        external AGE  [replaced] Likes tea
–  belief:ID4  =0.80    –  ✓     external AGE  Makes anvils
–  belief:ID1  =0.80    –        external AGE  Speaks some Spanish
×  belief:ID2  =0.00    –        external AGE  [retracted] Works at night
12 events, 7 memories and 7 links checked: all is well

# A later edit of what was written finds its observation; so does one of the belief that replaced another.
$ export STEMMA_STORE=$PWD/g.db; stemma edit belief:03cef513 --text "Speaks no Spanish" >/dev/null; stemma edit "$(stemma search coffee --json | grep -o 'belief:[0-9a-f-]*' | head -1)" --text "Likes mate" >/dev/null; stemma import server-memory memory.jsonl | head -1; stemma apply --yes; head -1 memory.jsonl; stemma import server-memory memory.jsonl | head -1
read 5 memories into DIR/g.db: 0 added, 0 updated, 5 unchanged
  belief:ID1 edited by sean
    memory.jsonl:1 John_Smith
    - "Speaks some Spanish"
    + "Speaks no Spanish"

  belief:ID5 edited by sean
    memory.jsonl:1 John_Smith
    - "Likes coffee"
    + "Likes mate"

── cannot be written
  belief:ID4: approved by sean; server-memory has no field for it
2 changes to DIR/memory.jsonl
written; what was there is in DIR/memory.jsonl.stemma-backup-2
{"type":"entity","name":"John_Smith","entityType":"person","observations":["Speaks no Spanish","Likes mate"]}
read 5 memories into DIR/g.db: 0 added, 0 updated, 5 unchanged

# Undo shows the copy and writes it back, and what was decided here stays to be written again. A second undo takes back the write before it.
$ export STEMMA_STORE=$PWD/g.db; stemma apply --undo; stemma apply --undo --yes | tail -1; head -1 memory.jsonl; stemma import server-memory memory.jsonl | head -1; stemma apply --undo --yes --json; cmp memory.jsonl was.jsonl; stemma apply --undo --yes; stemma import server-memory memory.jsonl | head -1; stemma apply --dry-run --json; stemma log --operation apply | sed 's/.*  sean/sean/'
    memory.jsonl
    - {"type":"entity","name":"John_Smith","entityType":"person","observations":["Speaks no Spanish","Likes mate"]}
    + {"type":"entity","name":"John_Smith","entityType":"person","observations":["Speaks some Spanish","Likes coffee"]}
undoes what was written NOW to DIR/memory.jsonl
stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
DIR/memory.jsonl has again what was there before
{"type":"entity","name":"John_Smith","entityType":"person","observations":["Speaks some Spanish","Likes coffee"]}
read 5 memories into DIR/g.db: 0 added, 0 updated, 5 unchanged
{"source":"DIR/memory.jsonl","format":"server-memory","done":true,"undoes":12,"changes":[{"place":"memory.jsonl","before":"{\"type\":\"entity\",\"name\":\"John_Smith\",\"entityType\":\"person\",\"observations\":[\"Speaks some Spanish\",\"Likes coffee\"]}","after":"{\"type\":\"entity\",\"name\":\"John_Smith\",\"entityType\":\"person\",\"observations\":[\"Speaks fluent Spanish\", \"Works at night\",\"Likes tea\"]}"}],"conflicts":[],"cannot":[],"backups":[]}
stemma: nothing was written to DIR/memory.jsonl.
read 6 memories into DIR/g.db: 0 added, 0 updated, 6 unchanged
{"source":"DIR/memory.jsonl","format":"server-memory","done":false,"changes":[{"ref":"belief:ID1","decision":"edited","actor":"sean","place":"memory.jsonl:1 John_Smith","before":"\"Speaks fluent Spanish\"","after":"\"Speaks no Spanish\""},{"ref":"belief:ID2","decision":"retracted","actor":"sean","reason":"moved to days","place":"memory.jsonl:1 John_Smith","before":"\"Works at night\"","after":null},{"ref":"belief:ID3","decision":"replaced","actor":"sean","place":"memory.jsonl:1 John_Smith","before":"\"Likes tea\"","after":"\"Likes mate\""}],"conflicts":[],"cannot":[{"ref":"belief:ID4","what":"approved by sean; server-memory has no field for it"}],"backups":[]}
sean                 apply               3 changes written to DIR/memory.jsonl; what was there is in DIR/memory.jsonl.stemma-backup
sean                 apply               2 changes written to DIR/memory.jsonl; what was there is in DIR/memory.jsonl.stemma-backup-2

# A source that changed since it was written is not overwritten by an undo. The event is undone by apply alone.
$ export STEMMA_STORE=$PWD/g.db; stemma apply --yes | tail -1; stemma undo 18; echo '{"type":"entity","name":"New","entityType":"x","observations":[]}' >>memory.jsonl; stemma apply --undo --yes | tail -1; tail -1 memory.jsonl
written; what was there is in DIR/memory.jsonl.stemma-backup-3
stemma: event 18 wrote to a file outside the store. `stemma apply --undo` writes back what was there.
stemma: DIR/memory.jsonl changed since it was written; what it was is in DIR/memory.jsonl.stemma-backup-3. Compare both, and copy what you want by hand.
{"type":"relation","from":"John_Smith","to":"Acme","relationType":"works_at"}{"type":"entity","name":"New","entityType":"x","observations":[]}

# A deleted entity takes its relations with it. Its type is a tag; its name and other tags cannot be said.
$ sh start.sh; export STEMMA_STORE=$PWD/g.db; stemma edit note:6a9a1aad --tag man --text "John" >/dev/null; stemma apply --yes; stemma list note --order text; stemma forget "$(stemma search Acme --json | grep -o 'note:[0-9a-f-]*' | head -1)" --yes >/dev/null; stemma apply --yes; cat memory.jsonl
  note:ID6 edited by sean
    memory.jsonl:1 John_Smith
    - "person"
    + "man"

── cannot be written
  note:ID6: its new name: relations refer to an entity by its name
1 change to DIR/memory.jsonl
written; what was there is in DIR/memory.jsonl.stemma-backup-4
–  note:ID7  =0.80  –  external AGE  Acme
–  note:ID6  =0.80  –  external AGE  John
  note:ID7 forgotten by sean
    memory.jsonl:2 Acme
    - {"type":"entity","name":"Acme","entityType":"org","observations":["Makes anvils"]}
    memory.jsonl:3 Acme
    - {"type":"relation","from":"John_Smith","to":"Acme","relationType":"works_at"}
2 changes to DIR/memory.jsonl
written; what was there is in DIR/memory.jsonl.stemma-backup-5
{"type":"entity","name":"John_Smith","entityType":"man","observations":["Speaks fluent Spanish", "Works at night","Likes tea"]}

# Locked, read-only, a link: refused with the reason, and nothing is left beside it.
$ sh start.sh; export STEMMA_STORE=$PWD/g.db; rm -f *.stemma-backup*; stemma forget belief:35cb7d13 --yes >/dev/null; exec 9<memory.jsonl; flock 9; stemma apply --yes | tail -1; flock -u 9; mv memory.jsonl real.jsonl; ln -s real.jsonl memory.jsonl; stemma apply --yes; rm memory.jsonl; stemma apply --yes; ls
stemma: another program holds a lock on DIR/memory.jsonl. Try again when it is done.
1 change to DIR/memory.jsonl
stemma: DIR/memory.jsonl: it is a link by now. Import it from where it is now.
stemma: DIR/memory.jsonl: No such file or directory. Import it from where it is now.
g.db
real.jsonl
start.sh
story.db
was.jsonl

# A Kernle store: forgotten as Kernle forgets, verified as it verifies, in one transaction, with its audit.
$ cp $DATA/kernle-demo.db k.db; chmod u+w k.db; export STEMMA_STORE=$PWD/k.s
> stemma import kernle k.db >/dev/null 2>&1
> stemma edit belief:3ce633bc --text "A new statement" --confidence 0.61 --reason "seen twice" >/dev/null; stemma retract belief:493ba484 --yes --dependants leave --reason wrong >/dev/null
> stemma replace belief:66d0cfde "A better statement" >/dev/null; stemma approve belief:e7a876d2 >/dev/null; stemma forget raw:33070ac1 --yes >/dev/null; stemma edit raw:279bc488 --text "Other" >/dev/null; stemma edit note:noprov-1 --tag a >/dev/null; stemma lock belief:orphan-1 >/dev/null
> stemma apply --yes; stemma apply; stemma import kernle k.db 2>&1 | head -2; stemma fsck
> sqlite3 k.db "SELECT id, is_active, superseded_by IS NOT NULL, strength, is_protected, verification_count, version FROM beliefs WHERE local_updated_at > '2026-11-21' ORDER BY statement; SELECT statement, stack_id, confidence, source_type, derived_from, supersedes FROM beliefs WHERE supersedes LIKE '66d0%'; SELECT memory_id, operation, details, actor FROM memory_audit WHERE actor LIKE 'stemma%' ORDER BY operation, memory_id"
  belief:ID8 edited by sean: seen twice
    beliefs.statement
    - First memory capture! I'm Ash.
    + A new statement
    beliefs.confidence
    - 0.7
    + 0.61

  raw:ID9 forgotten by sean
    raw_entries.deleted
    - 0
    + 1

  belief:ID10 approved by sean
    beliefs.last_verified
    + NOW+00:00
    beliefs.verification_count
    - 0
    + 1

  belief:ID11 retracted by sean: wrong
    beliefs.strength
    - 1
    + 0

  belief:orphan-1 edited by sean
    beliefs.is_protected
    - 0
    + 1

  belief:ID12 replaced by sean
    beliefs.is_active
    - 1
    + 0
    beliefs.superseded_by
    + ID13
    a new row of beliefs: statement
    + A better statement

  note:noprov-1 edited by sean
    notes.tags
    + ["a"]

── cannot be written
  raw:ID14: its new text: Kernle makes it of several columns
11 changes to DIR/k.db
written; what was there is in DIR/k.db.stemma-backup
── cannot be written
  raw:ID14: its new text: Kernle makes it of several columns
nothing to write: k.db says what was decided here, as far as it can
read 22 memories into DIR/k.s: 0 added, 0 updated, 22 unchanged
  5 raw entries, 3 episodes, 8 beliefs, 2 notes, 1 value, 1 goal, 1 drive, 1 relationship
34 events, 22 memories and 27 links checked: all is well
ID13|1|0|1.0|0|0|1
ID8|1|0|1.0|0|0|2
ID12|0|1|1.0|0|0|1
orphan-1|1|0|1.0|1|0|2
ID11|1|0|0.0|0|0|1
ID10|1|0|1.0|0|1|1
A better statement|claire|0.8|inference|["belief:ID12"]|ID12
ID11|forget|{"reason":"wrong"}|stemma:sean
ID10|verify||stemma:sean

# Undo takes back the cells that were written, even if Kernle wrote others meanwhile; a cell that it changed is not touched.
$ export STEMMA_STORE=$PWD/k.s; sqlite3 k.db "UPDATE beliefs SET times_accessed = 7"; stemma apply --undo --yes; sqlite3 k.db "SELECT count(*), sum(strength), max(times_accessed) FROM beliefs; SELECT count(*) FROM memory_audit WHERE actor LIKE 'stemma%'"; stemma apply --yes | tail -1; sqlite3 k.db "UPDATE beliefs SET statement = 'mine', local_updated_at = '2026-12-01T00:00:00+00:00' WHERE id LIKE '3ce6%'"; stemma apply --undo --yes; sqlite3 k.db "SELECT count(*) FROM beliefs WHERE statement = 'A better statement'"
    beliefs.statement of 3ce633bc
    - A new statement
    + First memory capture! I'm Ash.
    beliefs.confidence of 3ce633bc
    - 0.61
    + 0.7
    beliefs.version of 3ce633bc
    - 2
    + 1
    beliefs.local_updated_at of 3ce633bc
    - NOW+00:00
    + 2026-11-20T10:42:16.117215+00:00
    raw_entries.deleted of 33070ac1
    - 1
    + 0
    raw_entries.local_updated_at of 33070ac1
    - NOW+00:00
    + 2026-11-20T10:42:16.256058+00:00
    a row of memory_audit
    - ID15
    beliefs.last_verified of e7a876d2
    - NOW+00:00
    beliefs.verification_count of e7a876d2
    - 1
    + 0
    beliefs.local_updated_at of e7a876d2
    - NOW+00:00
    + 2026-11-20T10:42:16.127289+00:00
    a row of memory_audit
    - ID16
    beliefs.strength of 493ba484
    - 0
    + 1
    beliefs.is_forgotten of 493ba484
    - 1
    + 0
    beliefs.forgotten_at of 493ba484
    - NOW+00:00
    beliefs.forgotten_reason of 493ba484
    - wrong
    beliefs.local_updated_at of 493ba484
    - NOW+00:00
    + 2026-11-20T10:42:16.171474+00:00
    beliefs.is_protected of orphan-1
    - 1
    + 0
    beliefs.version of orphan-1
    - 2
    + 1
    beliefs.local_updated_at of orphan-1
    - NOW+00:00
    + 2026-11-20T10:42:16.176059+00:00
    a row of beliefs
    - ID13
    beliefs.is_active of 66d0cfde
    - 0
    + 1
    beliefs.superseded_by of 66d0cfde
    - ID13
    beliefs.local_updated_at of 66d0cfde
    - NOW+00:00
    + 2026-11-20T10:42:16.259521+00:00
    notes.tags of noprov-1
    - ["a"]
    notes.version of noprov-1
    - 2
    + 1
    notes.local_updated_at of noprov-1
    - NOW+00:00
    + 2026-11-20T10:42:16.180320+00:00
undoes what was written NOW to DIR/k.db
DIR/k.db has again what was there before
7|7.0|7
0
written; what was there is in DIR/k.db.stemma-backup-2
stemma: beliefs ID8 in DIR/k.db changed since it was written. Compare it with the copy, and change it there.
1

# A Kernle store that another program writes to is refused, and left as it is.
$ export STEMMA_STORE=$PWD/k.s; stemma edit belief:orphan-1 --text "Said" >/dev/null; rm -f *.stemma-backup*; python3 -c "
> import sqlite3, subprocess
> db = sqlite3.connect('k.db', isolation_level=None); db.execute('BEGIN IMMEDIATE')
> print(subprocess.run(['stemma', 'apply', '--yes'], capture_output=True, text=True).stderr)"; ls *backup*; stemma apply --dry-run
stemma: another program is writing to DIR/k.db. Try again when it is done.

ls: cannot access '*backup*': No such file or directory
  belief:orphan-1 edited by sean
    beliefs.statement
    - Cites a raw that was deleted
    + Said

── cannot be written
  raw:ID14: its new text: Kernle makes it of several columns
1 change to DIR/k.db

# What has no source, or one that cannot be written back.
$ stemma apply; stemma export --output x.jsonl; stemma import jsonl x.jsonl --store x.db >/dev/null; stemma apply --store x.db; stemma apply nowhere --store x.db; stemma apply x.jsonl; stemma apply --undo --overwrite
stemma: this store was not imported from a file or folder. `stemma apply PATH` names the source of a working copy.
stemma: belief:e5e2487d-7b77-4f17-83ec-4874220613dc: names raw:79d086c7-b59d-4d2b-b5bf-6dc5479dc473, which is not here
stemma: the format jsonl cannot be written back. Change it with the program that made it.
stemma: nowhere was not imported into this store. `stemma import` imports it.
stemma: x.jsonl has no working copy yet. `stemma PATH` makes one; --store names another store.
stemma: --undo never overwrites. Give one of them.
[2]

# A folder stands for the only source in it, here too.
$ mkdir one; echo '{"type":"entity","name":"A","entityType":"b","observations":["c"]}' >one/m.jsonl; stemma import one --store one.s 2>&1 | head -2; stemma apply one --store one.s
stemma: one/m.jsonl is a file of server-memory, the MCP reference server (67 bytes)
read 2 memories into one.s: 2 added, 0 updated, 0 unchanged
nothing to write: m.jsonl says what was decided here

# Notes of markdown: the body of a file, and observations in their lines. What would read as something else is not written.
$ mkdir notes; printf '%s\n' --- 'title: Coffee' 'permalink: coffee' --- '' '# Coffee' '- [method] Pour over is clear #brewing (in March)' '- [fact] Tea is coffee' '- [fact] Ice melts' '  at zero' '- relates_to [[Tea]]' >notes/coffee.md; printf '%s\n' --- 'title: Tea' 'permalink: tea' --- 'Tea is fine.' 'It is hot.' >notes/tea.md
> export STEMMA_STORE=$PWD/notes.s; cp -r notes was; stemma import markdown notes | tail -1; n() { stemma search "$1" --json | grep -o "\"$2:[0-9a-z-]*" | tr -d '"' | head -1; }
> stemma edit $(n clear belief) --text "Pour over is murky #brewing" >/dev/null; stemma retract $(n "Tea is coffee" belief) --yes >/dev/null; stemma edit $(n melts belief) --text "Ice freezes" >/dev/null; stemma edit note:tea --tag hot --text "Tea is great.
> It is hot." >/dev/null
> stemma apply --yes; diff -r was notes; stemma import markdown notes; stemma apply | tail -1; stemma list belief --order text
  4 links
  belief:ID17 edited by sean
    coffee.md:9
    - Ice melts
    + Ice freezes

  belief:ID18 retracted by sean
    coffee.md:8
    - Tea is coffee

  belief:ID19 edited by sean
    coffee.md:7
    - Pour over is clear #brewing
    + Pour over is murky #brewing

  note:tea edited by sean
    tea.md
    - Tea is fine.
    + Tea is great.

── cannot be written
  note:tea: its tags; they are not written to markdown
4 changes to DIR/notes
written; what was there is in DIR/notes/coffee.md.stemma-backup
written; what was there is in DIR/notes/tea.md.stemma-backup
diff -r was/coffee.md notes/coffee.md
7,9c7,8
< - [method] Pour over is clear #brewing (in March)
< - [fact] Tea is coffee
< - [fact] Ice melts
---
> - [method] Pour over is murky #brewing (in March)
> - [fact] Ice freezes
Only in notes: coffee.md.stemma-backup
diff -r was/tea.md notes/tea.md
5c5
< Tea is fine.
---
> Tea is great.
Only in notes: tea.md.stemma-backup
read 4 memories into DIR/notes.s: 0 added, 0 updated, 4 unchanged
  2 beliefs, 2 notes
  3 links
  1 no longer in the source; kept here
nothing to write: notes says what was decided here
●  belief:ID17  =0.80  1/1  external AGE  Ice freezes
●  belief:ID19  =0.80  1/1  external AGE  Pour over is murky #brewing
×  belief:ID18  =0.00  1/1  external AGE  [retracted] Tea is coffee
$ export STEMMA_STORE=$PWD/notes.s; stemma forget note:tea --yes >/dev/null; stemma apply --yes; ls notes; stemma apply --undo --yes; stemma apply --undo --yes | tail -1; diff -r was notes; stemma import markdown notes | head -1; stemma apply --dry-run | tail -1
  note:tea forgotten by sean
    tea.md
    - ---
    - title: Tea
    - permalink: tea
    - ---
    - Tea is great.
    - It is hot.
1 change to DIR/notes
written; what was there is in DIR/notes/tea.md.stemma-backup-2
coffee.md
coffee.md.stemma-backup
tea.md.stemma-backup
tea.md.stemma-backup-2
    tea.md
    + ---
    + title: Tea
    + permalink: tea
    + ---
    + Tea is great.
    + It is hot.
undoes what was written NOW to DIR/notes
DIR/notes has again what was there before
DIR/notes has again what was there before
Only in notes: coffee.md.stemma-backup
Only in notes: tea.md.stemma-backup
Only in notes: tea.md.stemma-backup-2
read 5 memories into DIR/notes.s: 0 added, 0 updated, 5 unchanged
4 changes to DIR/notes

# A memory file of Claude Code, its `modified`, and its line of MEMORY.md. What a person wrote stays.
$ cat >home.py <<'END'
> import sys; sys.path.insert(0, sys.argv[1] + "/tests/support")
> from claude_home import ClaudeHome
> home = ClaudeHome(sys.argv[2]); s = home.session(); s.person("write it down")
> for name in "tests", "tabs", "names": s.write(f"feedback_{name}.md", home.memory_file(f"feedback_{name}.md", f"Always mind the {name}.\n\nThey matter.", session=s.id))
> s.end() if hasattr(s, "end") else None
> home.index([f"- [{n}](feedback_{n}.md) — about {n}" for n in ("tests", "tabs", "names")])
> open(sys.argv[2] + "/CLAUDE.md", "w").write("Be kind.\n")
> END
> python3 home.py $DATA/../.. claude; cp -r claude claude.was; export STEMMA_STORE=$PWD/c.s; stemma import claude claude 2>&1 | head -1; n() { stemma search "$1" --json | grep -o '"belief:[0-9a-f-]*' | tr -d '"' | head -1; }
> stemma edit $(n "mind the tests") --text "Always mind the tests.
> 
> They do not matter." --reason "it said so" >/dev/null; stemma retract $(n "mind the tabs") --yes >/dev/null; stemma replace $(n "mind the names") "Never mind the names." >/dev/null; stemma edit $(n "Be kind") --text "Be cruel" >/dev/null
> stemma apply --yes; diff -r claude.was claude | grep -v "^Only in.*backup"; stemma import claude claude 2>&1 | head -1; stemma list belief --order text; stemma edit $(n "Never mind the names") --text "Mind no names." >/dev/null; stemma apply --yes; stemma apply --undo --yes; stemma apply --undo --yes | tail -1; diff -r claude.was claude; stemma fsck
read 12 memories into DIR/c.s: 12 added, 0 updated, 0 unchanged
  belief:ID20 replaced by sean
    -w-loom/memory/feedback_names.md
    - Always mind the names.
    -
    - They matter.
    + Never mind the names.

  belief:ID21 retracted by sean
    -w-loom/memory/feedback_tabs.md
    - ---
    - name: feedback_tabs
    - description: about feedback_tabs
    - metadata:
    -   node_type: memory
    -   type: feedback
    -   originSessionId: ID22
    -   modified: 2026-06-21T00:01:14.123Z
    - ---
    - Always mind the tabs.
    -
    - They matter.
    MEMORY.md
    - - [tabs](feedback_tabs.md) — about tabs

  belief:ID23 edited by sean: it said so
    -w-loom/memory/feedback_tests.md
    - They matter.
    + They do not matter.

── cannot be written
  belief:ID24: a person wrote that file; edit it by hand
4 changes to DIR/claude
written; what was there is in DIR/claude/projects/-w-loom/memory/feedback_names.md.stemma-backup
written; what was there is in DIR/claude/projects/-w-loom/memory/feedback_tabs.md.stemma-backup
written; what was there is in DIR/claude/projects/-w-loom/memory/MEMORY.md.stemma-backup
written; what was there is in DIR/claude/projects/-w-loom/memory/feedback_tests.md.stemma-backup
diff -r claude.was/projects/-w-loom/memory/MEMORY.md claude/projects/-w-loom/memory/MEMORY.md
2d1
< - [tabs](feedback_tabs.md) — about tabs
diff -r claude.was/projects/-w-loom/memory/feedback_names.md claude/projects/-w-loom/memory/feedback_names.md
8c8
<   modified: 2026-06-21T00:02:29.474Z
---
>   modified: NOW
10,12c10
< Always mind the names.
<
< They matter.
---
> Never mind the names.
Only in claude.was/projects/-w-loom/memory: feedback_tabs.md
diff -r claude.was/projects/-w-loom/memory/feedback_tests.md claude/projects/-w-loom/memory/feedback_tests.md
8c8
<   modified: 2026-06-21T00:00:30.457Z
---
>   modified: NOW
12c12
< They matter.
---
> They do not matter.
read 4 memories into DIR/c.s: 0 added, 0 updated, 4 unchanged
●  belief:ID20  =0.80  3/3        inference AGE  [replaced] Always mind the names.  They matter.
×  belief:ID21  =0.00  2/2        inference AGE  [retracted] Always mind the tabs.  They matter.
●  belief:ID23  =0.80  1/1        inference AGE  Always mind the tests.  They do not matter.
●  belief:ID24  =0.80  1/1  ⊘     seed AGE  Be cruel
●  belief:ID25  =0.80  1/1        inference AGE  Never mind the names.
  belief:ID25 edited by sean
    -w-loom/memory/feedback_names.md
    - Never mind the names.
    + Mind no names.

── cannot be written
  belief:ID24: a person wrote that file; edit it by hand
1 change to DIR/claude
written; what was there is in DIR/claude/projects/-w-loom/memory/feedback_names.md.stemma-backup-2
    projects/-w-loom/memory/feedback_names.md
    -   modified: NOW
    - ---
    - Mind no names.
    +   modified: NOW
    + ---
    + Never mind the names.
undoes what was written NOW to DIR/claude
DIR/claude has again what was there before
DIR/claude has again what was there before
Only in claude/projects/-w-loom/memory: MEMORY.md.stemma-backup
Only in claude/projects/-w-loom/memory: feedback_names.md.stemma-backup
Only in claude/projects/-w-loom/memory: feedback_names.md.stemma-backup-2
Only in claude/projects/-w-loom/memory: feedback_tabs.md.stemma-backup
Only in claude/projects/-w-loom/memory: feedback_tests.md.stemma-backup
24 events, 13 memories and 25 links checked: all is well

# What changed on both sides is left out with both texts, also after an import; it is written on request, and undone like anything else.
$ python3 home.py $DATA/../.. both; export STEMMA_STORE=$PWD/both.s; stemma import claude both >/dev/null 2>&1; n() { stemma search "$1" --json | grep -o '"belief:[0-9a-f-]*' | tr -d '"' | head -1; }; M=both/projects/-w-loom/memory
> stemma edit $(n "mind the tests") --text "Mind no tests." --confidence 0.9 --reason "it said so" >/dev/null; stemma retract $(n "mind the tabs") --yes >/dev/null; stemma replace $(n "mind the names") "Never mind the names." >/dev/null; stemma forget "$(stemma list raw --json | grep -o 'raw:[0-9a-f-]*' | head -1)" --yes >/dev/null
> sed -i 's/They matter/They matter a lot/' $M/feedback_tests.md $M/feedback_tabs.md; cp -r both both.was; stemma apply --yes; stemma import claude both 2>/dev/null | tail -1; stemma apply --yes --json | tr '{' '\n' | grep changed_at | sed 's/"changed_at":[0-9]*/AT/'; stemma apply --overwrite --yes | grep '^ *[-+]'
> stemma import claude both 2>&1 | head -1; stemma apply | tail -1; stemma apply --undo --yes | tail -1; stemma apply --undo --yes | tail -1; diff -r both.was both; stemma apply --dry-run | tail -1
  belief:ID20 replaced by sean
    -w-loom/memory/feedback_names.md
    - Always mind the names.
    -
    - They matter.
    + Never mind the names.

── left out: changed on both sides; --overwrite writes it
  belief:ID21 retracted by sean
    -w-loom/memory/feedback_tabs.md
    changed there NOW, retracted here NOW
    - Always mind the tabs.
    -
    - They matter a lot.

  belief:ID23 edited by sean: it said so
    -w-loom/memory/feedback_tests.md
    changed there NOW, edited here NOW
    - Always mind the tests.
    -
    - They matter a lot.
    + Mind no tests.

── cannot be written
  belief:ID23: its confidence is 0.90; claude has no field for it
  raw:ID26: forgotten; a transcript stays as it is
1 change to DIR/both, without what is left out
written; what was there is in DIR/both/projects/-w-loom/memory/feedback_names.md.stemma-backup
  1 no longer in the source; kept here
"ref":"belief:ID21","decision":"retracted","actor":"sean","place":"-w-loom/memory/feedback_tabs.md","before":"Always mind the tabs.\n\nThey matter a lot.","after":null,AT},
"ref":"belief:ID23","decision":"edited","actor":"sean","reason":"it said so","place":"-w-loom/memory/feedback_tests.md","before":"Always mind the tests.\n\nThey matter a lot.","after":"Mind no tests.",AT}],"cannot":[
    -w-loom/memory/feedback_tabs.md
    - ---
    - name: feedback_tabs
    - description: about feedback_tabs
    - metadata:
    -   node_type: memory
    -   type: feedback
    -   originSessionId: ID22
    -   modified: 2026-06-21T00:01:14.123Z
    - ---
    - Always mind the tabs.
    -
    - They matter a lot.
    - - [tabs](feedback_tabs.md) — about tabs
    -w-loom/memory/feedback_tests.md
    - Always mind the tests.
    -
    - They matter a lot.
    + Mind no tests.
read 4 memories into DIR/both.s: 0 added, 0 updated, 4 unchanged
nothing to write: both says what was decided here, as far as it can
DIR/both has again what was there before
DIR/both has again what was there before
Only in both/projects/-w-loom/memory: MEMORY.md.stemma-backup
Only in both/projects/-w-loom/memory: feedback_names.md.stemma-backup
Only in both/projects/-w-loom/memory: feedback_tabs.md.stemma-backup
Only in both/projects/-w-loom/memory: feedback_tests.md.stemma-backup
1 change to DIR/both, without what is left out

# An approval or another column of Kernle is not written over a text that Kernle changed since; a row that has gone is listed.
$ cp $DATA/kernle-demo.db both.db; chmod u+w both.db; export STEMMA_STORE=$PWD/bothk.s; stemma import kernle both.db >/dev/null 2>&1
> stemma edit belief:3ce633bc --text "A new statement" >/dev/null; stemma retract belief:493ba484 --yes --dependants leave >/dev/null; stemma replace belief:66d0cfde "A better statement" >/dev/null; stemma approve belief:e7a876d2 >/dev/null; stemma lock belief:orphan-1 >/dev/null; stemma edit note:noprov-1 --tag a >/dev/null
> sqlite3 both.db "UPDATE beliefs SET statement = statement || ' (newer)', local_updated_at = '2020-01-02T12:00:00+00:00' WHERE id NOT LIKE 'orphan%'; UPDATE beliefs SET confidence = 0.33 WHERE id LIKE 'orphan%'; DELETE FROM notes WHERE id = 'noprov-1'"
> stemma apply --yes; stemma apply --undo --yes; stemma apply --overwrite --dry-run | grep '^    [-+b]'
  belief:orphan-1 edited by sean
    beliefs.is_protected
    - 0
    + 1

── left out: changed on both sides; --overwrite writes it
  belief:ID8 edited by sean
    beliefs.statement
    changed there 2020-01-02 12:00:00, edited here NOW
    - First memory capture! I'm Ash. (newer)
    + A new statement

  belief:ID10 approved by sean
    beliefs.statement
    changed there 2020-01-02 12:00:00, approved here NOW
    - Validate inputs at trust boundaries, not everywhere (newer)
    + Validate inputs at trust boundaries, not everywhere

  belief:ID11 retracted by sean
    beliefs.statement
    changed there 2020-01-02 12:00:00, retracted here NOW
    - Mistakes are information, not identity. (newer)

  belief:ID12 replaced by sean
    beliefs.statement
    changed there 2020-01-02 12:00:00, replaced here NOW
    - Ash writes careful code (newer)
    + A better statement

── cannot be written
  note:noprov-1: edited; the source no longer has it: it was changed or removed there, or is part of a change above
1 change to DIR/both.db, without what is left out
written; what was there is in DIR/both.db.stemma-backup
    beliefs.is_protected of orphan-1
    - 1
    + 0
    beliefs.version of orphan-1
    - 2
    + 1
    beliefs.local_updated_at of orphan-1
    - NOW+00:00
    + 2026-11-20T10:42:16.176059+00:00
undoes what was written NOW to DIR/both.db
DIR/both.db has again what was there before
    beliefs.statement
    - First memory capture! I'm Ash. (newer)
    + A new statement
    beliefs.last_verified
    + NOW+00:00
    beliefs.verification_count
    - 0
    + 1
    beliefs.strength
    - 1
    + 0
    beliefs.is_protected
    - 0
    + 1
    beliefs.is_active
    - 1
    + 0
    beliefs.superseded_by
    + ID27
    + A better statement

# So with the type of an entity; an edited or replaced observation that changed or went there meanwhile is listed.
$ printf '%s\n' '{"type":"entity","name":"Ann","entityType":"person","observations":["Lives in Bern","Likes tea"]}' >ann.jsonl; export STEMMA_STORE=$PWD/ann.db; stemma import server-memory ann.jsonl >/dev/null; n() { stemma search "$1" --json | grep -o "\"$2:[0-9a-f-]*" | tr -d '"' | head -1; }
> stemma edit $(n Bern belief) --text "Lives in Geneva" >/dev/null; stemma replace $(n tea belief) "Likes coffee" >/dev/null; stemma edit $(stemma list note --json | grep -o 'note:[0-9a-f-]*' | head -1) --tag woman >/dev/null; sed -i 's/Bern/Basel/; s/tea/mate/; s/person/human/' ann.jsonl; stemma apply --yes; cat ann.jsonl
── left out: changed on both sides; --overwrite writes it
  note:ID28 edited by sean
    ann.jsonl:1 Ann
    changed there NOW, edited here NOW
    - human
    + woman

── cannot be written
  belief:ID29: edited; the source no longer has it: it was changed or removed there
  belief:ID30: replaced; the source no longer has it: it was changed or removed there
nothing else to write to ann.jsonl
{"type":"entity","name":"Ann","entityType":"human","observations":["Lives in Basel","Likes mate"]}

# And with the body of a note.
$ mkdir hills; printf '%s\n' --- 'title: Hill' 'permalink: hill' --- 'It is high.' >hills/hill.md; export STEMMA_STORE=$PWD/hills.s; stemma import markdown hills >/dev/null; stemma edit note:hill --text "It is low." >/dev/null; sed -i 's/high/higher/' hills/hill.md; stemma apply --yes; stemma edit note:hill --text "It is higher." >/dev/null; stemma apply --yes; stemma forget note:hill --yes >/dev/null; stemma apply --yes
── left out: changed on both sides; --overwrite writes it
  note:hill edited by sean
    hill.md
    changed there NOW, edited here NOW
    - It is higher.
    + It is low.
nothing else to write to hills
nothing to write: hills says what was decided here
  note:hill forgotten by sean
    hill.md
    - ---
    - title: Hill
    - permalink: hill
    - ---
    - It is higher.
1 change to DIR/hills
written; what was there is in DIR/hills/hill.md.stemma-backup
