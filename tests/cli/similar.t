# Memories that repeat each other, and memories that contradict each other.
$ echo 'export STEMMA_STORE=$PWD/s.db' >f; cat >in.jsonl <<'END'
> {"ref":"raw:page","agent_id":"ash","text":"The rate limit of the API is 30 requests per minute","created_at":1700000000000}
> {"ref":"belief:old","agent_id":"ash","text":"The rate limit of the API is 30 requests per minute.","created_at":1700000000000}
> {"ref":"belief:new","agent_id":"ash","text":"The rate limit of the API is 60 requests per minute","created_at":1700000500000}
> {"ref":"belief:again","agent_id":"bee","text":"the rate  limit of the API is 60 requests, per minute!","created_at":1700000600000}
> {"ref":"note:one","agent_id":"ash","text":"We deploy on Fridays, after a review by Claire.","derived_from":["raw:page"],"created_at":1700000100000}
> {"ref":"note:two","agent_id":"ash","text":"we deploy on Fridays after a review by Claire","derived_from":["note:one"],"created_at":1700000200000}
> {"ref":"note:not","agent_id":"ash","text":"We never deploy on Fridays, after a review by Claire.","created_at":1700000300000}
> {"ref":"belief:tea","agent_id":"ash","text":"Tea is better than coffee","created_at":1700000000000,"relations":[{"type":"contradicts","to":"belief:espresso","at":1700000000000,"reason":"asked twice"}]}
> {"ref":"belief:espresso","agent_id":"ash","text":"Nothing beats an espresso\u001b[31m","created_at":1700000000000}
> {"ref":"belief:tls","agent_id":"ash","text":"TLS is enabled on the staging proxy","created_at":1700000000000}
> {"ref":"belief:plain","agent_id":"ash","text":"TLS is disabled on the staging proxy","created_at":1700000900000}
> {"ref":"belief:ends","agent_id":"ash","text":"Sessions of the portal end after 5 minutes","created_at":1700000000000}
> {"ref":"belief:same","agent_id":"ash","text":"sessions of the portal end after 300 s","created_at":1700000000000}
> END
$ . ./f; stemma import jsonl in.jsonl >/dev/null; stemma duplicates
── duplicates ─ 3
 similarity 1.000
   – belief:new    The rate limit of the API is 60 requests per minute
   – belief:again  the rate  limit of the API is 60 requests, per minute!
 similarity 1.000 · from a common source
   ● note:one      We deploy on Fridays, after a review by Claire.
   ● note:two      we deploy on Fridays after a review by Claire
 similarity 1.000
   – belief:ends   Sessions of the portal end after 5 minutes
   – belief:same   sessions of the portal end after 300 s
$ . ./f; stemma duplicates --json
{"group":["belief:new","belief:again"],"similarity":1}
{"group":["note:one","note:two"],"similarity":1,"independent":false}
{"group":["belief:ends","belief:same"],"similarity":1}
$ . ./f; stemma conflicts
── conflicts, and candidates ─ 4
 recorded · asked twice
   – belief:espresso  Nothing beats an espresso�[AGE
   – belief:tea       Tea is better than coffee
 candidate · opposite: disabled / enabled
   – belief:plain     TLS is disabled on the staging proxy
   – belief:tls       TLS is enabled on the staging proxy
 candidate · negation
   – note:not         We never deploy on Fridays, after a review by Claire.
   ● note:two         we deploy on Fridays after a review by Claire
 candidate · number: 60 / 30
   – belief:new       The rate limit of the API is 60 requests per minute
   – belief:old       The rate limit of the API is 30 requests per minute.
$ . ./f; stemma conflicts --json
{"pair":["belief:espresso","belief:tea"],"recorded":true,"reason":"asked twice"}
{"pair":["belief:plain","belief:tls"],"recorded":false,"reason":"opposite: disabled / enabled"}
{"pair":["note:not","note:two"],"recorded":false,"reason":"negation"}
{"pair":["belief:new","belief:old"],"recorded":false,"reason":"number: 60 / 30"}
# Of one memory, and of several.
$ . ./f; stemma duplicates note:two; stemma duplicates note:two note:one belief:same --json; stemma duplicates note:not
── duplicates ─ 1
 similarity 1.000 · from a common source
   ● note:one  We deploy on Fridays, after a review by Claire.
   ● note:two  we deploy on Fridays after a review by Claire
{"group":["note:one","note:two"],"similarity":1,"independent":false}
{"group":["belief:ends","belief:same"],"similarity":1}
── duplicates ─ 0
   no two memories say the same
[1]
$ . ./f; stemma conflicts belief:old belief:espresso --json; stemma conflicts note:nothing
{"pair":["belief:espresso","belief:tea"],"recorded":true,"reason":"asked twice"}
{"pair":["belief:again","belief:old"],"recorded":false,"reason":"number: 60 / 30"}
{"pair":["belief:new","belief:old"],"recorded":false,"reason":"number: 60 / 30"}
stemma: no memory is called note:nothing. Search for it, or list its kind.
[1]
# Replacing says which is current, and keeps the old one readable.
$ . ./f; stemma replace belief:old "The rate limit of the API is 60 requests per minute" >/dev/null; stemma conflicts belief:new; stemma duplicates belief:new --json | sed 's/belief:[0-9a-f-]\{36\}/belief:ID/'; stemma show belief:old | head -2
── conflicts, and candidates ─ 0
   no two memories contradict each other
{"group":["belief:new","belief:again","belief:ID"],"similarity":1}
belief:old
│ The rate limit of the API is 30 requests per minute.
# As it was.
$ . ./f; stemma conflicts belief:new --as-of @13 --json; stemma duplicates --as-of @4 2>&1
stemma: as of NOW (event 13)
{"pair":["belief:new","belief:old"],"recorded":false,"reason":"number: 60 / 30"}
stemma: as of NOW (event 4)
── duplicates ─ 1
 similarity 1.000
   – belief:new    The rate limit of the API is 60 requests per minute
   – belief:again  the rate  limit of the API is 60 requests, per minute!
# A wording with many values is a template.
$ . ./f; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do echo "{\"ref\":\"note:t$i\",\"agent_id\":\"ash\",\"text\":\"user $i logged in to the portal\"}"; done >more.jsonl; stemma --store t.db import jsonl more.jsonl >/dev/null; stemma --store t.db conflicts; stemma --store t.db duplicates
── conflicts, and candidates ─ 0
   no two memories contradict each other

 1 wording with more than 16 different values: no candidates from it
── duplicates ─ 0
   no two memories say the same
[1]

# A number is the same with and without a blank before its unit.
$ printf '{"ref":"belief:%s","text":"%s"}\n' blank "The disk alarm rings above 90 %." none "The disk alarm rings above 90%." more "The disk alarm rings above 95 %." | stemma import jsonl - --store unit.db >/dev/null; stemma duplicates --json --store unit.db; stemma conflicts --json --store unit.db
{"group":["belief:blank","belief:none"],"similarity":1}
{"pair":["belief:more","belief:none"],"recorded":false,"reason":"number: 95 % / 90%"}
