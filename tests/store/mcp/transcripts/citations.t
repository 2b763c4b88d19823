== citations are formatted
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentName":"Management Presentation",
    "location":{"page":12}}]}
{"citations": [{"formatted": "(Management Presentation, page 12)"}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentName":"CIM Draft",
    "location":{"section":"Executive Summary"}}]}
{"citations": [{"formatted": "(CIM Draft, Executive Summary)"}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentName":"Report","location":{"page":5,
    "section":"Chapter 1"}}]}
{"citations": [{"formatted": "(Report, page 5, Chapter 1)"}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentName":"Report"}]}
{"citations": [{"formatted": "(Report, document)"}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentName":"Report","location":{"page":0,
    "section":""}}]}
{"citations": [{"formatted": "(Report, document)"}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentName":"Report","location":null}]}
{"citations": [{"formatted": "(Report, document)"}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentName":"Report","location":{"page":null,
    "section":null,"paragraph":7}}]}
{"citations": [{"formatted": "(Report, document)"}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{}]}
{"citations": [{"formatted": "(Unknown source, document)"}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentName":null,"location":{"page":3}}]}
{"citations": [{"formatted": "(Unknown source, page 3)"}]}

== the same place counts once
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"doc-1","documentName":"doc-1.pdf",
    "location":{"page":1},"snippet":"of doc-1","relevanceScore":0.8,"retrievedAt":"2026-01-11T09:30:00.000Z"},
    {"documentId":"doc-1","documentName":"doc-1.pdf","location":{"page":1},"snippet":"of doc-1",
    "relevanceScore":0.7,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"doc-2","documentName":"doc-2.pdf",
    "location":{"page":1},"snippet":"of doc-2","relevanceScore":0.6,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "doc-1", "relevanceScore": 0.8}, {"documentId": "doc-2", "relevanceScore": 0.6}],
 "left_out": 1,
 "events": ["(any)", "(any)",
  {"sources": [{"documentId": "doc-1", "relevanceScore": 0.8}, {"documentId": "doc-2", "relevanceScore": 0.6}]}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"a",
    "documentName":"a.pdf","snippet":"of a","relevanceScore":0.9,"retrievedAt":"2026-01-11T09:30:00.000Z"},
    {"documentId":"a","documentName":"a.pdf","snippet":"of a","relevanceScore":0.7,
    "retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "a", "relevanceScore": 0.9}], "left_out": 2,
 "events": ["(any)", {"sources": [{"documentId": "a", "relevanceScore": 0.9}]}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "location":{"page":1},"snippet":"of a","relevanceScore":0.8,"retrievedAt":"2026-01-11T09:30:00.000Z"},
    {"documentId":"b","documentName":"b.pdf","location":{"page":1},"snippet":"of b","relevanceScore":0.9,
    "retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"a","documentName":"a.pdf","location":{"page":1},
    "snippet":"of a","relevanceScore":0.9,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "a", "relevanceScore": 0.9}, {"documentId": "b", "relevanceScore": 0.9}], "left_out": 1,
 "events": ["(any)", "(any)",
  {"sources": [{"documentId": "a", "relevanceScore": 0.9}, {"documentId": "b", "relevanceScore": 0.9}]}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"b",
    "documentName":"b.pdf","snippet":"of b","relevanceScore":0.9,"retrievedAt":"2026-01-11T09:30:00.000Z"},
    {"documentId":"c","documentName":"c.pdf","snippet":"of c","relevanceScore":0.5,
    "retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"d","documentName":"d.pdf","snippet":"of d",
    "relevanceScore":0.9,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "b", "relevanceScore": 0.9}, {"documentId": "d", "relevanceScore": 0.9},
  {"documentId": "a", "relevanceScore": 0.5}, {"documentId": "c", "relevanceScore": 0.5}],
 "left_out": 0,
 "events": ["(any)", "(any)", "(any)", "(any)",
  {"sources": [{"documentId": "b", "relevanceScore": 0.9}, {"documentId": "d", "relevanceScore": 0.9},
    {"documentId": "a", "relevanceScore": 0.5}, {"documentId": "c", "relevanceScore": 0.5}]}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"a",
    "documentName":"a.pdf","location":{"page":0},"snippet":"of a","relevanceScore":0.4,
    "retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"a","documentName":"a.pdf","location":{"section":""},
    "snippet":"of a","relevanceScore":0.6,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "a", "relevanceScore": 0.6}], "left_out": 2,
 "events": ["(any)", {"sources": [{"documentId": "a", "relevanceScore": 0.6}]}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "location":{"page":1},"snippet":"of a","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},
    {"documentId":"a","documentName":"a.pdf","location":{"page":2},"snippet":"of a","relevanceScore":0.5,
    "retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "a", "relevanceScore": 0.5}, {"documentId": "a", "relevanceScore": 0.5}], "left_out": 0,
 "events": ["(any)", "(any)",
  {"sources": [{"documentId": "a", "relevanceScore": 0.5}, {"documentId": "a", "relevanceScore": 0.5}]}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a:1","documentName":"a:1.pdf",
    "snippet":"of a:1","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"a",
    "documentName":"a.pdf","location":{"page":1},"snippet":"of a","relevanceScore":0.5,
    "retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "a:1", "relevanceScore": 0.5}, {"documentId": "a", "relevanceScore": 0.5}], "left_out": 0,
 "events": ["(any)", "(any)",
  {"sources": [{"documentId": "a:1", "relevanceScore": 0.5}, {"documentId": "a", "relevanceScore": 0.5}]}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"1","documentName":"1.pdf",
    "snippet":"of 1","relevanceScore":0.9,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"2",
    "documentName":"2.pdf","snippet":"of 2","relevanceScore":0.8,"retrievedAt":"2026-01-11T09:30:00.000Z"},
    {"documentId":"3","documentName":"3.pdf","snippet":"of 3","relevanceScore":0.7,
    "retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"4","documentName":"4.pdf","snippet":"of 4",
    "relevanceScore":0.6,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"5","documentName":"5.pdf",
    "snippet":"of 5","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"6",
    "documentName":"6.pdf","snippet":"of 6","relevanceScore":0.4,"retrievedAt":"2026-01-11T09:30:00.000Z"},
    {"documentId":"7","documentName":"7.pdf","snippet":"of 7","relevanceScore":0.3,
    "retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "1", "relevanceScore": 0.9}, {"documentId": "2", "relevanceScore": 0.8},
  {"documentId": "3", "relevanceScore": 0.7}, {"documentId": "4", "relevanceScore": 0.6},
  {"documentId": "5", "relevanceScore": 0.5}],
 "left_out": 2,
 "events": ["(any)", "(any)", "(any)", "(any)", "(any)",
  {"sources": [{"documentId": "1", "relevanceScore": 0.9}, {"documentId": "2", "relevanceScore": 0.8},
    {"documentId": "3", "relevanceScore": 0.7}, {"documentId": "4", "relevanceScore": 0.6},
    {"documentId": "5", "relevanceScore": 0.5}]}]}

== a better citation takes the place of the first
# The higher score has its own passage.
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","snippet":"first",
    "relevanceScore":0.8},{"documentId":"b","snippet":"b","relevanceScore":0.9},{"documentId":"a","snippet":"third",
    "relevanceScore":0.9}]}
{"sources": [{"documentId": "a", "relevanceScore": 0.9, "snippet": "third"}, {"documentId": "b", "relevanceScore": 0.9}]}

