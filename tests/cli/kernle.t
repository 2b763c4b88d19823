# Damaged rows of a Kernle store: each is reported, nothing is lost, and the import continues.
$ cat >make.py <<'END'
> import json, sqlite3, subprocess, sys
> TABLE = """CREATE TABLE schema_version(version); INSERT INTO schema_version VALUES (26);
> CREATE TABLE beliefs(id, stack_id, statement, belief_type, confidence, created_at, source_type, source_episodes, derived_from,
>     confidence_history, supersedes, superseded_by, is_active, is_protected, strength, context, context_tags, source_entity,
>     local_updated_at, version, deleted, tags)"""
> ROW = "INSERT INTO beliefs(id, stack_id, statement, created_at, local_updated_at, source_type) VALUES (?, 'ash', 'said', '2026-01-01', '2026-01-02', 'inference')"
> def export(source, made):
>     """What an import says, and the lines that it made."""
>     db = sqlite3.connect(source); made(db); db.commit(); db.close()
>     p = subprocess.run(["stemma", "import", "kernle", source, "--store", source + ".s"], text=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
>     lines = subprocess.run(["stemma", "export", "--store", source + ".s"], text=True, capture_output=True).stdout.splitlines()
>     return p.stderr.replace("stemma: ", ""), [json.loads(l) for l in lines]
> END
> cat >rows.py <<'END'
> from make import *
> # Each line of standard input sets columns of a belief: in what its line differs from that of a plain one.
> sets = [l.rstrip("\n").replace("T,", '"2026-02-01T00:00:00Z", "old": 0.7, "new": 0.713, "reason": "R",') for l in sys.stdin]
> def made(db):
>     db.executescript(TABLE)
>     for n in range(len(sets) + 1): db.execute(ROW, (f"b{n}",))
>     for n, s in enumerate(sets, 1): db.execute(f"UPDATE beliefs SET {s} WHERE id = 'b{n}'")
> said, lines = export(f"rows{hash(tuple(sets))}.db", made)
> by = {l["ref"]: l for l in lines}
> plain = by.get("belief:b0")
> for n, s in enumerate(sets, 1):
>     got = by.get(f"belief:b{n}")
>     print(f"b{n}", json.dumps({k: got.get(k) for k in {**plain, **got} if k != "ref" and got.get(k) != plain.get(k)}, ensure_ascii=False))
> print(said, end="")
> END

# Invalid JSON: null and blanks mean nothing, and other text is kept.
$ for c in derived_from source_episodes confidence_history tags; do sed "s/^/$c = /" <<'END' | python3 rows.py
> NULL
> ''
> '  '
> 'null'
> '[]'
> ' [ ] '
> x''
> '{"raw:1": 2}'
> '"raw:1"'
> '["raw:1"'
> 'raw:1'
> '[NaN]'
> '[1] [2]'
> 17
> 1.5
> x'ff00'
> END
> done
b1 {}
b2 {}
b3 {}
b4 {}
b5 {}
b6 {}
b7 {}
b8 {"detail": {"derived_from": {"raw:1": 2}}}
b9 {"detail": {"derived_from": "raw:1"}}
b10 {"detail": {"derived_from": "[\"raw:1\""}}
b11 {"detail": {"derived_from": "raw:1"}}
b12 {"detail": {"derived_from": "[NaN]"}}
b13 {"detail": {"derived_from": "[1] [2]"}}
b14 {"detail": {"derived_from": 17}}
b15 {"detail": {"derived_from": 1.5}}
b16 {"detail": {"derived_from": "��", "derived_from_original": "/wA="}}
belief:b8: derived_from is an object, not a list; treated as absent
belief:b9: derived_from is a single value, not a list; treated as absent
belief:b10: derived_from is no JSON; treated as absent
belief:b11: derived_from is no JSON; treated as absent
belief:b12: derived_from is no JSON; treated as absent
belief:b13: derived_from is no JSON; treated as absent
belief:b14: derived_from is no JSON; treated as absent
belief:b15: derived_from is no JSON; treated as absent
belief:b16: derived_from is no JSON; treated as absent
belief:b16: derived_from holds bytes that are no text; kept in base64
b1 {}
b2 {}
b3 {}
b4 {}
b5 {}
b6 {}
b7 {}
b8 {"detail": {"source_episodes": {"raw:1": 2}}}
b9 {"detail": {"source_episodes": "raw:1"}}
b10 {"detail": {"source_episodes": "[\"raw:1\""}}
b11 {"detail": {"source_episodes": "raw:1"}}
b12 {"detail": {"source_episodes": "[NaN]"}}
b13 {"detail": {"source_episodes": "[1] [2]"}}
b14 {"detail": {"source_episodes": 17}}
b15 {"detail": {"source_episodes": 1.5}}
b16 {"detail": {"source_episodes": "��", "source_episodes_original": "/wA="}}
belief:b8: source_episodes is an object, not a list; treated as absent
belief:b9: source_episodes is a single value, not a list; treated as absent
belief:b10: source_episodes is no JSON; treated as absent
belief:b11: source_episodes is no JSON; treated as absent
belief:b12: source_episodes is no JSON; treated as absent
belief:b13: source_episodes is no JSON; treated as absent
belief:b14: source_episodes is no JSON; treated as absent
belief:b15: source_episodes is no JSON; treated as absent
belief:b16: source_episodes is no JSON; treated as absent
belief:b16: source_episodes holds bytes that are no text; kept in base64
b1 {}
b2 {}
b3 {}
b4 {}
b5 {}
b6 {}
b7 {}
b8 {"detail": {"confidence_history": {"raw:1": 2}}}
b9 {"detail": {"confidence_history": "raw:1"}}
b10 {"detail": {"confidence_history": "[\"raw:1\""}}
b11 {"detail": {"confidence_history": "raw:1"}}
b12 {"detail": {"confidence_history": "[NaN]"}}
b13 {"detail": {"confidence_history": "[1] [2]"}}
b14 {"detail": {"confidence_history": 17}}
b15 {"detail": {"confidence_history": 1.5}}
b16 {"detail": {"confidence_history": "��", "confidence_history_original": "/wA="}}
belief:b8: confidence_history is an object, not a list; treated as absent
belief:b9: confidence_history is a single value, not a list; treated as absent
belief:b10: confidence_history is no JSON; treated as absent
belief:b11: confidence_history is no JSON; treated as absent
belief:b12: confidence_history is no JSON; treated as absent
belief:b13: confidence_history is no JSON; treated as absent
belief:b14: confidence_history is no JSON; treated as absent
belief:b15: confidence_history is no JSON; treated as absent
belief:b16: confidence_history is no JSON; treated as absent
belief:b16: confidence_history holds bytes that are no text; kept in base64
b1 {}
b2 {}
b3 {}
b4 {}
b5 {}
b6 {}
b7 {}
b8 {"detail": {"tags": {"raw:1": 2}}}
b9 {"detail": {"tags": "raw:1"}}
b10 {"detail": {"tags": "[\"raw:1\""}}
b11 {"detail": {"tags": "raw:1"}}
b12 {"detail": {"tags": "[NaN]"}}
b13 {"detail": {"tags": "[1] [2]"}}
b14 {"detail": {"tags": 17}}
b15 {"detail": {"tags": 1.5}}
b16 {"detail": {"tags": "��", "tags_original": "/wA="}}
belief:b8: tags is an object, not a list; treated as absent
belief:b9: tags is a single value, not a list; treated as absent
belief:b10: tags is no JSON; treated as absent
belief:b11: tags is no JSON; treated as absent
belief:b12: tags is no JSON; treated as absent
belief:b13: tags is no JSON; treated as absent
belief:b14: tags is no JSON; treated as absent
belief:b15: tags is no JSON; treated as absent
belief:b16: tags is no JSON; treated as absent
belief:b16: tags holds bytes that are no text; kept in base64

# Lists with odd items, and texts that are no refs.
$ python3 rows.py <<'END'
> derived_from = '{"raw:1":2}'
> derived_from = '[oops'
> derived_from = '["raw:1", null, 5, {"a": 1}, ["raw:2"], "raw:1"]'
> derived_from = '["just words"]'
> derived_from = '["raw:", ""]'
> source_episodes = '["e1", "episode:e1", 7, "note:n", "context:x"]'
> tags = '["a", "b", "a", 3]'
> tags = '["a\u0000b", "\ud800"]'
> END
b1 {"detail": {"derived_from": {"raw:1": 2}}}
b2 {"detail": {"derived_from": "[oops"}}
b3 {"detail": {"derived_from": ["raw:1", null, 5, {"a": 1}, ["raw:2"], "raw:1"]}, "justifications": [{"role": "derived_from", "reading": "any", "recorded": "recorded", "at": 1767225600000, "antecedents": [{"ref": "raw:1"}]}]}
b4 {"detail": {"derived_from": ["just words"]}}
b5 {"detail": {"derived_from": ["raw:", ""]}}
b6 {"annotations": ["context:x"], "justifications": [{"role": "evidence", "reading": "any", "recorded": "recorded", "at": 1767225600000, "antecedents": [{"ref": "episode:e1"}]}, {"role": "evidence", "reading": "any", "recorded": "recorded", "at": 1767225600000, "antecedents": [{"ref": "episode:7"}]}, {"role": "evidence", "reading": "any", "recorded": "recorded", "at": 1767225600000, "antecedents": [{"ref": "note:n"}]}]}
b7 {"tags": ["a", "b", "3"]}
b8 {"tags": ["a�b", "���"]}
belief:b1: derived_from is an object, not a list; treated as absent
belief:b2: derived_from is no JSON; treated as absent
belief:b3: derived_from has 2 items that are no text; left out
belief:b3: derived_from names "5", which is no ref; left out
belief:b4: derived_from names "just words", which is no ref; left out
belief:b5: derived_from names "raw:", which is no ref; left out
belief:b5: derived_from names "", which is no ref; left out
belief:b3: names raw:1, which is not here
belief:b6: names episode:e1, which is not here
belief:b6: names episode:7, which is not here
belief:b6: names note:n, which is not here

# Markers say how a link was recorded.
$ python3 rows.py <<'END'
> derived_from = '["context:a", "kernle:auto-linked", "context:a"]'
> derived_from = '["raw:1", "kernle:auto-linked"]', source_episodes = '["e"]'
> derived_from = '["kernle:pre-v0.9-migration", "raw:1"]'
> derived_from = '["kernle:pre-v0.9-migration", "kernle:auto-linked", "raw:1"]'
> END
b1 {"annotations": ["context:a", "kernle:auto-linked"]}
b2 {"annotations": ["kernle:auto-linked"], "justifications": [{"role": "derived_from", "reading": "any", "recorded": "auto-linked", "at": 1767225600000, "antecedents": [{"ref": "raw:1"}]}, {"role": "evidence", "reading": "any", "recorded": "recorded", "at": 1767225600000, "antecedents": [{"ref": "episode:e"}]}]}
b3 {"annotations": ["kernle:pre-v0.9-migration"], "justifications": [{"role": "derived_from", "reading": "any", "recorded": "migrated", "at": 1767225600000, "antecedents": [{"ref": "raw:1"}]}]}
b4 {"annotations": ["kernle:pre-v0.9-migration", "kernle:auto-linked"], "justifications": [{"role": "derived_from", "reading": "any", "recorded": "auto-linked", "at": 1767225600000, "antecedents": [{"ref": "raw:1"}]}]}
belief:b2: names raw:1, which is not here
belief:b2: names episode:e, which is not here

# Histories: a reinforcement adds its source as evidence once; a memory that stood by itself still does.
$ python3 rows.py <<'END'
> confidence_history = '[{"timestamp": T, "evidence_source": "episode:e"}]'
> confidence_history = '[{"timestamp": T, "evidence_source": "note:n"}]'
> confidence_history = '[{"timestamp": T, "evidence_source": "episode:e"}]', source_episodes = '["e"]'
> confidence_history = '[{"timestamp": T, "evidence_source": "raw:r"}]', derived_from = '["raw:r"]'
> confidence_history = '[{"timestamp": T, "evidence_source": "episode:e"}]', derived_from = '["episode:e"]'
> confidence_history = '[{"timestamp": T, "evidence_source": "note:n"},{"timestamp": T, "evidence_source": "note:n"}]'
> confidence_history = '[{"timestamp": T, "evidence_source": "consolidation:2026-02-01"}]'
> confidence_history = '[{"timestamp": "2026-02-01", "old": 0.7, "new": 0.5, "evidence_source": "episode:e"}]'
> confidence_history = '[{"timestamp": "2026-02-01", "old": "x", "new": 1.5, "by": "me"}]'
> confidence_history = '[{"timestamp": "soon", "old": 0.1, "new": 0.2}]'
> confidence_history = '[{"timestamp": "2026-02-01", "new": 0.2},{"timestamp": 1767225600, "new": 0.1}, 7, null]'
> END
b1 {"justifications": [{"role": "derived_from", "reading": "all", "recorded": "recorded", "at": 1767225600000, "antecedents": []}, {"role": "evidence", "reading": "any", "recorded": "recorded", "at": 1769904000000, "reason": "R", "antecedents": [{"ref": "episode:e"}]}], "history": [{"at": 1769904000000, "old": 0.7, "new": 0.713, "reason": "R", "evidence_source": "episode:e"}]}
b2 {"justifications": [{"role": "derived_from", "reading": "all", "recorded": "recorded", "at": 1767225600000, "antecedents": []}, {"role": "reinforcement", "reading": "any", "recorded": "recorded", "at": 1769904000000, "reason": "R", "antecedents": [{"ref": "note:n"}]}], "history": [{"at": 1769904000000, "old": 0.7, "new": 0.713, "reason": "R", "evidence_source": "note:n"}]}
b3 {"justifications": [{"role": "evidence", "reading": "any", "recorded": "recorded", "at": 1767225600000, "antecedents": [{"ref": "episode:e"}]}], "history": [{"at": 1769904000000, "old": 0.7, "new": 0.713, "reason": "R", "evidence_source": "episode:e"}]}
b4 {"justifications": [{"role": "derived_from", "reading": "any", "recorded": "recorded", "at": 1767225600000, "antecedents": [{"ref": "raw:r"}]}], "history": [{"at": 1769904000000, "old": 0.7, "new": 0.713, "reason": "R", "evidence_source": "raw:r"}]}
b5 {"justifications": [{"role": "derived_from", "reading": "any", "recorded": "recorded", "at": 1767225600000, "antecedents": [{"ref": "episode:e"}]}, {"role": "evidence", "reading": "any", "recorded": "recorded", "at": 1769904000000, "reason": "R", "antecedents": [{"ref": "episode:e"}]}], "history": [{"at": 1769904000000, "old": 0.7, "new": 0.713, "reason": "R", "evidence_source": "episode:e"}]}
b6 {"justifications": [{"role": "derived_from", "reading": "all", "recorded": "recorded", "at": 1767225600000, "antecedents": []}, {"role": "reinforcement", "reading": "any", "recorded": "recorded", "at": 1769904000000, "reason": "R", "antecedents": [{"ref": "note:n"}]}], "history": [{"at": 1769904000000, "old": 0.7, "new": 0.713, "reason": "R", "evidence_source": "note:n"}, {"at": 1769904000000, "old": 0.7, "new": 0.713, "reason": "R", "evidence_source": "note:n"}]}
b7 {"history": [{"at": 1769904000000, "old": 0.7, "new": 0.713, "reason": "R", "evidence_source": "consolidation:2026-02-01"}]}
b8 {"history": [{"at": 1769904000000, "old": 0.7, "new": 0.5, "evidence_source": "episode:e"}]}
b9 {"history": [{"at": 1769904000000, "reason": "{\"old\":\"x\",\"new\":1.5,\"by\":\"me\"}"}]}
b10 {"detail": {"confidence_history": [{"timestamp": "soon", "old": 0.1, "new": 0.2}]}, "history": [{"at": 1767225600000, "old": 0.1, "new": 0.2}]}
b11 {"detail": {"confidence_history": [{"timestamp": "2026-02-01", "new": 0.2}, {"timestamp": 1767225600, "new": 0.1}, 7, null]}, "history": [{"at": 1767225600000, "new": 0.1}, {"at": 1769904000000, "new": 0.2}]}
belief:b10: confidence_history has an entry without a readable time; the time of the previous one is used
belief:b11: confidence_history has 1 entry that is no object; left out
belief:b1: names episode:e, which is not here
belief:b2: names note:n, which is not here
belief:b4: names raw:r, which is not here

# Texts of any type, and invalid bytes.
$ python3 rows.py <<'END'
> statement = NULL
> statement = ''
> statement = 42
> statement = 0.5
> statement = CAST('bytes' AS BLOB)
> statement = CAST(x'61ff62' AS TEXT)
> statement = 'a' || char(0) || 'b'
> context = CAST(x'ff' AS TEXT)
> belief_type = x'c328'
> belief_type = 9e999
> stack_id = NULL
> stack_id = 7
> source_type = NULL
> source_type = 'telepathy'
> source_entity = 'human:Sean'
> END
b1 {"text": ""}
b2 {"text": ""}
b3 {"text": "42"}
b4 {"text": "0.5"}
b5 {"text": "bytes"}
b6 {"text": "a�b", "detail": {"original": "Yf9i"}}
b7 {"text": "a�b", "detail": {"original": "YQBi"}}
b8 {"context": "�", "detail": {"context_original": "/w=="}}
b9 {"detail": {"belief_type": "�(", "belief_type_original": "wyg="}}
b10 {"detail": {"belief_type": "inf"}}
b11 {"agent_id": "unknown"}
b12 {"agent_id": "7"}
b13 {"source_type": "unknown"}
b14 {"source_type": "telepathy"}
b15 {"source_entity": "human:Sean"}
belief:b1: it has no text
belief:b3: statement is a number, not text
belief:b4: statement is a number, not text
belief:b5: statement is a blob, not text
belief:b6: statement holds 1 byte that is no text; kept in base64
belief:b7: statement holds 1 byte that is no text; kept in base64
belief:b8: context holds 1 byte that is no text; kept in base64
belief:b9: belief_type holds bytes that are no text; kept in base64
belief:b11: it has no agent; taken as "unknown"
belief:b12: stack_id is a number, not text

# Numbers.
$ python3 rows.py <<'END'
> confidence = NULL
> confidence = '0.25'
> confidence = 1.5
> confidence = -3
> confidence = 9e999
> confidence = 'high'
> version = 9
> version = -1
> is_protected = 1
> is_protected = 'true'
> is_protected = 'perhaps'
> END
b1 {}
b2 {"confidence": 0.25}
b3 {"confidence": 1, "detail": {"confidence": 1.5}}
b4 {"confidence": 0, "detail": {"confidence": -3}}
b5 {"confidence": 1, "detail": {"confidence": "inf"}}
b6 {"detail": {"confidence": "high"}}
b7 {"version": 9}
b8 {}
b9 {"protected": true}
b10 {"protected": true}
b11 {"detail": {"is_protected": "perhaps"}}
belief:b3: confidence is 1.5; taken as 1
belief:b4: confidence is -3; taken as 0
belief:b5: confidence is inf; taken as 1
belief:b6: confidence is no number
belief:b11: is_protected is neither 0 nor 1; taken as 0

# What a row became.
$ python3 rows.py <<'END'
> strength = 0
> strength = 0.0, deleted = 1
> strength = 0.2
> is_active = 0
> is_active = 0, strength = 0
> superseded_by = 'other'
> supersedes = 'belief:other'
> supersedes = 'context:other'
> END
b1 {"status": "forgotten", "detail": {"strength": 0}}
b2 {"status": "deleted", "detail": {"strength": 0}}
b3 {"detail": {"strength": 0.2}}
b4 {"status": "superseded"}
b5 {"status": "forgotten", "detail": {"is_active": 0, "strength": 0}}
b6 {"status": "superseded", "detail": {"superseded_by": "other"}}
b7 {"relations": [{"type": "supersedes", "to": "belief:other", "at": 1767225600000}]}
b8 {"detail": {"supersedes": "context:other"}}
belief:b8: supersedes names "context:other", which is no ref; left out
belief:b7: names belief:other, which is not here

# Times.
$ python3 rows.py <<'END'
> created_at = '2026-01-01T00:00:00.123456+02:00'
> created_at = '2026-01-01 00:00:00'
> created_at = 'yesterday'
> created_at = NULL
> created_at = NULL, local_updated_at = 'never'
> created_at = 1767225600
> created_at = 1767225600123
> created_at = '1767225600.5'
> created_at = '1970-01-02'
> created_at = '2126-01-01'
> local_updated_at = NULL
> END
b1 {"created_at": 1767218400123}
b2 {}
b3 {"created_at": 1767312000000, "detail": {"created_at": "yesterday"}}
b4 {"created_at": 1767312000000}
b5 {"created_at": 0, "updated_at": 0, "detail": {"local_updated_at": "never"}}
b6 {"detail": {"created_at": 1767225600}}
b7 {"created_at": 1767225600123, "detail": {"created_at": 1767225600123}}
b8 {"created_at": 1767225600500, "detail": {"created_at": "1767225600.5"}}
b9 {"created_at": 86400000}
b10 {"created_at": 4922899200000}
b11 {"updated_at": 1767225600000}
belief:b3: created_at is not a readable time
belief:b3: it has no creation time; the time of its last change is used
belief:b4: it has no creation time; the time of its last change is used
belief:b5: local_updated_at is not a readable time
belief:b5: it has no creation time; shown as unknown
belief:b6: created_at is a number; taken as time since 1970
belief:b7: created_at is a number; taken as time since 1970
belief:b8: created_at is a number; taken as time since 1970
belief:b9: created_at is a suspect time: 1970-01-02
belief:b10: created_at is a suspect time: 2126-01-01

# Deep, long and large values: a hundred thousand levels, many equal refs, 5,000 others, a row over the limit, and control characters.
$ python3 - <<'END'
> from make import *
> def made(db):
>     db.executescript(TABLE)
>     for n in "deep same many hostile huge after".split(): db.execute(ROW, (n,))
>     db.execute("UPDATE beliefs SET derived_from = ? WHERE id = 'deep'", ("[" * 100000 + "]" * 100000,))
>     db.execute("UPDATE beliefs SET derived_from = ? WHERE id = 'same'", (json.dumps(["raw:same"] * 100000),))
>     db.execute("UPDATE beliefs SET source_episodes = ? WHERE id = 'many'", (json.dumps(list(range(5000))),))
>     db.execute("UPDATE beliefs SET statement = ? WHERE id = 'hostile'", ("\x1b[31m\u202e" * 100000,))
>     db.execute("UPDATE beliefs SET statement = zeroblob(68157440) WHERE id = 'huge'")
> said, lines = export("large.db", made)
> for l in lines: print(l["ref"], len(l["text"]), [len(j["antecedents"]) for j in l.get("justifications", [])][-1:], len(l.get("justifications", [])), len(str(l.get("detail"))))
> print("\n".join(l for l in said.splitlines() if "not here" not in l))
> END
belief:after 4 [] 0 4
belief:deep 4 [] 0 200020
belief:hostile 600000 [] 0 4
belief:many 4 [1] 5000 4
belief:same 4 [1] 1 4
belief:deep: derived_from is no JSON; treated as absent
beliefs, row 5: it is larger than 64 MiB; not imported
4981 more refs name nothing here; stemma orphans lists them

# Missing and duplicate ids; tables without row numbers, with odd names; the former name of a column.
$ python3 - <<'END'
> from make import *
> INSERT = "INSERT INTO beliefs(id, stack_id, statement, created_at) VALUES"
> V = "CREATE TABLE schema_version(version); INSERT INTO schema_version VALUES (%d);"
> OLD = V % 16 + "CREATE TABLE raw_entries(id, agent_id, blob, captured_at, content, timestamp, source, local_updated_at);"
> HINT = V % 26 + "CREATE TABLE memory_suggestions(id, stack_id, memory_type, content, source_raw_ids, status, created_at, promoted_to);"
> for n, sql in enumerate([
>         TABLE + ";" + INSERT + "(NULL, 'ash', 'no id', '2026-01-01'), ('', 'ash', 'empty', '2026-01-01'), (x'ff', 'ash', 'bytes', '2026-01-01'),"
>         "(1.5, 'ash', 'real', '2026-01-01'), (12, 'ash', 'integer', '2026-01-01'), ('12', 'ash', 'text', '2026-01-01'), (printf('%.600c', 'x'), 'ash', 'long', '2026-01-01')",
>         "CREATE TABLE raw_entries(id TEXT PRIMARY KEY, stack_id, blob, captured_at, \"we\"\"ird, na'me\") WITHOUT ROWID;"
>         "INSERT INTO raw_entries VALUES ('r', 'ash', 'seen', '2026-01-01', 'x')",
>         V % 26 + "CREATE TABLE raw_entries(id, stack_id, blob, captured_at, rowid, agent_id, original);"
>         "INSERT INTO raw_entries VALUES ('r', 'ash', CAST(x'ff' AS TEXT), '2026-01-01', 'odd', 'too', 'own')",
>         "CREATE TABLE SCHEMA_VERSION(Version); INSERT INTO schema_version VALUES (26); CREATE TABLE Raw_Entries(ID, Stack_Id, Blob, Captured_At);"
>         "INSERT INTO raw_entries VALUES ('r', 'ash', 'seen', '2026-01-01')",
>         OLD + "INSERT INTO raw_entries VALUES ('r', 'ash', 'seen', '2026-01-01', 'seen', '2026-01-01', 'cli', '2026-01-01'),"
>         "('s', 'ash', NULL, NULL, 'old', '2026-01-01', NULL, '2026-01-02'), ('t', 'ash', 'new', '2026-01-01', 'old', '2025-01-01', NULL, '2026-01-02')",
>         HINT + """INSERT INTO memory_suggestions VALUES ('s', 'ash', 'episode', '{"objective": "o", "outcome": "w"}', '["r", "raw:r"]', 'pending', '2026-01-01', NULL),
>         ('t', 'ash', 'note', 'plain words', '[]', 'pending', '2026-01-01', 'nothing'), ('u', 'ash', 'note', '{"x": 1}', '[]', 'rejected', '2026-01-01', NULL)""",
>         "CREATE TABLE raw_entries(id, stack_id, blob, captured_at); INSERT INTO raw_entries VALUES ('r', 'ash', 'seen', '2026-01-01');"
>         "CREATE VIEW beliefs AS SELECT id, stack_id, blob AS statement, captured_at AS created_at FROM raw_entries;"
>         "CREATE VIRTUAL TABLE notes USING fts5(id, stack_id, content); INSERT INTO notes VALUES ('n', 'ash', 'said');"
>         "CREATE TABLE episodes(objective); INSERT INTO episodes VALUES ('no ids')",
>         TABLE + "; CREATE TABLE memory_audit(id, memory_type, memory_id, operation, details, actor, created_at);" + INSERT + "('b', 'ash', 'said', '2026-01-02');"
>         """INSERT INTO memory_audit VALUES ('1', 'belief', 'b', 'weaken', '{"amount": 0.1, "reason": "old"}', 'core:1', '2026-03-01'),
>         ('2', 'beliefs', 'b', 'odd', 'not json', NULL, 'never'), ('3', 'belief', 'b', NULL, NULL, NULL, '2026-02-01'), ('4', 'belief', 'other', 'x', NULL, NULL, '2026-02-01'),
>         ('5', NULL, NULL, NULL, NULL, NULL, NULL), ('6', 'belief', 'b', 'belief.revised', '{"trigger_id": "old"}', 'core:1', '2026-03-02'),
>         ('7', 'belief', 'b', 'belief.revised', '{"trigger_id": 7}', 'core:1', '2026-03-03')"""]):
>     said, lines = export(f"odd{n}.db", lambda db: db.executescript(sql))
>     for l in lines: print(json.dumps({k: v for k, v in l.items() if k not in ("updated_at", "confidence", "status", "version")}, ensure_ascii=False))
>     print(said, end="")
> END
{"ref": "belief:12", "agent_id": "ash", "text": "integer", "created_at": 1767225600000, "source_type": "unknown"}
beliefs, row 1: it has no usable id; not imported
beliefs, row 2: it has no usable id; not imported
beliefs, row 3: it has no usable id; not imported
beliefs, row 4: it has no usable id; not imported
belief:12: occurs twice with different content; the first one counts
beliefs, row 7: its id is longer than 512 bytes; not imported
{"ref": "raw:r", "agent_id": "ash", "text": "seen", "created_at": 1767225600000, "source_type": "unknown", "detail": {"we\"ird, na'me": "x"}}
the store does not state its version; the known parts are read
{"ref": "raw:r", "agent_id": "ash", "text": "�", "created_at": 1767225600000, "source_type": "unknown", "detail": {"rowid": "odd", "agent_id": "too", "original": "own", "original_2": "/w=="}}
raw:r: blob holds 1 byte that is no text; kept in base64
{"ref": "raw:r", "agent_id": "ash", "text": "seen", "created_at": 1767225600000, "source_type": "unknown"}
{"ref": "raw:r", "agent_id": "ash", "text": "seen", "created_at": 1767225600000, "source_type": "unknown", "detail": {"source": "cli"}}
{"ref": "raw:s", "agent_id": "ash", "text": "old", "created_at": 1767225600000, "source_type": "unknown"}
{"ref": "raw:t", "agent_id": "ash", "text": "new", "created_at": 1767225600000, "source_type": "unknown", "detail": {"content": "old", "timestamp": "2025-01-01"}}
{"ref": "suggestion:s", "agent_id": "ash", "text": "o", "created_at": 1767225600000, "source_type": "unknown", "detail": {"memory_type": "episode", "content": {"objective": "o", "outcome": "w"}, "status": "pending"}, "justifications": [{"role": "derived_from", "reading": "any", "recorded": "recorded", "at": 1767225600000, "antecedents": [{"ref": "raw:r"}]}]}
{"ref": "suggestion:t", "agent_id": "ash", "text": "plain words", "created_at": 1767225600000, "source_type": "unknown", "detail": {"memory_type": "note", "content": "plain words", "status": "pending", "promoted_to": "nothing"}}
{"ref": "suggestion:u", "agent_id": "ash", "text": "{\"x\": 1}", "created_at": 1767225600000, "source_type": "unknown", "detail": {"memory_type": "note", "content": {"x": 1}, "status": "rejected"}}
suggestion:t: content is no JSON; treated as absent
suggestion:t: promoted_to names "nothing", which is no ref; left out
suggestion:s: names raw:r, which is not here
{"ref": "raw:r", "agent_id": "ash", "text": "seen", "created_at": 1767225600000, "source_type": "unknown"}
episodes is not a table with ids; skipped
beliefs is not a table with ids; skipped
notes is not a table with ids; skipped
the store does not state its version; the known parts are read
{"ref": "belief:b", "agent_id": "ash", "text": "said", "created_at": 1767312000000, "source_type": "unknown", "history": [{"at": 1767312000000, "reason": "not json", "operation": "odd", "origin": "kernle"}, {"at": 1769904000000, "origin": "kernle"}, {"at": 1772323200000, "reason": "old {\"amount\":0.1}", "operation": "weaken", "actor": "core:1", "origin": "kernle"}, {"at": 1772409600000, "evidence_source": "old", "operation": "belief.revised", "actor": "core:1", "origin": "kernle"}, {"at": 1772496000000, "operation": "belief.revised", "actor": "core:1", "origin": "kernle"}], "relations": [{"type": "supersedes", "to": "belief:old", "at": 1767312000000}]}
belief:b: an entry of memory_audit has no readable time
memory_audit has 2 entries about memories that are not in the store
belief:b: names belief:old, which is not here

# Kernle's demo: the report, what is left out, the lineage of a value, and one agent alone.
$ cp $DATA/kernle-demo.db demo.db; stemma import kernle demo.db --store demo.s; cmp demo.db $DATA/kernle-demo.db; for q in 'value:30f07409 --trace' 'raw:ba4b3c8b --reverse'; do stemma show $q --json --store demo.s | jq -c '[.. | .ref? // empty] | unique | length'; done; stemma import kernle demo.db --agent claire --store claire.s; stemma import kernle demo.db --agent nobody --store nobody.s; echo $?; ls nobody.s* 2>&1; stemma import kernle demo.db --agent nobody --store claire.s --dry-run; stemma import kernle $DATA/kernle-legacy-16.db --store old.s | head -2; stemma show episode:8f72da74 --json --store old.s | jq -c 'del(.label, .effective, .support)'
stemma: belief:orphan-1: names raw:ID1, which is not here
stemma: belief:orphan-1: names episode:bare-episode-id-not-typed, which is not here
read 21 memories into demo.s: 21 added, 0 updated, 0 unchanged
  5 raw entries, 3 episodes, 7 beliefs, 2 notes, 1 value, 1 goal, 1 drive, 1 relationship
  25 links
  2 refs that are not in this store
  schema 26
  not imported: embedding_meta 19, sync_queue 21, trust_assessments 1
10
8
stemma: belief:ID2: names episode:ID3, which is not here
read 3 memories into claire.s: 3 added, 0 updated, 0 unchanged
  1 raw entry, 1 episode, 1 belief
  4 links
  1 ref that is not in this store
  schema 26
  not imported: embedding_meta 19, sync_queue 21, trust_assessments 1
stemma: demo.db has no agent 'nobody'; it has ash, claire. Name one of its agents.
3
ls: cannot access 'nobody.s*': No such file or directory
stemma: demo.db has no agent 'nobody'; it has ash, claire. Name one of its agents.
read 5 memories into old.s: 5 added, 0 updated, 0 unchanged
  2 raw entries, 1 episode, 2 beliefs
{"ref":"episode:ID4","agent_id":"ash","text":"First collab with Claire","created_at":1795171299407,"updated_at":1795171299426,"confidence":0.8,"source_type":"direct_experience","status":"forgotten","tags":["raw"],"annotations":["context:raw-processing"],"version":1,"detail":{"outcome":"success","outcome_type":"success","is_forgotten":1,"forgotten_at":"2026-11-20T10:41:39.426471+00:00","forgotten_reason":"stale"},"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","at":1795171299407,"antecedents":[{"ref":"raw:ID5"}]}],"trust":0,"why":"forgotten"}
$ stemma orphans --store demo.s --json | jq -c 'select(.problem == "missing") | [.ref, .field, .target]'; stemma show value:30f07409 --trace --json --store demo.s | jq -c .cycles; stemma show belief:66d0cfde --trace --store demo.s | grep -c ' of ash'
["belief:orphan-1","derived_from","raw:ID1"]
["belief:orphan-1","evidence","episode:bare-episode-id-not-typed"]
[]
2

