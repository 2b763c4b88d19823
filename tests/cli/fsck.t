# fsck reports each alteration of a store once, with advice.
$ cat >lines.jsonl <<'END'
> {"ref":"raw:first","agent_id":"ash","text":"the pump was loud","created_at":1000}
> {"ref":"belief:second","agent_id":"ash","text":"pumps wear out","derived_from":["raw:first"],"created_at":1000}
> {"ref":"note:third","agent_id":"ash","text":"oil it","derived_from":["belief:second"],"created_at":1000}
> END
> stemma import jsonl lines.jsonl --store good.db >/dev/null; stemma fsck --store good.db; stemma fsck --store good.db --json | jq -c 'del(.hash)'
3 events, 3 memories and 2 links checked: all is well
{"events":3,"memories":3,"links":2,"calls":0,"findings":0,"nameless_entries":0,"hidden_entries":0,"signed":0,"ahead_of_clock":0,"signatures_checked":false,"head":true,"first_seen":false}
$ sql() { rm -f s.db*; cp good.db s.db; python3 -c "import sqlite3, sys; c = sqlite3.connect('s.db'); c.execute(sys.argv[1]); c.commit()" "$1"; }
> for q in "UPDATE memory SET text = 'x' WHERE name = 'second'" "UPDATE event SET actor = 'eve' WHERE seq = 2" "INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')" "DROP INDEX memory_created" "INSERT INTO memory_fts(rowid, text) VALUES (2, 'ghost')" "DELETE FROM memory WHERE name = 'first'" "DELETE FROM event WHERE seq = 2"; do
>     sql "$q"; stemma fsck --store s.db; echo $?; stemma fsck --json --store s.db | jq -c '[.fault, .seq, .ref, .findings]'; done
row-altered: belief:second was altered: it is not what its last event, 2, left. Compare what stemma show says of it with a backup.
3 events, 3 memories and 2 links checked: 1 fault
It is first seen here: what was cut from its journal before would not be noticed.
1
["row-altered",2,"belief:second",null]
[null,null,null,1]
event-altered: event 2 on belief:second was altered: a column differs from its text. Compare it with a backup.
3 events, 3 memories and 2 links checked: 1 fault
It is first seen here: what was cut from its journal before would not be noticed.
1
["event-altered",2,"belief:second",null]
[null,null,null,1]
search: the search index is empty: searches find little or nothing. stemma fsck --rebuild-search rebuilds it.
3 events, 3 memories and 2 links checked: 1 fault
It is first seen here: what was cut from its journal before would not be noticed.
1
["search",null,null,null]
[null,null,null,1]
database: the index memory_created is missing. The next change to the store recreates it.
3 events, 3 memories and 2 links checked: 1 fault
It is first seen here: what was cut from its journal before would not be noticed.
1
["database",null,null,null]
[null,null,null,1]
search: the search index has words that are not there of belief:second. stemma fsck --rebuild-search rebuilds it.
3 events, 3 memories and 2 links checked: 1 fault
It is first seen here: what was cut from its journal before would not be noticed.
1
["search",null,"belief:second",null]
[null,null,null,1]
row-unrecorded: raw:first is missing (row 1), and event 1 is about it. Restore it from a backup.
link-broken: belief:second names row 1 (raw:first), which is missing, and cannot be checked without it. Restore that row from a backup.
3 events, 2 memories and 2 links checked: 2 faults
It is first seen here: what was cut from its journal before would not be noticed.
1
["row-unrecorded",1,"raw:first",null]
["link-broken",2,"belief:second",null]
[null,null,null,2]
chain-broken: event 2 is missing. Look in a backup for what it said.
row-unrecorded: belief:second cannot be checked: its last event, 2, is missing. Compare what stemma show says of it with a backup.
import: belief:second is recorded as imported by event 2, which does not exist. If its source changes, import it with stemma import --replace.
2 events, 3 memories and 2 links checked: 3 faults
It is first seen here: what was cut from its journal before would not be noticed.
1
["chain-broken",2,null,null]
["row-unrecorded",2,"belief:second",null]
["import",2,"belief:second",null]
[null,null,null,3]