== events are in order
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"low","documentName":"low.pdf",
    "snippet":"of low","relevanceScore":0.4,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"high",
    "documentName":"high.pdf","location":{"page":12},"snippet":"of high","relevanceScore":0.9,
    "retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"events": [{"timestamp": "NOW"}, "(any)", "(any)"]}

== without sources there is only done
> cite_sources {"conversation_id":"c","message_id":"m","sources":[]}
{"sources": [], "citations": [], "events": [{"type": "done", "sources": []}], "uncertainty": "complete"}

== uncertainty follows the mean
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.71,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"uncertainty": "none"}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.7,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"uncertainty": "low"}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.51,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"uncertainty": "low"}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"uncertainty": "medium"}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.31,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"uncertainty": "medium"}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.3,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"uncertainty": "high"}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"uncertainty": "high"}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":1,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"b",
    "documentName":"b.pdf","snippet":"of b","relevanceScore":0,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"uncertainty": "medium"}

== an invalid source is refused alone
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"good","documentName":"good.pdf",
    "snippet":"of good","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},7]}
{"sources": [{"documentId": "good", "relevanceScore": 0.5}],
 "refused": [{"index": 1, "reason": "sources[1]: it is not an object"}], "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"good","documentName":"good.pdf",
    "snippet":"of good","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},null]}
{"sources": [{"documentId": "good", "relevanceScore": 0.5}],
 "refused": [{"index": 1, "reason": "sources[1]: it is not an object"}], "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"good","documentName":"good.pdf",
    "snippet":"of good","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},"text"]}
{"sources": [{"documentId": "good", "relevanceScore": 0.5}],
 "refused": [{"index": 1, "reason": "sources[1]: it is not an object"}], "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"good","documentName":"good.pdf",
    "snippet":"of good","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},[]]}
{"sources": [{"documentId": "good", "relevanceScore": 0.5}],
 "refused": [{"index": 1, "reason": "sources[1]: it is not an object"}], "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"good","documentName":"good.pdf",
    "snippet":"of good","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"relevanceScore":1.5}]}
{"sources": [{"documentId": "good", "relevanceScore": 0.5}],
 "refused": [{"index": 1, "reason": "sources[1]: relevanceScore is 1.5, which is not between 0 and 1"}], "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"good","documentName":"good.pdf",
    "snippet":"of good","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"relevanceScore":-0.1}]}
{"sources": [{"documentId": "good", "relevanceScore": 0.5}],
 "refused": [{"index": 1, "reason": "sources[1]: relevanceScore is -0.1, which is not between 0 and 1"}],
 "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"good","documentName":"good.pdf",
    "snippet":"of good","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"relevanceScore":"high"}]}
{"sources": [{"documentId": "good", "relevanceScore": 0.5}],
 "refused": [{"index": 1, "reason": "sources[1]: relevanceScore is not a number"}], "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"good","documentName":"good.pdf",
    "snippet":"of good","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"retrievedAt":"yesterday"}]}
{"sources": [{"documentId": "good", "relevanceScore": 0.5}],
 "refused": [{"index": 1, "reason": "sources[1]: retrievedAt is not a time in ISO 8601"}], "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"good","documentName":"good.pdf",
    "snippet":"of good","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"location":"page 3"}]}
{"sources": [{"documentId": "good", "relevanceScore": 0.5}],
 "refused": [{"index": 1, "reason": "sources[1]: location is not an object"}], "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"good","documentName":"good.pdf",
    "snippet":"of good","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"location":{"page":-1}}]}
{"sources": [{"documentId": "good", "relevanceScore": 0.5}],
 "refused": [{"index": 1, "reason": "sources[1]: location.page is no whole number from 0 on"}], "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"good","documentName":"good.pdf",
    "snippet":"of good","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":{}}]}
{"sources": [{"documentId": "good", "relevanceScore": 0.5}],
 "refused": [{"index": 1, "reason": "sources[1]: documentId is neither text nor a number"}], "left_out": 0}

== null means absent, and unknown members are ignored and named
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":null,"documentName":null,
    "location":null,"snippet":null,"relevanceScore":null,"retrievedAt":null,"score_origin":null,"extra":{"a":[1]}},
    {"documentId":"","documentName":""},{"documentId":12345,"more":null,"location":{"pages":3,"page":3}}]}
{"refused": "(absent)", "ignored": ["sources[0].extra", "sources[2].more", "sources[2].location.pages"],
 "sources": [{"documentId": "source-1", "relevanceScore": 0.5},
  {"documentId": "source-2", "relevanceScore": 0.5, "documentName": "Unknown source"},
  {"documentId": "12345", "relevanceScore": 0.5}]}

== odd values are returned as text
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"dóc 🎉",
    "documentName":"a \u202e b\n","snippet":"half \ud800 pair and \u0000 nul","relevanceScore":0.9,
    "retrievedAt":"2026-01-11T10:30:00+01:00"}]}
{"sources": [{"documentId": "dóc 🎉", "documentName": "a ‮ b\n", "snippet": "half ��� pair and � nul",
   "retrievedAt": "2026-01-11T09:30:00.000Z"}]}

== invalid calls store nothing
> cite_sources {}
! INVALID_REQUEST: conversation_id is missing -> Give a string.
> cite_sources {"conversation_id":"c","sources":[]}
! INVALID_REQUEST: message_id is missing -> Give a string.
> cite_sources {"conversation_id":"c","message_id":"m"}
! INVALID_REQUEST: sources is missing -> All that it used; []: none.
> cite_sources {"conversation_id":"c","message_id":"m","sources":null}
! INVALID_REQUEST: sources is null -> Give a list.
> cite_sources {"conversation_id":"c","message_id":"m","sources":{}}
! INVALID_REQUEST: sources is an object -> Give a list.
> cite_sources {"conversation_id":"","message_id":"m","sources":[]}
! INVALID_REQUEST: conversation_id is empty -> Give a text that is not empty.
> cite_sources {"conversation_id":"c\u0000","message_id":"m","sources":[]}
! INVALID_REQUEST: conversation_id contains NUL or half a surrogate pair, which cannot be stored -> Remove it.
> cite_sources {"conversation_id":"c","message_id":"m","sources":[],"source":[]}
! INVALID_REQUEST: there is no argument 'source' -> Known are conversation_id, message_id, sources, text, agent_id.
> cite_sources {"conversation_id":"c","message_id":"m","sources":[],"agent_id":""}
! INVALID_REQUEST: agent_id is empty -> Give a text that is not empty.

== the journal has the events in order
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"low","documentName":"low.pdf",
    "snippet":"of low","relevanceScore":0.4,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"high",
    "documentName":"high.pdf","snippet":"of high","relevanceScore":0.9,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "high"}, {"documentId": "low"}],
  "citations": [{"ref": "citation:ID1"}, {"ref": "citation:ID2"}]}
