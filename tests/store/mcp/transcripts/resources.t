= lineage
+ {"ref":"raw:r1","agent_id":"ash","text":"heard","created_at":1000}
+ {"ref":"episode:e1","agent_id":"ash","text":"tried","created_at":2000,"derived_from":["raw:r1"]}
+ {"ref":"belief:b1","agent_id":"ash","text":"so\nit\u001b[31m \u202eis","created_at":3000,
    "derived_from":["episode:e1"],"source_episodes":["never"]}
+ {"ref":"belief:b2","agent_id":"bee","text":"then","created_at":4000,"derived_from":["belief:b1","episode:e1"],
    "derivation":"all"}
+ {"ref":"document:a/b %c","agent_id":"b/ee \u00e9","text":"d","created_at":5000}

== a memory has a uri
= lineage
| share: yes
> resources/read {"uri":"stemma://belief/b1"}
{"contents": [{"uri": "stemma://belief/b1", "text": "{\"ref\":\"belief:b1\",\"agent_id\":\"ash\",\"text\":\"so\\nit\\u001b[31m…"}],
 "ref": "(absent)"}
> resources/read {"uri":"stemma://document/a%2Fb%20%25c"}
{"contents": [{"uri": "stemma://document/a%2Fb%20%25c",
   "text": "{\"ref\":\"document:a/b %c\",\"agent_id\":\"b/ee é\",\"text\":\"d\",\"created_at\":5000,\"updated_at\":5000,\"confidence\":1,\"source_type\":\"direct_experience\",\"status\":\"active\",\"version\":1,\"label\":\"supported\",\"effective\":1,\"trust\":1,\"class\":\"own\"}"}],
 "ref": "(absent)"}
> resources/read {"uri":"stemma://document/a%2fb%20%25c"}
{"contents": [{"uri": "stemma://document/a%2fb%20%25c",
   "text": "{\"ref\":\"document:a/b %c\",\"agent_id\":\"b/ee é\",\"text\":\"d\",\"created_at\":5000,\"updated_at\":5000,\"confidence\":1,\"source_type\":\"direct_experience\",\"status\":\"active\",\"version\":1,\"label\":\"supported\",\"effective\":1,\"trust\":1,\"class\":\"own\"}"}]}

== a lineage is text and data
= lineage
| share: yes
> resources/read {"uri":"stemma://belief/b2/lineage"}
{"contents": [{"uri": "stemma://belief/b2/lineage", "text": "Ancestors: below each memory is what it is based on.\nbelief:b…"}]}
> resources/read {"uri":"stemma://belief/b2/lineage.json"}
{"contents": [{"uri": "stemma://belief/b2/lineage.json",
   "text": "{\"nodes\":[{\"ref\":\"belief:b2\",\"depth\":0,\"text\":\"then\",\"effect…"}],
 "nodes": "(absent)", "cut": "(absent)"}

== a deep lineage reports what it omits
# Long chains of sources are cut, and the outline says where.
+ {"ref":"belief:d0","text":"t","derived_from":["belief:d0"]}
+ {"ref":"belief:d1","text":"t","derived_from":["belief:d0"]}
+ {"ref":"belief:d2","text":"t","derived_from":["belief:d1"]}
+ {"ref":"belief:d3","text":"t","derived_from":["belief:d2"]}
+ {"ref":"belief:d4","text":"t","derived_from":["belief:d3"]}
+ {"ref":"belief:d5","text":"t","derived_from":["belief:d4"]}
+ {"ref":"belief:d6","text":"t","derived_from":["belief:d5"]}
+ {"ref":"belief:d7","text":"t","derived_from":["belief:d6"]}
+ {"ref":"belief:d8","text":"t","derived_from":["belief:d7"]}
+ {"ref":"belief:d9","text":"t","derived_from":["belief:d8"]}
+ {"ref":"belief:d10","text":"t","derived_from":["belief:d9"]}
+ {"ref":"belief:d11","text":"t","derived_from":["belief:d10"]}
+ {"ref":"belief:d12","text":"t","derived_from":["belief:d11"]}
+ {"ref":"belief:d13","text":"t","derived_from":["belief:d12"]}
+ {"ref":"belief:d14","text":"t","derived_from":["belief:d13"]}
+ {"ref":"belief:d15","text":"t","derived_from":["belief:d14"]}
+ {"ref":"belief:d16","text":"t","derived_from":["belief:d15"]}
+ {"ref":"belief:d17","text":"t","derived_from":["belief:d16"]}
+ {"ref":"belief:d18","text":"t","derived_from":["belief:d17"]}
+ {"ref":"belief:d19","text":"t","derived_from":["belief:d18"]}
+ {"ref":"belief:d20","text":"t","derived_from":["belief:d19"]}
+ {"ref":"belief:d21","text":"t","derived_from":["belief:d20"]}
+ {"ref":"belief:d22","text":"t","derived_from":["belief:d21"]}
+ {"ref":"belief:d23","text":"t","derived_from":["belief:d22"]}
+ {"ref":"belief:d24","text":"t","derived_from":["belief:d23"]}
+ {"ref":"belief:d25","text":"t","derived_from":["belief:d24"]}
+ {"ref":"belief:d26","text":"t","derived_from":["belief:d25"]}
+ {"ref":"belief:d27","text":"t","derived_from":["belief:d26"]}
+ {"ref":"belief:d28","text":"t","derived_from":["belief:d27"]}
+ {"ref":"belief:d29","text":"t","derived_from":["belief:d28"]}
+ {"ref":"belief:d30","text":"t","derived_from":["belief:d29"]}
+ {"ref":"belief:d31","text":"t","derived_from":["belief:d30"]}
+ {"ref":"belief:d32","text":"t","derived_from":["belief:d31"]}
+ {"ref":"belief:d33","text":"t","derived_from":["belief:d32"]}
+ {"ref":"belief:d34","text":"t","derived_from":["belief:d33"]}
+ {"ref":"belief:d35","text":"t","derived_from":["belief:d34"]}
+ {"ref":"belief:d36","text":"t","derived_from":["belief:d35"]}
+ {"ref":"belief:d37","text":"t","derived_from":["belief:d36"]}
+ {"ref":"belief:d38","text":"t","derived_from":["belief:d37"]}
+ {"ref":"belief:d39","text":"t","derived_from":["belief:d38"]}
> resources/read {"uri":"stemma://belief/d39/lineage"}
{"contents": [{"uri": "stemma://belief/d39/lineage", "text": "Ancestors: below each memory is what it is based on.\nbelief:…"}]}
> resources/read {"uri":"stemma://belief/d2/lineage"}
{"contents": [{"uri": "stemma://belief/d2/lineage",
   "text": "Ancestors: below each memory is what it is based on.\nbelief:d2 [circular, effective 0] t\n  derived_from: belief:d1 [circular, effective 0] t\n    derived_from: belief:d0 [circular, effective 0] t (also in a circle belief:d0)\n"}]}

