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

# What it did is one undo, which restores every label and byte.
$ . ./f; labels >before; stemma export >before.jsonl; stemma quarantine raw:web --yes --reason "planted" --json | jq -c '[.operation, .done, .loses_all_support, .rings], (.changes[] | [.ref, .operation, .after.status, .reason])'; labels; stemma list all; stemma undo --yes | head -1; labels | diff before - && stemma export | diff before.jsonl - && echo as it was; stemma fsck
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
◐  belief:c    0.80  1/2  direct AGE  ports are open
×  note:n      0.00  0/1  direct AGE  [quarantined] open 8080
×  belief:a    0.00  0/1  direct AGE  [quarantined] the port is 8080
●  belief:old  0.80  1/1  direct AGE  the port is 80
●  raw:two     1.00    –  direct AGE  as it came
×  raw:web     0.00    –  direct AGE  [quarantined] a planted page
── undone ─ 5
1,4c1,4
< {"ref":"belief:a","agent_id":"ash","text":"the port is 8080","created_at":1796079020667,"updated_at":1796079020667,"confidence":0.8,"source_type":"direct_experience","status":"active","version":1,"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","at":1796079020667,"antecedents":[{"ref":"raw:web"}]}],"relations":[{"type":"supersedes","to":"belief:old","at":1796079020667}]}
< {"ref":"belief:c","agent_id":"ash","text":"ports are open","created_at":1796079020667,"updated_at":1796079020667,"confidence":0.8,"source_type":"direct_experience","status":"active","version":1,"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","at":1796079020667,"antecedents":[{"ref":"raw:web"},{"ref":"raw:two"}]}]}
< {"ref":"belief:old","agent_id":"ash","text":"the port is 80","created_at":1796079020667,"updated_at":1796079020667,"confidence":0.8,"source_type":"direct_experience","status":"superseded","version":1,"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","at":1796079020667,"antecedents":[{"ref":"raw:two"}]}]}
< {"ref":"note:n","agent_id":"ash","text":"open 8080","created_at":1796079020667,"updated_at":1796079020667,"confidence":0.8,"source_type":"direct_experience","status":"active","version":1,"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","at":1796079020667,"antecedents":[{"ref":"belief:a"}]}]}
---
> {"ref":"belief:a","agent_id":"ash","text":"the port is 8080","created_at":1796079020667,"updated_at":1796079021567,"confidence":0.8,"source_type":"direct_experience","status":"active","version":3,"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","at":1796079020667,"antecedents":[{"ref":"raw:web"}]}],"relations":[{"type":"supersedes","to":"belief:old","at":1796079020667}]}
> {"ref":"belief:c","agent_id":"ash","text":"ports are open","created_at":1796079020667,"updated_at":1796079021567,"confidence":0.8,"source_type":"direct_experience","status":"active","version":3,"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","at":1796079020667,"antecedents":[{"ref":"raw:web"},{"ref":"raw:two"}]}]}
> {"ref":"belief:old","agent_id":"ash","text":"the port is 80","created_at":1796079020667,"updated_at":1796079021567,"confidence":0.8,"source_type":"direct_experience","status":"superseded","version":3,"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","at":1796079020667,"antecedents":[{"ref":"raw:two"}]}]}
> {"ref":"note:n","agent_id":"ash","text":"open 8080","created_at":1796079020667,"updated_at":1796079021567,"confidence":0.8,"source_type":"direct_experience","status":"active","version":3,"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","at":1796079020667,"antecedents":[{"ref":"belief:a"}]}]}
6c6
< {"ref":"raw:web","agent_id":"ash","text":"a planted page","created_at":1796079020667,"updated_at":1796079020667,"confidence":1,"source_type":"direct_experience","status":"active","version":1}
---
> {"ref":"raw:web","agent_id":"ash","text":"a planted page","created_at":1796079020667,"updated_at":1796079021567,"confidence":1,"source_type":"direct_experience","status":"active","version":3}
16 events, 6 memories and 6 links checked: all is well

# Release takes it back, also what came back.
$ . ./f; labels >before; stemma quarantine raw:web --yes >/dev/null; stemma quarantine raw:web --yes; stemma release note:n | head -2; stemma release raw:web; labels | diff before - && echo as it was; stemma release raw:web; stemma fsck
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
