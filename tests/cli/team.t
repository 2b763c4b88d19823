# A team of two machines in a folder: what one writes the other has after it fetches.
$ cat >f <<'EOF'
> one() { stemma "$1" --store a.db "${@:2}" 2>&1 | settle; }
> two() { stemma "$1" --store b.db "${@:2}" 2>&1 | settle; }
> settle() { sed -E 's/[0-9]+ ms/N ms/; s/store [0-9a-f]{8}$/store ID/; s/"store":"[^"]*"/"store":"ID"/; s/already: [0-9a-f]{8}/already: ID/; s/("(seen_)?at":)[0-9]+/\10/g; s/seen .*/seen AGO/'; }
> line() { echo "{\"ref\":\"belief:deploy\",\"agent_id\":\"ash\",\"text\":\"$1\",\"confidence\":0.7,\"created_at\":1}"; }
> EOF
> . ./f; line "Deploy on Fridays" | one import jsonl -
read 1 memory into a.db: 1 added, 0 updated, 0 unchanged
  1 belief

$ . ./f; one team create team --name ash-laptop; two team join team --name build; two list beliefs
DIR/team  store ID
N ms, 0 behind, event 1
> ash-laptop                  up to date  seen AGO
DIR/team  store ID
N ms, 0 behind, event 1
  ash-laptop                  up to date  seen AGO
> build                       up to date  seen AGO
–  belief:deploy  0.70  –  direct AGE  Deploy on Fridays

$ . ./f; one edit belief:deploy --text "Deploy on Mondays" >/dev/null; two list beliefs; two team status; two list beliefs; one team status --json
–  belief:deploy  0.70  –  direct AGE  Deploy on Fridays
DIR/team  store ID
N ms, 0 behind, event 2
  ash-laptop                  1 behind  seen AGO
> build                       up to date  seen AGO
–  belief:deploy  0.70  –  direct AGE  Deploy on Mondays
{"store":"ID","address":"DIR/team","name":"ash-laptop","machine":0,"event":2,"to_send":0,"behind":0,"disputed":0,"problem":null,"machines":[{"machine":0,"name":"ash-laptop","event":2,"seen_at":0},{"machine":1,"name":"build","event":2,"seen_at":0}],"purges":[]}

# Both edit one field while the folder is away. Numbers that may change have a ~; --as-of and undo take them.
$ . ./f; mv team away; one edit belief:deploy --text "Deploy on Tuesdays" >/dev/null; two edit belief:deploy --text "Never deploy" >/dev/null; two flag for_review belief:deploy >/dev/null; two team status; two log --limit 3; two history belief:deploy | grep event; two show belief:deploy --as-of @~1 | head -2; two undo '~2' | head -1; two undo '~9'; two show belief:deploy --as-of @~9
DIR/team  store ID
offline, 2 to send: The team's folder DIR/team is not there: No such file or directory. Is it mounted?
  ash-laptop                  1 behind  seen AGO
> build                       up to date  seen AGO
stemma: there are older events beyond --limit
#2        NOW  sean                 edit                belief:deploy  Never deploy
~1        NOW  sean                 edit                belief:deploy  Never deploy
~2        NOW  sean                 flag                belief:deploy  Never deploy
NOW (AGE)  flag  sean  version 4  event ~2
NOW (AGE)  edit  sean  version 3  event ~1
NOW (AGE)  edit  sean  version 2  event 2
NOW (AGE)  import  ash (agent)  version 1  event 1
stemma: as of NOW (event 3)
belief:deploy
── undone ─ 1
stemma: there is no event 11. `stemma log` lists the events.
stemma: there is no event 11: the last one is 5. stemma log shows them.