== an agent has a uri by name
= lineage
| share: yes
> resources/read {"uri":"stemma://agent/ash"}
{"contents": [{"uri": "stemma://agent/ash", "text": "{\"agent_id\":\"ash\",\"memories\":[{\"ref\":\"belief:b1\",\"agent_id\":…"}],
 "memories": "(absent)", "more": "(absent)"}
> resources/read {"uri":"stemma://agent/b%2Fee%20%C3%A9"}
{"contents": [{"uri": "stemma://agent/b%2Fee%20%C3%A9",
   "text": "{\"agent_id\":\"b/ee é\",\"memories\":[{\"ref\":\"document:a/b %c\",\"agent_id\":\"b/ee é\",\"text\":\"d\",\"created_at\":5000,\"updated_at\":5000,\"confidence\":1,\"source_type\":\"direct_experience\",\"status\":\"active\",\"version\":1,\"label\":\"supported\",\"effective\":1,\"trust\":1,\"class\":\"own\"}],\"more\":false}"}],
 "memories": "(absent)"}
+ {"ref":"raw:m0","agent_id":"cat","text":"t"}
+ {"ref":"raw:m1","agent_id":"cat","text":"t"}
+ {"ref":"raw:m2","agent_id":"cat","text":"t"}
+ {"ref":"raw:m3","agent_id":"cat","text":"t"}
+ {"ref":"raw:m4","agent_id":"cat","text":"t"}
+ {"ref":"raw:m5","agent_id":"cat","text":"t"}
+ {"ref":"raw:m6","agent_id":"cat","text":"t"}
+ {"ref":"raw:m7","agent_id":"cat","text":"t"}
+ {"ref":"raw:m8","agent_id":"cat","text":"t"}
+ {"ref":"raw:m9","agent_id":"cat","text":"t"}
+ {"ref":"raw:m10","agent_id":"cat","text":"t"}
+ {"ref":"raw:m11","agent_id":"cat","text":"t"}
+ {"ref":"raw:m12","agent_id":"cat","text":"t"}
+ {"ref":"raw:m13","agent_id":"cat","text":"t"}
+ {"ref":"raw:m14","agent_id":"cat","text":"t"}
+ {"ref":"raw:m15","agent_id":"cat","text":"t"}
+ {"ref":"raw:m16","agent_id":"cat","text":"t"}
+ {"ref":"raw:m17","agent_id":"cat","text":"t"}
+ {"ref":"raw:m18","agent_id":"cat","text":"t"}
+ {"ref":"raw:m19","agent_id":"cat","text":"t"}
+ {"ref":"raw:m20","agent_id":"cat","text":"t"}
+ {"ref":"raw:m21","agent_id":"cat","text":"t"}
+ {"ref":"raw:m22","agent_id":"cat","text":"t"}
+ {"ref":"raw:m23","agent_id":"cat","text":"t"}
+ {"ref":"raw:m24","agent_id":"cat","text":"t"}
+ {"ref":"raw:m25","agent_id":"cat","text":"t"}
+ {"ref":"raw:m26","agent_id":"cat","text":"t"}
+ {"ref":"raw:m27","agent_id":"cat","text":"t"}
+ {"ref":"raw:m28","agent_id":"cat","text":"t"}
+ {"ref":"raw:m29","agent_id":"cat","text":"t"}
+ {"ref":"raw:m30","agent_id":"cat","text":"t"}
+ {"ref":"raw:m31","agent_id":"cat","text":"t"}
+ {"ref":"raw:m32","agent_id":"cat","text":"t"}
+ {"ref":"raw:m33","agent_id":"cat","text":"t"}
+ {"ref":"raw:m34","agent_id":"cat","text":"t"}
+ {"ref":"raw:m35","agent_id":"cat","text":"t"}
+ {"ref":"raw:m36","agent_id":"cat","text":"t"}
+ {"ref":"raw:m37","agent_id":"cat","text":"t"}
+ {"ref":"raw:m38","agent_id":"cat","text":"t"}
+ {"ref":"raw:m39","agent_id":"cat","text":"t"}
+ {"ref":"raw:m40","agent_id":"cat","text":"t"}
+ {"ref":"raw:m41","agent_id":"cat","text":"t"}
+ {"ref":"raw:m42","agent_id":"cat","text":"t"}
+ {"ref":"raw:m43","agent_id":"cat","text":"t"}
+ {"ref":"raw:m44","agent_id":"cat","text":"t"}
+ {"ref":"raw:m45","agent_id":"cat","text":"t"}
+ {"ref":"raw:m46","agent_id":"cat","text":"t"}
+ {"ref":"raw:m47","agent_id":"cat","text":"t"}
+ {"ref":"raw:m48","agent_id":"cat","text":"t"}
+ {"ref":"raw:m49","agent_id":"cat","text":"t"}
+ {"ref":"raw:m50","agent_id":"cat","text":"t"}
+ {"ref":"raw:m51","agent_id":"cat","text":"t"}
+ {"ref":"raw:m52","agent_id":"cat","text":"t"}
+ {"ref":"raw:m53","agent_id":"cat","text":"t"}
+ {"ref":"raw:m54","agent_id":"cat","text":"t"}
+ {"ref":"raw:m55","agent_id":"cat","text":"t"}
+ {"ref":"raw:m56","agent_id":"cat","text":"t"}
+ {"ref":"raw:m57","agent_id":"cat","text":"t"}
+ {"ref":"raw:m58","agent_id":"cat","text":"t"}
+ {"ref":"raw:m59","agent_id":"cat","text":"t"}
> resources/read {"uri":"stemma://agent/cat"}
{"contents": [{"uri": "stemma://agent/cat", "text": "{\"agent_id\":\"cat\",\"memories\":[{\"ref\":\"raw:m59\",\"agent_id\":\"c…"}],
 "memories": "(absent)", "more": "(absent)"}
~ \"more\":true,\"next\":\"CURSOR1\",\"todo\":\"memory_list goes on: give it this agent_id, and next as cursor.\"}
> memory_list {"agent_id":"cat","cursor":"CURSOR1"}
{"memories": "(10 items)", "next": "(absent)"}

