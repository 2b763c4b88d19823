# An export never overwrites the store, its files, or another database, whatever path names them.
$ stemma add raw kept --store v.db >/dev/null; mkdir d; ln v.db hard; ln -s v.db soft
> for t in v.db v.db-wal v.db-shm v.db-journal ./v.db-journal d/../v.db hard soft; do stemma export -o $t --store v.db; echo $?; done; ls v.db-*; stemma export -o v.db --store soft; rm hard soft; stemma fsck --store v.db; stemma list all --store v.db | grep -c kept
stemma: v.db is the store itself. Write to another file.
4
stemma: v.db-wal has the name of a database's log. Write to another file.
4
stemma: v.db-shm has the name of a database's log. Write to another file.
4
stemma: v.db-journal has the name of a database's log. Write to another file.
4
stemma: ./v.db-journal has the name of a database's log. Write to another file.
4
stemma: d/../v.db is the store itself. Write to another file.
4
stemma: hard is the store itself. Write to another file.
4
stemma: soft is the store itself. Write to another file.
4
ls: cannot access 'v.db-*': No such file or directory
stemma: v.db is the store itself. Write to another file.
1 event, 1 memory and 0 links checked: all is well
1
$ stemma export --store v.db >>v.db; echo $?; stemma fsck --store v.db
stemma: standard output is the store itself. Write to another file.
4
1 event, 1 memory and 0 links checked: all is well
$ stemma add raw own --store other.db >/dev/null; sha256sum other.db >sum; stemma export -o other.db; sha256sum -c sum
stemma: DIR/other.db is a database, and an export would destroy it. Write to another file.
other.db: OK
$ printf '\x37\x7f\x06\x82 and so on' >a.db-wal; printf '\xd9\xd5\x05\xf9\x20\xa1\x63\xd7 and so on' >a.db-journal; echo anything >b.db-wal; : >b.db; for t in a.db-wal a.db-journal b.db; do stemma export -o $t; echo $?; done
stemma: a.db-wal has the name of a database's log. Write to another file.
4
stemma: a.db-journal has the name of a database's log. Write to another file.
4
stemma: DIR/b.db is a database, and an export would destroy it. Write to another file.
4

# A full disk is reported, at the end and in between.
$ for n in $(seq 2000); do echo "{\"ref\":\"raw:$n\",\"text\":\"kept, and long enough\"}"; done | stemma import jsonl - --store many.db >/dev/null; for s in v.db many.db; do stemma export -o /dev/full --store $s; stemma export --store $s >/dev/full; done
stemma: cannot write /dev/full: No space left on device. Make room there, or write to another place.
stemma: cannot write to standard output: No space left on device. Make room there, or write to another place.
stemma: cannot write /dev/full: No space left on device. Make room there, or write to another place.
stemma: cannot write to standard output: No space left on device. Make room there, or write to another place.
[3]

# A limit of the size of a file is reported as a full disk, and nothing that was acknowledged is lost.
$ (ulimit -f 170; for n in 1 2 3; do stemma add raw "$(head -c 60000 /dev/zero | tr '\0' x)" --store limited.db 2>&1 | grep -o 'the disk is full.*\|^raw'; done; stemma export -o limited --store many.db); stemma fsck --store limited.db
raw
the disk is full. Free some room, then try again.
the disk is full. Free some room, then try again.
stemma: cannot write limited: File too large. Make room there, or write to another place.
1 event, 1 memory and 0 links checked: all is well

# A symbolic link is followed and a mode is kept; a new file is private; a dangling link is refused.
$ echo old >lines.jsonl; chmod 644 lines.jsonl; ln -s lines.jsonl link; stemma export -o link; stat -c '%F %a' link lines.jsonl; wc -l <lines.jsonl; stemma export -o fresh.jsonl; stat -c %a fresh.jsonl; for to in nothing.jsonl link; do rm link; ln -s $to link; stemma export -o link; done
symbolic link 777
regular file 644
171
600
stemma: cannot write link: No such file or directory. Write to another place.
stemma: cannot write link: Too many levels of symbolic links. Write to another place.
[3]