$ stemma log --json | jq -c 'select(.operation == "source_added" or .operation == "done") | [.operation, .ref]'
["source_added","citation:ID1"]
["source_added","citation:ID2"]
["done",null]

== citations are found
> cite_sources {"conversation_id":"c","message_id":"m1","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.4,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"b",
    "documentName":"b.pdf","location":{"page":2},"snippet":"of b","relevanceScore":0.9,
    "retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "b", "documentName": "b.pdf", "location": {"page": 2}, "snippet": "of b", "relevanceScore": 0.9,
   "retrievedAt": "2026-01-11T09:30:00.000Z"},
  {"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.4,
   "retrievedAt": "2026-01-11T09:30:00.000Z"}],
 "citations": [{"ref": "citation:ID1", "formatted": "(b.pdf, page 2)"}, {"ref": "citation:ID2", "formatted": "(a.pdf, document)"}],
 "events": [{"type": "source_added",
   "source": {"documentId": "b", "documentName": "b.pdf", "location": {"page": 2}, "snippet": "of b", "relevanceScore": 0.9,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.4,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "done", "messageId": "m1",
   "sources": [{"documentId": "b", "documentName": "b.pdf", "location": {"page": 2}, "snippet": "of b", "relevanceScore": 0.9,
     "retrievedAt": "2026-01-11T09:30:00.000Z"},
    {"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.4,
     "retrievedAt": "2026-01-11T09:30:00.000Z"}],
   "conversationId": "c", "timestamp": "NOW"}],
 "uncertainty": "low", "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m2","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.7,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.7,
   "retrievedAt": "2026-01-11T09:30:00.000Z"}],
 "citations": [{"ref": "citation:ID3", "formatted": "(a.pdf, document)"}],
 "events": [{"type": "source_added",
   "source": {"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.7,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "done", "messageId": "m2",
   "sources": [{"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.7,
     "retrievedAt": "2026-01-11T09:30:00.000Z"}],
   "conversationId": "c", "timestamp": "NOW"}],
 "uncertainty": "low", "left_out": 0}
> get_citations {"conversation_id":"c"}
{"citations": [{"documentId": "b", "relevanceScore": 0.9, "formatted": "(b.pdf, page 2)", "messageId": "m1", "conversationId": "c",
   "document": "document:b"},
  {"documentId": "a", "relevanceScore": 0.4}, {"documentId": "a", "relevanceScore": 0.7}],
 "total": 3, "uncertainty": "low"}