== an unknown resource is not found
= lineage
> resources/read {"uri":""}
! -32002: there is no resource . See resources/templates/list. {"uri": ""}
> resources/read {"uri":"stemma://"}
! -32002: there is no resource stemma://. See resources/templates/list. {"uri": "stemma://"}
> resources/read {"uri":"stemma://belief"}
! -32002: there is no resource stemma://belief. See resources/templates/list. {"uri": "stemma://belief"}
> resources/read {"uri":"stemma://belief/"}
! -32002: there is no resource stemma://belief/. See resources/templates/list. {"uri": "stemma://belief/"}
> resources/read {"uri":"stemma://belief/nothing"}
! -32002: no memory is called belief:nothing. Search for it, or list its kind. {"uri": "stemma://belief/nothing"}
> resources/read {"uri":"stemma://belief/b1/"}
! -32002: there is no resource stemma://belief/b1/. See resources/templates/list. {"uri": "stemma://belief/b1/"}
> resources/read {"uri":"stemma://belief/b1/lineages"}
! -32002: there is no resource stemma://belief/b1/lineages. See resources/templates/list. {"uri": "stemma://belief/b1/lineages"}
> resources/read {"uri":"stemma://belief/b1/lineage/x"}
! -32002: there is no resource stemma://belief/b1/lineage/x. See resources/templates/list. {"uri": "stemma://belief/b1/lineage/x"}
> resources/read {"uri":"stemma://belief/b1?x=1"}
! -32002: there is no resource stemma://belief/b1?x=1. See resources/templates/list. {"uri": "stemma://belief/b1?x=1"}
> resources/read {"uri":"stemma://belief/b1#x"}
! -32002: there is no resource stemma://belief/b1#x. See resources/templates/list. {"uri": "stemma://belief/b1#x"}
> resources/read {"uri":"stemma://belief/b%"}
! -32002: there is no resource stemma://belief/b%. See resources/templates/list. {"uri": "stemma://belief/b%"}
> resources/read {"uri":"stemma://belief/b%1"}
! -32002: there is no resource stemma://belief/b%1. See resources/templates/list. {"uri": "stemma://belief/b%1"}
> resources/read {"uri":"stemma://belief/b%zz"}
! -32002: there is no resource stemma://belief/b%zz. See resources/templates/list. {"uri": "stemma://belief/b%zz"}
> resources/read {"uri":"stemma://belief/%00b1"}
! -32002: there is no resource stemma://belief/%00b1. See resources/templates/list. {"uri": "stemma://belief/%00b1"}
> resources/read {"uri":"stemma://belief/%FF"}
! -32002: there is no resource stemma://belief/%FF. See resources/templates/list. {"uri": "stemma://belief/%FF"}
> resources/read {"uri":"stemma://belief/a/b"}
! -32002: there is no resource stemma://belief/a/b. See resources/templates/list. {"uri": "stemma://belief/a/b"}
> resources/read {"uri":"stemma://Belief/b1"}
! -32002: there is no resource stemma://Belief/b1. See resources/templates/list. {"uri": "stemma://Belief/b1"}
> resources/read {"uri":"stemma://beliefs/b1"}
! -32002: there is no resource stemma://beliefs/b1. See resources/templates/list. {"uri": "stemma://beliefs/b1"}
> resources/read {"uri":"stemma:/belief/b1"}
! -32002: there is no resource stemma:/belief/b1. See resources/templates/list. {"uri": "stemma:/belief/b1"}
> resources/read {"uri":"http://belief/b1"}
! -32002: there is no resource http://belief/b1. See resources/templates/list. {"uri": "http://belief/b1"}
> resources/read {"uri":"stemma://agent/"}
! -32002: there is no resource stemma://agent/. See resources/templates/list. {"uri": "stemma://agent/"}
> resources/read {"uri":"stemma://agent/nobody"}
! -32002: no memory is of an agent nobody. Complete the name, or list memories. {"uri": "stemma://agent/nobody"}
> resources/read {"uri":"stemma://agent/ash/lineage"}
! -32002: there is no resource stemma://agent/ash/lineage. See resources/templates/list. {"uri": "stemma://agent/ash/lineage"}
> resources/read {"uri":"stemma://episode/never"}
! -32002: episode:never is named by others and was never written here. memory_lineage with the direction descendants tells who names it. {"uri": "stemma://episode/never"}
> resources/read {"uri":" stemma://belief/b1"}
! -32002: there is no resource  stemma://belief/b1. See resources/templates/list. {"uri": " stemma://belief/b1"}
> resources/read {}
! -32602: params.uri must be a string of less than 2048 bytes

== all are listed in pages
= lineage
| share: yes
> resources/list {}
{"resources": [{"uri": "stemma://document/a%2Fb%20%25c", "name": "document:a/b %c"}, {"uri": "stemma://belief/b2"},
  {"title": "belief: so it [31m �is", "mimeType": "application/json",
   "annotations": {"lastModified": "1970-01-01T00:00:03.000Z"}, "uri": "stemma://belief/b1"},
  {"uri": "stemma://episode/e1"}, {"uri": "stemma://raw/r1"}],
 "nextCursor": "(absent)"}
> resources/read {"uri":"stemma://document/a%2Fb%20%25c"}
{"contents": [{"uri": "stemma://document/a%2Fb%20%25c",
   "text": "{\"ref\":\"document:a/b %c\",\"agent_id\":\"b/ee é\",\"text\":\"d\",\"created_at\":5000,\"updated_at\":5000,\"confidence\":1,\"source_type\":\"direct_experience\",\"status\":\"active\",\"version\":1,\"label\":\"supported\",\"effective\":1,\"trust\":1,\"class\":\"own\"}"}]}
> resources/read {"uri":"stemma://belief/b2"}
{"contents": [{"uri": "stemma://belief/b2", "text": "{\"ref\":\"belief:b2\",\"agent_id\":\"bee\",\"text\":\"then\",\"created_a…"}]}
> resources/read {"uri":"stemma://belief/b1"}
{"contents": [{"uri": "stemma://belief/b1", "text": "{\"ref\":\"belief:b1\",\"agent_id\":\"ash\",\"text\":\"so\\nit\\u001b[31m…"}]}
> resources/read {"uri":"stemma://episode/e1"}
{"contents": [{"uri": "stemma://episode/e1", "text": "{\"ref\":\"episode:e1\",\"agent_id\":\"ash\",\"text\":\"tried\",\"created…"}]}
> resources/read {"uri":"stemma://raw/r1"}
{"contents": [{"uri": "stemma://raw/r1",
   "text": "{\"ref\":\"raw:r1\",\"agent_id\":\"ash\",\"text\":\"heard\",\"created_at\":1000,\"updated_at\":1000,\"confidence\":1,\"source_type\":\"direct_experience\",\"status\":\"active\",\"version\":1,\"label\":\"supported\",\"effective\":1,\"trust\":1,\"class\":\"own\"}"}]}
