# Messages when nothing matches, inactive memories, and the source of a statement.
$ for c in "list all" "search the" orphans; do stemma --agent nobody $c; stemma --agent clair $c; stemma --json --agent "$(printf 'a\033c')" $c; done
stemma: nothing matched: there is no agent 'nobody'. There are ash, claire, my-ai-agent-001.
stemma: nothing matched: there is no agent 'clair'. Did you mean claire?
stemma: nothing matched: there is no agent 'a�c'. There are ash, claire, my-ai-agent-001.
stemma: nothing matched: there is no agent 'nobody'. There are ash, claire, my-ai-agent-001.
stemma: nothing matched: there is no agent 'clair'. Did you mean claire?
stemma: nothing matched: there is no agent 'a�c'. There are ash, claire, my-ai-agent-001.
stemma: nothing matched: there is no agent 'nobody'. There are ash, claire, my-ai-agent-001.
stemma: nothing matched: there is no agent 'clair'. Did you mean claire?
stemma: nothing matched: there is no agent 'a�c'. There are ash, claire, my-ai-agent-001.
[1]
$ stemma list all --source-type nosuch
stemma: nothing matched: there is no source type 'nosuch'. There are direct_experience, inference, consolidation, processing, seed, told_by_agent, told_by_human, observation, external, unknown.
[1]
$ stemma list all --source-type seeed
stemma: nothing matched: there is no source type 'seeed'. Did you mean seed?
[1]
$ stemma list drives --source-type external
stemma: nothing matched
[1]
$ stemma list values --agent claire
stemma: nothing matched
[1]
$ stemma search no-such-word-anywhere --agent claire
stemma: no memory has all of these words: no-such-word-anywhere
[1]
$ stemma list all --status purged --json
stemma: nothing matched
[1]
$ printf '{"ref":"raw:one","agent_id":"ash","text":"t"}\n' >one.jsonl; stemma import jsonl one.jsonl --store one.db >/dev/null; stemma orphans --store one.db; stemma list notes --store one.db; stemma list all --agent x --store one.db
The lineage has no problems.
stemma: nothing matched
stemma: nothing matched: there is no agent 'x'. There is ash.
[1]
# The label `ended` finds forgotten memories.
$ stemma list all --label ended | grep -c forgotten; stemma list all --label ended --status active
1
stemma: nothing matched
[1]
# On a terminal the status has a style that text never has.
$ printf '{"ref":"note:a","text":"old","status":"superseded"}\n{"ref":"note:b","text":"[replaced] new"}\n' >status.jsonl; stemma import jsonl status.jsonl --store status.db >/dev/null; stemma list all --store status.db --color always | tr '\033' '^'; stemma list all --store status.db
^[AGE–^[AGE  ^[2mnote:b^[AGE  0.80  –  direct  ^[AGE AGE^[AGE  [replaced] new
^[AGE–^[AGE  ^[2mnote:a^[AGE  0.80  –  direct  ^[AGE AGE^[AGE  ^[AGE[replaced] ^[0mold
–  note:b  0.80  –  direct AGE  [replaced] new
–  note:a  0.80  –  direct AGE  [replaced] old
# The source of a statement can be named.
$ say() { stemma add belief x --source "$1" --source-entity $2 --store said.db >/dev/null; }; say 'Sean said so' human:sean; say 'Claire said so' agent:claire; say stand-up human:sean; say 'inferred from the log' human:sean; say stand-up agent:claire; stemma list all --json --store said.db | jq -c '[.source_type, .source_entity]'
["direct_experience","agent:claire"]
["inference","human:sean"]
["direct_experience","human:sean"]
["told_by_agent","agent:claire"]
["told_by_human","human:sean"]
# A narrow terminal has what an orphan is based on, and a what-if.
$ COLUMNS=40 stemma orphans | grep -A2 79d086c7; COLUMNS=40 stemma whatif episode:7569db5b note:e178d716 | grep valid
    derived from raw:79d086c7
      fix: printf '%s\n' '{"ref":"raw:79d086c7-b59d-4d2b-b5bf-6dc5479dc473","agent_id":"ash","text":"TEXT"}' | stemma import jsonl -

unsupported: no justification is valid
       2 → 1 valid
       2 → 1 valid
# Without a command, what to do first is aligned.
$ HOME=$PWD/none stemma --color never | sed 's/changed .*/changed AGE/'
There is no store at DIR/none/.local/share/stemma/memory.db yet.

Found on this machine:
  ./one.db     a stemma store, 1 memory, changed AGE
  ./said.db    a stemma store, 5 memories, changed AGE
  ./status.db  a stemma store, 2 memories, changed AGE
  ./story.db   a stemma store, 170 memories, changed AGE

Next:
  stemma ./one.db         explore it
  stemma ./said.db        explore it
  stemma ./status.db      explore it
  stemma demo             look around in an example store
  stemma add note "..."   start your own store
  stemma help             all commands
