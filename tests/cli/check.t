# The hash of a logged retrieval, compared with a file or with the stored content.
$ hello=2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
> kept() { echo "{\"ref\":\"attribution:$1\",\"text\":\"t\",\"detail\":{\"source_type\":\"web\",\"retrieval_timestamp\":1790000000000,\"full_content_hash\":$2,\"full_content_json\":$3}}"; }
> (kept lower "\"$hello\"" null; kept upper "\"${hello^^}\"" null; kept text "\"$hello\"" '"hel\u006co"'; kept other "\"$hello\"" '{"a":1}'; kept nohash null '"hello"'; kept nonsense '"12"' '"hello"'
> kept json '"015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"' '{"a":1}'; echo '{"ref":"note:n","text":"n"}'; echo '{"ref":"belief:b","text":"b","derived_from":["attribution:gone"]}') >lines.jsonl
> stemma import jsonl lines.jsonl --store s.db; printf hello >file; printf 'hello\n' >longer; : >empty
stemma: line 6: attribution:nonsense: full_content_hash is not 64 hex digits. Give the SHA-256 of the content, or leave it out.
stemma: belief:b: names attribution:gone, which is not here
read 8 memories into s.db: 8 added, 0 updated, 0 unchanged
  1 belief, 1 note, 6 attributions
  1 link
  1 ref that is not in this store
  1 not understood
$ export STEMMA_STORE=$PWD/s.db; for r in "lower file" "attribution:upper file" "upper longer" "upper empty" "nohash file" text other json lower nohash; do stemma check $r; echo $?; done; stemma check attribution:lower - <file
equal: file has the recorded hash
  recorded  2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
  found     2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
0
equal: file has the recorded hash
  recorded  2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
  found     2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
0
differs: longer does not have the recorded hash
  recorded  2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
  found     5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03
1
differs: empty does not have the recorded hash
  recorded  2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
  found     e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
1
no hash: file cannot be checked: the retrieval recorded no hash
  found     2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
1
equal: the stored content has the recorded hash
  recorded  2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
  found     2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
0
differs: the stored content does not have the recorded hash
  recorded  2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
  found     015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862
1
equal: the stored content has the recorded hash
  recorded  015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862
  found     015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862
0
no content: only its hash is stored. Compare a file: `stemma check REF FILE`.
  recorded  2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
1
no hash: the stored content cannot be checked: the retrieval recorded no hash
  found     2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
1
equal: standard input has the recorded hash
  recorded  2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
  found     2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824

# If nothing can be checked, check says why.
$ export STEMMA_STORE=$PWD/s.db; stemma check attribution:lower $'/no/such\e[2Jfile'; echo $?; stemma check attribution:lower .; stemma check note:n; stemma check attribution:gone; echo $?; stemma check | grep -A2 unrecorded; stemma check lower b c
stemma: cannot read /no/such?[2Jfile: No such file or directory. Check the path.
3
stemma: cannot read .: Is a directory. Give a file that can be read.
stemma: note:n is no attribution: it has no hash to check. Name a logged retrieval: attribution:ID.
stemma: attribution:gone was never written here. It is only named by others.
1
unrecorded: unsourced, and nothing else says where it comes from
  – note:n  n
      fix: stemma reinforce note:n --evidence REF
stemma: 'check' does not know what to do with 'c'. Usage: `stemma check [REF [FILE]]`.
[2]
$ export STEMMA_STORE=$PWD/s.db; stemma check upper file --json; stemma check upper --json
{"ref":"attribution:upper","result":"equal","equal":true,"recorded":"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824","found":"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824","file":"file","bytes":5}
{"ref":"attribution:upper","result":"no-content","equal":false,"recorded":"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824","found":null,"file":null}
[1]

# A long file is read in blocks.
$ head -c 3145745 /dev/zero | tr '\0' x >long; printf '{"ref":"attribution:long","text":"t","detail":{"source_type":"web","retrieval_timestamp":1790000000000,"full_content_hash":"%s"}}' $(sha256sum long | cut -d' ' -f1) | stemma import jsonl - --store s.db; stemma check long long --store s.db | head -1; printf y | dd of=long conv=notrunc bs=1 seek=3145744 2>/dev/null; stemma check long long --store s.db | head -1
read 1 memory into s.db: 1 added, 0 updated, 0 unchanged
  1 attribution
equal: long has the recorded hash
differs: long does not have the recorded hash

# Without a REF it checks the lineage, then the store.
$ export STEMMA_STORE=$PWD/whole.db; stemma add raw one >/dev/null; stemma check; stemma check --json | jq -c '[.events, .findings]'; stemma add belief two --from raw:gone >/dev/null 2>&1; stemma check; echo $?; stemma check --as-of now | tail -1; stemma check --expect $(printf %064d 1) | tail -2
The lineage has no problems.
1 event, 1 memory and 0 links checked: all is well
[1,0]
missing: names something that is not in this store
  ○ belief:ID1  two  derived from raw:gone
      fix: printf '%s\n' '{"ref":"raw:gone","agent_id":"sean","text":"TEXT"}' | stemma import jsonl -

unsupported: no justification is valid
  ○ belief:ID1  two
      fix: stemma reinforce belief:ID1 --evidence REF

2 problems of the lineage
2 events, 2 memories and 1 link checked: all is well
1
stemma: as of NOW (event 2)
2 problems of the lineage
tail-cut: no event has the expected hash: the journal was cut or written anew. Compare it with a backup.
2 events, 2 memories and 1 link checked: 1 fault

# Options about the whole store are not dropped silently.
$ export STEMMA_STORE=$PWD/s.db; stemma check upper --expect 00; stemma check upper --agent ash; stemma check --as-of @1 --expect 00
stemma: --expect is about the whole store. Leave out the REF, or the option.
stemma: --agent is about the whole store. Leave out the REF, or the option.
stemma: --expect is about the present, --as-of about the past. Give one of them.
[2]