> get_citations {"document_id":"a","conversation_id":null}
{"citations": [{"documentId": "a", "relevanceScore": 0.4}, {"documentId": "a", "relevanceScore": 0.7}]}
> get_citations {"message_id":"m2","document_id":"a"}
{"citations": [{"documentId": "a", "relevanceScore": 0.7}]}
> get_citations {"message_id":"m2","document_id":"b"}
{"citations": [], "total": 0, "uncertainty": "complete"}
> get_citations {"conversation_id":"C"}
{"citations": [], "total": 0, "uncertainty": "complete"}
> get_citations {}
! INVALID_REQUEST: no citations are named -> Give conversation_id, message_id or document_id.
> get_citations {"document_id":null}
! INVALID_REQUEST: no citations are named -> Give conversation_id, message_id or document_id.

== citing a message again replaces its citations
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.4,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"citations": [{"ref": "citation:ID1"}]}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"b","documentName":"b.pdf",
    "snippet":"of b","relevanceScore":0.5,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.5,
   "retrievedAt": "2026-01-11T09:30:00.000Z"}],
 "citations": [{"ref": "citation:ID2", "formatted": "(b.pdf, document)"}],
 "events": [{"type": "source_added",
   "source": {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.5,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "done", "messageId": "m",
   "sources": [{"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.5,
     "retrievedAt": "2026-01-11T09:30:00.000Z"}],
   "conversationId": "c", "timestamp": "NOW"}],
 "uncertainty": "medium", "left_out": 0}
> get_citations {"message_id":"m"}
{"citations": [{"documentId": "b", "relevanceScore": 0.5}]}
> memory_get {"ref":"citation:ID1","detail":"full"}
{"status": "superseded"}
> cite_sources {"conversation_id":"c","message_id":"m","sources":[]}
{"sources": [], "citations": [],
 "events": [{"type": "done", "messageId": "m", "sources": [], "conversationId": "c", "timestamp": "NOW"}],
 "uncertainty": "complete", "left_out": 0}
> get_citations {"message_id":"m"}
{"citations": [], "total": 0, "uncertainty": "complete"}

== a page has the total
> cite_sources {"conversation_id":"c","message_id":"m0","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.9,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"b",
    "documentName":"b.pdf","snippet":"of b","relevanceScore":0.8,"retrievedAt":"2026-01-11T09:30:00.000Z"},
    {"documentId":"c","documentName":"c.pdf","snippet":"of c","relevanceScore":0.7,
    "retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
   "retrievedAt": "2026-01-11T09:30:00.000Z"},
  {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
   "retrievedAt": "2026-01-11T09:30:00.000Z"},
  {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
   "retrievedAt": "2026-01-11T09:30:00.000Z"}],
 "citations": [{"ref": "citation:ID1", "formatted": "(a.pdf, document)"}, {"ref": "citation:ID2", "formatted": "(b.pdf, document)"},
  {"ref": "citation:ID3", "formatted": "(c.pdf, document)"}],
 "events": [{"type": "source_added",
   "source": {"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "done", "messageId": "m0",
   "sources": [{"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
     "retrievedAt": "2026-01-11T09:30:00.000Z"},
    {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
     "retrievedAt": "2026-01-11T09:30:00.000Z"},
    {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
     "retrievedAt": "2026-01-11T09:30:00.000Z"}],
   "conversationId": "c", "timestamp": "NOW"}],
 "uncertainty": "none", "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m1","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.9,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"b",
    "documentName":"b.pdf","snippet":"of b","relevanceScore":0.8,"retrievedAt":"2026-01-11T09:30:00.000Z"},
    {"documentId":"c","documentName":"c.pdf","snippet":"of c","relevanceScore":0.7,
    "retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
   "retrievedAt": "2026-01-11T09:30:00.000Z"},
  {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
   "retrievedAt": "2026-01-11T09:30:00.000Z"},
  {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
   "retrievedAt": "2026-01-11T09:30:00.000Z"}],
 "citations": [{"ref": "citation:ID4", "formatted": "(a.pdf, document)"}, {"ref": "citation:ID5", "formatted": "(b.pdf, document)"},
  {"ref": "citation:ID6", "formatted": "(c.pdf, document)"}],
 "events": [{"type": "source_added",
   "source": {"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "done", "messageId": "m1",
   "sources": [{"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
     "retrievedAt": "2026-01-11T09:30:00.000Z"},
    {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
     "retrievedAt": "2026-01-11T09:30:00.000Z"},
    {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
     "retrievedAt": "2026-01-11T09:30:00.000Z"}],
   "conversationId": "c", "timestamp": "NOW"}],
 "uncertainty": "none", "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m2","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.9,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"b",
    "documentName":"b.pdf","snippet":"of b","relevanceScore":0.8,"retrievedAt":"2026-01-11T09:30:00.000Z"},
    {"documentId":"c","documentName":"c.pdf","snippet":"of c","relevanceScore":0.7,
    "retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
   "retrievedAt": "2026-01-11T09:30:00.000Z"},
  {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
   "retrievedAt": "2026-01-11T09:30:00.000Z"},
  {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
   "retrievedAt": "2026-01-11T09:30:00.000Z"}],
 "citations": [{"ref": "citation:ID7", "formatted": "(a.pdf, document)"}, {"ref": "citation:ID8", "formatted": "(b.pdf, document)"},
  {"ref": "citation:ID9", "formatted": "(c.pdf, document)"}],
 "events": [{"type": "source_added",
   "source": {"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "done", "messageId": "m2",
   "sources": [{"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
     "retrievedAt": "2026-01-11T09:30:00.000Z"},
    {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
     "retrievedAt": "2026-01-11T09:30:00.000Z"},
    {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
     "retrievedAt": "2026-01-11T09:30:00.000Z"}],
   "conversationId": "c", "timestamp": "NOW"}],
 "uncertainty": "none", "left_out": 0}
