# Problems of a lineage: each is reported once, and valid memories are not.
$ cat >f <<'END'
> export STEMMA_STORE=$PWD/s.db
> rm -f s.db*
> o() { jq -c '{agent_id: "ash", created_at: 1795000000000} + .' >o.jsonl; stemma import jsonl o.jsonl --replace >/dev/null 2>&1; }
> END

# A missing memory is reported once for each field that names it, not for ended memories, and no more once it exists.
$ . ./f; o <<'END'
> {"ref":"belief:b","text":"t","justifications":[{"role":"derived_from","antecedents":["raw:gone","raw:r"]},{"role":"evidence","antecedents":["raw:gone"]},{"role":"evidence","antecedents":["raw:gone","episode:too"]}]}
> {"ref":"raw:r","text":"t","processed_into":["note:never"]}
> {"ref":"note:n","text":"t","derived_from":["raw:r"],"relations":[{"type":"supersedes","to":"note:old"}]}
> {"ref":"note:dead","text":"t","status":"retracted","derived_from":["raw:gone"]}
> END
> stemma orphans --json | jq -c '[.problem, .ref, .field, .target]'; o <<'END'
> {"ref":"raw:gone","text":"t"}
> {"ref":"episode:too","text":"t","derived_from":["raw:r"]}
> {"ref":"note:never","text":"t","derived_from":["raw:r"]}
> END
> stemma orphans --json | jq -c '[.problem, .ref, .field, .target]'
["missing","belief:b","derived_from","raw:gone"]
["missing","belief:b","evidence","raw:gone"]
["missing","belief:b","evidence","episode:too"]
["missing","raw:r","processed_into","note:never"]

# Memories that lost their support, and circles.
$ . ./f; o <<'END'
> {"ref":"raw:dead","text":"t","status":"deleted"}
> {"ref":"belief:on-dead","text":"t","derived_from":["raw:dead"]}
> {"ref":"belief:on-that","text":"t","derived_from":["belief:on-dead"]}
> {"ref":"belief:x","text":"t","derived_from":["belief:y"]}
> {"ref":"belief:y","text":"t","derived_from":["belief:x"]}
> {"ref":"belief:self","text":"t","derived_from":["belief:self"]}
> {"ref":"belief:bare","text":"t"}
> {"ref":"belief:dead","text":"t","status":"forgotten"}
> END
> stemma orphans --json | jq -c '[.problem, .ref, .field, .target]'
["unsupported","belief:on-dead",null,null]
["unsupported","belief:on-that",null,null]
["circular","belief:x",null,null]
["circular","belief:y",null,null]
["circular","belief:self",null,null]
["unrecorded","belief:bare",null,null]

# Chains: a step without a source, an answer without steps.
$ . ./f; o <<'END'
> {"ref":"document:d","text":"t"}
> {"ref":"chain:running","text":"t","detail":{"strategy":"s"}}
> {"ref":"step:sourced","text":"t","detail":{"step_number":1},"justifications":[{"role":"source","antecedents":["document:d"]}],"relations":[{"type":"part_of","to":"chain:running"}]}
> {"ref":"step:unsourced","text":"t","detail":{"step_number":2},"relations":[{"type":"part_of","to":"chain:running"}]}
> {"ref":"chain:null","text":"t","detail":{"final_answer":null}}
> {"ref":"chain:no-steps","text":"t","detail":{"final_answer":""}}
> {"ref":"chain:finished","text":"t","detail":{"final_answer":"a"},"justifications":[{"role":"step","reading":"all","antecedents":["step:sourced"]}]}
> END
> stemma orphans --json | jq -c '[.problem, .ref, .field, .target]'
["unrecorded","step:unsourced",null,null]
["unrecorded","chain:no-steps",null,null]

# A raw entry and its promotion disagree. A promoted suggestion and what it proposed do not.
$ . ./f; o <<'END'
> {"ref":"raw:r","text":"t","processed_into":["note:a","note:b","note:c"]}
> {"ref":"raw:dead","text":"t","status":"deleted","processed_into":["note:b"]}
> {"ref":"note:a","text":"t","derived_from":["raw:r"]}
> {"ref":"note:b","text":"t","derived_from":["note:a"]}
> {"ref":"note:c","text":"t","derived_from":["context:c"]}
> {"ref":"raw:s","text":"t"}
> {"ref":"suggestion:promoted","text":"t","derived_from":["raw:s"],"processed_into":["note:d"]}
> {"ref":"note:d","text":"t","derived_from":["raw:s"]}
> END
> stemma orphans --json | jq -c '[.problem, .ref, .field, .target]'
["disagreeing","raw:r","processed_into","note:b"]
["disagreeing","raw:r","processed_into","note:c"]