# A format is a word or an option. What it has no room for is counted; JSON lines and PROV-JSON have room for everything.
$ for f in jsonl prov-json server-memory csv dot mermaid; do echo "- $f"; stemma export $f -o x.$f; stemma export --format $f 2>/dev/null | cmp - x.$f && grep -c . x.$f; done
- jsonl
171
- prov-json
888
- server-memory
stemma: left out: 4 replaced memories, 5 expired memories, 1 forgotten memory, 161 names of agents, 161 confidences, 161 times, 161 sources, 1 context, 81 tags, 6 annotations, 2 locks, 161 details, 6 histories, 15 flags, 3 links, 8 "all of these", 7 signs of guessed links, 81 uses of sources, 4 reasons of links, 1 relation
389
- csv
stemma: left out: 171 details, 6 histories, 15 flags, 8 "all of these", 7 signs of guessed links, 83 uses of sources, 5 reasons of links, 30 relations, 11 control characters
176
- dot
stemma: left out: 49 rests of texts, 171 names of agents, 171 confidences, 171 times, 171 sources, 1 context, 86 tags, 6 annotations, 2 locks, 171 details, 6 histories, 15 flags, 83 uses of sources, 5 reasons of links, 30 relations, 2 control characters
384
- mermaid
stemma: left out: 49 rests of texts, 171 names of agents, 171 confidences, 171 times, 171 sources, 1 context, 86 tags, 6 annotations, 2 locks, 171 details, 6 histories, 15 flags, 83 uses of sources, 5 reasons of links, 30 relations, 2 control characters
382
$ stemma export kernle -o x.kernle; stemma export markdown -o x.markdown; ls x.markdown | wc -l; stemma import markdown x.markdown --store back.db 2>/dev/null; ls -d x.*; stemma export csv -o x.csv --json
stemma: left out: 29 attributions, 27 documents, 6 chains, 26 steps, 18 citations, 14 entries, 39 sources, 32 tags, 7 details, 1 history, 3 flags, 19 links, 3 "all of these", 2 signs of guessed links, 1 relation
stemma: left out: 1 forgotten memory, 170 details, 6 histories, 15 flags, 8 "all of these", 7 signs of guessed links, 83 uses of sources, 5 reasons of links, 14 control characters
170
read 170 memories into back.db: 170 added, 0 updated, 0 unchanged
  170 notes
  232 links
  2 refs that are not in this store
x.csv
x.dot
x.jsonl
x.kernle
x.markdown
x.mermaid
x.prov-json
x.server-memory
{"exported":171,"left_out":{"detail":171,"history":6,"flag":15,"all_of":8,"guessed":7,"use":83,"reason":5,"relation":30,"control_character":11},"note":""}
$ stemma export nonsense; stemma export prov; stemma export --format nonsense; stemma export csv belief:8a2770de belief:c2992c46; stemma export csv belief:none; stemma export dot --format csv
stemma: 'nonsense' is neither a format nor a memory. Formats: jsonl, prov-json, server-memory, markdown, csv, dot, mermaid, kernle.
stemma: 'prov' is neither a format nor a memory. Did you mean prov-json?
stemma: --format does not take 'nonsense'. It takes jsonl, prov-json, server-memory, markdown, csv, dot, mermaid, kernle.
stemma: 'belief:c2992c46' is one memory too many. Usage: stemma export [FORMAT] [REF|QUERY].
stemma: no memory is called belief:none. Search for it, or list its kind.
stemma: no memory is called dot. Give at least 4 characters of an id, or all of it.
[1]
$ stemma export kernle; stemma export markdown -o -
stemma: kernle is not written to standard output. Name it with -o PATH.
stemma: markdown is not written to standard output. Name it with -o PATH.
[2]

# A ref exports that memory, what it is based on, and what is based on it.
$ stemma export mermaid belief:e5e2487d; stemma export dot belief:e5e2487d 2>/dev/null; stemma export belief:e5e2487d | cut -c1-60
stemma: left out: 2 names of agents, 2 confidences, 2 times, 2 sources, 1 tag, 2 details, 2 links
flowchart LR
  classDef ended stroke-dasharray:4,color:#888
  n30["belief:e5e2487d<br/>The staging cluster loses a node every Tuesday."]
  n114["drive:26c745cb<br/>Keep the people on call asleep"]
  n31["raw:79d086c7<br/>(missing)"]:::ended
  n31 --> n30
  n30 -.-> n114