+ {"ref":"raw:m0","text":"t"}
+ {"ref":"raw:m1","text":"t"}
+ {"ref":"raw:m2","text":"t"}
+ {"ref":"raw:m3","text":"t"}
+ {"ref":"raw:m4","text":"t"}
+ {"ref":"raw:m5","text":"t"}
+ {"ref":"raw:m6","text":"t"}
+ {"ref":"raw:m7","text":"t"}
+ {"ref":"raw:m8","text":"t"}
+ {"ref":"raw:m9","text":"t"}
+ {"ref":"raw:m10","text":"t"}
+ {"ref":"raw:m11","text":"t"}
+ {"ref":"raw:m12","text":"t"}
+ {"ref":"raw:m13","text":"t"}
+ {"ref":"raw:m14","text":"t"}
+ {"ref":"raw:m15","text":"t"}
+ {"ref":"raw:m16","text":"t"}
+ {"ref":"raw:m17","text":"t"}
+ {"ref":"raw:m18","text":"t"}
+ {"ref":"raw:m19","text":"t"}
+ {"ref":"raw:m20","text":"t"}
+ {"ref":"raw:m21","text":"t"}
+ {"ref":"raw:m22","text":"t"}
+ {"ref":"raw:m23","text":"t"}
+ {"ref":"raw:m24","text":"t"}
+ {"ref":"raw:m25","text":"t"}
+ {"ref":"raw:m26","text":"t"}
+ {"ref":"raw:m27","text":"t"}
+ {"ref":"raw:m28","text":"t"}
+ {"ref":"raw:m29","text":"t"}
+ {"ref":"raw:m30","text":"t"}
+ {"ref":"raw:m31","text":"t"}
+ {"ref":"raw:m32","text":"t"}
+ {"ref":"raw:m33","text":"t"}
+ {"ref":"raw:m34","text":"t"}
+ {"ref":"raw:m35","text":"t"}
+ {"ref":"raw:m36","text":"t"}
+ {"ref":"raw:m37","text":"t"}
+ {"ref":"raw:m38","text":"t"}
+ {"ref":"raw:m39","text":"t"}
+ {"ref":"raw:m40","text":"t"}
+ {"ref":"raw:m41","text":"t"}
+ {"ref":"raw:m42","text":"t"}
+ {"ref":"raw:m43","text":"t"}
+ {"ref":"raw:m44","text":"t"}
+ {"ref":"raw:m45","text":"t"}
+ {"ref":"raw:m46","text":"t"}
+ {"ref":"raw:m47","text":"t"}
+ {"ref":"raw:m48","text":"t"}
+ {"ref":"raw:m49","text":"t"}
+ {"ref":"raw:m50","text":"t"}
+ {"ref":"raw:m51","text":"t"}
+ {"ref":"raw:m52","text":"t"}
+ {"ref":"raw:m53","text":"t"}
+ {"ref":"raw:m54","text":"t"}
+ {"ref":"raw:m55","text":"t"}
+ {"ref":"raw:m56","text":"t"}
+ {"ref":"raw:m57","text":"t"}
+ {"ref":"raw:m58","text":"t"}
+ {"ref":"raw:m59","text":"t"}
+ {"ref":"raw:m60","text":"t"}
+ {"ref":"raw:m61","text":"t"}
+ {"ref":"raw:m62","text":"t"}
+ {"ref":"raw:m63","text":"t"}
+ {"ref":"raw:m64","text":"t"}
+ {"ref":"raw:m65","text":"t"}
+ {"ref":"raw:m66","text":"t"}
+ {"ref":"raw:m67","text":"t"}
+ {"ref":"raw:m68","text":"t"}
+ {"ref":"raw:m69","text":"t"}
+ {"ref":"raw:m70","text":"t"}
+ {"ref":"raw:m71","text":"t"}
+ {"ref":"raw:m72","text":"t"}
+ {"ref":"raw:m73","text":"t"}
+ {"ref":"raw:m74","text":"t"}
+ {"ref":"raw:m75","text":"t"}
+ {"ref":"raw:m76","text":"t"}
+ {"ref":"raw:m77","text":"t"}
+ {"ref":"raw:m78","text":"t"}
+ {"ref":"raw:m79","text":"t"}
+ {"ref":"raw:m80","text":"t"}
+ {"ref":"raw:m81","text":"t"}
+ {"ref":"raw:m82","text":"t"}
+ {"ref":"raw:m83","text":"t"}
+ {"ref":"raw:m84","text":"t"}
+ {"ref":"raw:m85","text":"t"}
+ {"ref":"raw:m86","text":"t"}
+ {"ref":"raw:m87","text":"t"}
+ {"ref":"raw:m88","text":"t"}
+ {"ref":"raw:m89","text":"t"}
+ {"ref":"raw:m90","text":"t"}
+ {"ref":"raw:m91","text":"t"}
+ {"ref":"raw:m92","text":"t"}
+ {"ref":"raw:m93","text":"t"}
+ {"ref":"raw:m94","text":"t"}
+ {"ref":"raw:m95","text":"t"}
+ {"ref":"raw:m96","text":"t"}
+ {"ref":"raw:m97","text":"t"}
+ {"ref":"raw:m98","text":"t"}
+ {"ref":"raw:m99","text":"t"}
+ {"ref":"raw:m100","text":"t"}
+ {"ref":"raw:m101","text":"t"}
+ {"ref":"raw:m102","text":"t"}
+ {"ref":"raw:m103","text":"t"}
+ {"ref":"raw:m104","text":"t"}
+ {"ref":"raw:m105","text":"t"}
+ {"ref":"raw:m106","text":"t"}
+ {"ref":"raw:m107","text":"t"}
+ {"ref":"raw:m108","text":"t"}
+ {"ref":"raw:m109","text":"t"}
+ {"ref":"raw:m110","text":"t"}
+ {"ref":"raw:m111","text":"t"}
+ {"ref":"raw:m112","text":"t"}
+ {"ref":"raw:m113","text":"t"}
+ {"ref":"raw:m114","text":"t"}
+ {"ref":"raw:m115","text":"t"}
+ {"ref":"raw:m116","text":"t"}
+ {"ref":"raw:m117","text":"t"}
+ {"ref":"raw:m118","text":"t"}
+ {"ref":"raw:m119","text":"t"}
+ {"ref":"raw:m120","text":"t"}
+ {"ref":"raw:m121","text":"t"}
+ {"ref":"raw:m122","text":"t"}
+ {"ref":"raw:m123","text":"t"}
+ {"ref":"raw:m124","text":"t"}
+ {"ref":"raw:m125","text":"t"}
+ {"ref":"raw:m126","text":"t"}
+ {"ref":"raw:m127","text":"t"}
+ {"ref":"raw:m128","text":"t"}
+ {"ref":"raw:m129","text":"t"}
+ {"ref":"raw:m130","text":"t"}
+ {"ref":"raw:m131","text":"t"}
+ {"ref":"raw:m132","text":"t"}
+ {"ref":"raw:m133","text":"t"}
+ {"ref":"raw:m134","text":"t"}
+ {"ref":"raw:m135","text":"t"}
+ {"ref":"raw:m136","text":"t"}
+ {"ref":"raw:m137","text":"t"}
+ {"ref":"raw:m138","text":"t"}
+ {"ref":"raw:m139","text":"t"}
+ {"ref":"raw:m140","text":"t"}
+ {"ref":"raw:m141","text":"t"}
+ {"ref":"raw:m142","text":"t"}
+ {"ref":"raw:m143","text":"t"}
+ {"ref":"raw:m144","text":"t"}
+ {"ref":"raw:m145","text":"t"}
+ {"ref":"raw:m146","text":"t"}
+ {"ref":"raw:m147","text":"t"}
+ {"ref":"raw:m148","text":"t"}
+ {"ref":"raw:m149","text":"t"}
+ {"ref":"raw:m150","text":"t"}
+ {"ref":"raw:m151","text":"t"}
+ {"ref":"raw:m152","text":"t"}
+ {"ref":"raw:m153","text":"t"}
+ {"ref":"raw:m154","text":"t"}
+ {"ref":"raw:m155","text":"t"}
+ {"ref":"raw:m156","text":"t"}
+ {"ref":"raw:m157","text":"t"}
+ {"ref":"raw:m158","text":"t"}
+ {"ref":"raw:m159","text":"t"}
+ {"ref":"raw:m160","text":"t"}
+ {"ref":"raw:m161","text":"t"}
+ {"ref":"raw:m162","text":"t"}
+ {"ref":"raw:m163","text":"t"}
+ {"ref":"raw:m164","text":"t"}
+ {"ref":"raw:m165","text":"t"}
+ {"ref":"raw:m166","text":"t"}
+ {"ref":"raw:m167","text":"t"}
+ {"ref":"raw:m168","text":"t"}
+ {"ref":"raw:m169","text":"t"}
+ {"ref":"raw:m170","text":"t"}
+ {"ref":"raw:m171","text":"t"}
+ {"ref":"raw:m172","text":"t"}
+ {"ref":"raw:m173","text":"t"}
+ {"ref":"raw:m174","text":"t"}
+ {"ref":"raw:m175","text":"t"}
+ {"ref":"raw:m176","text":"t"}
+ {"ref":"raw:m177","text":"t"}
+ {"ref":"raw:m178","text":"t"}
+ {"ref":"raw:m179","text":"t"}
+ {"ref":"raw:m180","text":"t"}
+ {"ref":"raw:m181","text":"t"}
+ {"ref":"raw:m182","text":"t"}
+ {"ref":"raw:m183","text":"t"}
+ {"ref":"raw:m184","text":"t"}
+ {"ref":"raw:m185","text":"t"}
+ {"ref":"raw:m186","text":"t"}
+ {"ref":"raw:m187","text":"t"}
+ {"ref":"raw:m188","text":"t"}
+ {"ref":"raw:m189","text":"t"}
+ {"ref":"raw:m190","text":"t"}
+ {"ref":"raw:m191","text":"t"}
+ {"ref":"raw:m192","text":"t"}
+ {"ref":"raw:m193","text":"t"}
+ {"ref":"raw:m194","text":"t"}
> resources/list {"cursor":""}
{"resources": "(100 items)", "nextCursor": "CURSOR1"}
> resources/list {"cursor":"CURSOR1"}
{"resources": "(100 items)", "nextCursor": "(absent)"}
> resources/list {"cursor":"bad"}
! -32602: the cursor is damaged or belongs to another list. Ask for the first page again, without a cursor.
> resources/list {"cursor":"\u0000"}
! -32602: there is no page for this cursor. Give nextCursor of the page before as it stands.
> resources/list {"cursor":"\u0000junk"}
! -32602: there is no page for this cursor. Give nextCursor of the page before as it stands.