# Compared with SQL on the originals: each kind, link, history step and note; beliefs by field. The source is unchanged.
$ cat >count.py <<'END'
> import os, sqlite3, subprocess
> from make import *
> KINDS = dict(raw_entries=0, episodes=1, beliefs=2, notes=3, agent_values=4, goals=5, drives=6, relationships=7, memory_suggestions=8)
> MEMORIES = [t for t in KINDS if t not in ("raw_entries", "memory_suggestions")]
> for name in ("kernle-1000.db", "kernle-demo.db", "kernle-legacy-16.db"):
>     source = os.environ["DATA"] + "/" + name
>     with open(source, "rb") as f: before = f.read()
>     with open(name, "wb") as f: f.write(before)
>     for _ in range(2): subprocess.run(["stemma", "import", "kernle", name, "--store", name + ".s"], capture_output=True)
>     db = sqlite3.connect(name + ".s")
>     theirs = sqlite3.connect(f"file:{source}?immutable=1", uri=True)
>     one = lambda d, sql: d.execute(sql).fetchone()[0] or 0
>     each = lambda sql: sum(one(theirs, sql.format(t)) for t in MEMORIES)
>     kind = {k: n for k, n in db.execute("SELECT kind, count(*) FROM memory WHERE status < 7 GROUP BY 1")}
>     pairs = [(kind.get(k, 0), one(theirs, f"SELECT count(*) FROM {t}")) for t, k in KINDS.items()]
>     link = lambda role: one(db, f"SELECT count(*) FROM link WHERE shape & 31 = {role}")
>     pairs.append((link(0), each("""SELECT sum((SELECT count(DISTINCT j.value) FROM json_each(t.derived_from) j WHERE substr(j.value, 1, instr(j.value, ':') - 1)
>         IN ('raw', 'episode', 'belief', 'note', 'value', 'goal', 'drive', 'relationship'))) FROM {} t WHERE json_valid(t.derived_from)""")))
>     pairs.append((link(1), each("SELECT sum((SELECT count(DISTINCT replace(j.value, 'episode:', '')) FROM json_each(t.source_episodes) j)) FROM {} t WHERE json_valid(t.source_episodes)")))
>     pairs.append((one(db, "SELECT count(*) FROM history WHERE origin IS NULL"), each("SELECT sum(json_array_length(t.confidence_history)) FROM {} t WHERE json_valid(t.confidence_history)")))
>     pairs.append((one(db, "SELECT sum(json_array_length(annotations)) FROM memory"), each("""SELECT sum((SELECT count(DISTINCT j.value) FROM json_each(t.derived_from) j
>         WHERE j.value LIKE 'context:%' OR j.value LIKE 'kernle:%')) FROM {} t WHERE json_valid(t.derived_from)""")))
>     pairs.append((link(16), one(theirs, "SELECT count(*) FROM beliefs WHERE supersedes IS NOT NULL")))
>     pairs.append((link(17), one(theirs, "SELECT sum(json_array_length(processed_into)) FROM raw_entries WHERE json_valid(processed_into)")))
>     same = open(name, "rb").read() == before and not any(os.path.exists(name + s) and os.path.getsize(name + s) for s in ("-wal", "-journal"))
>     print(name, pairs[2:4], [p for p in pairs if p[0] != p[1]], same)
> theirs.close(); db = sqlite3.connect("kernle-1000.db.s"); db.execute("ATTACH 'kernle-1000.db' AS k")
> print(db.execute("""SELECT count(*) FROM k.beliefs b JOIN main.memory m ON m.kind = 2 AND m.name = b.id
>     JOIN main.agent a ON a.id = m.agent JOIN main.source_type y ON y.id = m.source_type
>     WHERE m.text = b.statement AND a.name = b.stack_id AND m.confidence = b.confidence AND y.name = b.source_type AND m.protected = b.is_protected
>     AND m.status = CASE WHEN b.deleted THEN 5 WHEN b.strength = 0 THEN 4 WHEN b.is_active = 0 THEN 1 ELSE 0 END AND m.version = b.version
>     AND m.created_at = unixepoch(b.created_at) * 1000 AND m.updated_at / 1000 = unixepoch(b.local_updated_at)
>     AND json_extract(m.detail, '$.belief_type') = b.belief_type AND coalesce(json_extract(m.detail, '$.times_reinforced'), 0) = b.times_reinforced""").fetchone()[0])
> END
> python3 count.py
kernle-1000.db [(2500, 2500), (50, 50)] [] True
kernle-demo.db [(7, 7), (2, 2)] [] True
kernle-legacy-16.db [(2, 2), (0, 0)] [] True
2500