digraph stemma {
  rankdir=LR;
  node [shape=box, fontname="sans-serif", fontsize=11];
  n30 [label="belief:e5e2487d\nThe staging cluster loses a node every Tuesday."];
  n114 [label="drive:26c745cb\nKeep the people on call asleep"];
  n31 [label="raw:79d086c7\n(missing)", style=dashed, fontcolor=gray50];
  n31 -> n30;
  n30 -> n114 [style=dashed, color=gray50, arrowhead=empty];
}
{"ref":"belief:e5e2487d-7b77-4f17-83ec-4874220613dc","agent_
{"ref":"drive:26c745cb-0fdf-436d-a537-eb9185385d8c","agent_i

# A table for spreadsheets: every field that needs it is quoted, and none is a formula.
$ for t in '=1+1' '+a' -b '@c' 'a,b' 'say "so"' "it's" plain; do stemma add note --store csv.db --agent ash -- "$t" >/dev/null; done; printf 'two\nlines' | stemma add note - --store csv.db --agent ash >/dev/null; stemma export csv --store csv.db 2>/dev/null >t.csv; python3 -c 'import csv; rows = list(csv.DictReader(open("t.csv", newline=""))); print(*sorted(repr(r["text"]) for r in rows), {len(r) for r in rows})'; head -1 t.csv | tail -c 3 | od -An -c
"'+a" "'-b" "'=1+1" "'@c" "it's" 'a,b' 'plain' 'say "so"' 'two\nlines' {17}
   s  \r  \n

# Markdown: frontmatter, the text, the relations.
$ printf '{"ref":"belief:b","agent_id":"ash","text":"Stage first: [[x]]","created_at":1700000000000,"tags":["deploy"],"derived_from":["raw:r"],"supersedes":["belief:a"],"relations":[{"type":"related_to","to":"note:n","reason":"works_at"},{"type":"related_to","to":"note:m","reason":"goes [\\"with\\""}]}' | stemma import jsonl - --store md2.db >/dev/null 2>&1; stemma export markdown -o md2 --store md2.db; cat md2/belief-b.md
---
title: "Stage first: [[x]]"
type: belief
permalink: belief-b
tags: ["deploy"]
created: "2023-11-14T22:13:20.000Z"
modified: "2023-11-14T22:13:20.000Z"
confidence: 0.8
status: active
agent: "ash"
source_type: "direct_experience"
ref: "belief:b"
---

Stage first: \[\[x]]

## Relations

- derived_from [[raw-r]]
- works_at [[note-n]]
- "goes   with " [[note-m]]
- supersedes [[belief-a]]

# A folder must be new or empty, a store of Kernle new; a file of the kind that is there stays.
$ mkdir full empty; echo mine >full/belief-b.md; : >plain; for to in full plain no/where v.db; do stemma export markdown -o $to; echo $?; done; cat full/belief-b.md; stemma export markdown -o empty/ 2>/dev/null; ls empty | wc -l; for to in full plain v.db x.kernle no/where z-wal; do stemma export kernle -o $to; echo $?; done; ls -d *.??????
stemma: DIR/full is a folder with files. Give a new name.
4
stemma: DIR/plain is a file; this export is a folder. Give a new name.
4
stemma: cannot write no/where: No such file or directory. Write to another place.
3
stemma: DIR/v.db is a database, and an export would destroy it. Write to another file.
4
mine
170
stemma: DIR/full exists already. Give a new name.
4
stemma: DIR/plain exists already. Give a new name.
4
stemma: DIR/v.db is a database, and an export would destroy it. Write to another file.
4
stemma: DIR/x.kernle is a database, and an export would destroy it. Write to another file.
4
stemma: cannot write no/where: No such file or directory. Write to another place.
3
stemma: z-wal has the name of a database's log. Write to another file.
4
a.db-wal
b.db-wal
x.kernle
$ mkdir locked; chmod 500 locked; [ "$(id -u)" = 0 ] || stemma export kernle -o locked/k 2>&1 | grep -v denied; ls locked

# A full disk: nothing half-written stays.
$ (ulimit -f 170; for f in csv kernle markdown; do stemma export $f -o limited.$f --store many.db; echo $?; done); ls -d limited.[ckm]*
stemma: cannot write limited.csv: File too large. Make room there, or write to another place.
3
stemma: cannot write limited.kernle: the disk is full. Free some room, then try again.
3
0
limited.markdown

# Of a query only what matches is exported, in any status.
$ stemma export csv 'kind:belief label:circular' 2>/dev/null | cut -d, -f1; stemma export status:forgotten | jq -r .status; stemma export csv lable:x; stemma help complete list label:cir; stemma help complete log op
ref
belief:87cfa577-6bdc-49b0-afd0-b5d7e8d21b72
belief:f71aadb8-7966-48be-96a9-74b2c5b9dd19
forgotten
  lable:x
  ^^^^^
stemma: there is no field 'lable'. Did you mean label:? Put it in quotes to look for the text.
label:circular
operation:	the operation, or the tool of a call
