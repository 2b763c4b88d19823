# Search finds words in any script, whole words first, then the last recorded. Nothing is an operator.
$ cat >f <<'END'
> export STEMMA_STORE=$PWD/s.db
> rm -f s.db*
> put() { jq -c '{agent_id: "ash"} + .' >p.jsonl; stemma import jsonl p.jsonl --replace >/dev/null 2>&1; }
> find() { echo "$1: $(stemma search "$@" --json 2>/dev/null | jq -r '.ref + (if .exact then "*" else "" end) | sub("^note:"; "")' | tr '\n' ' ')"; }
> each() { while IFS= read -r q; do find "$q"; done; }
> END

# Scripts without case; combining marks belong to their letter.
$ . ./f; put <<'END'
> {"ref":"note:latin","text":"Never skip staging; Ærøskøbing, naïve café"}
> {"ref":"note:cyrillic","text":"Никогда не пропускай ПРОВЕРКУ"}
> {"ref":"note:greek","text":"Σίσυφος ΟΔΥΣΣΕΥΣ"}
> {"ref":"note:japanese","text":"デプロイの前に必ずステージングで確認する"}
> {"ref":"note:chinese","text":"部署之前先迁移数据库"}
> {"ref":"note:emoji","text":"ship it 🚀👩‍🚀 now 👍🏽"}
> {"ref":"note:combining","text":"cafe\u0301 Ze\u0301ro"}
> {"ref":"note:thai","text":"อย่าข้ามขั้นตอน"}
> {"ref":"note:arabic","text":"لا تتخط المرحلة"}
> {"ref":"note:cat","text":"猫"}
> {"ref":"note:tagged","text":"t","tags":["猫"]}
> END
> each <<'END'
> SKIP
> ærøskøbing
> ÆRØ
> проверку
> ПРОПУСК
> σίσυφοσ
> οδυσσευς
> ステージ
> 部署之
> 迁移
> 前
> 🚀
> 👩‍🚀
> 👍
> cafe
> café
> ข้าม
> المر
> المرحلة
> 猫
> END
> find $'cafe\u0301'
SKIP: latin
ærøskøbing: latin
ÆRØ: latin
проверку: cyrillic
ПРОПУСК: cyrillic
σίσυφοσ: greek
οδυσσευς: greek
ステージ: japanese
部署之: chinese
迁移: chinese
前: chinese japanese
🚀: emoji
👩‍🚀: emoji
👍: emoji
cafe: combining
café: latin
ข้าม: thai
المر: arabic
المرحلة: arabic
猫: tagged cat
café: combining

# Whole words come first, then parts; all words must match; the last recorded come first, whatever their times.
$ . ./f; put <<'END'
> {"ref":"note:old-whole","text":"deploy, then rest","created_at":9}
> {"ref":"note:old-part","text":"redeployed","created_at":8}
> {"ref":"note:new-whole","text":"(Deploy)","created_at":7}
> {"ref":"note:new-part","text":"deployment","created_at":6}
> {"ref":"note:under","text":"deploy_now","created_at":5}
> {"ref":"note:digits","text":"deploy2","created_at":4}
> END
> find deploy; find "deploy rest"; find "deploy re"; find deploy --limit 2
deploy: under new-whole old-whole digits new-part old-part
deploy rest: old-whole
deploy re: old-part old-whole
deploy: under new-whole