> cite_sources {"conversation_id":"c","message_id":"m3","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.9,"retrievedAt":"2026-01-11T09:30:00.000Z"},{"documentId":"b",
    "documentName":"b.pdf","snippet":"of b","relevanceScore":0.8,"retrievedAt":"2026-01-11T09:30:00.000Z"},
    {"documentId":"c","documentName":"c.pdf","snippet":"of c","relevanceScore":0.7,
    "retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"sources": [{"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
   "retrievedAt": "2026-01-11T09:30:00.000Z"},
  {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
   "retrievedAt": "2026-01-11T09:30:00.000Z"},
  {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
   "retrievedAt": "2026-01-11T09:30:00.000Z"}],
 "citations": [{"ref": "citation:ID10", "formatted": "(a.pdf, document)"},
  {"ref": "citation:ID11", "formatted": "(b.pdf, document)"},
  {"ref": "citation:ID12", "formatted": "(c.pdf, document)"}],
 "events": [{"type": "source_added",
   "source": {"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
    "retrievedAt": "2026-01-11T09:30:00.000Z"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "done", "messageId": "m3",
   "sources": [{"documentId": "a", "documentName": "a.pdf", "snippet": "of a", "relevanceScore": 0.9,
     "retrievedAt": "2026-01-11T09:30:00.000Z"},
    {"documentId": "b", "documentName": "b.pdf", "snippet": "of b", "relevanceScore": 0.8,
     "retrievedAt": "2026-01-11T09:30:00.000Z"},
    {"documentId": "c", "documentName": "c.pdf", "snippet": "of c", "relevanceScore": 0.7,
     "retrievedAt": "2026-01-11T09:30:00.000Z"}],
   "conversationId": "c", "timestamp": "NOW"}],
 "uncertainty": "none", "left_out": 0}
> get_citations {"conversation_id":"c","limit":5}
{"citations": "(5 items)", "total": 12}
> get_citations {"conversation_id":"c","limit":5,"offset":10}
{"citations": [{"documentId": "b", "relevanceScore": 0.8}, {"documentId": "c", "relevanceScore": 0.7}], "total": 12}
> get_citations {"conversation_id":"c","offset":100}
{"citations": [], "total": 12, "uncertainty": "none"}

== a citation is based on its document
# It loses support if the document is wrong.
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"a","documentName":"a.pdf",
    "snippet":"of a","relevanceScore":0.4,"retrievedAt":"2026-01-11T09:30:00.000Z"}]}
{"citations": [{"ref": "citation:ID1"}]}
> memory_whatif {"refs":["document:a"],"format":"json"}
{"loses_all_support": ["citation:ID1"], "weakened": [], "descends": 0}
> memory_get {"ref":"citation:ID1","detail":"full"}
{"label": "supported"}

== an attribution names a logged retrieval
# A retrieval that a source names is looked up; an unknown one is reported.
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> memory_raw {"blob":"seen"}
{"ref": "raw:ID2", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a",
    "attribution":"raw:ID2"},{"document_id":"b","attribution":"attribution:never-logged"},{"document_id":"c",
    "attribution":"attribution:never-logged"},{"document_id":"d","attribution":"belief:b"},{"document_id":"e"}]}
{"unresolved": ["attribution:never-logged"], "sources": "(3 items)",
 "refused": [{"reason": "retrieved_documents[0] (“a”): attribution: raw:ID2 is no logged retrieval"}, {"index": 3}]}
> cot_step {"chain":"chain:ID1","step_number":2,"question":"s"}
{"ref": "step:ID4", "version": 1, "sources": []}

== contexts become sources
> extract_sources {"context_documents":["one","two","three"]}
{"sources": [{"document_id": "context_doc_0", "relevance_score": 1, "retrieval_rank": 1},
  {"document_id": "context_doc_1", "relevance_score": 0.9, "retrieval_rank": 2},
  {"document_id": "context_doc_2", "relevance_score": 0.8, "retrieval_rank": 3}]}
> extract_sources {"context_documents":["id: doc_abc123 Some content here","id: doc_xyz789 More content"]}
{"sources": [{"document_id": "doc_abc123", "relevance_score": 1, "retrieval_rank": 1},
  {"document_id": "doc_xyz789", "relevance_score": 0.9, "retrieval_rank": 2}]}
> extract_sources {"context_documents":["id:doc_123 Machine learning content...","Deep learning overview..."]}
{"sources": [{"document_id": "doc_123", "relevance_score": 1, "retrieval_rank": 1},
  {"document_id": "context_doc_1", "relevance_score": 0.9, "retrieval_rank": 2}]}
> extract_sources {"context_documents":["Valid content","","   ","More valid content"]}
{"sources": [{"document_id": "context_doc_0", "relevance_score": 1, "retrieval_rank": 1},
  {"document_id": "context_doc_3", "relevance_score": 0.7, "retrieval_rank": 4}]}
> extract_sources {"context_documents":["id:"]}
{"sources": [{"document_id": "context_doc_0", "relevance_score": 1, "retrieval_rank": 1}]}
> extract_sources {"context_documents":["id: doc_unicode émojis 🎉"]}
{"sources": [{"document_id": "doc_unicode", "relevance_score": 1, "retrieval_rank": 1}]}
> extract_sources {"context_documents":["id:a id:b rest"]}
{"sources": [{"document_id": "a", "relevance_score": 1, "retrieval_rank": 1}]}
> extract_sources {"context_documents":["id:id:x"]}
{"sources": [{"document_id": "context_doc_0", "relevance_score": 1, "retrieval_rank": 1}]}
> extract_sources {"context_documents":["ID:doc_1 upper"]}
{"sources": [{"document_id": "context_doc_0", "relevance_score": 1, "retrieval_rank": 1}]}
> extract_sources {"context_documents":["The valid: answer","paid:500 now"]}
{"sources": [{"document_id": "context_doc_0", "relevance_score": 1, "retrieval_rank": 1},
  {"document_id": "context_doc_1", "relevance_score": 0.9, "retrieval_rank": 2}]}
