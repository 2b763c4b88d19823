# What goes wrong in a team's folder: damaged files, machines that are lost, two that begin at once.
$ cat >f <<'E'
> one() { stemma "$1" --store a.db "${@:2}" 2>&1 | settle; }
> two() { stemma "$1" --store b.db "${@:2}" 2>&1 | settle; }
> three() { stemma "$1" --store c.db "${@:2}" 2>&1 | settle; }
> settle() { sed -E 's/[0-9]+ ms/N ms/; s/store [0-9a-f]{8}$/store ID/; s/"store":"[^"]*"/"store":"ID"/; s/("(seen_)?at":)[0-9]+/\10/g; s/seen .*/seen AGO/; s/already: [0-9a-f]{8}/already: ID/; s/[0-9a-f]{8}-[-0-9a-f]{27}/ID/g'; }
> last() { ls team/*/0*.jsonl | tail -1; }
> E
> . ./f; one add note "Begun" --agent ash >/dev/null; one team create team --name ash; two team join team --name build | tail -2; three team join team --name cedar >/dev/null
DIR/team  store ID
N ms, 0 behind, event 1
> ash                         up to date  seen AGO
  ash                         up to date  seen AGO
> build                       up to date  seen AGO

# A file that is cut short: what comes before it is applied, it is named, and what is written meanwhile waits.
$ . ./f; one add note "First" --agent ash >/dev/null; one add note "Second" --agent ash >/dev/null; one add note "Third" --agent ash >/dev/null; cp $(last) kept; head -c 100 kept > $(last); stemma pull team --store b.db >out 2>&1; echo [$?]; settle <out; two list notes | sed 's/.*  //'; two add note "Meanwhile" --agent birch >/dev/null; two team status | sed -n 2p
[1]
DIR/team  store ID
offline, 0 to send: DIR/team/ID/00000000000000000004.jsonl: It ends within a line. Copy it there again from another copy.
  ash                         2 behind  seen AGO
> build                       up to date  seen AGO
Second
First
Begun
offline, 1 to send: DIR/team/ID/00000000000000000004.jsonl: It ends within a line. Copy it there again from another copy.

$ . ./f; cp kept $(last); two team status | head -2; two list notes | sed 's/.*  //'; three team status >/dev/null; two fsck
DIR/team  store ID
N ms, 0 behind, event 5
Third
Meanwhile
Second
First
Begun
5 events, 5 memories and 0 links checked: all is well

# An altered event in the middle, and a file that is not there yet.
$ . ./f; one team status >/dev/null; for n in Fourth Fifth Sixth; do one add note $n --agent ash >/dev/null; done; f=$(ls team/*/0*.jsonl | tail -2 | head -1); cp $f kept; sed -i 's/Fifth/Fi_th/' $f; two team status | sed -n 2p; two list notes | grep -c Fourth; mv $f away; two team status | sed -n 2p; cp kept $f; two team status | sed -n 2p; two list notes | grep -c Sixth
offline, 0 to send: event 7 of the team's journal in DIR/team/ID/00000000000000000007.jsonl was altered: its memory was altered. stemma fsck compares the team's journal with this one.
1
offline, 0 to send: event 7 is missing from the team's journal. Of a folder: was it copied only in part? stemma fsck says more.
N ms, 0 behind, event 8
1

