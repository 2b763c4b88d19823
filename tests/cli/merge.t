# Importing a source again: changes in the source, here, and in both; and how a source is recognised.
$ cat >f <<'END'
> export STEMMA_STORE=$PWD/s.db
> sql() { python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()' "$@"; }
> tables="CREATE TABLE schema_version(version); INSERT INTO schema_version VALUES (26); CREATE TABLE raw_entries(id, stack_id, blob, captured_at, local_updated_at, deleted);
>     CREATE TABLE beliefs(id, stack_id, statement, created_at, local_updated_at, derived_from, version); CREATE TABLE notes(id, stack_id, content, created_at, local_updated_at);"
> again() { stemma import kernle ${K:-k.db} "$@" 2>&1 | grep -E '^read|^would|refused|stemma:|changed|longer'; }
> rm -f *.db *.db-*; sql k.db "$tables
>     INSERT INTO raw_entries VALUES ('r1', 'ash', 'one', '2026-01-01', '2026-01-01', 0), ('r2', 'ash', 'two', '2026-01-02', '2026-01-02', 0), ('r3', 'ash', 'three', '2026-01-03', '2026-01-03', 0);
>     INSERT INTO beliefs VALUES ('b', 'ash', 'first', '2026-01-04', '2026-01-04', '[\"raw:r1\"]', 1)"; again >/dev/null
> ours() { stemma edit belief:b --text "$1" >/dev/null; }
> theirs() { sql k.db "UPDATE beliefs SET statement = '$1', version = version + 1"; }
> note() { sql ${K:-k.db} "INSERT INTO notes VALUES ('$1', 'ash', '$2', '2026-01-05', '2026-01-05')"; }
> many() { for i in $(seq 50); do echo "INSERT INTO notes VALUES ('n$i', 'ash', 'note', '2026-02-01', '2026-02-01');"; done; }
> text() { stemma show ${1:-belief:b} --json | jq -r .text; }
> line() { echo "{\"ref\":\"raw:$1\",\"agent_id\":\"ash\",\"text\":\"$2\",\"created_at\":1}"; }
> lines() { stemma import jsonl "$@" 2>&1 | grep -E '^read|refused|stemma:'; }
> END

# Unchanged memories write nothing; a change in the source is imported once; a change here stays.
$ . ./f; sum=$(md5sum <s.db); again; [ "$sum" = "$(md5sum <s.db)" ] && echo nothing was written; theirs second; sql k.db "UPDATE raw_entries SET deleted = 1 WHERE id = 'r2'"; note n new; again; text; stemma show raw:r2 --json | jq -r .status; stemma log --json | jq -r '[.operation, .actor] | @csv' | sort | uniq -c; stemma log --json | jq -r .correlation | sort -u | wc -l; again; ours mine; again; text
read 4 memories into DIR/s.db: 0 added, 0 updated, 4 unchanged
nothing was written
read 5 memories into DIR/s.db: 1 added, 2 updated, 2 unchanged
second
deleted
      7 "import","ash"
2
read 5 memories into DIR/s.db: 0 added, 0 updated, 5 unchanged
read 5 memories into DIR/s.db: 0 added, 0 updated, 5 unchanged
mine

# A change in both stays here and is reported until it is known; equal changes are no conflict; --replace imports theirs and keeps flags.
$ . ./f; ours mine; theirs theirs; again; text; again; theirs "theirs again"; again; text
stemma: belief:b: changed here and in the source; ours stays
read 4 memories into DIR/s.db: 0 added, 0 updated, 3 unchanged
  1 changed there and here: this store's content stays
mine
read 4 memories into DIR/s.db: 0 added, 0 updated, 4 unchanged
stemma: belief:b: changed here and in the source; ours stays
read 4 memories into DIR/s.db: 0 added, 0 updated, 3 unchanged
  1 changed there and here: this store's content stays
mine
$ . ./f; ours agreed; at=$(stemma show belief:b --json | jq .updated_at); theirs agreed; sql k.db "UPDATE beliefs SET local_updated_at = '$(date -u -d @${at:0:10}.${at:10} +%FT%T.%3NZ)'"; again; theirs later; again; text
read 4 memories into DIR/s.db: 0 added, 0 updated, 4 unchanged
read 4 memories into DIR/s.db: 0 added, 1 updated, 3 unchanged
later
$ . ./f; ours mine; stemma mark reviewed belief:b >/dev/null; again --replace; text; ours mine; theirs theirs; again --replace; text; stemma show belief:b --json | jq -r '.marks[].mark'; stemma fsck
read 4 memories into DIR/s.db: 0 added, 1 updated, 3 unchanged
first
read 4 memories into DIR/s.db: 0 added, 1 updated, 3 unchanged
theirs
reviewed
9 events, 4 memories and 1 link checked: all is well

# Memories of another source or of a person here are refused.
$ . ./f; stemma export | grep belief:b >same.jsonl; lines same.jsonl; echo '{"ref":"belief:b","agent_id":"ash","text":"other","created_at":1767484800000}' >other.jsonl; lines other.jsonl; text; lines other.jsonl --replace; text; again; echo '{"ref":"note:mine","agent_id":"ash","text":"here"}' | stemma import jsonl - >/dev/null; note mine there; again; text note:mine
read 1 memory into DIR/s.db: 0 added, 0 updated, 1 unchanged
stemma: line 1: belief:b: is here from another origin with other content; refused
read 1 memory into DIR/s.db: 0 added, 0 updated, 0 unchanged
  1 refused: another origin wrote it with different content
first
read 1 memory into DIR/s.db: 0 added, 1 updated, 0 unchanged
other
stemma: belief:b: is here from another origin with other content; refused
read 4 memories into DIR/s.db: 0 added, 0 updated, 3 unchanged
  1 refused: another origin wrote it with different content
stemma: belief:b: is here from another origin with other content; refused
stemma: note:mine: is here from another origin with other content; refused
read 5 memories into DIR/s.db: 0 added, 0 updated, 3 unchanged
  2 refused: another origin wrote them with different content
here

# A moved source is the same one; a copy that changes is another; so is another store with the same ids.
$ . ./f; mv k.db moved.db; sql moved.db "UPDATE beliefs SET statement = 'second'; $(many)"; K=moved.db; again; again; text
stemma: recognised as DIR/k.db, moved
read 54 memories into DIR/s.db: 50 added, 1 updated, 3 unchanged
read 54 memories into DIR/s.db: 0 added, 0 updated, 54 unchanged
second
$ . ./f; cp k.db copy.db; sql copy.db "UPDATE beliefs SET statement = 'second'; $(many)"; K=copy.db again; again; text
stemma: belief:b: is here from another origin with other content; refused
read 54 memories into DIR/s.db: 50 added, 0 updated, 3 unchanged
  1 refused: another origin wrote it with different content
read 4 memories into DIR/s.db: 0 added, 0 updated, 4 unchanged
first
$ . ./f; sql other.db "$tables INSERT INTO beliefs VALUES ('b', 'ash', 'another', '2026-05-04', '2026-05-04', NULL, 1), ('c', 'ash', 'new', '2026-05-04', '2026-05-04', NULL, 1)"; K=other.db again; text
stemma: belief:b: is here from another origin with other content; refused
read 2 memories into DIR/s.db: 1 added, 0 updated, 0 unchanged
  1 refused: another origin wrote it with different content
first

# Memories missing from the source stay; they are reported once, counted each time, and may return.
$ . ./f; sql k.db "CREATE TABLE kept AS SELECT * FROM beliefs; DELETE FROM beliefs"; again --dry-run; again; text; stemma import kernle k.db | grep gone; again; sql k.db "INSERT INTO beliefs SELECT * FROM kept"; again; theirs second; again; stemma fsck
stemma: belief:b is no longer in the source; kept here
would import 3 memories into DIR/s.db: 0 added, 0 updated, 3 unchanged
  1 no longer in the source; kept here
stemma: belief:b is no longer in the source; kept here
read 3 memories into DIR/s.db: 0 added, 0 updated, 3 unchanged
  1 no longer in the source; kept here
first
read 3 memories into DIR/s.db: 0 added, 0 updated, 3 unchanged
  1 no longer in the source; kept here
read 4 memories into DIR/s.db: 0 added, 0 updated, 4 unchanged
read 4 memories into DIR/s.db: 0 added, 1 updated, 3 unchanged
7 events, 4 memories and 1 link checked: all is well

# Files are recognised by their path, or by most of their content.
$ . ./f; (line 1 a; line 2 b; line 3 c) >a.jsonl; lines a.jsonl; (line 1 changed; line 2 b; line 3 c) >a.jsonl; lines a.jsonl; (line 0 new; line 1 changed; line 2 b; line 3 edited) >b.jsonl; lines b.jsonl; (line 0 new; line 1 changed; line 2 b; line 3 c; line 4 newer) >b.jsonl; lines b.jsonl; (line 1 other; line 9 "its own") >c.jsonl; lines c.jsonl
read 3 memories into DIR/s.db: 3 added, 0 updated, 0 unchanged
read 3 memories into DIR/s.db: 0 added, 1 updated, 2 unchanged
stemma: line 4: raw:3: is here from another origin with other content; refused
read 4 memories into DIR/s.db: 1 added, 0 updated, 2 unchanged
  1 refused: another origin wrote it with different content
read 5 memories into DIR/s.db: 1 added, 0 updated, 4 unchanged
stemma: line 1: raw:1: is here from another origin with other content; refused
read 2 memories into DIR/s.db: 1 added, 0 updated, 0 unchanged
  1 refused: another origin wrote it with different content
$ . ./f; (line 1 a; line 2 b; line 3 c) >a.jsonl; lines a.jsonl; mv a.jsonl b.jsonl; (line 1 a; line 2 b; line 3 edited) >b.jsonl; lines b.jsonl; (line 1 x; line 2 y; line 3 z) >b.jsonl; lines b.jsonl
read 3 memories into DIR/s.db: 3 added, 0 updated, 0 unchanged
stemma: recognised as DIR/a.jsonl, moved
read 3 memories into DIR/s.db: 0 added, 1 updated, 2 unchanged
read 3 memories into DIR/s.db: 0 added, 3 updated, 0 unchanged

# A line without a time is the same tomorrow and keeps its time; a stub is filled when its memory comes.
$ . ./f; u() { echo "{\"ref\":\"raw:1\",\"agent_id\":\"ash\",\"text\":\"$1\"}" >u.jsonl; lines u.jsonl; stemma show raw:1 --json | jq .created_at >$2; }; u a 1; u a 2; u b 3; cmp 1 2 && cmp 1 3; for i in 1 2; do echo '{"ref":"note:n","agent_id":"ash","derived_from":["raw:7"]}' | stemma import jsonl -; done; line 7 a | stemma import jsonl -
read 1 memory into DIR/s.db: 1 added, 0 updated, 0 unchanged
read 1 memory into DIR/s.db: 0 added, 0 updated, 1 unchanged
read 1 memory into DIR/s.db: 0 added, 1 updated, 0 unchanged
stemma: note:n: names raw:7, which is not here
read 1 memory into DIR/s.db: 1 added, 0 updated, 0 unchanged
  1 note
  1 link
  1 ref that is not in this store
read 1 memory into DIR/s.db: 0 added, 0 updated, 1 unchanged
  1 note
  1 link
  1 ref that is not in this store
read 1 memory into DIR/s.db: 1 added, 0 updated, 0 unchanged
  1 raw entry