# A confidence that its history does not explain, to three decimals.
$ . ./f; o <<'END'
> {"ref":"belief:told","text":"t","confidence":0.7131818,"derived_from":["raw:r"],"history":[{"at":1,"old":0.5,"new":0.7},{"at":2,"old":0.7,"new":0.713},{"at":3,"reason":"no number"},{"at":4,"new":0.1,"origin":"kernle"}]}
> {"ref":"belief:not","text":"t","confidence":0.8,"derived_from":["raw:r"],"history":[{"at":1,"old":0.5,"new":0.7}]}
> {"ref":"belief:dead","text":"t","confidence":0.8,"status":"retracted","history":[{"at":1,"old":0.5,"new":0.7}]}
> {"ref":"belief:just","text":"t","confidence":0.8005,"derived_from":["raw:r"],"history":[{"at":1,"old":0.5,"new":0.8}]}
> {"ref":"belief:bare","text":"t","confidence":0.8,"derived_from":["raw:r"],"detail":{"confidence":1}}
> {"ref":"raw:r","text":"t"}
> END
> stemma orphans | grep stored; stemma orphans --json | jq -c '[.problem, .ref, .field, .target, .stored]'; o <<'END'
> {"ref":"belief:bare","text":"t","confidence":0.6,"derived_from":["raw:r"],"detail":{"confidence":2}}
> END
> o <<'END'
> {"ref":"belief:bare","text":"t","confidence":0.5,"derived_from":["raw:r"],"detail":{"confidence":3}}
> END
> stemma orphans --json | jq -c '[.problem, .ref, .field, .target]'; o <<'END'
> {"ref":"belief:bare","text":"t","confidence":0.8,"derived_from":["raw:r"]}
> END
> stemma orphans --json | jq -c '[.problem, .ref, .field, .target]'
  ● belief:not  t  confidence 0.7 by its history, 0.80 stored
["unexplained","belief:not","confidence","0.7",0.8]
["unexplained","belief:not","confidence","0.7"]
["unexplained","belief:bare","confidence","0.8"]
["unexplained","belief:not","confidence","0.7"]

# Implausible times.
$ . ./f; o <<'END'
> {"ref":"raw:seconds","text":"t","created_at":1795000000}
> {"ref":"raw:future","text":"t","created_at":1795000000000,"updated_at":1995000000000}
> {"ref":"raw:dead","text":"t","created_at":1,"status":"purged"}
> {"ref":"attribution:s","text":"t","detail":{"source_type":"web","source_uri":"x","retrieval_timestamp":1795000000}}
> {"ref":"attribution:least","text":"t","detail":{"source_type":"web","retrieval_timestamp":99999999999}}
> {"ref":"attribution:early","text":"t","detail":{"source_type":"web","retrieval_timestamp":100000000000}}
> {"ref":"attribution:nineties","text":"t","detail":{"source_type":"web","retrieval_timestamp":946684799999}}
> {"ref":"attribution:huge","text":"t","detail":{"source_type":"web","retrieval_timestamp":9007199254740991}}
> {"ref":"attribution:zero","text":"t","detail":{"source_type":"web","retrieval_timestamp":0}}
> {"ref":"attribution:negative","text":"t","detail":{"source_type":"web","retrieval_timestamp":-5}}
> END
> stemma orphans --json | jq -c '[.problem, .ref, .field, .target]'
["suspect-time","raw:seconds","created_at","1795000000"]
["suspect-time","raw:seconds","updated_at","1795000000"]
["suspect-time","raw:future","updated_at","1995000000000"]
["suspect-time","attribution:s","retrieval_timestamp","1795000000"]
["suspect-time","attribution:least","retrieval_timestamp","99999999999"]
["suspect-time","attribution:huge","retrieval_timestamp","9007199254740991"]
["suspect-time","attribution:zero","retrieval_timestamp","0"]
["suspect-time","attribution:negative","retrieval_timestamp","-5"]

# One agent's problems.
$ . ./f; o <<'END'
> {"ref":"belief:a","agent_id":"ash","text":"t"}
> {"ref":"belief:c","agent_id":"claire","text":"t","derived_from":["raw:gone"]}
> END
> stemma orphans --json --agent ash | jq -c '[.problem, .ref, .field, .target]'; stemma orphans --json --agent claire | jq -c '[.problem, .ref, .field, .target]'; stemma orphans --json --agent nobody | jq -c '[.problem, .ref, .field, .target]'
["unrecorded","belief:a",null,null]
["missing","belief:c","derived_from","raw:gone"]
["unsupported","belief:c",null,null]
stemma: nothing matched: there is no agent 'nobody'. There are ash, claire.