# A damaged file of a machine stops nobody but that machine, which joins again.
$ . ./f; one team status >/dev/null; echo '{' > $(ls team/*/machines/2.json); one team status; one team status --json | jq -c '.machines[]'; three add note "On cedar" --agent cedar >/dev/null; three team status; three team join team --name cedar | tail -3; one team status | tail -3; stemma team join team --store d.db --name dune 2>&1 | tail -1 | settle; one team remove 2 --yes | tail -3
DIR/team  store ID
N ms, 0 behind, event 8
> ash                         up to date  seen AGO
  build                       up to date  seen AGO
  DIR/team/ID/machines/2.json is damaged
{"machine":0,"name":"ash","event":8,"seen_at":0}
{"machine":1,"name":"build","event":8,"seen_at":0}
{"machine":2,"name":"DIR/team/ID/machines/2.json","damaged":true,"seen_at":0}
stemma: DIR/team/ID/machines/2.json: not JSON: unexpected end at byte 2. stemma team join on that machine writes it anew.
  build                       1 behind  seen AGO
  DIR/team/ID/machines/2.json is damaged
> cedar                       up to date  seen AGO
  build                       1 behind  seen AGO
  DIR/team/ID/machines/2.json is damaged
  cedar                       1 behind  seen AGO
> dune                        up to date  seen AGO
  build                       1 behind  seen AGO
  cedar                       1 behind  seen AGO
  dune                        up to date  seen AGO

# A machine that is lost is taken off the list; a purge waits for it no longer.
$ . ./f; two add note "To be purged" --agent birch >/dev/null; one team status >/dev/null; mv team apart; two add note "Only on build" --agent birch >/dev/null; mv apart team; one purge $(one list notes | grep -o 'note:[^ ]*' | head -1) --yes >/dev/null; one team status | sed -n 3p; one team remove build; one team remove nobody --yes; one team remove ash --yes; one team remove build --yes | sed -n 3,9p
note:ID: purged on 1 of 4 machines
  build                       3 behind  seen AGO
It appends nothing more. What waits to be sent there stays there, until it joins again.
stemma: nothing was changed: this needs confirmation. Add --yes to confirm.
stemma: the team has no machine nobody. stemma team status lists them.
stemma: ash is this machine. stemma team leave takes it out of the team.
note:ID: purged on 1 of 3 machines
> ash                         up to date  seen AGO
  cedar                       3 behind  seen AGO
  dune                        2 behind  seen AGO

# If it comes back it is told, and joins again; what waited there is not lost.
$ . ./f; stemma team status --store b.db >out 2>&1; echo [$?]; settle <out | tail -1; two list notes | grep -c 'Only on build'; two team leave; two team join team | sed -n 2p; one team status | sed -n 2p; one list notes | grep -c 'Only on build'; two fsck
[4]
stemma: this machine was removed from the team. stemma team join URL registers it again, and sends what waits here.
1
stemma: the team does not have 1 event of this store yet. Run stemma team status where the team can be reached; with --yes the store leaves, and keeps them for itself.
N ms, 0 behind, event 12
N ms, 0 behind, event 12
1
12 events, 11 memories and 0 links checked: all is well

# Of two first pushes at once one begins the team; the other is told to join. Another team next to it is asked for.
$ . ./f; for n in 1 2 3 4; do stemma add note "Note $n" --agent ash --store p$n.db >/dev/null; done; for n in 1 2 3 4; do stemma push place --store p$n.db --name m$n >out$n 2>&1 & done; wait; cat out? | settle | sed 's/m[0-9] /mN /' | sort | uniq -c; ls -d place/*-* | wc -l; one team create place; stemma team create place --another --store p9.db --name nine 2>&1 | settle; ls -d place/*-* | wc -l
      1 DIR/place  store ID
      1 > mN                          up to date  seen AGO
      1 N ms, 0 behind, event 1
      3 stemma: There is a team already: ID. stemma team join joins it; stemma team create --another begins a second one.
1
stemma: this store belongs to a team already. stemma team status says which.
DIR/place  store ID
N ms, 0 behind, event 0
> nine                        up to date  seen AGO
2

# An approval is of what a person read. Who joins after a dispute has none of it, and one who leaves may keep what waits.
$ cat >g <<'E'
> k() { stemma "$1" --store k.db "${@:2}" 2>&1 | settle; }
> m() { stemma "$1" --store m.db "${@:2}" 2>&1 | settle; }
> E
> . ./f; . ./g; echo '{"ref":"belief:key","text":"The key is blue","agent_id":"ash","created_at":1700000000000}' | stemma import jsonl - --store k.db >/dev/null 2>&1; k team create other --name kit >/dev/null; m team join other --name mule >/dev/null; mv other gone; k approve belief:key; m edit belief:key --text "The key is red"; mv gone other; m team status >/dev/null; k team status | head -2; k list beliefs; k team disputed
── approved ─ 1
     belief:key    The key is blue 0.80 AGE
       flags            + approved by sean
── edited ─ 1
     belief:key    The key is red 0.80 AGE
       text               The key is blue → The key is red
DIR/other  store ID
N ms, 0 behind, event 2
–  belief:key  0.80  –  direct AGE  The key is red
1  belief:key  verify by sean: its text was changed meanwhile
  marks
    was     null
    mine    [{"mark":"approved","at":0,"actor":"sean"}]
    theirs  (nothing)
$ . ./f; . ./g; k team snapshot >/dev/null; stemma team join other --store n.db --name nora >/dev/null 2>&1; stemma fsck --store n.db 2>&1 | head -1; k fsck; mv other gone; k add note "Mine alone" --agent ash >/dev/null; k fsck; k team leave; k team leave --yes; k list notes | sed 's/.*  //'; k fsck
2 events, 1 memory and 0 links checked: all is well
2 events, 1 memory and 0 links checked: all is well
stemma: the team's journal was not compared: The team's folder DIR/other is not there: No such file or directory
3 events, 2 memories and 0 links checked: all is well in this store
stemma: the team does not have 1 event of this store yet. Run stemma team status where the team can be reached; with --yes the store leaves, and keeps them for itself.
stemma: this store is no replica of the team's any more
Mine alone
3 events, 2 memories and 0 links checked: all is well
