# Documents, retrievals, and strategies compared.
size 120x50
{"ref":"attribution:logged-1","agent_id":"ash","text":"The chapter on locks","created_at":1794000000000,"detail":{"source_type":"web_scrape","source_uri":"https://pg.example/locking","retrieval_timestamp":1794000000000}}
{"ref":"attribution:logged-2","agent_id":"claire","text":"The same page, again","created_at":1794500000000,"detail":{"source_type":"web_scrape","source_uri":"https://pg.example/locking","retrieval_timestamp":1794500000000}}
{"ref":"attribution:logged-3","agent_id":"ash","text":"In seconds","created_at":1794600000000,"detail":{"source_type":"tavily_search","source_uri":"how long is a lock","retrieval_timestamp":1794600000}}
{"ref":"attribution:logged-4","agent_id":"ash","text":"A search","created_at":1794700000000,"detail":{"source_type":"tavily_search","retrieval_timestamp":1794700000000}}
{"ref":"document:pg16-locking","agent_id":"ash","text":"PostgreSQL 16, Explicit Locking","created_at":1794000000000,"detail":{"document_id":"pg16-locking","uri":"https://pg.example/locking"},"justifications":[{"role":"derived_from","antecedents":["attribution:logged-1"]}]}
{"ref":"document:incident","agent_id":"claire","text":"Incident report, 3 February","created_at":1794000000000}
{"ref":"document:supervisor","agent_id":"ash","text":"Worker supervisor","created_at":1794000000000}
{"ref":"step:first-1","agent_id":"ash","text":"What was locked?","confidence":0.9,"created_at":1794100000000,"detail":{"step_number":1,"intermediate_answer":"Answer of first-1","execution_time":0.8},"relations":[{"type":"part_of","to":"chain:first"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:pg16-locking","relevance":0.95,"score":"measured","excerpt":"ACCESS EXCLUSIVE conflicts with every mode.","chunk":14,"rank":1,"version_hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},{"ref":"document:incident","relevance":0.6,"score":"heuristic","label":"context_doc_1"}]}]}
{"ref":"step:first-2","agent_id":"ash","text":"Who waited?","confidence":0.9,"created_at":1794100060000,"detail":{"step_number":2,"intermediate_answer":"Answer of first-2","execution_time":0.8},"relations":[{"type":"part_of","to":"chain:first"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:incident","relevance":0.5,"score":"default"}]}]}
{"ref":"chain:first","agent_id":"ash","text":"Why did the deploy stop the queue?","confidence":0.85,"created_at":1794100000000,"detail":{"final_answer":"The migration held a lock while nine workers waited.","strategy":"step_by_step","total_time":4.2},"justifications":[{"role":"step","reading":"all","antecedents":["step:first-1","step:first-2"]}]}
{"ref":"step:second-1","agent_id":"ash","text":"Which lock was it?","confidence":0.9,"created_at":1794200000000,"detail":{"step_number":1,"intermediate_answer":"Answer of second-1","execution_time":0.8},"relations":[{"type":"part_of","to":"chain:second"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:pg16-locking","relevance":0.7,"score":"asserted","excerpt":"ACCESS EXCLUSIVE waits for every mode.","chunk":14,"version_hash":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","title":"The manual"}]}]}
{"ref":"chain:second","agent_id":"ash","text":"  why did the DEPLOY stop the queue?","confidence":0.85,"created_at":1794100000000,"detail":{"final_answer":"The migration held a lock while three workers waited.","strategy":"decomposition","total_time":4.2},"justifications":[{"role":"step","reading":"all","antecedents":["step:second-1"]}]}
{"ref":"step:third-1","agent_id":"ash","text":"What does a worker hold?","confidence":0.9,"created_at":1794300000000,"detail":{"step_number":1,"intermediate_answer":"Answer of third-1","execution_time":0.8},"relations":[{"type":"part_of","to":"chain:third"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:supervisor","relevance":0.83,"score":"measured"}]}]}
{"ref":"chain:third","agent_id":"ash","text":"Why did the deploy stop the queue?","confidence":0.85,"created_at":1794100000000,"detail":{"strategy":"tree","total_time":4.2}}
{"ref":"chain:other","agent_id":"ash","text":"Something else?","confidence":0.85,"created_at":1794100000000,"detail":{"final_answer":"No.","strategy":"tree","total_time":4.2}}
{"ref":"citation:quoted-1","agent_id":"claire","text":"Every mode conflicts.","created_at":1794400000000,"detail":{"document_id":"pg16-locking","document_name":"PostgreSQL manual","page":12,"section":"Table-level locks","conversation_id":"chat-7","message_id":"m-3"},"justifications":[{"role":"citation","antecedents":[{"ref":"document:pg16-locking","relevance":0.88,"score":"measured","page":12,"section":"Table-level locks"}]}]}
{"ref":"note:direct-1","agent_id":"ash","text":"Read the chapter on locks","created_at":1794410000000,"derived_from":["document:pg16-locking"]}
{"ref":"belief:concluded-1","agent_id":"ash","text":"A migration needs a lock timeout","created_at":1794420000000,"derived_from":["step:first-1"]}

== frames
view docs-document :goto document:pg16-locking<Enter>
view docs-document-cited :goto document:pg16-locking<Enter><Tab><Tab>
view docs-document-versions :goto document:pg16-locking<Enter><Tab><Tab><Tab><Tab><Tab>
view docs-retrievals :retrievals<Enter>
view docs-retrievals-open :retrievals<Enter><Enter>j
view docs-retrievals-uri :retrievals<Enter>o
view docs-strategies :goto chain:first<Enter>c
view docs-strategies-sources :goto chain:first<Enter>c<Tab><Tab>
view docs-chains 6
view docs-steps :steps<Enter>
view docs-documents 7/pg<Esc>
view docs-citations :citations<Enter>
view docs-attributions 5

== a step with two passages
# A step that used two passages is one row, and both are shown: in full and in the preview.
{"ref":"document:guide","agent_id":"ash","text":"A guide"}
{"ref":"step:both-1","agent_id":"ash","text":"Which of them?","confidence":0.9,"created_at":1794800000000,"detail":{"step_number":1,"intermediate_answer":"Answer of both-1","execution_time":0.8},"relations":[{"type":"part_of","to":"chain:first"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:guide","relevance":0.93,"score":"measured","chunk":5}]},{"role":"source","antecedents":[{"ref":"document:guide","relevance":0.66,"score":"measured","chunk":3,"excerpt":"Within a heartbeat."}]}]}
> :goto document:guide<Enter>
  .93  chunk 5
  .66  chunk 3
  "Within a heartbeat."
  1 step · 1 chain
> 7/A guide<Enter>
  .66  and a different passage

== uses
> :goto document:pg16-locking<Enter>
  2 steps · 2 chains
  .95  chunk 14
  ?.70  chunk 14
  "ACCESS EXCLUSIVE conflicts with every mode."
  titled "The manual" there
  page 12, Table-level locks
  Read the chapter on locks
  A migration needs a lock timeout
  4 uses · 1 belief
> :goto document:incident<Enter>
  ~.60
  =.50
  as context_doc_1

== changed
# Uses of the older content say that it changed; those of the newer one do not.
> :goto document:pg16-locking<Enter>
  conflicts with every mode. ~> changed since
! changed since ~> changed since
  2 versions of 1 passage
  aaaaaaaaaaaa  earlier
  bbbbbbbbbbbb  current

== logged
> :goto attribution:logged-1<Enter>
  1794000000000  2026-11-0
> :goto document:pg16-locking<Enter>
  recorded
  by URI
> :goto document:supervisor<Enter>
  no retrieval of it was logged
  no belief is based on it
  no use recorded its passage

== pages
# Pages are read as needed, the rest is counted, and the cursor stays where it asked for more.
{"ref":"chain:many","agent_id":"ash","text":"Many"}
for 1 90 {"ref":"step:many-{i}","agent_id":"ash","text":"Question {i} of many","created_at":{i+1793000000000},"detail":{"step_number":{i}},"relations":[{"type":"part_of","to":"chain:many"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:pg16-locking","relevance":0.5,"score":"default"}]}]}
size 120x24
> :goto document:pg16-locking<Enter>
  92 steps · 3 chains
> :goto document:pg16-locking<Enter>/Enter shows more<Enter>
  68 more; Enter shows more
> :goto document:pg16-locking<Enter>/Enter shows more<Enter><Enter>
! more; Enter shows more
> :goto document:pg16-locking<Enter>/Enter shows more<Enter><Enter>/Question 3 of<Enter>
  Question 3 of many
> :goto document:pg16-locking<Enter>/Question 3 of<Enter>
  no match here
> :goto document:pg16-locking<Enter>/Enter shows more<Enter>D
  there is no memory here

== a step without a chain
# A step of no chain says so, and opens as itself.
{"ref":"step:loose-1","agent_id":"ash","text":"On its own","justifications":[{"role":"source","antecedents":["document:supervisor"]}]}
> :goto document:supervisor<Enter>
  not part of a chain
> :goto document:supervisor<Enter>/On its own<Enter><Enter>
  |› step:loose-1\n|
> :steps<Enter>
  On its own

== a missing document
# A document that is only named still has its users.
{"ref":"step:named-1","agent_id":"ash","text":"Which one?","confidence":0.9,"created_at":1794100000000,"detail":{"step_number":1,"intermediate_answer":"Answer of named-1","execution_time":0.8},"relations":[{"type":"part_of","to":"chain:first"}],"justifications":[{"role":"source","reading":"any","antecedents":[{"ref":"document:never-written","relevance":0.4,"score":"measured"}]}]}
> :goto document:never-written<Enter>
  named by others, but not written here yet
  Which one?

== following links and back
# Any way down leads back to the same line.
size 200x50
> :goto document:pg16-locking<Enter>j
on chain:second
> :goto document:pg16-locking<Enter>jj<Enter>
  |› chain:second |
  Which lock was it?
> :goto document:pg16-locking<Enter>jj<Enter>c
  3 strategies
> :goto document:pg16-locking<Enter>jj<Enter>q
on Which lock was it?
> :goto document:pg16-locking<Enter><Tab><Tab>
on citation:quoted-1
> :goto document:pg16-locking<Enter><Tab><Tab><Enter>
  › citation:quoted-1
> :goto document:pg16-locking<Enter><Tab><Tab><Enter>q
on citation:quoted-1
> :goto document:pg16-locking<Enter>/lock timeout<Enter><Enter>
  › belief:concluded-1
> :goto document:pg16-locking<Enter>/by URI<Enter><Enter>
  › attribution:logged-2
> :goto document:pg16-locking<Enter>/by URI<Enter><Enter>q
on attribution:logged-2
> :goto document:pg16-locking<Enter>.
  |── based on |
> :goto document:pg16-locking<Enter>r
  document:pg16-locking used by
> :goto document:pg16-locking<Enter><Enter>
  the cursor is on no other memory
> 7/PostgreSQL<Enter><Enter>
  used in chains

== changes of others
# Changes of others appear, and the cursor stays on its memory.
> :goto document:pg16-locking<Enter><Tab><Tab>
{"ref":"step:first-3","agent_id":"ash","text":"Question 3 of many","created_at":1793000000003,"detail":{"step_number":3},"relations":[{"type":"part_of","to":"chain:first"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:pg16-locking","relevance":0.5,"score":"default"}]}]}
+ <C-l>
on citation:quoted-1
> :goto document:pg16-locking<Enter>
  3 steps · 2 chains
> :retrievals<Enter><Enter>j
{"ref":"attribution:logged-5","agent_id":"ash","text":"One more","created_at":1794800000000,"detail":{"source_type":"web_scrape","source_uri":"https://pg.example/locking","retrieval_timestamp":1794800000000}}
+ <C-l>
on attribution:logged-4
> :retrievals<Enter>
  5 retrievals · 2 groups
> :goto chain:first<Enter>c
{"ref":"chain:third","agent_id":"ash","text":"Why did the deploy stop the queue?","confidence":0.85,"created_at":1794100000000,"detail":{"final_answer":"A worker held it.","strategy":"tree","total_time":4.2},"justifications":[{"role":"step","reading":"all","antecedents":["step:third-1"]}]}
+ <C-l>
  A worker held it.

== as of
# The state of that time lacks later writes.
> :asof @8<Enter>:goto document:pg16-locking<Enter>
  |1 step · |
! Which lock was it?
> :goto document:pg16-locking<Enter>:asof @8<Enter>
  |1 step · |
> :retrievals<Enter>:asof @2<Enter>
  2 retrievals

== groups
> :retrievals<Enter>
  retrievals › by type
  4 retrievals · 2 groups · 1 suspect
on tavily_search
> :retrievals<Enter>j
on web_scrape
> :retrievals<Enter>o
  by URI
  (none)
> :retrievals<Enter>oo
  by agent
> :retrievals<Enter>ooj
on claire
> :retrievals<Enter>ooo
  by type
> 5og
  by type
> :retrievals agent<Enter>
  by agent
> :retrievals<Enter>:agent claire<Enter>
  1 retrieval · 1 group

== expanding
> :retrievals<Enter>
! attribution:logged-4
> :retrievals<Enter><Enter>
  attribution:logged-4
  suspect
  logged-4 ~> logged-3
> :retrievals<Enter>l
  attribution:logged-4
> :retrievals<Enter>ljh
! attribution:logged-4
on tavily_search
> :retrievals<Enter><Enter><Enter>
! attribution:logged-4
> :retrievals<Enter><Enter><Tab>
on web_scrape
> :retrievals<Enter><Enter>j<Enter>
  › attribution:logged-4
> :retrievals<Enter><Enter>j
  ── attribution:logged-4

== group pages
{"ref":"attribution:more-0","agent_id":"ash","text":"n0","detail":{"source_type":"git_show","retrieval_timestamp":1794000000000}}
{"ref":"attribution:more-1","agent_id":"ash","text":"n1","detail":{"source_type":"git_show","retrieval_timestamp":1794003600000}}
{"ref":"attribution:more-2","agent_id":"ash","text":"n2","detail":{"source_type":"git_show","retrieval_timestamp":1794007200000}}
{"ref":"attribution:more-3","agent_id":"ash","text":"n3","detail":{"source_type":"git_show","retrieval_timestamp":1794010800000}}
{"ref":"attribution:more-4","agent_id":"ash","text":"n4","detail":{"source_type":"git_show","retrieval_timestamp":1794014400000}}
{"ref":"attribution:more-5","agent_id":"ash","text":"n5","detail":{"source_type":"git_show","retrieval_timestamp":1794018000000}}
{"ref":"attribution:more-6","agent_id":"ash","text":"n6","detail":{"source_type":"git_show","retrieval_timestamp":1794021600000}}
{"ref":"attribution:more-7","agent_id":"ash","text":"n7","detail":{"source_type":"git_show","retrieval_timestamp":1794025200000}}
{"ref":"attribution:more-8","agent_id":"ash","text":"n8","detail":{"source_type":"git_show","retrieval_timestamp":1794028800000}}
{"ref":"attribution:more-9","agent_id":"ash","text":"n9","detail":{"source_type":"git_show","retrieval_timestamp":1794032400000}}
{"ref":"attribution:more-10","agent_id":"ash","text":"n10","detail":{"source_type":"git_show","retrieval_timestamp":1794036000000}}
{"ref":"attribution:more-11","agent_id":"ash","text":"n11","detail":{"source_type":"git_show","retrieval_timestamp":1794039600000}}
{"ref":"attribution:more-12","agent_id":"ash","text":"n12","detail":{"source_type":"git_show","retrieval_timestamp":1794043200000}}
{"ref":"attribution:more-13","agent_id":"ash","text":"n13","detail":{"source_type":"git_show","retrieval_timestamp":1794046800000}}
{"ref":"attribution:more-14","agent_id":"ash","text":"n14","detail":{"source_type":"git_show","retrieval_timestamp":1794050400000}}
{"ref":"attribution:more-15","agent_id":"ash","text":"n15","detail":{"source_type":"git_show","retrieval_timestamp":1794054000000}}
{"ref":"attribution:more-16","agent_id":"ash","text":"n16","detail":{"source_type":"git_show","retrieval_timestamp":1794057600000}}
{"ref":"attribution:more-17","agent_id":"ash","text":"n17","detail":{"source_type":"git_show","retrieval_timestamp":1794061200000}}
{"ref":"attribution:more-18","agent_id":"ash","text":"n18","detail":{"source_type":"git_show","retrieval_timestamp":1794064800000}}
{"ref":"attribution:more-19","agent_id":"ash","text":"n19","detail":{"source_type":"git_show","retrieval_timestamp":1794068400000}}
{"ref":"attribution:more-20","agent_id":"ash","text":"n20","detail":{"source_type":"git_show","retrieval_timestamp":1794072000000}}
{"ref":"attribution:more-21","agent_id":"ash","text":"n21","detail":{"source_type":"git_show","retrieval_timestamp":1794075600000}}
{"ref":"attribution:more-22","agent_id":"ash","text":"n22","detail":{"source_type":"git_show","retrieval_timestamp":1794079200000}}
{"ref":"attribution:more-23","agent_id":"ash","text":"n23","detail":{"source_type":"git_show","retrieval_timestamp":1794082800000}}
{"ref":"attribution:more-24","agent_id":"ash","text":"n24","detail":{"source_type":"git_show","retrieval_timestamp":1794086400000}}
{"ref":"attribution:more-25","agent_id":"ash","text":"n25","detail":{"source_type":"git_show","retrieval_timestamp":1794090000000}}
{"ref":"attribution:more-26","agent_id":"ash","text":"n26","detail":{"source_type":"git_show","retrieval_timestamp":1794093600000}}
{"ref":"attribution:more-27","agent_id":"ash","text":"n27","detail":{"source_type":"git_show","retrieval_timestamp":1794097200000}}
{"ref":"attribution:more-28","agent_id":"ash","text":"n28","detail":{"source_type":"git_show","retrieval_timestamp":1794100800000}}
{"ref":"attribution:more-29","agent_id":"ash","text":"n29","detail":{"source_type":"git_show","retrieval_timestamp":1794104400000}}
{"ref":"attribution:more-30","agent_id":"ash","text":"n30","detail":{"source_type":"git_show","retrieval_timestamp":1794108000000}}
{"ref":"attribution:more-31","agent_id":"ash","text":"n31","detail":{"source_type":"git_show","retrieval_timestamp":1794111600000}}
{"ref":"attribution:more-32","agent_id":"ash","text":"n32","detail":{"source_type":"git_show","retrieval_timestamp":1794115200000}}
{"ref":"attribution:more-33","agent_id":"ash","text":"n33","detail":{"source_type":"git_show","retrieval_timestamp":1794118800000}}
{"ref":"attribution:more-34","agent_id":"ash","text":"n34","detail":{"source_type":"git_show","retrieval_timestamp":1794122400000}}
{"ref":"attribution:more-35","agent_id":"ash","text":"n35","detail":{"source_type":"git_show","retrieval_timestamp":1794126000000}}
{"ref":"attribution:more-36","agent_id":"ash","text":"n36","detail":{"source_type":"git_show","retrieval_timestamp":1794129600000}}
{"ref":"attribution:more-37","agent_id":"ash","text":"n37","detail":{"source_type":"git_show","retrieval_timestamp":1794133200000}}
{"ref":"attribution:more-38","agent_id":"ash","text":"n38","detail":{"source_type":"git_show","retrieval_timestamp":1794136800000}}
{"ref":"attribution:more-39","agent_id":"ash","text":"n39","detail":{"source_type":"git_show","retrieval_timestamp":1794140400000}}
{"ref":"attribution:more-40","agent_id":"ash","text":"n40","detail":{"source_type":"git_show","retrieval_timestamp":1794144000000}}
{"ref":"attribution:more-41","agent_id":"ash","text":"n41","detail":{"source_type":"git_show","retrieval_timestamp":1794147600000}}
{"ref":"attribution:more-42","agent_id":"ash","text":"n42","detail":{"source_type":"git_show","retrieval_timestamp":1794151200000}}
{"ref":"attribution:more-43","agent_id":"ash","text":"n43","detail":{"source_type":"git_show","retrieval_timestamp":1794154800000}}
{"ref":"attribution:more-44","agent_id":"ash","text":"n44","detail":{"source_type":"git_show","retrieval_timestamp":1794158400000}}
{"ref":"attribution:more-45","agent_id":"ash","text":"n45","detail":{"source_type":"git_show","retrieval_timestamp":1794162000000}}
{"ref":"attribution:more-46","agent_id":"ash","text":"n46","detail":{"source_type":"git_show","retrieval_timestamp":1794165600000}}
{"ref":"attribution:more-47","agent_id":"ash","text":"n47","detail":{"source_type":"git_show","retrieval_timestamp":1794169200000}}
{"ref":"attribution:more-48","agent_id":"ash","text":"n48","detail":{"source_type":"git_show","retrieval_timestamp":1794172800000}}
{"ref":"attribution:more-49","agent_id":"ash","text":"n49","detail":{"source_type":"git_show","retrieval_timestamp":1794176400000}}
> :retrievals<Enter>/git<Enter><Enter>G
  10 more; Enter shows them
size 120x80
> :retrievals<Enter>/git<Enter><Enter>G<Enter>G
  |attribution:more-0 |

== strategies are compared
size 200x50
> :goto chain:first<Enter>c
  3 strategies
  one question
  2 different answers: differences are highlighted
  no answer: it was abandoned
  3 documents · 0 by all · 2 by one
  used by 2 of 3
  used by 1 only
> :goto step:first-1<Enter>cc
  3 strategies
> 6/DEPLOY<Enter>c
  3 strategies
> :goto chain:other<Enter>c
  no other chain has this question
> 7:strategies<Enter>
  select two chains

== selected strategies are compared
size 200x50
> 6/Something<Enter> /DEPLOY<Enter> c
  several questions
  2 chains
> 6/Something<Enter> 7G :strategies<Enter>
  select two chains, or move the cursor to one

== opening one of them
# A strategy opens, and the lines about all of them open it, too.
size 200x50
> :goto chain:first<Enter>c
  [1]
> :goto chain:first<Enter>cl
  [2]
> :goto chain:first<Enter>clh
  [1]
> :goto chain:first<Enter>chh
  [1]
> :goto chain:first<Enter>cllll
  [3]
> :goto chain:first<Enter>c
  on chain:first
> :goto chain:first<Enter>cll
  on chain:second
> :goto chain:first<Enter>ch
  this is the first chain
> :goto chain:first<Enter>clll
  this is the last chain
> :goto chain:first<Enter>c<Tab><Enter>
  › document:
size 80x24
> :goto chain:first<Enter>c
  |1  |
on chain:

== many strategies
# More than fit in one comparison or in the columns.
{"ref":"step:m-0","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-0"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-0","agent_id":"ash","text":"How many?","detail":{"final_answer":"0 of them"}}
{"ref":"step:m-1","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-1"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-1","agent_id":"ash","text":"How many?","detail":{"final_answer":"1 of them"}}
{"ref":"step:m-2","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-2"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-2","agent_id":"ash","text":"How many?","detail":{"final_answer":"2 of them"}}
{"ref":"step:m-3","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-3"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-3","agent_id":"ash","text":"How many?","detail":{"final_answer":"3 of them"}}
{"ref":"step:m-4","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-4"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-4","agent_id":"ash","text":"How many?","detail":{"final_answer":"4 of them"}}
{"ref":"step:m-5","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-5"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-5","agent_id":"ash","text":"How many?","detail":{"final_answer":"5 of them"}}
{"ref":"step:m-6","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-6"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-6","agent_id":"ash","text":"How many?","detail":{"final_answer":"6 of them"}}
{"ref":"step:m-7","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-7"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-7","agent_id":"ash","text":"How many?","detail":{"final_answer":"0 of them"}}
{"ref":"step:m-8","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-8"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-8","agent_id":"ash","text":"How many?","detail":{"final_answer":"1 of them"}}
{"ref":"step:m-9","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-9"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-9","agent_id":"ash","text":"How many?","detail":{"final_answer":"2 of them"}}
{"ref":"step:m-10","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-10"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-10","agent_id":"ash","text":"How many?","detail":{"final_answer":"3 of them"}}
{"ref":"step:m-11","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-11"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-11","agent_id":"ash","text":"How many?","detail":{"final_answer":"4 of them"}}
{"ref":"step:m-12","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-12"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-12","agent_id":"ash","text":"How many?","detail":{"final_answer":"5 of them"}}
{"ref":"step:m-13","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-13"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-13","agent_id":"ash","text":"How many?","detail":{"final_answer":"6 of them"}}
{"ref":"step:m-14","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-14"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-14","agent_id":"ash","text":"How many?","detail":{"final_answer":"0 of them"}}
{"ref":"step:m-15","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-15"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-15","agent_id":"ash","text":"How many?","detail":{"final_answer":"1 of them"}}
{"ref":"step:m-16","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-16"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-16","agent_id":"ash","text":"How many?","detail":{"final_answer":"2 of them"}}
{"ref":"step:m-17","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-17"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-17","agent_id":"ash","text":"How many?","detail":{"final_answer":"3 of them"}}
{"ref":"step:m-18","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-18"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-18","agent_id":"ash","text":"How many?","detail":{"final_answer":"4 of them"}}
{"ref":"step:m-19","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-19"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-19","agent_id":"ash","text":"How many?","detail":{"final_answer":"5 of them"}}
{"ref":"step:m-20","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-20"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-20","agent_id":"ash","text":"How many?","detail":{"final_answer":"6 of them"}}
{"ref":"step:m-21","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-21"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-21","agent_id":"ash","text":"How many?","detail":{"final_answer":"0 of them"}}
{"ref":"step:m-22","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-22"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-22","agent_id":"ash","text":"How many?","detail":{"final_answer":"1 of them"}}
{"ref":"step:m-23","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-23"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-23","agent_id":"ash","text":"How many?","detail":{"final_answer":"2 of them"}}
{"ref":"step:m-24","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-24"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-24","agent_id":"ash","text":"How many?","detail":{"final_answer":"3 of them"}}
{"ref":"step:m-25","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-25"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-25","agent_id":"ash","text":"How many?","detail":{"final_answer":"4 of them"}}
{"ref":"step:m-26","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-26"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-26","agent_id":"ash","text":"How many?","detail":{"final_answer":"5 of them"}}
{"ref":"step:m-27","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-27"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-27","agent_id":"ash","text":"How many?","detail":{"final_answer":"6 of them"}}
{"ref":"step:m-28","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-28"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-28","agent_id":"ash","text":"How many?","detail":{"final_answer":"0 of them"}}
{"ref":"step:m-29","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-29"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-29","agent_id":"ash","text":"How many?","detail":{"final_answer":"1 of them"}}
{"ref":"step:m-30","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-30"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-30","agent_id":"ash","text":"How many?","detail":{"final_answer":"2 of them"}}
{"ref":"step:m-31","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-31"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-31","agent_id":"ash","text":"How many?","detail":{"final_answer":"3 of them"}}
{"ref":"step:m-32","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-32"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-32","agent_id":"ash","text":"How many?","detail":{"final_answer":"4 of them"}}
{"ref":"step:m-33","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-33"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-33","agent_id":"ash","text":"How many?","detail":{"final_answer":"5 of them"}}
{"ref":"step:m-34","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-34"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-34","agent_id":"ash","text":"How many?","detail":{"final_answer":"6 of them"}}
{"ref":"step:m-35","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-35"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-35","agent_id":"ash","text":"How many?","detail":{"final_answer":"0 of them"}}
{"ref":"step:m-36","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-36"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-36","agent_id":"ash","text":"How many?","detail":{"final_answer":"1 of them"}}
{"ref":"step:m-37","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-37"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-37","agent_id":"ash","text":"How many?","detail":{"final_answer":"2 of them"}}
{"ref":"step:m-38","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-38"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-38","agent_id":"ash","text":"How many?","detail":{"final_answer":"3 of them"}}
{"ref":"step:m-39","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-39"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-39","agent_id":"ash","text":"How many?","detail":{"final_answer":"4 of them"}}
{"ref":"step:m-40","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-40"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-40","agent_id":"ash","text":"How many?","detail":{"final_answer":"5 of them"}}
{"ref":"step:m-41","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-41"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-41","agent_id":"ash","text":"How many?","detail":{"final_answer":"6 of them"}}
{"ref":"step:m-42","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-42"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-42","agent_id":"ash","text":"How many?","detail":{"final_answer":"0 of them"}}
{"ref":"step:m-43","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-43"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-43","agent_id":"ash","text":"How many?","detail":{"final_answer":"1 of them"}}
{"ref":"step:m-44","agent_id":"ash","text":"One","detail":{"step_number":1},"relations":[{"type":"part_of","to":"chain:m-44"}],"justifications":[{"role":"source","antecedents":[{"ref":"document:supervisor","relevance":0.5,"score":"measured"}]}]}
{"ref":"chain:m-44","agent_id":"ash","text":"How many?","detail":{"final_answer":"2 of them"}}
size 200x50
> :goto chain:m-3<Enter>c
  the newest 40 chains on this question
> :goto chain:m-3<Enter>c<Tab>
  7 different answers
  |the same as |
> :goto chain:m-3<Enter>c<Tab><Tab>
  chains 1 to 20 of 40, h and l show others
  | Worker supervisor |
> :goto chain:m-3<Enter>cllllllllllllllllllllllll<Tab><Tab>
  chains 6 to 25 of 40
size 80x50
> :goto chain:m-3<Enter>c
  on chain:m-3

== columns are searched
# Search and filter include the other columns of a list.
> 6/nine workers<Enter>
  1 match for
> 7/pg16-lock<Enter>
  1 match for
> :citations<Enter>/Table-level<Enter>
  1 match for
> :citations<Enter>/page 12<Enter>
  1 match for
> :citations<Enter>/PostgreSQL manual<Enter>
  1 match for
> 6/ten workers<Enter>
! 1 match for
> 6\nine workers<Enter>
! Something else?
> 6\tree<Enter>
  Something else?
> :steps<Enter><Enter>j
  >chain
! The migration held
> 7\claire<Enter>
  Incident report
! Worker supervisor

== a retrieval matched by its hash or by its URI says which
{"ref":"attribution:by-hash","agent_id":"ash","text":"Elsewhere","created_at":1794000000000,"detail":{"source_type":"web_scrape","source_uri":"https://elsewhere.example","full_content_hash":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","retrieval_timestamp":1794000000000}}
{"ref":"step:hashed","agent_id":"ash","text":"Which lock?","created_at":1794100000000,"detail":{"step_number":9},"justifications":[{"role":"source","antecedents":[{"ref":"document:pg16-locking","version_hash":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"}]}],"relations":[{"type":"part_of","to":"chain:first"}]}
> :goto document:pg16-locking<Enter>
  web_scrape      https://elsewhere.example ~> by hash
  web_scrape      https://pg.example/locking ~> by URI
> :goto chain:first<Enter>lh
  logged
  The same page, again ~> by its URI
  Elsewhere ~> by its hash

== types in any script are shown as they are
{"ref":"attribution:cyrillic","agent_id":"ash","text":"In Cyrillic","created_at":1794000000000,"detail":{"source_type":"поиск","source_uri":"https://x","retrieval_timestamp":1794000000000}}
{"ref":"attribution:chinese","agent_id":"ash","text":"In Chinese","created_at":1794000000000,"detail":{"source_type":"\u7db2頁","source_uri":"https://y","retrieval_timestamp":1794000000000}}
> 5
  поиск         ~> In Cyrillic
  網頁          ~> In Chinese

== a retracted retrieval is marked in the matrix, at the source, the document and the citation
{"ref":"attribution:wrong","agent_id":"ash","text":"The wrong page","created_at":1794000000000,"status":"retracted","detail":{"source_type":"web_scrape","source_uri":"https://wrong.example","retrieval_timestamp":1794000000000}}
{"ref":"document:wrong","agent_id":"ash","text":"Wrong page","created_at":1794000000000,"derived_from":["attribution:wrong"]}
{"ref":"chain:wrong","agent_id":"ash","text":"Which lock?","created_at":1794100000000}
{"ref":"step:wrong","agent_id":"ash","text":"Which lock?","created_at":1794100000000,"detail":{"step_number":1},"justifications":[{"role":"source","antecedents":[{"ref":"document:wrong","relevance":0.9,"score":"measured"}]}],"relations":[{"type":"part_of","to":"chain:wrong"}]}
{"ref":"citation:wrong","agent_id":"ash","text":"as it says","created_at":1794100000000,"detail":{"document_name":"Wrong page","page":4},"justifications":[{"role":"citation","antecedents":[{"ref":"document:wrong"}]}]}
size 160x40
> :goto chain:wrong<Enter>l
  Wrong page · retrieval retracted
  logged ~> [retracted]
> :goto step:wrong<Enter>
  retrieval retracted
> :goto document:wrong<Enter>
  [retracted] https://wrong.example
> :citations<Enter>
  Wrong …, retrieval retrac…

== retrievals by their own time
{"ref":"attribution:old","agent_id":"ash","text":"long ago","created_at":1794900000000,"detail":{"source_type":"web_scrape","source_uri":"https://old.example","retrieval_timestamp":1600000000000}}
> 5oe
  retrieved ↓
  https://pg.example/locking ~> https://old.example ~> how long is a lock
> 5
  recorded ↓
  https://old.example ~> how long is a lock

== one key shows what a response cited
# From a citation its response, from elsewhere all of them; and by the id of a message.
{"ref":"citation:quoted-2","agent_id":"claire","text":"No mode conflicts.","created_at":1794400000000,"detail":{"document_id":"supervisor","document_name":"Supervisor","conversation_id":"chat-7","message_id":"m-3","rank":2},"justifications":[{"role":"citation","antecedents":[{"ref":"document:supervisor","relevance":0.4,"score":"asserted"}]}]}
{"ref":"citation:quoted-3","agent_id":"claire","text":"Something else.","created_at":1794500000000,"detail":{"document_id":"supervisor","conversation_id":"chat-8","message_id":"m-9"},"justifications":[{"role":"citation","antecedents":[{"ref":"document:supervisor","relevance":0.4,"score":"asserted"}]}]}
{"ref":"document:supervisor","relations":[{"type":"contradicts","to":"document:pg16-locking"}]}
> :goto citation:quoted-2<Enter>:responses<Enter>
  conversation chat-7
  message m-3 ~> uncertainty low ~> 0.40 asserted  (Supervisor, document) ~> (PostgreSQL manual, page 12, Table-level locks) ~> "Every mode conflicts."
  1 and 2 contradict each other: a relation of their documents says so
! chat-8
+ gg<Enter>
  › citation:quoted-2
> 1:responses<Enter>
  conversation chat-8 ~> conversation chat-7
  2 responses
on document)
> :responses m-9<Enter>
  responses of m-9
  chat-8
! chat-7
> :responses nobody<Enter>
  There is no conversation or message 'nobody'.

== a control character in the name of a cited document has a mark
{"ref":"citation:bell","agent_id":"claire","text":"Rung.","created_at":1794700000000,"detail":{"document_id":"bell","document_name":"Na\u0007me\nof it","conversation_id":"chat-9","message_id":"m-9"}}
> :responses chat-9<Enter>
  (Na�me of it, document)