# A log that another program has not checkpointed is read and left alone.
$ python3 - <<'END'
> import os, shutil, sqlite3, subprocess
> shutil.copy(os.environ["DATA"] + "/kernle-demo.db", "live.db"); live = sqlite3.connect("live.db")
> live.execute("PRAGMA journal_mode = WAL"); live.execute("UPDATE beliefs SET statement = 'from the log' WHERE id = 'orphan-1'"); live.commit()
> for s in ("", "-wal", "-shm"): shutil.copy("live.db" + s, "copy.db" + s)
> read = lambda: [open("copy.db" + s, "rb").read() for s in ("", "-wal")]
> before = read(); subprocess.run(["stemma", "import", "kernle", "copy.db", "--store", "log.s"], capture_output=True)
> print(subprocess.run(["stemma", "list", "belief", "--store", "log.s"], capture_output=True, text=True).stdout.count("from the log"), read() == before)
> END
1 True

# An empty log and index beside it stay.
$ python3 - <<'END'
> import os, shutil, subprocess
> shutil.copy(os.environ["DATA"] + "/kernle-demo.db", "beside.db"); before = open("beside.db", "rb").read()
> for s in ("-wal", "-shm"): open("beside.db" + s, "w").close()
> subprocess.run(["stemma", "import", "kernle", "beside.db", "--store", "beside.s"], capture_output=True)
> print([os.path.exists("beside.db" + s) for s in ("-wal", "-shm")], open("beside.db", "rb").read() == before)
> END
[True, True] True

