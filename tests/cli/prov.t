# PROV-JSON of other programs, after the story of the PROV primer: entities become notes and activities episodes. What has
# no room is counted.
$ cat >primer.json <<'END'
> {
>  "prefix": {
>   "ex": "http://example.org/",
>   "dcterms": "http://purl.org/dc/terms/",
>   "foaf": "http://xmlns.com/foaf/0.1/"},
>  "entity": {
>   "ex:article": {"dcterms:title": "Crime rises in cities"},
>   "ex:dataSet1": {},
>   "ex:dataSet2": {"prov:value": {"$": "42", "type": "xsd:int"}},
>   "ex:regionList": {"prov:type": {"$": "prov:Collection", "type": "prov:QUALIFIED_NAME"}},
>   "ex:composition1": {},
>   "ex:chart1": {"prov:label": [{"$": "Chart", "lang": "en"}, {"$": "Diagramm", "lang": "de"}]},
>   "ex:chart2": {"prov:label": "Chart, corrected"}},
>  "activity": {
>   "ex:compose": {},
>   "ex:illustrate": {"prov:startTime": "2012-03-31T09:21:00.000+01:00", "prov:endTime": "2012-03-31T10:00:00+01:00"},
>   "ex:correct": {"prov:startTime": "2012-04-01T15:21:00.000+01:00"}},
>  "agent": {
>   "ex:derek": {"prov:type": {"$": "prov:Person", "type": "prov:QUALIFIED_NAME"}, "foaf:givenName": "Derek"},
>   "ex:chartgen": {"prov:type": {"$": "prov:Organization", "type": "prov:QUALIFIED_NAME"}, "foaf:name": "Chart Generators Inc"}},
>  "used": {
>   "_:u1": {"prov:activity": "ex:compose", "prov:entity": "ex:dataSet1", "prov:role": "ex:dataToCompose"},
>   "_:u2": {"prov:activity": "ex:compose", "prov:entity": "ex:regionList"},
>   "_:u3": {"prov:activity": "ex:illustrate", "prov:entity": "ex:composition1"},
>   "_:u4": {"prov:activity": "ex:correct", "prov:entity": "ex:dataSet1"}},
>  "wasGeneratedBy": {
>   "_:g1": {"prov:entity": "ex:composition1", "prov:activity": "ex:compose", "prov:role": "ex:composedData"},
>   "_:g2": {"prov:entity": "ex:chart1", "prov:activity": "ex:illustrate", "prov:time": "2012-03-31T09:40:00Z"},
>   "_:g3": {"prov:entity": "ex:dataSet2", "prov:activity": "ex:correct"}},
>  "wasAssociatedWith": {
>   "_:a1": {"prov:activity": "ex:compose", "prov:agent": "ex:derek"},
>   "_:a2": {"prov:activity": "ex:illustrate", "prov:agent": "ex:derek"}},
>  "wasAttributedTo": {
>   "_:t1": {"prov:entity": "ex:chart1", "prov:agent": "ex:derek"},
>   "_:t2": {"prov:entity": "ex:chart1", "prov:agent": "ex:chartgen"}},
>  "actedOnBehalfOf": {
>   "_:b1": {"prov:delegate": "ex:derek", "prov:responsible": "ex:chartgen"}},
>  "wasDerivedFrom": {
>   "_:d1": {"prov:generatedEntity": "ex:chart2", "prov:usedEntity": "ex:dataSet2"},
>   "_:d2": {"prov:generatedEntity": "ex:chart2", "prov:usedEntity": "ex:chart1", "prov:type": {"$": "prov:Revision", "type": "prov:QUALIFIED_NAME"}},
>   "_:d3": {"prov:generatedEntity": "ex:blogEntry", "prov:usedEntity": "ex:article"}},
>  "wasInvalidatedBy": {
>   "_:x1": {"prov:entity": "ex:chart1", "prov:activity": "ex:correct", "prov:time": "2012-04-01T15:00:00Z"}},
>  "specializationOf": {
>   "_:s1": {"prov:specificEntity": "ex:articleV1", "prov:generalEntity": "ex:article"}},
>  "bundle": {
>   "ex:later": {"prefix": {"rev": "http://example.org/later/"}, "entity": {"rev:review": {"prov:value": "The chart was wrong."}}, "wasDerivedFrom": {"_:d1": {"prov:generatedEntity": "rev:review", "prov:usedEntity": "ex:chart1"}}}}}
> END
> stemma import primer.json --store p.db --agent reader
stemma: primer.json is PROV-JSON of the W3C, as `stemma export prov-json` and tools of provenance write it (2 KiB)
read 12 memories into p.db: 12 added, 0 updated, 0 unchanged
  3 episodes, 9 notes
  11 links
  left out: 1 further agent, 1 actedOnBehalfOf, 1 specializationOf