== names are completed
= lineage
| share: yes
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"kind",
    "value":""},"context":{"arguments":{"kind":""}}}
{"completion": {"total": 15}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"kind",
    "value":"be"},"context":{"arguments":{"kind":""}}}
{"completion": {"values": ["belief"], "total": 1, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"id",
    "value":"b"},"context":{"arguments":{"kind":"belief"}}}
{"completion": {"values": ["b2", "b1"], "total": 2, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"id",
    "value":""},"context":{"arguments":{"kind":"belief"}}}
{"completion": {"values": ["b2", "b1"], "total": 2, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"id",
    "value":"nev"},"context":{"arguments":{"kind":"episode"}}}
{"completion": {"values": [], "total": 0, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"id",
    "value":"b"},"context":{"arguments":{"kind":"raw"}}}
{"completion": {"values": [], "total": 0, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"id",
    "value":"b"},"context":{"arguments":{"kind":""}}}
{"completion": {"values": ["b2", "b1"], "total": 2, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"id",
    "value":"b"},"context":{"arguments":{"kind":"nope"}}}
{"completion": {"values": [], "total": 0, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://agent/{agent}"},"argument":{"name":"agent",
    "value":"b"},"context":{"arguments":{"kind":""}}}
{"completion": {"values": ["b/ee é", "bee"], "total": 2, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/prompt","name":"why_believed"},"argument":{"name":"ref",
    "value":"belief:b"},"context":{"arguments":{"kind":""}}}
{"completion": {"values": ["belief:b2", "belief:b1"], "total": 2, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/prompt","name":"why_believed"},"argument":{"name":"ref","value":"b"},
    "context":{"arguments":{"kind":""}}}
{"completion": {"values": ["belief:", "belief:b2", "belief:b1"], "total": 3, "hasMore": false}}

== arguments that a template lacks are not completed
| share: yes
# An argument of another template or prompt gets no completions.
+ {"ref":"raw:r1","agent_id":"ash","text":"heard","created_at":1000}
+ {"ref":"episode:e1","agent_id":"ash","text":"tried","created_at":2000,"derived_from":["raw:r1"]}
+ {"ref":"belief:b1","agent_id":"ash","text":"so\nit\u001b[31m \u202eis","created_at":3000,
    "derived_from":["episode:e1"],"source_episodes":["never"]}
+ {"ref":"belief:b2","agent_id":"bee","text":"then","created_at":4000,"derived_from":["belief:b1","episode:e1"],
    "derivation":"all"}
+ {"ref":"document:a/b %c","agent_id":"b/ee \u00e9","text":"d","created_at":5000}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://agent/{agent}"},"argument":{"name":"kind",
    "value":"b"},"context":{"arguments":{"kind":""}}}
{"completion": {"values": ["belief"], "total": 1, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://agent/{agent}"},"argument":{"name":"id",
    "value":"b"},"context":{"arguments":{"kind":""}}}
{"completion": {"values": ["b2", "b1"], "total": 2, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://agent/{agent}"},"argument":{"name":"agent}",
    "value":"b"},"context":{"arguments":{"kind":""}}}
{"completion": {"values": [], "total": 0, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"agent",
    "value":"b"},"context":{"arguments":{"kind":""}}}
{"completion": {"values": ["b/ee é", "bee"], "total": 2, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"",
    "value":"b"},"context":{"arguments":{"kind":""}}}
{"completion": {"values": [], "total": 0, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/prompt","name":"why_believed"},"argument":{"name":"other","value":"b"},
    "context":{"arguments":{"kind":""}}}
{"completion": {"values": [], "total": 0, "hasMore": false}}
> completion/complete {"ref":{"type":"ref/prompt","name":"why_believed"},"argument":{"name":"agent","value":"b"},
    "context":{"arguments":{"kind":""}}}
{"completion": {"values": ["b/ee é", "bee"], "total": 2, "hasMore": false}}

== omitted names are counted
| share: yes
+ {"ref":"raw:m000","agent_id":"a000","text":"t","created_at":0}
+ {"ref":"raw:m001","agent_id":"a001","text":"t","created_at":1}
+ {"ref":"raw:m002","agent_id":"a002","text":"t","created_at":2}
+ {"ref":"raw:m003","agent_id":"a003","text":"t","created_at":3}
+ {"ref":"raw:m004","agent_id":"a004","text":"t","created_at":4}
+ {"ref":"raw:m005","agent_id":"a005","text":"t","created_at":5}
+ {"ref":"raw:m006","agent_id":"a006","text":"t","created_at":6}
+ {"ref":"raw:m007","agent_id":"a007","text":"t","created_at":7}
+ {"ref":"raw:m008","agent_id":"a008","text":"t","created_at":8}
+ {"ref":"raw:m009","agent_id":"a009","text":"t","created_at":9}
+ {"ref":"raw:m010","agent_id":"a010","text":"t","created_at":10}
+ {"ref":"raw:m011","agent_id":"a011","text":"t","created_at":11}
+ {"ref":"raw:m012","agent_id":"a012","text":"t","created_at":12}
+ {"ref":"raw:m013","agent_id":"a013","text":"t","created_at":13}
+ {"ref":"raw:m014","agent_id":"a014","text":"t","created_at":14}
+ {"ref":"raw:m015","agent_id":"a015","text":"t","created_at":15}
+ {"ref":"raw:m016","agent_id":"a016","text":"t","created_at":16}
+ {"ref":"raw:m017","agent_id":"a017","text":"t","created_at":17}
+ {"ref":"raw:m018","agent_id":"a018","text":"t","created_at":18}
+ {"ref":"raw:m019","agent_id":"a019","text":"t","created_at":19}
+ {"ref":"raw:m020","agent_id":"a020","text":"t","created_at":20}
+ {"ref":"raw:m021","agent_id":"a021","text":"t","created_at":21}
+ {"ref":"raw:m022","agent_id":"a022","text":"t","created_at":22}
+ {"ref":"raw:m023","agent_id":"a023","text":"t","created_at":23}
+ {"ref":"raw:m024","agent_id":"a024","text":"t","created_at":24}
+ {"ref":"raw:m025","agent_id":"a025","text":"t","created_at":25}
+ {"ref":"raw:m026","agent_id":"a026","text":"t","created_at":26}
+ {"ref":"raw:m027","agent_id":"a027","text":"t","created_at":27}
+ {"ref":"raw:m028","agent_id":"a028","text":"t","created_at":28}
+ {"ref":"raw:m029","agent_id":"a029","text":"t","created_at":29}
+ {"ref":"raw:m030","agent_id":"a030","text":"t","created_at":30}
+ {"ref":"raw:m031","agent_id":"a031","text":"t","created_at":31}
+ {"ref":"raw:m032","agent_id":"a032","text":"t","created_at":32}
+ {"ref":"raw:m033","agent_id":"a033","text":"t","created_at":33}
+ {"ref":"raw:m034","agent_id":"a034","text":"t","created_at":34}
+ {"ref":"raw:m035","agent_id":"a035","text":"t","created_at":35}
+ {"ref":"raw:m036","agent_id":"a036","text":"t","created_at":36}
+ {"ref":"raw:m037","agent_id":"a037","text":"t","created_at":37}
+ {"ref":"raw:m038","agent_id":"a038","text":"t","created_at":38}
+ {"ref":"raw:m039","agent_id":"a039","text":"t","created_at":39}
+ {"ref":"raw:m040","agent_id":"a040","text":"t","created_at":40}
+ {"ref":"raw:m041","agent_id":"a041","text":"t","created_at":41}
+ {"ref":"raw:m042","agent_id":"a042","text":"t","created_at":42}
+ {"ref":"raw:m043","agent_id":"a043","text":"t","created_at":43}
+ {"ref":"raw:m044","agent_id":"a044","text":"t","created_at":44}
+ {"ref":"raw:m045","agent_id":"a045","text":"t","created_at":45}
+ {"ref":"raw:m046","agent_id":"a046","text":"t","created_at":46}
+ {"ref":"raw:m047","agent_id":"a047","text":"t","created_at":47}
+ {"ref":"raw:m048","agent_id":"a048","text":"t","created_at":48}
+ {"ref":"raw:m049","agent_id":"a049","text":"t","created_at":49}
+ {"ref":"raw:m050","agent_id":"a050","text":"t","created_at":50}
+ {"ref":"raw:m051","agent_id":"a051","text":"t","created_at":51}
+ {"ref":"raw:m052","agent_id":"a052","text":"t","created_at":52}
+ {"ref":"raw:m053","agent_id":"a053","text":"t","created_at":53}
+ {"ref":"raw:m054","agent_id":"a054","text":"t","created_at":54}
+ {"ref":"raw:m055","agent_id":"a055","text":"t","created_at":55}
+ {"ref":"raw:m056","agent_id":"a056","text":"t","created_at":56}
+ {"ref":"raw:m057","agent_id":"a057","text":"t","created_at":57}
+ {"ref":"raw:m058","agent_id":"a058","text":"t","created_at":58}
+ {"ref":"raw:m059","agent_id":"a059","text":"t","created_at":59}
+ {"ref":"raw:m060","agent_id":"a060","text":"t","created_at":60}
+ {"ref":"raw:m061","agent_id":"a061","text":"t","created_at":61}
+ {"ref":"raw:m062","agent_id":"a062","text":"t","created_at":62}
+ {"ref":"raw:m063","agent_id":"a063","text":"t","created_at":63}
+ {"ref":"raw:m064","agent_id":"a064","text":"t","created_at":64}
+ {"ref":"raw:m065","agent_id":"a065","text":"t","created_at":65}
+ {"ref":"raw:m066","agent_id":"a066","text":"t","created_at":66}
+ {"ref":"raw:m067","agent_id":"a067","text":"t","created_at":67}
+ {"ref":"raw:m068","agent_id":"a068","text":"t","created_at":68}
+ {"ref":"raw:m069","agent_id":"a069","text":"t","created_at":69}
+ {"ref":"raw:m070","agent_id":"a070","text":"t","created_at":70}
+ {"ref":"raw:m071","agent_id":"a071","text":"t","created_at":71}
+ {"ref":"raw:m072","agent_id":"a072","text":"t","created_at":72}
+ {"ref":"raw:m073","agent_id":"a073","text":"t","created_at":73}
+ {"ref":"raw:m074","agent_id":"a074","text":"t","created_at":74}
+ {"ref":"raw:m075","agent_id":"a075","text":"t","created_at":75}
+ {"ref":"raw:m076","agent_id":"a076","text":"t","created_at":76}
+ {"ref":"raw:m077","agent_id":"a077","text":"t","created_at":77}
+ {"ref":"raw:m078","agent_id":"a078","text":"t","created_at":78}
+ {"ref":"raw:m079","agent_id":"a079","text":"t","created_at":79}
+ {"ref":"raw:m080","agent_id":"a080","text":"t","created_at":80}
+ {"ref":"raw:m081","agent_id":"a081","text":"t","created_at":81}
+ {"ref":"raw:m082","agent_id":"a082","text":"t","created_at":82}
+ {"ref":"raw:m083","agent_id":"a083","text":"t","created_at":83}
+ {"ref":"raw:m084","agent_id":"a084","text":"t","created_at":84}
+ {"ref":"raw:m085","agent_id":"a085","text":"t","created_at":85}
+ {"ref":"raw:m086","agent_id":"a086","text":"t","created_at":86}
+ {"ref":"raw:m087","agent_id":"a087","text":"t","created_at":87}
+ {"ref":"raw:m088","agent_id":"a088","text":"t","created_at":88}
+ {"ref":"raw:m089","agent_id":"a089","text":"t","created_at":89}
+ {"ref":"raw:m090","agent_id":"a090","text":"t","created_at":90}
+ {"ref":"raw:m091","agent_id":"a091","text":"t","created_at":91}
+ {"ref":"raw:m092","agent_id":"a092","text":"t","created_at":92}
+ {"ref":"raw:m093","agent_id":"a093","text":"t","created_at":93}
+ {"ref":"raw:m094","agent_id":"a094","text":"t","created_at":94}
+ {"ref":"raw:m095","agent_id":"a095","text":"t","created_at":95}
+ {"ref":"raw:m096","agent_id":"a096","text":"t","created_at":96}
+ {"ref":"raw:m097","agent_id":"a097","text":"t","created_at":97}
+ {"ref":"raw:m098","agent_id":"a098","text":"t","created_at":98}
+ {"ref":"raw:m099","agent_id":"a099","text":"t","created_at":99}
+ {"ref":"raw:m100","agent_id":"a100","text":"t","created_at":100}
+ {"ref":"raw:m101","agent_id":"a101","text":"t","created_at":101}
+ {"ref":"raw:m102","agent_id":"a102","text":"t","created_at":102}
+ {"ref":"raw:m103","agent_id":"a103","text":"t","created_at":103}
+ {"ref":"raw:m104","agent_id":"a104","text":"t","created_at":104}
+ {"ref":"raw:m105","agent_id":"a105","text":"t","created_at":105}
+ {"ref":"raw:m106","agent_id":"a106","text":"t","created_at":106}
+ {"ref":"raw:m107","agent_id":"a107","text":"t","created_at":107}
+ {"ref":"raw:m108","agent_id":"a108","text":"t","created_at":108}
+ {"ref":"raw:m109","agent_id":"a109","text":"t","created_at":109}
+ {"ref":"raw:m110","agent_id":"a110","text":"t","created_at":110}
+ {"ref":"raw:m111","agent_id":"a111","text":"t","created_at":111}
+ {"ref":"raw:m112","agent_id":"a112","text":"t","created_at":112}
+ {"ref":"raw:m113","agent_id":"a113","text":"t","created_at":113}
+ {"ref":"raw:m114","agent_id":"a114","text":"t","created_at":114}
+ {"ref":"raw:m115","agent_id":"a115","text":"t","created_at":115}
+ {"ref":"raw:m116","agent_id":"a116","text":"t","created_at":116}
+ {"ref":"raw:m117","agent_id":"a117","text":"t","created_at":117}
+ {"ref":"raw:m118","agent_id":"a118","text":"t","created_at":118}
+ {"ref":"raw:m119","agent_id":"a119","text":"t","created_at":119}
+ {"ref":"raw:m120","agent_id":"a120","text":"t","created_at":120}
+ {"ref":"raw:m121","agent_id":"a121","text":"t","created_at":121}
+ {"ref":"raw:m122","agent_id":"a122","text":"t","created_at":122}
+ {"ref":"raw:m123","agent_id":"a123","text":"t","created_at":123}
+ {"ref":"raw:m124","agent_id":"a124","text":"t","created_at":124}
+ {"ref":"raw:m125","agent_id":"a125","text":"t","created_at":125}
+ {"ref":"raw:m126","agent_id":"a126","text":"t","created_at":126}
+ {"ref":"raw:m127","agent_id":"a127","text":"t","created_at":127}
+ {"ref":"raw:m128","agent_id":"a128","text":"t","created_at":128}
+ {"ref":"raw:m129","agent_id":"a129","text":"t","created_at":129}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"id",
    "value":""},"context":{"arguments":{"kind":"raw"}}}
{"completion": {"values": {"0": "m129", "99": "m030"}, "total": "(absent)", "hasMore": true}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://{kind}/{id}"},"argument":{"name":"id",
    "value":"m"},"context":{"arguments":{"kind":"raw"}}}
{"completion": {"values": {"0": "m129", "99": "m030"}, "total": 130, "hasMore": true}}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://agent/{agent}"},"argument":{"name":"agent",
    "value":""},"context":{"arguments":{"kind":""}}}
{"completion": {"values": "(100 items)", "total": 130}}

