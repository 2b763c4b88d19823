== what repeats or contradicts another memory
+ {"ref":"raw:page","text":"a page","agent_id":"ash"}
+ {"ref":"belief:old","text":"The rate limit of the API is 30 requests per minute.","agent_id":"ash","created_at":1700000000000}
+ {"ref":"belief:new","text":"The rate limit of the API is 60 requests per minute","agent_id":"ash","created_at":1700000500000}
+ {"ref":"note:one","text":"We deploy on Fridays, after a review.","agent_id":"ash","derived_from":["raw:page"]}
+ {"ref":"note:two","text":"we deploy on Fridays after a review","agent_id":"ash","derived_from":["raw:page"]}
+ {"ref":"belief:ends","text":"Sessions of the portal end after 5 minutes","agent_id":"ash"}
+ {"ref":"belief:same","text":"sessions of the portal end after 300 s","agent_id":"ash"}
+ {"ref":"belief:tea","text":"Tea is better","agent_id":"ash","relations":[{"type":"contradicts","to":"belief:espresso","at":1700000000000,"reason":"asked twice"}]}
+ {"ref":"belief:espresso","text":"Coffee it is","agent_id":"ash"}
> memory_duplicates {}
{"type": "text",
 "text": "{\"group\":[\"note:one\",\"note:two\"],\"similarity\":1,\"independent\":false}\n{\"group\":[\"belief:ends\",\"belief:same\"],\"similarity\":1}\n"}
> memory_duplicates {"limit":1}
{"type": "text",
 "text": "{\"group\":[\"note:one\",\"note:two\"],\"similarity\":1,\"independent\":false}\n{\"next\":1}\n"}
> memory_duplicates {"limit":1,"offset":1}
{"type": "text", "text": "{\"group\":[\"belief:ends\",\"belief:same\"],\"similarity\":1}\n"}
> memory_duplicates {"refs":["note:two"]}
{"type": "text", "text": "{\"group\":[\"note:one\",\"note:two\"],\"similarity\":1,\"independent\":false}\n"}
> memory_duplicates {"refs":["belief:tea"]}
{"type": "text", "text": "no two memories say the same"}
> memory_conflicts {}
{"type": "text",
 "text": "{\"pair\":[\"belief:espresso\",\"belief:tea\"],\"recorded\":true,\"reason\":\"asked twice\"}\n{\"pair\":[\"belief:new\",\"belief:old\"],\"recorded\":false,\"reason\":\"number: 60 / 30\"}\n"}
> memory_conflicts {"refs":["belief:old","belief:espresso"],"limit":1}
{"type": "text",
 "text": "{\"pair\":[\"belief:espresso\",\"belief:tea\"],\"recorded\":true,\"reason\":\"asked twice\"}\n{\"next\":1}\n"}
> memory_conflicts {"refs":["belief:nothing"]}
! NOT_FOUND: no memory is called belief:nothing -> Search for it, or list its kind.
> memory_conflicts {"refs":[""]}
! INVALID_REQUEST: refs[0] is empty -> Give a text that is not empty.
> memory_conflicts {"offset":-1}
! INVALID_REQUEST: offset is out of range -> Give a number from 0 to 9007199254740991.
> memory_supersede {"ref":"belief:old","statement":"The limit is whatever the page says"}
{"ref": "belief:ID1", "version": 1}
> memory_conflicts {}
{"type": "text",
 "text": "{\"pair\":[\"belief:espresso\",\"belief:tea\"],\"recorded\":true,\"reason\":\"asked twice\"}\n"}

== what is masked or of another agent decides nothing
| pii: {mask: yes}
+ {"ref":"note:a","text":"Write to claire@example.com about the invoices of the year","agent_id":"ash"}
+ {"ref":"note:b","text":"Write to zoe@example.com about the invoices of the year","agent_id":"ash"}
+ {"ref":"note:c","text":"write to claire@example.com about the invoices of the year!","agent_id":"bee"}
+ {"ref":"note:d","text":"Write to claire@example.com about the invoices of a year","agent_id":"bee"}
> memory_duplicates {}
{"type": "text", "text": "{\"group\":[\"note:a\",\"note:b\"],\"similarity\":1}\n"}
> memory_conflicts {}
{"type": "text", "text": "no two memories contradict each other"}
> memory_duplicates {"refs":["note:a"]}
{"type": "text", "text": "{\"group\":[\"note:a\",\"note:b\"],\"similarity\":1}\n"}
> memory_duplicates {"refs":["note:c"]}
! PERMISSION_DENIED: that memory is another agent's, and agents do not share here -> Ask the person who reviews this memory.