# Operators are plain text; a quote that is not closed is an error, on standard error.
$ . ./f; put <<'END'
> {"ref":"note:quote","text":"she said \"never\" twice"}
> {"ref":"note:operators","text":"x AND y OR NOT NEAR(z) ^caret col:umn star* a-b + {c}"}
> {"ref":"note:percent","text":"100% of under_scores and back\\slash; DROP TABLE memory;--"}
> END
> each <<'END'
> "never"
> "never
> "
> """
> NEAR(z)
> and or not
> AND
> col:umn
> text:umn
> star*
> sta*
> ^caret
> a-b
> 100%
> 1%
> under_scores
> under.scores
> back\slash
> ' OR 1=1
> {c}
> (((((
> END
> find $'pl\xffin'; find $'\e[31m'; find "$(seq -s ' w' 20000)" | tail -c 3; find "$(yes '"' | head -50000 | tr -d '\n')" | tail -c 3; find "$(yes star* | head -5000 | tr '\n' ' ')" | tail -c 20
"never": quote
"never:
":
""":
NEAR(z): operators
and or not: operators
AND: percent operators
col:umn: operators
text:umn:
star*: operators
sta*:
^caret: operators
a-b: operators
100%: percent
1%:
under_scores: percent
under.scores:
back\slash: percent
' OR 1=1:
{c}: operators
(((((:
pl\xffin:
[31m:
:
:
 star* : operators

# Every field except hashes is searched, each by itself; with filters; text removed by an edit is not found.
$ . ./f; put <<'END'
> {"ref":"belief:b","text":"nothing","tags":["blue green","部署"],"context":"projectx","source":"told by Claire","source_entity":"human:claire","detail":{"belief_type":"fact","lessons":["look twice"],"full_content_hash":"deadbeefcafe"}}
> {"ref":"belief:live","text":"seldom"}
> {"ref":"raw:raw","agent_id":"claire","text":"seldom"}
> {"ref":"belief:old","text":"seldom","status":"superseded"}
> {"ref":"belief:gone","text":"seldom","status":"deleted"}
> {"ref":"note:forgotten","text":"seldom","status":"forgotten"}
> END
> for q in blue 部署 projectx claire human:claire "twice look nothing" deadbeef green部署 seldom se; do find "$q"; done; find seldom --kind belief; find seldom --agent claire; find seldom --agent nobody
> stemma edit belief:live --text "another thing" >/dev/null; find seldom; find seld; find another; stemma undo >/dev/null; find seldom; find another; sum=$(md5sum <s.db); find se --read-only; [ "$sum" = "$(md5sum <s.db)" ] && echo untouched
blue: belief:b
部署: belief:b
projectx: belief:b
claire: belief:b
human:claire: belief:b
twice look nothing: belief:b
deadbeef:
green部署:
seldom: belief:old raw:raw belief:live
se: belief:old raw:raw belief:live
seldom: belief:old belief:live
seldom: raw:raw
seldom:
seldom: belief:old raw:raw
seld: belief:old raw:raw
another: belief:live
seldom: belief:old raw:raw belief:live
another:
se: belief:old raw:raw belief:live
untouched

# Hundreds of words, all of which must match.
$ . ./f; words=$(printf 'word%03d ' $(seq 0 299)); put <<END
> {"ref":"note:all","text":"$words"}
> {"ref":"note:but-one","text":"${words/word299/wort299}"}
> END
> find "$words" | tail -c 6
 all

# A ref is found by its whole id or a prefix; a memory comes before a stub.
$ . ./f; is() { echo "$1: $(stemma show "$1" --json 2>&1 | sed 's/^stemma: //' | jq -r .ref 2>/dev/null || stemma show "$1" 2>&1 | tail -1)"; }; put <<'END'
> {"ref":"belief:54c5507f-0000-4000-8000-00000000000a","text":"t"}
> {"ref":"belief:66d0cfde-0000-4000-8000-00000000000b","text":"t"}
> {"ref":"raw:66d0cfde-ffff-4000-8000-00000000000c","text":"t"}
> {"ref":"note:abcdef","text":"t"}
> {"ref":"note:日本語訳","text":"t"}
> {"ref":"note:xyz","text":"t"}
> {"ref":"note:wxyz","text":"t"}
> {"ref":"note:wxyzab","text":"t"}
> {"ref":"belief:wxyza","text":"t"}
> {"ref":"note:shared-prefix-1","text":"t"}
> {"ref":"belief:shared-prefix-2","text":"t"}
> {"ref":"note:shared-prefix-3","text":"t","derived_from":["raw:missing-one","raw:66d0cfde","belief:66d0cfde-and-more","note:shared-prefix"]}
> END
> while IFS= read -r q; do is "$q" | sed 's/54c5507f-/ONE-/g; s/66d0cfde-/TWO-/g'; done <<'END'
> belief:54c5507f-0000-4000-8000-00000000000a
> belief:54c5507f
> belief:54c5
> 54c5507f
> raw:66d0
> raw:66d0cfde
> 66d0cfde-f
> 66d0cfde
> raw:54c5507f
> belief:54c5507f-0000-4000-8000-00000000000ab
> note:abc
> abc
> 日本語
> abcd
> 日本語訳
> note:xyz
> xyz
> wxyz
> wxyza
> raw:missing-one
> raw:miss
> shared-p
> note:shared
> note:shared-prefix
> belief:
> :abcd
> context:told by Claire
> END
> stemma show "" 2>&1 | tail -1; stemma show $'belief:\xff\xfe\xfd\xfc' 2>&1 | tail -1; stemma show "$(yes a | head -100000 | tr -d '\n')" 2>&1 | tail -1 | cut -c1-60; stemma show $'\e[31mred' 2>&1 | grep -c $'\e'
belief:ONE-0000-4000-8000-00000000000a: belief:ONE-0000-4000-8000-00000000000a
belief:ID1: belief:ONE-0000-4000-8000-00000000000a
belief:54c5: belief:ONE-0000-4000-8000-00000000000a
54c5507f: belief:ONE-0000-4000-8000-00000000000a
raw:66d0: raw:TWO-ffff-4000-8000-00000000000c
raw:ID2: raw:TWO-ffff-4000-8000-00000000000c
TWO-f: raw:TWO-ffff-4000-8000-00000000000c
66d0cfde:    ○ note:shared-prefix-3  t 0 of 4 valid 0.00 AGE
raw:ID1: stemma: no memory is called raw:ID1. Search for it, or list its kind.
belief:ONE-0000-4000-8000-00000000000ab: stemma: no memory is called belief:ONE-0000-4000-8000-00000000000ab. Search for it, or list its kind.
note:abc: stemma: no memory is called note:abc. Give at least 4 characters of an id, or all of it: note:abcdef.
abc: stemma: no memory is called abc. Give at least 4 characters of an id, or all of it: note:abcdef.
日本語: stemma: no memory is called 日本語. Give at least 4 characters of an id, or all of it: note:日本語訳.
abcd: note:abcdef
日本語訳: note:日本語訳
note:xyz: note:xyz
xyz: note:xyz
wxyz: note:wxyz
wxyza: belief:wxyza
raw:missing-one:    ○ note:shared-prefix-3  t 0 of 4 valid 0.00 AGE
raw:miss:    ○ note:shared-prefix-3  t 0 of 4 valid 0.00 AGE
shared-p: stemma: shared-p may be any of 3 memories. Say which: belief:shared-p, note:shared-prefix-1, note:shared-prefix-3.
note:shared: stemma: note:shared may be any of 2 memories. Say which: note:shared-prefix-1, note:shared-prefix-3.
note:shared-prefix:    ○ note:shared-prefix-3  t 0 of 4 valid 0.00 AGE
belief:: stemma: belief: names no memory. Give kind:id, such as belief:ID1, or an id alone.
:abcd: stemma: :abcd names no memory. Give kind:id, such as belief:ID1, or an id alone.
context:told by Claire: stemma: context:told by Claire names no memory: "context" is not a kind. The kinds are raw, episode, belief, note, value, goal, drive, relationship, suggestion, attribution, document, chain, step, citation, entry.
stemma:  names no memory. Give kind:id, such as belief:ID1, or an id alone.
stemma: belief:???? names no memory. Give kind:id, such as belief:ID1, or an id alone.
stemma: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
0
[1]