# Each problem is offered with its fix, and the fixes fix them. What is pasted is quoted.
$ . ./f; o <<'END'
> {"ref":"raw:dead","text":"t"}
> {"ref":"belief:on-dead","text":"t","derived_from":["raw:dead"]}
> {"ref":"belief:x","text":"t","derived_from":["belief:x"]}
> {"ref":"belief:a b'c","text":"t"}
> {"ref":"belief:made","text":"t","derived_from":["raw:other"]}
> {"ref":"raw:other","text":"t"}
> {"ref":"raw:p","text":"t","processed_into":["belief:made"]}
> {"ref":"attribution:s","text":"t","detail":{"source_type":"web","retrieval_timestamp":1795000000}}
> {"ref":"raw:sec","text":"t","created_at":1795000000,"updated_at":1795000000000}
> {"ref":"raw:upd","text":"t","updated_at":1795000000}
> {"ref":"note:n","text":"t","derived_from":["raw:gone","attribution:gone","entry:gone"]}
> END
> stemma retract raw:dead --yes >/dev/null; stemma orphans; stemma orphans --json | jq -r .fix | sed 's/REF/raw:other/; s/MS/1795000000000/; s/VALUE/1/; s/NAME/n/' >fixes; grep ^stemma fixes | sort -u | while read -r fix; do bash -c "$fix --yes" >/dev/null || echo "$fix"; done; grep ^printf fixes | sh >/dev/null; stemma orphans --json | jq -c '[.problem, .ref, .fix]'
missing: names something that is not in this store
  ○ note:n  t  derived from raw:gone
      fix: printf '%s\n' '{"ref":"raw:gone","agent_id":"ash","text":"TEXT"}' | stemma import jsonl -
  ○ note:n  t  derived from attribution:gone
      fix: printf '%s\n' '{"ref":"attribution:gone","agent_id":"ash","text":"TEXT","detail":{"source_type":"TYPE","retrieval_timestamp":MS}}' | stemma import jsonl -
  ○ note:n  t  derived from entry:gone
      fix: printf '%s\n' '{"ref":"entry:gone","agent_id":"ash","text":"TEXT","detail":{"namespace":"NAME","value":VALUE}}' | stemma import jsonl -

unsupported: no justification is valid
  ○ belief:on-dead  t
      fix: stemma restore raw:dead
  ○ note:n  t
      fix: stemma reinforce note:n --evidence REF

circular: supported only by a circle of memories that support each other
  ↺ belief:x  t
      fix: stemma reinforce belief:x --evidence REF

unrecorded: unsourced, and nothing else says where it comes from
  – belief:a b'c  t
      fix: stemma reinforce 'belief:a b'\''c' --evidence REF

disagreeing: was promoted, but the memory made from it does not name it
  ● raw:p  t  processed into belief:made
      fix: stemma repair-origins

suspect-time: has a time that cannot be right
  ● attribution:s  t  retrieved 1795000000
      fix: stemma edit attribution:s --field retrieval_timestamp=1795000000000
  ● raw:sec  t  created 1795000000
      fix: stemma edit raw:sec --created 2026-11-18T11:06:40.000Z
  ● raw:upd  t  updated 1795000000
      fix: stemma flag reviewed raw:upd

11 problems of the lineage

# Support that was lost further down is restored at its cause: the nearest ended memory whose restore heals it, the first of several.
$ cat >deep.jsonl <<'END'
> {"ref":"raw:cause","agent_id":"ash","text":"c","status":"retracted"}
> {"ref":"raw:other","agent_id":"ash","text":"o","status":"retracted"}
> {"ref":"belief:1","agent_id":"ash","text":"based on the cause","derived_from":["raw:cause"]}
> {"ref":"belief:2","agent_id":"ash","text":"based on that","derived_from":["belief:1"]}
> {"ref":"belief:3","agent_id":"ash","text":"needs both","derived_from":["raw:cause","raw:other"],"derivation":"all"}
> {"ref":"belief:4","agent_id":"ash","text":"no single restore heals it","derived_from":["belief:3"]}
> END
> stemma import jsonl deep.jsonl --store deep.db >/dev/null; stemma orphans --json --store deep.db | jq -c '[.ref, .fix]'; stemma restore raw:cause --store deep.db >/dev/null; stemma orphans --json --store deep.db | jq -c '[.ref, .fix]'
["belief:1","stemma restore raw:cause"]
["belief:2","stemma restore raw:cause"]
["belief:3","stemma restore raw:cause raw:other"]
["belief:4","stemma reinforce belief:4 --evidence REF"]
["belief:3","stemma restore raw:other"]
["belief:4","stemma restore raw:other"]
