# Texts that drive a terminal or reverse text, in every field of every view: each frame is searched for what does
# (check_harmless in test_scenes.c).
clock 1700000000000
person sean
hostile
{"ref":"raw:54c5507f-1","agent_id":"ash","text":"The migration held a lock","created_at":1794990000000}
{"ref":"belief:evil\nid","agent_id":"x\u001b[31m","text":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301","created_at":1794990000000,"derived_from":["raw:evil\u001b[31m\n"],"marks":[{"mark":"for_review","at":9999999999999,"actor":"\u001b[2J\u202e\n","reason":"\u0007\n\u202ewhy"}]}
{"ref":"note:evil","agent_id":"x","text":"one"}
{"ref":"attribution:evil\nid","agent_id":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","text":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","detail":{"source_type":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","source_uri":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","retrieval_timestamp":-99999999999999}}
{"ref":"document:evil\nid","agent_id":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","text":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","detail":{"uri":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","document_id":7},"derived_from":["attribution:evil\nid"]}
for 0 2 {"ref":"step:evil\n{i}","agent_id":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","text":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","detail":{"step_number":{i},"intermediate_answer":[],"execution_time":1e300},"relations":[{"type":"part_of","to":"chain:evil\n{i}"}],"justifications":[{"role":"source","recorded":"heuristic","antecedents":[{"ref":"document:evil\nid","relevance":0.5,"score":"asserted","excerpt":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","section":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","label":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","title":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","chunk":{i},"version_hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{i}"}]}]}
for 0 2 {"ref":"chain:evil\n{i}","agent_id":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","text":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","detail":{"final_answer":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m {i}","strategy":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","total_time":-1}}
{"ref":"citation:evil\nid","agent_id":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","text":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","detail":{"document_name":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","section":"\u001b]52;c;x\u0007 a\nb\r\tc \u202ed \u0301\u0301 \ud83d\udc69\u200d\ud83d\udcbb \u8a9e\u8a9e \u009b31m","page":-3},"justifications":[{"role":"citation","antecedents":[{"ref":"document:evil\nid"}]}]}
join evil "cl\e[31mient\xff\n" "a\xe2\x80\xaeb c\x07"
write evil "a\xe2\x80\xaeb c" {"ref":"note:of-evil","text":"\u001b]52;c;x\u0007 and\nmore"}
write evil x {"ref":"belief:worse","text":"two"}
flush
by sean edit note:evil text=[2Jtwo ‮three Ì あÌ | reason=why[H‮
by sean supersede belief:worse statement=[31mmore‮ | reason=[H

== in the audit
> @<size:1x1><size:80x24><size:20x5><size:3x2><size:200x50>jjjj<Tab>jjj<Esc>=<Esc>u<Enter><Esc>\actor:<Tab><Tab><Enter>G<size:1x1>k<size:120x36>
> @<size:20x5>jjj<size:80x24>
> @<size:200x50>jj
== in the health view
> !<size:1x1>jjj<size:80x24>X<Esc>!<size:30x8>GX1<Esc><size:200x50>kkX2<Esc>
> !<size:30x8>GX1
== in the history and its states
every note:evil | belief:worse
> :{}<Enter>I<size:1x1><size:80x24>jj<Enter>jj<size:30x9>q<Tab>jjk<Enter>qq<size:3x2><size:200x50>jG<Tab><Tab>jj<Enter>
> :history note:evil<Enter>jj
> :history note:evil<Enter>jj<Enter>
> :history note:evil<Enter><Tab>jj
== in the inbox
> 8<size:1x1>j<size:20x5>jk<size:200x50>T<size:60x12>x<Esc><Enter>
> 8<size:60x12>x
== in documents, retrievals, strategies and chains
every 7<size:1x1>j<size:20x5>jk<size:200x50>T<size:60x12><Enter> | 7/evil<Enter><Enter><size:1x1>j<size:9x4>jjj<size:20x5><Tab><Tab>G<size:200x50>T<size:60x12>gjj<Enter> | :retrievals<Enter><Enter><size:1x1>jjj<size:20x6>o<size:200x50>T<Enter>oo<size:70x30>j | 6/evil<Enter>:strategies<Enter><size:1x1>lj<size:12x4>ljj<size:33x7><Tab><Tab><size:200x50>Th<size:100x30> | 6<size:30x8>j<size:200x50>j | :steps<Enter><size:44x9>jj | :citations<Enter><size:44x9>j<size:160x40> | 5<size:44x9>j<size:160x40>
> {}
set ascii: yes
every 7<size:1x1>j<size:20x5>jk<size:200x50>T<size:60x12><Enter> | 7/evil<Enter><Enter><size:1x1>j<size:9x4>jjj<size:20x5><Tab><Tab>G<size:200x50>T<size:60x12>gjj<Enter> | :retrievals<Enter><Enter><size:1x1>jjj<size:20x6>o<size:200x50>T<Enter>oo<size:70x30>j | 6/evil<Enter>:strategies<Enter><size:1x1>lj<size:12x4>ljj<size:33x7><Tab><Tab><size:200x50>Th<size:100x30> | 6<size:30x8>j<size:200x50>j | :steps<Enter><size:44x9>jj | :citations<Enter><size:44x9>j<size:160x40> | 5<size:44x9>j<size:160x40>
> {}
== in drawings
every 0Gf | 0Gr | 0Gb | 0jjjb | 0jjjbol | 0jjjboT | 0jjjbZ | 0jjjbW | 0jjjbK | 0jjjb<Tab>
> {}
set ascii: yes
every 0Gf | 0Gr | 0Gb | 0jjjb | 0jjjbol | 0jjjboT | 0jjjbZ | 0jjjbW | 0jjjbK | 0jjjb<Tab>
> {}

== a line break in a name is shown as a stand-in, since names may differ only by it
{"ref":"belief:one\ntwo","agent_id":"ag\nent","text":"a line","created_at":9999999999999}
> :belief:one<Enter>
  belief:one�two
! one two
  ag�ent
> A
  ag�ent