> extract_sources {"context_documents":[]}
{"sources": []}
> extract_sources {"context_documents":["a","b","c","d","e","f","g","h","i","j"]}
{"sources": {"0": {"document_id": "context_doc_0", "relevance_score": 1, "retrieval_rank": 1},
  "1": {"document_id": "context_doc_1", "relevance_score": 0.9, "retrieval_rank": 2},
  "2": {"document_id": "context_doc_2", "relevance_score": 0.8, "retrieval_rank": 3},
  "3": {"document_id": "context_doc_3", "relevance_score": 0.7, "retrieval_rank": 4},
  "4": {"document_id": "context_doc_4", "relevance_score": 0.6, "retrieval_rank": 5},
  "5": {"document_id": "context_doc_5", "relevance_score": 0.5, "retrieval_rank": 6},
  "6": {"document_id": "context_doc_6", "relevance_score": 0.3999999999999999, "retrieval_rank": 7},
  "7": {"document_id": "context_doc_7", "relevance_score": 0.3, "retrieval_rank": 8},
  "8": {"document_id": "context_doc_8", "relevance_score": 0.3, "retrieval_rank": 9},
  "9": {"document_id": "context_doc_9", "relevance_score": 0.3, "retrieval_rank": 10}}}

== results come before contexts
> extract_sources {"context_documents":["id:ctx text"],"search_results":[{"document_id":"doc_123",
    "title":"Introduction to AI","score":0.92,"content":"Artificial intelligence involves...","chunk_index":0}]}
{"sources": "(1 items)"}
> extract_sources {"context_documents":["id:ctx text"],"search_results":[]}
{"sources": [{"document_id": "ctx", "relevance_score": 1, "retrieval_rank": 1, "score_origin": "heuristic"}]}
> extract_sources {"context_documents":null,"search_results":null}
{"sources": []}

== results are read in any form
> extract_sources {"context_documents":[],"search_results":[{}]}
{"sources": [{"document_id": "doc_0", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "default"}]}
> extract_sources {"context_documents":[],"search_results":[{"document_id":null,"title":null,"document_title":"no",
    "score":null,"relevance_score":1,"content":null,"text":"no","chunk_index":null}]}
{"sources": [{"document_id": "doc_0", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "default"}]}
> extract_sources {"context_documents":[],"search_results":[{"document_id":12345,"title":7,"score":"high",
    "chunk_index":2.0}]}
{"sources": [{"document_id": "12345", "document_title": "7", "relevance_score": 0.5, "excerpt": "", "chunk_index": 2,
   "retrieval_rank": 1, "score_origin": "default"}]}
> extract_sources {"context_documents":[],"search_results":[{"document_id":"","document_title":"T",
    "relevance_score":0.25,"text":"t","chunk_index":" 7 ","more":{"a":[1]}}]}
{"sources": [{"document_id": "doc_0", "document_title": "T", "relevance_score": 0.25, "excerpt": "t", "chunk_index": 7,
   "retrieval_rank": 1, "score_origin": "measured"}]}