$ cat >told.py <<'END'
> import json, subprocess, sys
> text = subprocess.run(["stemma", "export", *sys.argv[1:]], text=True, capture_output=True).stdout
> rows = [json.loads(l) for l in text.splitlines()]
> name = {r["ref"]: r.get("detail", {}).get("prov_id", r["ref"]) for r in rows}
> for r in sorted(rows, key=lambda r: name[r["ref"]]):
>     froms = [name.get(a["ref"], a["ref"]) for j in r.get("justifications", []) for a in j["antecedents"]]
>     to = [(l["type"], name.get(l["to"], l["to"])) for l in r.get("relations", [])]
>     print(name[r["ref"]], r["ref"].split(":")[0], repr(r["text"]), r["agent_id"], r["status"], *froms, *to, *[h["operation"] for h in r.get("history", [])])
> END
> python3 told.py --store p.db
ex:article note 'Crime rises in cities' reader active
ex:blogEntry note 'ex:blogEntry' reader active ex:article
ex:chart1 note 'Chart' Derek retracted ex:illustrate retract
ex:chart2 note 'Chart, corrected' reader active ex:dataSet2 ('supersedes', 'ex:chart1')
ex:compose episode 'ex:compose' Derek active ex:dataSet1 ex:regionList
ex:composition1 note 'ex:composition1' Derek active ex:compose
ex:correct episode 'ex:correct' reader active ex:dataSet1
ex:dataSet1 note 'ex:dataSet1' reader active
ex:dataSet2 note '42' reader active ex:correct
ex:illustrate episode 'ex:illustrate' Derek active ex:composition1
ex:regionList note 'ex:regionList' reader active
rev:review note 'The chart was wrong.' reader active ex:chart1
$ stemma import primer.json --store p.db --agent reader; stemma fsck --store p.db
stemma: primer.json is PROV-JSON of the W3C, as `stemma export prov-json` and tools of provenance write it (2 KiB)
read 12 memories into p.db: 0 added, 0 updated, 12 unchanged
  3 episodes, 9 notes
  11 links
  left out: 1 further agent, 1 actedOnBehalfOf, 1 specializationOf
12 events, 12 memories and 11 links checked: all is well

# What stemma wrote as PROV-JSON comes back, byte for byte, also what came from another program.
$ for s in story.db p.db; do stemma export prov-json -o one.json --store $s; rm -f two.db; stemma import one.json --store two.db >/dev/null; stemma export prov-json --store two.db | cmp - one.json; stemma export --store two.db >two.jsonl; stemma export --store $s | cmp - two.jsonl && echo same; done
stemma: one.json is PROV-JSON of the W3C, as `stemma export prov-json` and tools of provenance write it (237 KiB)
stemma: belief:e5e2487d-7b77-4f17-83ec-4874220613dc: names raw:79d086c7-b59d-4d2b-b5bf-6dc5479dc473, which is not here
same
stemma: one.json is PROV-JSON of the W3C, as `stemma export prov-json` and tools of provenance write it (13 KiB)
same

