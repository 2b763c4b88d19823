# Claude Code writes memories to files. Its transcripts say whose words caused one, and what tools answered in between.
$ mkdir -p c/projects/-w/memory; printf -- '---\nname: tabs\nmetadata:\n  type: feedback\n  originSessionId: 00000001-0000-4000-8000-000000000000\n  modified: 2026-07-02T13:00:00Z\n---\nUse tabs.\n' >c/projects/-w/memory/feedback_tabs.md; printf -- '- [Tabs](feedback_tabs.md) — tabs\n- [Gone](gone.md) — gone\n' >c/projects/-w/memory/MEMORY.md; echo 'Be brief.' >c/CLAUDE.md; touch -d 2026-07-01T00:00:00Z c/CLAUDE.md c/projects/-w/memory/MEMORY.md
> line() { echo "{\"parentUuid\":$1,\"isSidechain\":false,\"type\":\"$3\",\"message\":{\"role\":\"$3\",\"id\":\"m$2\",\"content\":$4,\"usage\":{\"input_tokens\":3,\"output_tokens\":14}},\"uuid\":\"0000001$2-0000-4000-8000-000000000000\",\"timestamp\":\"2026-07-02T12:5$2:00Z\",\"cwd\":\"/w\",\"sessionId\":\"00000001-0000-4000-8000-000000000000\",\"version\":\"2.1.202\"${5:+,$5}}"; }
> up() { echo "\"0000001$1-0000-4000-8000-000000000000\""; }
> t=c/projects/-w/00000001-0000-4000-8000-000000000000.jsonl
> line null 0 user '"use tabs here"' '"origin":{"kind":"human"}' >$t
> line $(up 0) 1 assistant '[{"type":"tool_use","id":"t1","name":"Grep","input":{"pattern":"\t","path":"/w/src"}}]' >>$t
> line $(up 1) 2 user '[{"type":"tool_result","tool_use_id":"t1","content":"a.c: \tint a;"}]' '"origin":{"kind":"human"}' >>$t
> line $(up 2) 3 assistant '[{"type":"tool_use","id":"t2","name":"Write","input":{"file_path":"/h/.claude/projects/-w/memory/feedback_tabs.md","content":"Use tabs."}}]' >>$t
> line $(up 3) 4 user '[{"type":"tool_result","tool_use_id":"t2","content":"ok"}]' >>$t
> stemma import c --store claude.db; stemma fsck --store claude.db
stemma: c is what Claude Code keeps: memory files and transcripts (4 files, 2 KiB)
read 8 memories into claude.db: 8 added, 0 updated, 0 unchanged
  3 raw entries, 1 episode, 2 beliefs, 1 note, 1 attribution
  10 links
  5 new lines in 1 transcript
8 events, 8 memories and 12 links checked: all is well

# The memory is based on the words; the trace shows how.
$ ref=$(stemma export --store claude.db | jq -r 'select(.text == "Use tabs.").ref'); stemma show $ref --trace --store claude.db
belief:ID1
│ Use tabs.

 created      2026-07-02 12:53:00Z (AGE)
 state        ● supported
 changed      2026-07-02 13:00:00Z (AGE)
 agent        claude-code
 confidence   =0.800
 trust        0.90, inference
 source       inference (file:DIR/c/projects/-w/memory/feedback_tabs.md)

── imported history
                  2026-07-02 12:53:00Z claude-code  Write  raw:00000013-0000-4000-8000-000000000000  claude
                  + Use tabs.

── based on ─ 2 of 2 valid · 2 independent
● belief:ID1  Use tabs.  0.80  trust 0.90
├─ ● raw:00000010  use tabs here  all of 3  1.00  trust 0.90
├─ ● raw:00000013  Write: /h/.claude/projects/-w/memory/feedback_tabs.md  all of 3  1.00
│  └─ ● raw:00000011  Grep:    1.00
│     └─ ● raw:00000010  use tabs here  ↑ above
├─ ● episode:00000001  use tabs here  all of 3  0.80
└─ ● attribution:00000012  a.c:  int a;  evidence  1.00

# Its history has what was written.
$ stemma export --store claude.db | jq -c 'select(.text == "Use tabs.") | .history[]'
{"at":1782996780000,"reason":"raw:00000013-0000-4000-8000-000000000000","operation":"Write","actor":"claude-code","origin":"claude","after":"Use tabs."}