# Each version of Kernle's schema, and an unknown newer one.
$ cat >versions.py <<'END'
> import os
> from make import *
> def tables(db, version):
>     db.execute("CREATE TABLE schema_version(version INTEGER PRIMARY KEY)"); db.execute("INSERT INTO schema_version VALUES (?)", (version,))
>     for part in open(os.environ["DATA"] + "/kernle-columns.txt").read().split("TABLE ")[1:]:
>         head, *lines = part.strip().split("\n")
>         name, since = head.split()
>         there = [d for f, u, d in (l.split(" ", 2) for l in lines) if int(f) <= version and (u == "-" or version < int(u))]
>         if version >= int(since): db.execute(f"CREATE TABLE {name}({', '.join(there)})")
> def rows(db, version):
>     agent, gone = ("agent_id" if version < 23 else "stack_id"), ("is_forgotten" if version < 24 else "strength")
>     raw = "content, timestamp" if version < 13 else "blob, captured_at"
>     old = version < 27
>     db.executescript(f"""
>         INSERT INTO raw_entries(id, {agent}, {raw}, source, processed, processed_into, local_updated_at) VALUES ('r1', 'ash', 'seen', '2026-01-01T10:00:00+00:00', 'cli', 1, '["belief:b1"]', '2026-01-01T10:00:01Z');
>         INSERT INTO episodes(id, {agent}, objective, outcome, lessons, created_at, local_updated_at, {gone}) VALUES
>             ('e1', 'ash', 'tried', 'well', '["slowly"]', '2026-01-01T11:00:00', '2026-01-01T11:00:00', {int(version >= 24)}),
>             ('e2', 'ash', 'forgot', 'badly', NULL, '2026-01-01T11:00:00+01:00', '2026-01-01T11:00:00', {int(version < 24)});
>         INSERT INTO beliefs(id, {agent}, statement, created_at, local_updated_at, source_episodes, derived_from, is_active, superseded_by, supersedes) VALUES
>             ('b1', 'ash', 'first', '2026-01-01T12:00:00Z', '2026-01-02T12:00:00Z', '["e1", "episode:e1"]', '["raw:r1", "context:a:b"]', 0, {"'b2'" if old else "NULL"}, NULL),
>             ('b2', 'claire', 'second', '2026-01-02T12:00:00Z', '2026-01-02T12:00:00Z', NULL, '["belief:b1"]', 1, NULL, {"'b1'" if old else "NULL"});""")
>     for table, columns, values in (("notes", "content, deleted", "'n1', 'ash', '2026-01-01', '2026-01-01', 'gone', 1"),
>             ("agent_values", "name, statement", "'v1', 'ash', '2026-01-01', '2026-01-01', 'care', 'be careful'"),
>             ("goals", "title, status", "'g1', 'ash', '2026-01-01', '2026-01-01', 'ship', 'paused'"),
>             ("drives", "drive_type, focus_areas", "'d1', 'ash', '2026-01-01', '2026-01-01', 'growth', '[\"C\", \"SQL\"]'"),
>             ("relationships", "entity_name, entity_type, relationship_type", "'p1', 'ash', '2026-01-01', '2026-01-01', 'Claire', 'si', 'sibling'"),
>             ("memory_suggestions", "memory_type, content, source_raw_ids, status, promoted_to",
>              "'s1', 'ash', '2026-01-01', '2026-01-01', 'belief', '{\"statement\": \"perhaps\"}', '[\"r1\"]', 'promoted', 'belief:b1'")):
>         db.execute(f"INSERT INTO {table}(id, {agent}, created_at, local_updated_at, {columns}) VALUES ({values})")
>     if version >= 24:
>         db.execute("INSERT INTO memory_audit(id, memory_type, memory_id, operation, details, actor, created_at) VALUES ('a1', 'episode', 'e2', 'forget', '{\"reason\": \"stale\"}', 'core:1', '2026-01-03T00:00:00Z')")
>     if version >= 27:
>         db.execute("""INSERT INTO memory_audit VALUES ('a2', 'belief', 'b2', 'belief.revised', '{"revision_type": "supersession", "trigger_id": "b1", "reason": "better"}', 'core:1', '2026-01-02T12:00:00Z', 'corr-9')""")
> def take(version, more=""):
>     said, lines = export(f"v{version}.db", lambda db: (tables(db, version), rows(db, version), db.executescript(more)))
>     return said, {l["ref"]: l for l in lines}
> plain = {}
> for version in (12, 13, 14, 16, 17, 22, 23, 24, 25, 26, 27):
>     said, lines = take(version)
>     changed = {r: {k: v for k, v in l.items() if plain.get(r, {}).get(k) != v} for r, l in lines.items()}
>     print(version, said)
>     for r, c in sorted(changed.items()):
>         gone = [k for k in plain.get(r, {}) if k not in lines[r]]
>         if c or gone: print(" ", r, json.dumps({k: v for k, v in c.items() if k != "ref"}, ensure_ascii=False), *gone)
>     plain = lines
> said, lines = take(31, """ALTER TABLE beliefs ADD COLUMN mood TEXT DEFAULT 'calm'; ALTER TABLE beliefs ADD COLUMN weight REAL; UPDATE beliefs SET mood = 'stormy', weight = 2.5 WHERE id = 'b1';
>     CREATE TABLE dreams(id, text); INSERT INTO dreams VALUES (1, 'x'), (2, 'y'); INSERT INTO memory_audit VALUES ('a3', 'dream', '1', 'dreamt', NULL, 'core:1', '2026-01-02T12:00:00Z', NULL);""")
> print(said, lines["belief:b1"]["detail"], lines["belief:b2"].get("detail"), len(lines))
> END
> python3 versions.py
12
  belief:b1 {"agent_id": "ash", "text": "first", "created_at": 1767268800000, "updated_at": 1767355200000, "confidence": 0.8, "source_type": "direct_experience", "status": "superseded", "annotations": ["context:a:b"], "version": 1, "detail": {"belief_type": "fact", "superseded_by": "b2"}, "justifications": [{"role": "derived_from", "reading": "any", "recorded": "recorded", "at": 1767268800000, "antecedents": [{"ref": "raw:r1"}]}, {"role": "evidence", "reading": "any", "recorded": "recorded", "at": 1767268800000, "antecedents": [{"ref": "episode:e1"}]}]}
  belief:b2 {"agent_id": "claire", "text": "second", "created_at": 1767355200000, "updated_at": 1767355200000, "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1, "detail": {"belief_type": "fact"}, "justifications": [{"role": "derived_from", "reading": "any", "recorded": "recorded", "at": 1767355200000, "antecedents": [{"ref": "belief:b1"}]}], "relations": [{"type": "supersedes", "to": "belief:b1", "at": 1767355200000}]}
  drive:d1 {"agent_id": "ash", "text": "growth: C, SQL", "created_at": 1767225600000, "updated_at": 1767225600000, "confidence": 0.8, "source_type": "direct_experience", "status": "active", "protected": true, "version": 1, "detail": {"drive_type": "growth", "intensity": 0.5, "focus_areas": ["C", "SQL"]}}
  episode:e1 {"agent_id": "ash", "text": "tried", "created_at": 1767265200000, "updated_at": 1767265200000, "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1, "detail": {"outcome": "well", "lessons": ["slowly"]}}
  episode:e2 {"agent_id": "ash", "text": "forgot", "created_at": 1767261600000, "updated_at": 1767265200000, "confidence": 0.8, "source_type": "direct_experience", "status": "forgotten", "version": 1, "detail": {"outcome": "badly", "is_forgotten": 1}}
  goal:g1 {"agent_id": "ash", "text": "ship", "created_at": 1767225600000, "updated_at": 1767225600000, "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1, "detail": {"priority": "medium", "status": "paused"}}
  note:n1 {"agent_id": "ash", "text": "gone", "created_at": 1767225600000, "updated_at": 1767225600000, "confidence": 0.8, "source_type": "direct_experience", "status": "deleted", "version": 1, "detail": {"note_type": "note"}}
  raw:r1 {"agent_id": "ash", "text": "seen", "created_at": 1767261600000, "updated_at": 1767261601000, "confidence": 1, "source_type": "direct_experience", "status": "active", "version": 1, "detail": {"source": "cli", "processed": 1}, "relations": [{"type": "processed_into", "to": "belief:b1", "at": 1767261601000}]}
  relationship:p1 {"agent_id": "ash", "text": "Claire: sibling", "created_at": 1767225600000, "updated_at": 1767225600000, "confidence": 0.8, "source_type": "direct_experience", "status": "active", "version": 1, "detail": {"entity_name": "Claire", "entity_type": "si", "relationship_type": "sibling", "sentiment": 0}}
  suggestion:s1 {"agent_id": "ash", "text": "perhaps", "created_at": 1767225600000, "updated_at": 1767225600000, "confidence": 0.5, "source_type": "unknown", "status": "active", "version": 1, "detail": {"memory_type": "belief", "content": {"statement": "perhaps"}, "status": "promoted"}, "justifications": [{"role": "derived_from", "reading": "any", "recorded": "recorded", "at": 1767225600000, "antecedents": [{"ref": "raw:r1"}]}], "relations": [{"type": "processed_into", "to": "belief:b1", "at": 1767225600000}]}
  value:v1 {"agent_id": "ash", "text": "be careful", "created_at": 1767225600000, "updated_at": 1767225600000, "confidence": 0.9, "source_type": "direct_experience", "status": "active", "protected": true, "version": 1, "detail": {"name": "care", "priority": 50}}
13
14
16
17
  goal:g1 {"detail": {"goal_type": "task", "priority": "medium", "status": "paused"}}
22
23
24
  episode:e2 {"detail": {"outcome": "badly", "strength": 0}, "history": [{"at": 1767398400000, "reason": "stale", "operation": "forget", "actor": "core:1", "origin": "kernle"}]}
25
26
27
  belief:b1 {"detail": {"belief_type": "fact"}}
  belief:b2 {"history": [{"at": 1767355200000, "reason": "better {\"revision_type\":\"supersession\"} correlation corr-9", "evidence_source": "b1", "operation": "belief.revised", "actor": "core:1", "origin": "kernle"}], "relations": [{"type": "supersedes", "to": "belief:b1", "at": 1767355200000, "reason": "better"}]}
the store is of version 31, newer than 27; the known parts are read
memory_audit has 1 entry about memories that are not in the store
 {'belief_type': 'fact', 'mood': 'stormy', 'weight': 2.5} {'belief_type': 'fact'} 11

# A confidence history ends at the stored confidence: what no row explains (decay, verification, an update) is a line of its own. Promoted suggestions do not disagree.
$ cat >gap.py <<'END'
> from make import *
> H = '[{"timestamp": "2026-02-01T00:00:00Z", "old": 0.7, "new": 0.75, "reason": "Reinforced"}%s]'
> def made(db):
>     db.executescript(TABLE + """; CREATE TABLE raw_entries(id, stack_id, blob, captured_at, processed, processed_into);
>         INSERT INTO raw_entries VALUES ('r', 'ash', 'seen', '2026-01-01', 1, '["belief:decayed"]');
>         CREATE TABLE memory_suggestions(id, stack_id, memory_type, content, source_raw_ids, status, created_at, promoted_to);
>         INSERT INTO memory_suggestions VALUES ('s', 'ash', 'belief', '{"statement": "said"}', '["r"]', 'promoted', '2026-01-01', 'belief:decayed')""")
>     for id, confidence, more in ("decayed", 0.61, ""), ("verified", 0.85, ""), ("between", 0.82, ', {"timestamp": "2026-03-01T00:00:00Z", "old": 0.8, "new": 0.82}'), ("explained", 0.7504, ""):
>         db.execute(ROW, (id,)); db.execute("UPDATE beliefs SET confidence = ?, confidence_history = ?, derived_from = '[\"raw:r\"]' WHERE id = ?", (confidence, H % more, id))
> export("gap.db", made)
> END
> python3 gap.py; for b in decayed verified between explained; do stemma show belief:$b --trace --store gap.db.s | sed -n '/── confidence/,/^$/p'; done; stemma orphans --store gap.db.s --json | jq -c '[.problem, .ref, .target]'
── confidence ─ ▆▇▅  0.610 stored · 0.610 effective
   0.610  -0.140  changed by 0.140 without a record
   0.750  +0.050  2026-02-01 00:00:00Z Reinforced

── confidence ─ ▆▇▇  0.850 stored · 0.850 effective
   0.850  +0.100  changed by 0.100 without a record
   0.750  +0.050  2026-02-01 00:00:00Z Reinforced

── confidence ─ ▆▇▇▇  0.820 stored · 0.820 effective
   0.820  +0.020  2026-03-01 00:00:00Z
   0.800  +0.050  changed by 0.050 without a record
   0.750  +0.050  2026-02-01 00:00:00Z Reinforced

── confidence ─ ▆▇  0.750 stored · 0.750 effective
   0.750  +0.050  2026-02-01 00:00:00Z Reinforced

["unexplained","belief:decayed","0.75"]
["unexplained","belief:verified","0.75"]
$ cp $DATA/kernle-1000.db big.db; stemma import kernle big.db --store big.s >/dev/null 2>&1; stemma orphans --json --store big.s | jq -r .problem | uniq -c; stemma show belief:a8cdf44d --trace --store big.s | sed -n '/── confidence/,/^$/p'
    832 unexplained
── confidence ─ ▆▆▆▆▆▇▇  0.833 stored · 0.833 effective
   0.833  +0.083  changed by 0.083 without a record
   0.750  +0.010  2026-02-01 00:00:28Z Reinforced (count: 5)  episode:ID6
   0.740  +0.010  2026-02-01 00:00:21Z Reinforced (count: 4)  episode:ID6
   0.730  +0.010  2026-02-01 00:00:14Z Reinforced (count: 3)  episode:ID6
   0.720  +0.010  2026-02-01 00:00:07Z Reinforced (count: 2)  episode:ID6
   0.710  +0.010  2026-02-01 00:00:00Z Reinforced (count: 1)  episode:ID6

# A raw entry that Kernle made up for a memory without a source is shown as that, and so is the link to it.
$ cat >synthetic.py <<'END'
> from make import *
> def made(db):
>     db.executescript(TABLE + """; CREATE TABLE raw_entries(id, stack_id, blob, captured_at, source, source_type);
>         INSERT INTO raw_entries VALUES ('up', 'ash', '[migrated belief] said', '2026-01-01', 'migration', 'direct_experience');
>         INSERT INTO raw_entries VALUES ('seen', 'ash', '[migrated birds] seen', '2026-01-01', 'cli', 'direct_experience')""")
>     for id, refs in ("linked", '["raw:up", "kernle:auto-linked", "kernle:synthetic-raw"]'), ("marked", '["raw:up", "kernle:synthetic-raw"]'):
>         db.execute(ROW, (id,)); db.execute("UPDATE beliefs SET derived_from = ? WHERE id = ?", (refs, id))
> said, lines = export("synthetic.db", made)
> for l in lines: print(l["ref"], l["source_type"], l.get("annotations"), [j["recorded"] for j in l.get("justifications", [])])
> print(said, end="")
> END
> python3 synthetic.py; stemma show raw:up --store synthetic.db.s | sed -n '/ source /p;/── based on/,/^$/p'; stemma show belief:marked --store synthetic.db.s | sed -n '/── based on/,/^$/p'
belief:linked inference ['kernle:auto-linked', 'kernle:synthetic-raw'] ['auto-linked']
belief:marked inference ['kernle:synthetic-raw'] ['auto-linked']
raw:seen direct_experience None []
raw:up unknown ['kernle:synthetic-raw'] []
 source       unknown
── based on
   nothing: Kernle made it up from the memory that is based on it
        kernle:synthetic-raw annotation

   source              migration
── based on ─ 1 of 1 valid
   ●    ● raw:up        [migrated belief] said auto-linked 1.00 AGE
        kernle:synthetic-raw annotation

# Who forgot or locked a memory in the store that it came from is on its page; what else the audit says is its imported history.
$ cp $DATA/kernle-demo.db audit.db; stemma import kernle audit.db --store audit.s >/dev/null 2>&1; for r in episode:b12693e1 belief:54c5507f belief:b175d483; do stemma show $r --store audit.s | grep -A1 "in kernle\|imported history"; done
 forgotten    2026-11-20 10:42:16Z (AGE) by system in kernle: stale

--
── imported history
                  2026-11-20 10:42:16Z system  forget  stale  kernle
 locked       2026-11-20 10:42:16Z (AGE) by system in kernle

--
── imported history
                  2026-11-20 10:42:16Z system  protect  kernle
          forgotten 2026-11-20 10:42:16Z (AGE) by system in kernle: stale
        context:consolidation annotation
--
── imported history
                  2026-11-20 10:42:16Z system  cascade_flag  source_forgotten  episode:ID3  kernle