> extract_sources {"context_documents":[],"search_results":[{"document_id":"d","chunk_index":"seven","score":0}]}
{"sources": [{"document_id": "d", "document_title": null, "relevance_score": 0, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"}]}
> extract_sources {"context_documents":[],"search_results":[{"document_id":"d","chunk_index":2.5,"score":1}]}
{"sources": [{"document_id": "d", "document_title": null, "relevance_score": 1, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"}]}

== an excerpt is cut at a code point
> extract_sources {"context_documents":["<<🌍 * 201>>"]}
{"sources": [{"excerpt": "🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍"}]}
> extract_sources {"context_documents":[],"search_results":[{"content":"<<🌍 * 201>>"}]}
{"sources": [{"excerpt": "🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍"}]}

== an invalid item is refused alone
> extract_sources {"context_documents":[],"search_results":[{"score":0.9},{"score":1.5},{"score":0.2}]}
{"sources": [{"document_id": "doc_0", "relevance_score": 0.9, "retrieval_rank": 1},
  {"document_id": "doc_2", "relevance_score": 0.2, "retrieval_rank": 3}],
 "refused": [{"index": 1, "reason": "search_results[1]: score is 1.5, which is not between 0 and 1"}]}
> extract_sources {"context_documents":[],"search_results":[{"score":0.9},{"score":-0.1},{"score":0.2}]}
{"sources": [{"document_id": "doc_0", "relevance_score": 0.9, "retrieval_rank": 1},
  {"document_id": "doc_2", "relevance_score": 0.2, "retrieval_rank": 3}],
 "refused": [{"index": 1, "reason": "search_results[1]: score is -0.1, which is not between 0 and 1"}]}
> extract_sources {"context_documents":[],"search_results":[{"score":0.9},{"score":1e9},{"score":0.2}]}
{"sources": [{"document_id": "doc_0", "relevance_score": 0.9, "retrieval_rank": 1},
  {"document_id": "doc_2", "relevance_score": 0.2, "retrieval_rank": 3}],
 "refused": [{"index": 1, "reason": "search_results[1]: score is 1e9, which is not between 0 and 1"}]}
> extract_sources {"context_documents":[],"search_results":[{"score":0.9},{"document_id":{"a":1}},{"score":0.2}]}
{"sources": [{"document_id": "doc_0", "relevance_score": 0.9, "retrieval_rank": 1},
  {"document_id": "doc_2", "relevance_score": 0.2, "retrieval_rank": 3}],
 "refused": [{"index": 1, "reason": "search_results[1]: document_id is neither text nor a number"}]}
> extract_sources {"context_documents":[],"search_results":[{"score":0.9},{"title":[]},{"score":0.2}]}
{"sources": [{"document_id": "doc_0", "relevance_score": 0.9, "retrieval_rank": 1},
  {"document_id": "doc_2", "relevance_score": 0.2, "retrieval_rank": 3}],
 "refused": [{"index": 1, "reason": "search_results[1]: title is neither text nor a number"}]}
> extract_sources {"context_documents":[],"search_results":[{"score":0.9},{"content":{}},{"score":0.2}]}
{"sources": [{"document_id": "doc_0", "relevance_score": 0.9, "retrieval_rank": 1},
  {"document_id": "doc_2", "relevance_score": 0.2, "retrieval_rank": 3}],
 "refused": [{"index": 1, "reason": "search_results[1]: content is neither text nor a number"}]}
> extract_sources {"context_documents":[],"search_results":[{"score":0.9},7,{"score":0.2}]}
{"sources": [{"document_id": "doc_0", "relevance_score": 0.9, "retrieval_rank": 1},
  {"document_id": "doc_2", "relevance_score": 0.2, "retrieval_rank": 3}],
 "refused": [{"index": 1, "reason": "search_results[1]: it is not an object"}]}
> extract_sources {"context_documents":[],"search_results":[{"score":0.9},null,{"score":0.2}]}
{"sources": [{"document_id": "doc_0", "relevance_score": 0.9, "retrieval_rank": 1},
  {"document_id": "doc_2", "relevance_score": 0.2, "retrieval_rank": 3}],
 "refused": [{"index": 1, "reason": "search_results[1]: it is not an object"}]}
> extract_sources {"context_documents":[],"search_results":[{"score":0.9},"text",{"score":0.2}]}
{"sources": [{"document_id": "doc_0", "relevance_score": 0.9, "retrieval_rank": 1},
  {"document_id": "doc_2", "relevance_score": 0.2, "retrieval_rank": 3}],
 "refused": [{"index": 1, "reason": "search_results[1]: it is not an object"}]}
> extract_sources {"context_documents":[],"search_results":[{"score":0.9},{"version_hash":"abc"},{"score":0.2}]}
{"sources": [{"document_id": "doc_0", "relevance_score": 0.9, "retrieval_rank": 1},
  {"document_id": "doc_2", "relevance_score": 0.2, "retrieval_rank": 3}],
 "refused": [{"index": 1, "reason": "search_results[1]: version_hash is not 64 hex digits"}]}
> extract_sources {"context_documents":["a",{},null,7,[1],"b"]}
{"sources": [{"document_id": "context_doc_0", "relevance_score": 1, "retrieval_rank": 1},
  {"document_id": "context_doc_3", "relevance_score": 0.7, "retrieval_rank": 4},
  {"document_id": "context_doc_5", "relevance_score": 0.5, "retrieval_rank": 6}],
 "refused": [{"reason": "context_documents[1] is no text"}, {"index": 4}]}

== wrong arguments are refused
> extract_sources {}
! INVALID_REQUEST: context_documents is missing -> Texts, used without search_results; "id:NAME " in front names the document.
> extract_sources {"context_documents":"a"}
! INVALID_REQUEST: context_documents is a string -> Give a list.
> extract_sources {"context_documents":[],"search_results":{}}
! INVALID_REQUEST: search_results is an object -> Give a list.

== a refusal names its document
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentId":"d","documentName":"D.pdf",
    "relevanceScore":2},{"documentId":"e","relevanceScore":1e999},{"relevanceScore":"x"}]}
{"sources": [], "citations": [],
 "events": [{"type": "done", "messageId": "m", "sources": [], "conversationId": "c", "timestamp": "NOW"}],
 "uncertainty": "complete", "left_out": 0,
 "refused": [{"index": 0, "reason": "sources[0] (“D.pdf”): relevanceScore is 2, which is not between 0 and 1"},
  {"index": 1, "reason": "sources[1] (“e”): relevanceScore is 1e999, which is not between 0 and 1"},
  {"index": 2, "reason": "sources[2]: relevanceScore is not a number"}]}

== sentences of a response that cite nothing are answered
> cite_sources {"conversation_id":"c","message_id":"m","text":"Revenue grew (Report, page 3). Costs fell. Both [1].",
    "sources":[{"documentId":"d","documentName":"Report","location":{"page":3},"relevanceScore":0.9}]}
{"sources": [{"documentId": "d", "documentName": "Report", "location": {"page": 3}, "relevanceScore": 0.9, "retrievedAt": "NOW"}],
 "citations": [{"ref": "citation:ID1", "formatted": "(Report, page 3)"}],
 "events": [{"type": "source_added",
   "source": {"documentId": "d", "documentName": "Report", "location": {"page": 3}, "relevanceScore": 0.9, "retrievedAt": "NOW"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "done", "messageId": "m",
   "sources": [{"documentId": "d", "documentName": "Report", "location": {"page": 3}, "relevanceScore": 0.9, "retrievedAt": "NOW"}],
   "conversationId": "c", "timestamp": "NOW"}],
 "uncertainty": "none", "uncited": ["Costs fell."], "left_out": 0}
> memory_get {"ref":"citation:ID1","detail":"full"}
{"ref": "citation:ID1", "agent_id": "ash", "text": "(Report, page 3)", "created_at": "NOW", "updated_at": "NOW",
 "confidence": 0.8, "source_type": "external", "status": "active", "version": 1,
 "detail": {"document_id": "d", "document_name": "Report", "page": 3, "conversation_id": "c", "message_id": "m",
  "retrieved_at": "NOW", "rank": 1, "response_text": "Revenue grew (Report, page 3). Costs fell. Both [1].",
  "snippet": null},
 "justifications": [{"role": "citation", "reading": "any", "recorded": "recorded", "at": "NOW",
   "antecedents": [{"ref": "document:d", "relevance": 0.9, "score": "asserted", "rank": 1, "page": 3, "title": "Report"}]}],
 "label": "supported", "effective": 0.8}

== a made-up id is never a given one
> cite_sources {"conversation_id":"c","message_id":"m","sources":[{"documentName":"A","relevanceScore":0.9},
    {"documentId":"source-1","documentName":"B","relevanceScore":0.8},{"documentId":"source-1-2","documentName":"C",
    "relevanceScore":0.7}]}
{"sources": [{"documentId": "source-1-3", "documentName": "A", "relevanceScore": 0.9, "retrievedAt": "NOW"},
  {"documentId": "source-1", "documentName": "B", "relevanceScore": 0.8, "retrievedAt": "NOW"},
  {"documentId": "source-1-2", "documentName": "C", "relevanceScore": 0.7, "retrievedAt": "NOW"}],
 "citations": [{"ref": "citation:ID1", "formatted": "(A, document)"}, {"ref": "citation:ID2", "formatted": "(B, document)"},
  {"ref": "citation:ID3", "formatted": "(C, document)"}],
 "events": [{"type": "source_added",
   "source": {"documentId": "source-1-3", "documentName": "A", "relevanceScore": 0.9, "retrievedAt": "NOW"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "source-1", "documentName": "B", "relevanceScore": 0.8, "retrievedAt": "NOW"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "source-1-2", "documentName": "C", "relevanceScore": 0.7, "retrievedAt": "NOW"},
   "conversationId": "c", "timestamp": "NOW"},
  {"type": "done", "messageId": "m",
   "sources": [{"documentId": "source-1-3", "documentName": "A", "relevanceScore": 0.9, "retrievedAt": "NOW"},
    {"documentId": "source-1", "documentName": "B", "relevanceScore": 0.8, "retrievedAt": "NOW"},
    {"documentId": "source-1-2", "documentName": "C", "relevanceScore": 0.7, "retrievedAt": "NOW"}],
   "conversationId": "c", "timestamp": "NOW"}],
 "uncertainty": "none", "left_out": 0}

== a made-up id finds what its answer showed, and the document of each tells equal ids apart
> cite_sources {"conversation_id":"c","message_id":"m-1","sources":[{"documentName":"Nameless","relevanceScore":0.9}]}
{"citations": [{"ref": "citation:ID1"}], "sources": [{"documentId": "source-1"}]}
> cite_sources {"conversation_id":"c","message_id":"m-2","sources":[{"documentId":"source-1","documentName":"Named",
    "relevanceScore":0.9}]}
{"citations": [{"ref": "citation:ID2"}], "sources": [{"documentId": "source-1"}]}
> get_citations {"document_id":"source-1"}
{"citations": [{"ref": "citation:ID1", "documentId": "source-1",
   "document": "document:sha256-…"},
  {"ref": "citation:ID2", "documentId": "source-1", "document": "document:source-1"}],
 "total": 2}
> get_citations {"document_id":"source-1","message_id":"m-1"}
{"citations": [{"ref": "citation:ID1", "documentName": "Nameless"}], "total": 1}

== a page beside the location counts as if it were in it
> cite_sources {"conversation_id":"flat","message_id":"m","sources":[{"documentName":"A","page":4,"section":"S","relevanceScore":0.9},
    {"documentName":"B","page":4,"location":{"section":"T"},"relevanceScore":0.8},
    {"documentName":"C","page":4,"location":{"page":5},"relevanceScore":0.7},{"documentName":"D","page":"x","relevanceScore":0.6}]}
{"sources": [{"documentId": "source-1", "documentName": "A", "location": {"page": 4, "section": "S"}, "relevanceScore": 0.9,
   "retrievedAt": "NOW"},
  {"documentId": "source-2", "documentName": "B", "location": {"page": 4, "section": "T"}, "relevanceScore": 0.8,
   "retrievedAt": "NOW"}],
 "citations": [{"ref": "citation:ID1", "formatted": "(A, page 4, S)"}, {"ref": "citation:ID2", "formatted": "(B, page 4, T)"}],
 "events": [{"type": "source_added",
   "source": {"documentId": "source-1", "documentName": "A", "location": {"page": 4, "section": "S"}, "relevanceScore": 0.9,
    "retrievedAt": "NOW"},
   "conversationId": "flat", "timestamp": "NOW"},
  {"type": "source_added",
   "source": {"documentId": "source-2", "documentName": "B", "location": {"page": 4, "section": "T"}, "relevanceScore": 0.8,
    "retrievedAt": "NOW"},
   "conversationId": "flat", "timestamp": "NOW"},
  {"type": "done", "messageId": "m",
   "sources": [{"documentId": "source-1", "documentName": "A", "location": {"page": 4, "section": "S"}, "relevanceScore": 0.9,
     "retrievedAt": "NOW"},
    {"documentId": "source-2", "documentName": "B", "location": {"page": 4, "section": "T"}, "relevanceScore": 0.8,
     "retrievedAt": "NOW"}],
   "conversationId": "flat", "timestamp": "NOW"}],
 "uncertainty": "none", "left_out": 0,
 "refused": [{"index": 2, "reason": "sources[2] (“C”): page is given twice, in the location, too"},
  {"index": 3, "reason": "sources[3] (“D”): location.page is no whole number from 0 on"}]}