# What the index does not say, and instructions of a person.
$ stemma export --store claude.db | jq -c 'select(.source // "" | test("MEMORY.md|CLAUDE.md")) | [.text, .protected, .source_entity, .detail.dangling]'
["Be brief.\n",true,"human:user",null]
["- [Tabs](feedback_tabs.md) — tabs\n- [Gone](gone.md) — gone",null,null,["gone.md"]]

# Lines that became no memory stay in their file, and are shown from there until it changes.
$ stemma show attribution:00000014-0000-4000-8000-000000000000 --store claude.db; sed -i 's/"ok"/"no"/' c/projects/-w/*.jsonl; stemma show attribution:00000014-0000-4000-8000-000000000000 --store claude.db
stemma: attribution:00000014-0000-4000-8000-000000000000 is no memory, but a line of a transcript: bytes 1723 to 2124 of DIR/c/projects/-w/00000001-0000-4000-8000-000000000000.jsonl
│ ok
stemma: attribution:00000014-0000-4000-8000-000000000000 is no memory, but a line of a transcript: bytes 1723 to 2124 of DIR/c/projects/-w/00000001-0000-4000-8000-000000000000.jsonl
 its text cannot be shown: its file has changed since it was read

# Again: the changed transcript is read from its beginning, and nothing is new.
$ stemma import c --store claude.db
stemma: c is what Claude Code keeps: memory files and transcripts (4 files, 2 KiB)
stemma: DIR/c/projects/-w/00000001-0000-4000-8000-000000000000.jsonl: was shortened or replaced; what was read before is kept
read 4 memories into claude.db: 0 added, 0 updated, 4 unchanged
  1 episode, 2 beliefs, 1 note
  4 links
  5 new lines in 1 transcript

# What the agent changed is its act, what a person wrote is the person's. If both changed the same memory, ours stays, and theirs is an event of its history.
$ ref=$(stemma export --store claude.db | jq -r 'select(.text == "Use tabs.").ref'); echo "ref=$ref" >r; m=c/projects/-w/memory/feedback_tabs.md; again() { seq=$(stemma log --store claude.db --json | jq -s 'map(.seq) | max'); stemma import claude c --store claude.db 2>&1 | grep 'changed\|updated'; stemma log --store claude.db --json | jq -c "select(.seq > $seq) | [.operation, .actor, .class, .origin]"; }; sed -i 's/Use tabs/Use four spaces/' $m; again; echo 'Be very brief.' >c/CLAUDE.md; touch -d 2026-07-01T00:00:00Z c/CLAUDE.md; again; stemma edit $ref --text 'Use two spaces.' --store claude.db >/dev/null; sed -i 's/Use four spaces/Use eight spaces/' $m; again; again; stemma log --actor claude-code --ref $ref --store claude.db --json | jq -r .operation
read 3 memories into claude.db: 0 added, 1 updated, 2 unchanged
["import","claude-code","agent","import claude"]
read 3 memories into claude.db: 0 added, 1 updated, 2 unchanged
["import","sean","person","import claude"]
stemma: belief:ID1: changed here and in the source; ours stays
read 3 memories into claude.db: 0 added, 0 updated, 2 unchanged
  1 changed there and here: this store's content stays
["conflict","claude-code","agent","import claude"]
read 3 memories into claude.db: 0 added, 0 updated, 3 unchanged
import
import
conflict
$ . ./r; stemma history $ref --store claude.db | head -6; stemma show $ref --store claude.db | sed -n "/imported history/,/^$/p"
NOW (AGE)  conflict  claude-code (agent)  version 4  event 12
    why: changed here and in the source; ours stays
    history          + conflict, claude-code
    written            Use two spaces. → Use eight spaces.
NOW (AGE)  edit  sean  version 3  event 11
    text               Use four spaces. → Use two spaces.
── imported history
                  NOW claude-code  conflict  import claude
                    Use two spaces. → Use eight spaces.
                  2026-07-02 12:53:00Z claude-code  Write  raw:00000013-0000-4000-8000-000000000000  claude
                  + Use tabs.
$ . ./r; stemma undo --store claude.db | head -2; stemma show $ref --store claude.db | sed -n 2p; stemma fsck --store claude.db
── undone ─ 1
     belief:ID1  Use four spaces. 0.80 AGE
│ Use four spaces.
13 events, 8 memories and 12 links checked: all is well