== arguments without completion are refused
> completion/complete {}
! -32602: params.ref and params.argument must be objects
> completion/complete {"ref":{"type":"ref/tool","name":"x"},"argument":{"name":"a","value":""}}
! -32602: params.ref.type must be ref/prompt or ref/resource
> completion/complete {"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":""}}
! -32602: params.ref.name must be the name of a prompt
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://x"},"argument":{"name":"a","value":""}}
! -32602: ref names no prompt and no template. Name a prompt, or the URI of a template.
> completion/complete {"ref":{"type":"ref/prompt","name":"why_believed"}}
! -32602: params.ref and params.argument must be objects
> completion/complete {"ref":{"type":"ref/prompt","name":"why_believed"},"argument":{"name":"ref"}}
! -32602: params.argument must have a name and a value, both strings

== prompts show their subject
= lineage
| share: yes
> prompts/get {"name":"why_believed","arguments":{"ref":"belief:b2"}}
{"messages": [{"role": "user", "content": {"text": "Why is this held, and can it be relied on? Below is the memo…"}}],
 "description": "What a memory is based on, to be judged."}
> prompts/get {"name":"why_believed","arguments":{"ref":"belief:nothing"}}
! -32602: no memory is called belief:nothing. Search for it, or list its kind.
> prompts/get {"name":"review_agent","arguments":{"agent":"ash"}}
{"messages": [{"role": "user", "content": {"text": "Review what the agent ash wrote last, newest first, and belo…"}}],
 "description": "What an agent wrote last, to be reviewed."}
