# Quarantine: a status that ends support and hides from agents. raw:web is planted: belief:a is based on it alone and replaced
# belief:old, note:n is based on belief:a; belief:c has another source as well.
$ cat >lines.jsonl <<'END'
> {"ref":"raw:web","text":"a planted page","agent_id":"ash"}
> {"ref":"raw:two","text":"as it came","agent_id":"ash"}
> {"ref":"belief:old","text":"the port is 80","agent_id":"ash","derived_from":["raw:two"],"status":"superseded"}
> {"ref":"belief:a","text":"the port is 8080","agent_id":"ash","derived_from":["raw:web"],"relations":[{"type":"supersedes","to":"belief:old"}]}
> {"ref":"note:n","text":"open 8080","agent_id":"ash","derived_from":["belief:a"]}
> {"ref":"belief:c","text":"ports are open","agent_id":"ash","derived_from":["raw:web","raw:two"]}
> END
> cat >f <<'END'
> export STEMMA_STORE=$PWD/s.db
> rm -f s.db* .local/state/stemma/heads/*; stemma import jsonl lines.jsonl >/dev/null
> forms() { stemma export | jq -cS 'del(.version, .updated_at)'; } # every change counts a version, an undo too
> labels() { for m in raw:web raw:two belief:old belief:a note:n belief:c; do stemma show $m --json | jq -r '[.ref, .status, .label] | join(" ")'; done; }
> END

# It asks. The preview has the memories that lose all support in rings, and what comes back.
$ . ./f; stemma quarantine raw:web --dry-run; stemma quarantine raw:web 2>&1 | tail -1
── would be quarantined ─ 1
     raw:web       a planted page 0.00 AGE
       status             active → quarantined

── would lose all support ─ 2 · no other support
   they are quarantined too
   ring 1: 1 step from it
   ○ belief:a      the port is 8080 0.00 AGE
   ring 2: 2 steps from it
   ○ note:n        open 8080 0.00 AGE

── would be weakened ─ 1 · keep some of their justifications
   ◐ belief:c      ports are open 2 → 1 valid 0.80 AGE

── would follow ─ 4 · changed as well, and undone with it
     belief:a      the port is 8080 0.00 AGE
       status             active → quarantined
     note:n        open 8080 0.00 AGE
       status             active → quarantined
     belief:c      ports are open for review AGE
     belief:old    the port is 80 restored 0.80 AGE
       status             replaced → active
Nothing was changed.
stemma: nothing was changed: this needs confirmation. Add --yes to confirm.

# What it did is one undo, which restores every label and every byte of what an export has.
$ . ./f; labels >before; forms >forms; stemma quarantine raw:web --yes --reason "planted" --json | jq -c '[.operation, .done, .loses_all_support, .rings], (.changes[] | [.ref, .operation, .after.status, .reason])'; labels; stemma list all; stemma undo --yes | head -1; labels | diff before - && forms | diff forms - && echo as it was; stemma redo --yes | head -1; labels | sed -n 4p; stemma fsck
["quarantine",true,["belief:a","note:n"],[1,1]]
["raw:web","quarantine","quarantined","planted"]
["belief:a","quarantine","quarantined","based on raw:web, which was quarantined"]
["note:n","quarantine","quarantined","based on raw:web, which was quarantined"]
["belief:c","mark",null,"based on raw:web, which was quarantined"]
["belief:old","restore","active","replaced by belief:a, which was quarantined"]
raw:web quarantined ended
raw:two active supported
belief:old active supported
belief:a quarantined ended
note:n quarantined ended
belief:c active weakened
◐  belief:c    0.80  1/2  ⚑     direct AGE  ports are open
×  note:n      0.00  0/1        direct AGE  [quarantined] open 8080
×  belief:a    0.00  0/1        direct AGE  [quarantined] the port is 8080
●  belief:old  0.80  1/1        direct AGE  the port is 80
●  raw:two     1.00    –        direct AGE  as it came
×  raw:web     0.00    –        direct AGE  [quarantined] a planted page
── undone ─ 5
as it was
── redone ─ 5
belief:a quarantined ended
21 events, 6 memories and 6 links checked: all is well

# Release takes it back, also what came back. A follower that was released by itself stays so.
$ . ./f; labels >before; forms >forms; stemma quarantine raw:web --yes >/dev/null; stemma quarantine raw:web --yes; stemma release note:n | head -2; stemma release raw:web; labels | diff before - && forms | diff forms - && echo as it was; stemma release raw:web; stemma fsck
── nothing was quarantined

── unchanged
   raw:web is quarantined already
── released ─ 1
     note:n        open 8080 0.00 AGE
── released ─ 1
     raw:web       a planted page 1.00 AGE
       status             quarantined → active

── followed ─ 3 · changed as well, and undone with it
     belief:a      the port is 8080 restored 0.80 AGE
       status             quarantined → active
     belief:c      ports are open unflagged 0.80 AGE
       flags            - for_review by sean: based on raw:web, which was quarantined
     belief:old    the port is 80 0.80 AGE
       status             active → replaced
as it was
── nothing was released

── unchanged
   raw:web is not quarantined
16 events, 6 memories and 6 links checked: all is well

# Stronger statuses win, and a plain restore brings it back as well.
$ . ./f; stemma quarantine raw:web --yes >/dev/null; stemma retract belief:a --yes | head -2; stemma forget note:n --yes | head -2; stemma restore raw:web | head -2; labels; stemma quarantine note:n --yes 2>&1; stemma flag quarantined raw:web; stemma fsck
── retracted ─ 1
     belief:a      the port is 8080 0.00 AGE
── forgotten ─ 1
     note:n        open 8080 0.00 AGE
── restored ─ 1
     raw:web       a planted page 1.00 AGE
raw:web active supported
raw:two active supported
belief:old active supported
belief:a retracted ended
note:n forgotten ended
belief:c active supported
── nothing was quarantined

── unchanged
   note:n is forgotten already
stemma: quarantined is no flag to set by hand. Quarantine it instead.
15 events, 6 memories and 6 links checked: all is well

# An export keeps it, an import takes it, the past knows it, lists find it.
$ . ./f; stemma quarantine raw:web --yes >/dev/null; stemma export >one.jsonl; jq -c 'select(.status == "quarantined").ref' one.jsonl; rm -f two.db*; stemma import jsonl one.jsonl --store two.db >/dev/null; stemma export --store two.db | cmp - one.jsonl; stemma list all --status quarantined --store two.db | wc -l; stemma release raw:web >/dev/null; stemma show belief:a --as-of @9 --json | jq -r .status; stemma show belief:a --as-of @6 --json | jq -r .status; stemma list all --status quarantined --as-of @9 | wc -l; stemma list all --status quarantined; stemma fsck --store two.db
"belief:a"
"note:n"
"raw:web"
3
stemma: as of NOW (event 9)
quarantined
stemma: as of NOW (event 6)
active
stemma: as of NOW (event 9)
3
stemma: nothing matched
6 events, 6 memories and 6 links checked: all is well

# A store of version 13 has other indexes of its lists. They are made anew, and fsck finds them as they should be.
$ . ./f; python3 - <<'END'
> import sqlite3
> c = sqlite3.connect("s.db")
> old = [(n, sql.replace("status <> 7", "status < 7")) for n, sql in c.execute("SELECT name, sql FROM sqlite_schema WHERE sql LIKE '%status <> 7%'")]
> print(len(old))
> for name, sql in old:
>     c.execute("DROP INDEX " + name)
>     c.execute(sql)
> c.executescript("DROP INDEX memory_withheld; DROP INDEX link_contradicts; PRAGMA user_version = 13")
> END
> stemma list all --read-only | wc -l; stemma quarantine raw:web --yes | head -1; stemma list all | grep -c quarantined; python3 -c "import sqlite3; c = sqlite3.connect('s.db'); print(c.execute('PRAGMA user_version').fetchone(), c.execute(\"SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%status < 7%'\").fetchone())"; stemma fsck
5
6
── quarantined ─ 1
3
(17,) (0,)
11 events, 6 memories and 6 links checked: all is well