# A head that is missing or broken where one was written is a problem, however much is written since, until a person accepts the end.
$ cat >f <<'END'
> check() { stemma fsck "$@" >out; local status=$?; sed -E 's|[^ ]*/heads/[^ ]*[0-9a-f]|HEAD|; s/[0-9a-f]{64}/HASH/' out; echo $status; }
> last() { stemma fsck --json | jq -r 'select(.hash) | .hash'; }
> END
> . ./f; export STEMMA_STORE=$PWD/kept.db; stemma add raw one >/dev/null; rm .local/state/stemma/heads/*; check; stemma add raw two >/dev/null; check; check --expect $(last) --read-only; check --expect $(last); check; h=$(grep -l '^2 ' .local/state/stemma/heads/*); echo nonsense >$h; stemma add raw three >/dev/null; check; check --expect $(last); cat $h | cut -c1-2
head: the head file HEAD is missing, and the store has a note that it was written. Compare it with a backup. To accept it as it is: stemma fsck --expect HASH
1 event, 1 memory and 0 links checked: 1 fault
1
head: the head file HEAD is missing, and the store has a note that it was written. Compare it with a backup. To accept it as it is: stemma fsck --expect HASH
2 events, 2 memories and 0 links checked: 1 fault
1
head: the head file HEAD is missing, and the store has a note that it was written. Compare it with a backup. To accept it as it is: stemma fsck --expect HASH
2 events, 2 memories and 0 links checked: 1 fault
1
2 events, 2 memories and 0 links checked: all is well
0
2 events, 2 memories and 0 links checked: all is well
0
head: HEAD is not a journal's head, so a truncated journal would not be noticed. Compare it with a backup. To accept it as it is: stemma fsck --expect HASH
3 events, 3 memories and 0 links checked: 1 fault
1
3 events, 3 memories and 0 links checked: all is well
0
3

# At another path, and in another home, it is first seen. fsck keeps the end that it sees.
$ . ./f; cp kept.db elsewhere.db; export STEMMA_STORE=$PWD/elsewhere.db; check --read-only; check; stemma fsck --json | jq -c '[.head, .first_seen]'; HOME=$PWD/home check
3 events, 3 memories and 0 links checked: all is well
It is first seen here: what was cut from its journal before would not be noticed.
0
3 events, 3 memories and 0 links checked: all is well
It is first seen here: what was cut from its journal before would not be noticed.
0
[true,false]
3 events, 3 memories and 0 links checked: all is well
It is first seen here: what was cut from its journal before would not be noticed.
0

# --expect says whether the journal has the end that a person noted. It may have grown since.
$ . ./f; export STEMMA_STORE=$PWD/kept.db; then=$(last); stemma add raw three >/dev/null; check --expect $then; check --expect $(last); check --expect $(printf %064d 0); stemma fsck --expect abc; stemma fsck --expect $then --json | jq -c '[.fault, .findings, .expected]'
4 events, 4 memories and 0 links checked: all is well
Event 3 has the expected hash; the journal has grown since.
0
4 events, 4 memories and 0 links checked: all is well
0
tail-cut: no event has the expected hash: the journal was cut or written anew. Compare it with a backup.
4 events, 4 memories and 0 links checked: 1 fault
1
stemma: 'abc' is not a hash of 64 hex digits. --json prints it as "hash".
[null,0,3]

# A store of version 9 has no note; the next write makes it.
$ . ./f; export STEMMA_STORE=$PWD/nine.db; stemma add raw one >/dev/null; python3 -c "import sqlite3; c = sqlite3.connect('nine.db'); c.executescript('DROP TABLE head_place; DROP TABLE usage; DROP TABLE failure; ALTER TABLE mark DROP COLUMN by_agent; ALTER TABLE history DROP COLUMN before; ALTER TABLE history DROP COLUMN after; DROP TABLE source_file; DROP TABLE source_line; DROP TABLE source_touch; PRAGMA user_version = 9')"; check; stemma add raw two >/dev/null; check; rm .local/state/stemma/heads/*; check | head -1
1 event, 1 memory and 0 links checked: all is well
0
2 events, 2 memories and 0 links checked: all is well
0
head: the head file HEAD is missing, and the store has a note that it was written. Compare it with a backup. To accept it as it is: stemma fsck --expect HASH

# A store replaced by an older copy stays reported, even after writes, until a person accepts it.
$ . ./f; export STEMMA_STORE=$PWD/cut.db; stemma add raw one >/dev/null; stemma add raw two >/dev/null; cp cut.db old.db
> for i in 3 4 5; do stemma add raw $i >/dev/null; done; check; cp old.db cut.db; check; for i in 3 4 5; do stemma add raw new-$i >/dev/null; done; check; for i in 6 7; do stemma add raw new-$i >/dev/null; done; check
> $(stemma fsck --json | jq -r 'select(.fault) | .todo' | sed 's/.*: //') >/dev/null; check; stemma add raw 8 >/dev/null; check
5 events, 5 memories and 0 links checked: all is well
0
tail-cut: the head file knows of 5 events and the journal has 2: its tail was cut. Compare it with a backup. To accept it as it is: stemma fsck --expect HASH
2 events, 2 memories and 0 links checked: 1 fault
1
tail-cut: the head file has another hash for event 5: the journal was cut and written anew. Compare it with a backup. To accept it as it is: stemma fsck --expect HASH
5 events, 5 memories and 0 links checked: 1 fault
1
tail-cut: the head file has another hash for event 5: the journal was cut and written anew. Compare it with a backup. To accept it as it is: stemma fsck --expect HASH
7 events, 7 memories and 0 links checked: 1 fault
1
7 events, 7 memories and 0 links checked: all is well
0
8 events, 8 memories and 0 links checked: all is well
0

# Signatures are checked only with the key.
$ echo 'a secret' >key; echo another >wrong; chmod 600 key wrong; for k in key wrong; do echo "hmac_key: $PWD/$k" >$k.yaml; done; stemma import jsonl lines.jsonl --store signed.db --config key.yaml >/dev/null
> export STEMMA_STORE=$PWD/signed.db; stemma fsck; stemma fsck --json | jq -c '[.signed, .signatures_checked]'; stemma fsck --config key.yaml; stemma fsck --config key.yaml --json | jq -c '[.signed, .signatures_checked]'; stemma fsck --config wrong.yaml
> python3 -c "import sqlite3; c = sqlite3.connect('signed.db'); c.execute('UPDATE event SET hmac = NULL'); c.commit()"; stemma fsck --config key.yaml | tail -1
3 events, 3 memories and 2 links checked: all is well
3 events are signed (HMAC), and their signatures were not checked: no key is configured (hmac_key).
[3,false]
3 events, 3 memories and 2 links checked: all is well
Signatures (HMAC) checked: 3.
[3,true]
event-altered: event 1 on raw:first was altered: its signature (HMAC) is not of this key. Compare it with a backup.
event-altered: event 2 on belief:second was altered: its signature (HMAC) is not of this key. Compare it with a backup.
event-altered: event 3 on note:third was altered: its signature (HMAC) is not of this key. Compare it with a backup.
3 events, 3 memories and 2 links checked: 3 faults
Signatures (HMAC) checked: 3.
3 of 3 events carry no signature (HMAC), so the key cannot confirm them.

# The search index is rebuilt.
$ export STEMMA_STORE=$PWD/s.db; cp good.db s.db; python3 -c "import sqlite3; c = sqlite3.connect('s.db'); c.execute(\"INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')\"); c.commit()"; stemma search pump; stemma fsck --rebuild-search --read-only; stemma fsck --rebuild-search 2>&1 | grep -v "first seen"; stemma search pump
stemma: no memory has all of these words: pump
stemma: DIR/s.db is open for reading only. Open it without --read-only, and where you may write.
stemma: the search index was rebuilt from 3 memories
3 events, 3 memories and 2 links checked: all is well
●  raw:first      1.00    –  direct AGE  the pump was loud
●  belief:second  0.80  1/1  direct AGE  pumps wear out

# A file that is no store is named, without the advice to run fsck.
$ wreck() { python3 -c "import sys; f = open(sys.argv[1], 'r+b'); f.seek(int(sys.argv[2])); f.write(b'\xff' * int(sys.argv[3]))" $1 $2 $3; }
> python3 -c "import sqlite3; c = sqlite3.connect('foreign.db'); c.execute('CREATE TABLE t(x)'); c.execute('INSERT INTO t VALUES (1)'); c.commit()"; rm -f s.db*; stemma add raw x --store s.db >/dev/null
> cp $DATA/kernle-demo.db kernle.db; stemma fsck --store kernle.db; wreck kernle.db 100 300; stemma fsck --store kernle.db
> stemma fsck --store foreign.db; wreck foreign.db 100 300; stemma fsck --store foreign.db; wreck foreign.db 0 100; stemma fsck --store foreign.db; wreck s.db 100 300; stemma fsck --store s.db; echo $?
stemma: DIR/kernle.db is a store of Kernle. Run stemma import kernle on it.
stemma: kernle.db is a damaged database, and not one of stemma's. Check the path.
stemma: DIR/foreign.db is a database of another program. Give another path.
stemma: foreign.db is a damaged database, and not one of stemma's. Check the path.
stemma: foreign.db is no database, or its start was overwritten. Check the path, or restore a backup.
stemma: s.db is a store of stemma, so damaged that it cannot be checked. Restore a backup.
3

# fsck fits into a small address space. (A program with sanitizers does not start there.)
$ for n in $(seq 20000); do echo "{\"ref\":\"belief:$n\",\"agent_id\":\"ash\",\"text\":\"a statement of some length about number $n\",\"detail\":{\"n\":\"$n $n $n $n $n $n $n $n $n $n $n\"}}"; done | stemma import jsonl - --store large.db >/dev/null; (ulimit -v 50000; stemma --version || exit 1) >/dev/null 2>&1 && ulimit -v 50000; stemma fsck --store large.db
20000 events, 20000 memories and 0 links checked: all is well

# A store with a trigger of another program says so before it is written.
$ stemma add raw one --store other.db >/dev/null; python3 -c "import sqlite3; c = sqlite3.connect('other.db'); c.execute(\"CREATE TRIGGER evil AFTER INSERT ON memory BEGIN UPDATE memory SET text = 'changed'; END\"); c.commit()"; stemma add raw two --store other.db; stemma list raw --store other.db --json | jq -r .text
stemma: the store has a trigger that is not stemma's and does not run here: evil. stemma fsck lists all that is not stemma's.
raw:ID1
two
one

# Events that a clock stamped ahead of its time are counted; they are no fault.
$ export STEMMA_STORE=$PWD/ahead.db; stemma add raw one >/dev/null; stemma add raw two >/dev/null; python3 - <<'END'
> import hashlib, json, sqlite3
> c = sqlite3.connect("ahead.db")
> before = c.execute("SELECT hash FROM event WHERE seq = 1").fetchone()[0]
> at, text = c.execute("SELECT at, canonical FROM event WHERE seq = 2").fetchone()
> text = text.replace(f'"at":{at}', f'"at":{at + 10**10}')
> c.execute("UPDATE event SET at = ?, canonical = ?, hash = ? WHERE seq = 2", (at + 10**10, text, hashlib.sha256(before + text.encode()).digest()))
> c.commit()
> END
> rm .local/state/stemma/heads/*; stemma add raw three >/dev/null; stemma fsck | tail -1; stemma fsck --json | jq '.ahead_of_clock // empty'; stemma log --json | jq -s '.[0].at < .[1].at'
1 event has a time ahead of the clock: it was set back since, or is wrong now.
1
true