> prompts/get {"name":"review_agent","arguments":{"agent":"nobody"}}
! -32602: no memory is of an agent nobody. Complete the name, or list memories.
> prompts/get {"name":"record_with_provenance","arguments":{"what":"the sky"}}
{"messages": [{"role": "user", "content": {"text": "Remember this, with where it comes from:\n\nthe sky\n\n1. memory…"}}],
 "description": "How to remember something so that it can be traced."}

== a belief is reviewed with its history
= lineage
> prompts/get {"name":"review_belief","arguments":{"ref":"raw:r1"}}
{"messages": [{"role": "user", "content": {"text": "Review this memory. First what it is based on, each line under …"}}],
 "description": "A memory, what it stands between and how it changed, to be judged."}
> prompts/get {"name":"review_belief","arguments":{"ref":"belief:nothing"}}
! -32602: no memory is called belief:nothing. Search for it, or list its kind.

== prompts have short refs, and name tools that are listed
+ {"ref":"raw:22222222-0000-4000-8000-000000000002","agent_id":"ash","text":"t"}
@ ash
> memory_update {"ref":"raw:22222222","text":"t1"}
{"version": 2}
> memory_update {"ref":"raw:22222222","text":"t2"}
{"version": 3}
> memory_update {"ref":"raw:22222222","text":"t3"}
{"version": 4}
> memory_update {"ref":"raw:22222222","text":"t4"}
{"version": 5}
> memory_update {"ref":"raw:22222222","text":"t5"}
{"version": 6}
> memory_update {"ref":"raw:22222222","text":"t6"}
{"version": 7}
> memory_update {"ref":"raw:22222222","text":"t7"}
{"version": 8}
> memory_update {"ref":"raw:22222222","text":"t8"}
{"version": 9}
> memory_update {"ref":"raw:22222222","text":"t9"}
{"version": 10}
> memory_update {"ref":"raw:22222222","text":"t10"}
{"version": 11}
> memory_update {"ref":"raw:22222222","text":"t11"}
{"version": 12}
> memory_update {"ref":"raw:22222222","text":"t12"}
{"version": 13}
> memory_update {"ref":"raw:22222222","text":"t13"}
{"version": 14}
> prompts/get {"name":"review_belief","arguments":{"ref":"raw:22222222"}}
~ (older changes are left out)
!~ memory_history
> prompts/get {"name":"review_agent","arguments":{"agent":"ash"}}
~ raw:22222222 [
> prompts/get {"name":"what_changed","arguments":{"since":"1970-01-01"}}
~ raw:22222222 [

== changes since a time are listed
= lineage
> prompts/get {"name":"what_changed","arguments":{"since":"1970-01-01"}}
{"messages": [{"role": "user", "content": {"text": "What changed in memory since 1970-01-01T00:00:00.000Z, the n…"}}],
 "description": "What changed in memory since a time."}
> prompts/get {"name":"what_changed","arguments":{"since":"1970-01-01","agent":"ash"}}
{"messages": [{"role": "user", "content": {"text": "What changed in memory since 1970-01-01T00:00:00.000Z, the n…"}}],
 "description": "What changed in memory since a time."}
> prompts/get {"name":"what_changed","arguments":{"since":"2999-01-01"}}
{"messages": [{"role": "user", "content": {"text": "What changed in memory since 2999-01-01T00:00:00.000Z, the n…"}}],
 "description": "What changed in memory since a time."}
> prompts/get {"name":"what_changed","arguments":{"since":"soon"}}
! -32602: since is not a time. Give 2026-02-01, 2026-02-01T09:00:00Z or "2 days ago".