$ . ./f; two log --json --limit 3 2>/dev/null | jq -c '[.seq, .provisional]'; two history belief:deploy --json | jq -c '[.seq, .provisional]'; call() { echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_history","arguments":{'$1'}}}' | stemma mcp --agent ash --store b.db 2>/dev/null | jq -r '.result.content[0].text'; }; call '"ref":"belief:deploy","format":"json"' | jq -c '.events[] | [.seq, .provisional]'; call '"ref":"belief:deploy"' | grep -o '#.*by sean.*'
[3,1]
[4,2]
[5,3]
[null,null]
[5,3]
[4,2]
[3,1]
[2,null]
[1,null]
[5,3]
[4,2]
[3,1]
[2,null]
[1,null]
#5 NOW undo by sean, command, not yet sent to the team, undoes #4
#4 NOW mark by sean, command, not yet sent to the team, undone by #5
#3 NOW edit by sean, command, not yet sent to the team
#2 NOW edit by sean, command

# Who comes first has it. The other's change is made again after it, or waits for a person; nothing is lost.
$ . ./f; mv away team; one team status; two team status; two list beliefs; two team disputed; two team disputed --json | jq -c '[.id, .ref, .actor, .operation, .base.text, .mine.text, .theirs.text]'; two log --limit 2
DIR/team  store ID
N ms, 0 behind, event 3
> ash-laptop                  up to date  seen AGO
  build                       1 behind  seen AGO
DIR/team  store ID
N ms, 0 behind, event 5
1 disputed, because others had been faster: stemma team disputed
  ash-laptop                  3 behind  seen AGO
> build                       up to date  seen AGO
–  belief:deploy  0.70  –  direct AGE  Deploy on Tuesdays
1  belief:deploy  edit by sean: text was changed again since then
  text
    was     Deploy on Mondays
    mine    Never deploy
    theirs  Deploy on Tuesdays
[1,"belief:deploy","sean","edit","Deploy on Mondays","Never deploy","Deploy on Tuesdays"]
stemma: there are older events beyond --limit
#4        NOW  sean                 flag                belief:deploy  Deploy on Tuesdays
#5        NOW  sean                 undo                belief:deploy  undoes event 4  Deploy on Tuesdays

$ . ./f; two team settle 1; two team settle 1; two team disputed; echo; one team status; one fsck; two fsck
stemma: no disputed change has the number 1. stemma team disputed lists them.
stemma: no change is disputed

DIR/team  store ID
N ms, 0 behind, event 5
> ash-laptop                  up to date  seen AGO
  build                       2 behind  seen AGO
5 events, 1 memory and 0 links checked: all is well
5 events, 1 memory, 0 links and 4 rows of the call log checked: all is well

# Edits of different fields both hold. Push and pull do the same with the folder's name.
$ . ./f; mv team away; one edit belief:deploy --text "Deploy at noon" >/dev/null; two edit belief:deploy --confidence 0.9 >/dev/null; mv away team; one push team | head -2; two pull team | head -2; one pull team >/dev/null; one list beliefs; two team disputed; one team join team
DIR/team  store ID
N ms, 0 behind, event 6
DIR/team  store ID
N ms, 0 behind, event 7
–  belief:deploy  0.90  –  direct AGE  Deploy at noon
stemma: no change is disputed
stemma: this store belongs to a team already. stemma team status says which.

# A purge erases what a person has not decided about yet, too.
$ . ./f; mv team away; one edit belief:deploy --text "Deploy at night" >/dev/null; two edit belief:deploy --text "Never at all" >/dev/null; mv away team; one team status >/dev/null; two team status | head -3
DIR/team  store ID
N ms, 0 behind, event 8
1 disputed, because others had been faster: stemma team disputed

# A purge erases on every machine, and says on how many it has; it needs the team.
$ . ./f; mv team away; one purge belief:deploy --yes; mv away team; one purge belief:deploy --yes; one team status; two team status; one team status | head -2; grep -rlE "Deploy (on|at)|Never" team a.db* b.db*
stemma: the team cannot be reached, and this erases on every machine. Try again when it can; stemma team status says.
── purged ─ 1
     belief:deploy 0.00 AGE
       its text and all other content are erased; this cannot be undone
   no other memory is affected

── notes
   the imported source is unchanged: standard input
   backups, exports and other copies stay as they are
DIR/team  store ID
N ms, 0 behind, event 9
belief:deploy: purged on 1 of 2 machines
> ash-laptop                  up to date  seen AGO
  build                       1 behind  seen AGO
DIR/team  store ID
N ms, 0 behind, event 9
1 disputed, because others had been faster: stemma team disputed
  ash-laptop                  up to date  seen AGO
> build                       up to date  seen AGO
DIR/team  store ID
N ms, 0 behind, event 9
[1]

# What cannot be sent must be sent before a machine leaves. Who left joins again with the same store.
$ . ./f; mv team away; two add note "Written offline" --agent ash >/dev/null; two team leave; mv away team; two team status | head -2; two team leave; two team join team --name build | head -2; two team leave; two team leave; two add note "Written alone" --agent ash >/dev/null; two team status; two team join team --name build; one team snapshot
stemma: the team does not have 1 event of this store yet. Run stemma team status where the team can be reached; with --yes the store leaves, and keeps them for itself.
DIR/team  store ID
N ms, 0 behind, event 10
stemma: this store is no replica of the team's any more
DIR/team  store ID
N ms, 0 behind, event 10
stemma: this store is no replica of the team's any more
stemma: this store belongs to no team.
stemma: this store belongs to no team. stemma team create makes one.
stemma: the journal of this store is not the team's. Join with a new store (--store); stemma export here, stemma import jsonl there.

$ . ./f; stemma team join team --store c.db --name build 2>&1 | settle; stemma team join team --store d.db --name third 2>&1 | settle; cp a.db copy.db; stemma team join team --store copy.db 2>&1
DIR/team  store ID
N ms, 0 behind, event 10
  ash-laptop                  up to date  seen AGO
> build                       up to date  seen AGO
DIR/team  store ID
N ms, 0 behind, event 10
  ash-laptop                  up to date  seen AGO
  build                       up to date  seen AGO
> third                       up to date  seen AGO
stemma: this store belongs to a team already. stemma team status says which.
[4]

# Another store of the same folder needs --id; --id is the beginning of one's id.
$ . ./f; line "Another" | stemma import jsonl - --store e.db >/dev/null 2>&1; stemma team create team --store e.db --name e 2>&1 | settle; stemma team create team --another --store e.db --name e 2>&1 | settle; stemma team join team --store g.db; ls g.db 2>&1; stemma team join team --store g.db --id nope
stemma: There is a team already: ID. stemma team join joins it; stemma team create --another begins a second one.
DIR/team  store ID
N ms, 0 behind, event 1
> e                           up to date  seen AGO
stemma: there are 2 stores of teams that fit. Say which one with --id.
ls: cannot access 'g.db': No such file or directory
stemma: none of the 2 teams at DIR/team has an id that begins with nope. Leave out --id to see how many there are.
[1]

# Errors.
$ stemma team; stemma team dance; stemma team create; stemma team status x; stemma team status; stemma team settle x; stemma team leave; stemma team disputed; echo [$?]
stemma: 'team' needs ACTION. Usage: `stemma team ACTION [URL|MACHINE|N]`.
stemma: 'dance' is nothing that stemma team does. Give create, join, leave, status, remove, snapshot, disputed, settle or schema.
stemma: team create needs one more word. stemma help team has examples.
stemma: team status takes no word. stemma help team has examples.
stemma: this store belongs to no team. stemma team create makes one.
stemma: 'x' is no number of a change. stemma team disputed lists them.
stemma: this store belongs to no team.
stemma: no change is disputed
[1]

$ stemma team create "postgresql://ash:secret@db.example/team"; stemma team create "host=db.example password=secret"; stemma team create team --store a.db --name x; stemma push elsewhere --store a.db; stemma team join nowhere --store h.db; stemma pull nowhere --store h.db; ls h.db 2>&1
stemma: The address of the team has a password in it. Put it into ~/.pgpass (PGPASSFILE), PGPASSWORD or a service (service=NAME), and take it out of the address.
stemma: The address of the team has a password in it. Put it into ~/.pgpass (PGPASSFILE), PGPASSWORD or a service (service=NAME), and take it out of the address.
stemma: this store belongs to a team already. stemma team status says which.
stemma: this store belongs to the team at DIR/team. stemma team leave makes it independent.
stemma: there is no folder DIR/nowhere. Is it mounted, and spelled so? stemma team create begins a team.
stemma: there is no folder DIR/nowhere. Is it mounted, and spelled so? stemma team create begins a team.
ls: cannot access 'h.db': No such file or directory
[2]

$ stemma team schema | grep -c .; stemma team schema | head -3; stemma team schema | tail -2
29
BEGIN;
CREATE SCHEMA stemma;
CREATE TABLE stemma.version(version int NOT NULL);INSERT INTO stemma.version VALUES(0);
UPDATE stemma.version SET version = 1;
COMMIT;