# The document is legal: each name has a prefix that is declared, each statement names what it needs, and every hostile id is escaped.
$ printf '{"ref":"note:a b:%%(\\u00e9\\u0007.","agent_id":"-x z","text":"t","created_at":1}' | stemma import jsonl - --store odd.db >/dev/null; stemma export prov-json --store odd.db | grep -o '"\(note\|agent\):[^"]*"' | sort -u
"agent:%2Dx%20z"
"note:a%20b%3A%25%28%C3%A9%07%2E"
$ cat >legal.py <<'END'
> import json, re, sys
> d = json.load(open(sys.argv[1]))
> NAME = re.compile(r"([a-z_]+):((?:[A-Za-z0-9_]|%[0-9A-F]{2})(?:(?:[A-Za-z0-9_.-]|%[0-9A-F]{2})*(?:[A-Za-z0-9_-]|%[0-9A-F]{2}))?)")
> def check(name, where):
>     m = NAME.fullmatch(name)
>     assert m and (m[1] in d["prefix"] or m[1] == "_" and where == "id"), (where, name)
> for section in d:
>     if section == "prefix": continue
>     for key, record in d[section].items():
>         check(key, "id")
>         for attribute, value in record.items():
>             assert attribute.split(":")[0] in {"prov", *d["prefix"]}, attribute
>             if section not in ("entity", "activity", "agent") and attribute in ("prov:entity", "prov:activity", "prov:agent", "prov:generatedEntity", "prov:usedEntity", "prov:influencee", "prov:influencer"): check(value, attribute)
> print({k: len(v) for k, v in d.items()})
> END
> stemma export prov-json -o story.json; python3 legal.py story.json; stemma export prov-json -o odd.json --store odd.db; python3 legal.py odd.json
{'prefix': 19, 'entity': 171, 'agent': 3, 'activity': 32, 'wasGeneratedBy': 171, 'used': 86, 'wasAttributedTo': 171, 'wasDerivedFrom': 208, 'wasInfluencedBy': 30, 'wasInvalidatedBy': 6}
{'prefix': 19, 'entity': 1, 'agent': 1, 'activity': 0, 'wasGeneratedBy': 1, 'used': 0, 'wasAttributedTo': 1, 'wasDerivedFrom': 0, 'wasInfluencedBy': 0, 'wasInvalidatedBy': 0}

# Another tool may write the same otherwise: numbers and lists of one as texts, other prefixes, no statement of its own attributes.
$ cat >other.json <<'END'
> {"prefix": {"s": "urn:stemma:", "b": "urn:stemma:belief:", "r": "urn:stemma:raw:", "who": "urn:stemma:agent:"},
>  "entity": {"b:1": {"prov:value": "so it is", "s:confidence": {"$": "0.7", "type": "xsd:double"}, "s:tags": "one", "s:created_at": "1700000000000"}},
>  "wasAttributedTo": {"_:a": {"prov:entity": "b:1", "prov:agent": "who:ash%20b"}},
>  "wasDerivedFrom": {"_:d": {"prov:generatedEntity": "b:1", "prov:usedEntity": "r:7"}}}
> END
> sed -i 's/"s:created_at": "1700000000000"/"s:created_at": {"$": "1700000000000", "type": "xsd:long"}/' other.json; stemma import prov other.json --store other.db; stemma export --store other.db
stemma: belief:1: names raw:7, which is not here
read 1 memory into other.db: 1 added, 0 updated, 0 unchanged
  1 belief
  1 link
  1 ref that is not in this store
{"ref":"belief:1","agent_id":"ash b","text":"so it is","created_at":1700000000000,"updated_at":1700000000000,"confidence":0.7,"source_type":"direct_experience","status":"active","tags":["one"],"version":1,"justifications":[{"role":"derived_from","reading":"any","recorded":"recorded","at":1700000000000,"antecedents":[{"ref":"raw:7"}]}]}

# What is no PROV-JSON is refused; a record that is wrong is reported, and the others are imported.
$ echo '{"a":1}' >no.json; stemma import prov no.json --store no.db; echo $?; ls no.db; echo '{"entity":{"a":{}}' >broken.json; stemma import prov broken.json --store no.db; echo $?; echo '{"prefix":{"b":"urn:stemma:belief:","s":"urn:stemma:"},"entity":{"b:1":{"prov:value":"kept"},"b:2":{"s:confidence":7},"b:%00":{},"b:3":7}}' >half.json; stemma import prov half.json --store half.db; echo $?
stemma: line 1: is no PROV-JSON
read 0 memories: 0 added, 0 updated, 0 unchanged
  1 not understood
1
ls: cannot access 'no.db': No such file or directory
stemma: line 1: not JSON: unexpected end at byte 19. Fix the text there and try again.
read 0 memories: 0 added, 0 updated, 0 unchanged
  1 not understood
1
stemma: urn:stemma:belief:%00 names no memory
stemma: belief:2: confidence is not between 0 and 1. Fix that member and try again.
read 1 memory into half.db: 1 added, 0 updated, 0 unchanged
  1 belief
  2 not understood
  left out: 1 that is no statement
1
