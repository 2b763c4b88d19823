== a chain is summarized
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"doc_1","relevance_score":0.90000000000000002},{"document_id":"doc_2",
    "relevance_score":0.75}]},{"step_number":2,"question":"s","source_attributions":[{"document_id":"doc_1",
    "relevance_score":0.84999999999999998},{"document_id":"doc_3","relevance_score":0.80000000000000004}]}]}
{"source_summary": {"all_sources": [{"document_id": "doc_1", "relevance_score": 0.9}, {"document_id": "doc_3", "relevance_score": 0.8},
   {"document_id": "doc_2", "relevance_score": 0.75}],
  "primary_sources": [{"document_id": "doc_1", "relevance_score": 0.9}, {"document_id": "doc_3", "relevance_score": 0.8},
   {"document_id": "doc_2", "relevance_score": 0.75}],
  "source_usage_by_step": {"1": ["doc_1", "doc_2"], "2": ["doc_1", "doc_3"]}}}
> cot_begin {"question":"q"}
{"ref": "chain:ID2", "version": 1}
> cot_step {"chain":"chain:ID2","step_number":1,"question":"s","retrieved_documents":[{"document_id":"doc_1",
    "score":0.90000000000000002},{"document_id":"doc_2","score":0.75}]}
{"ref": "step:ID3", "version": 1,
 "sources": [{"document_id": "doc_1", "document_title": null, "relevance_score": 0.9, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"},
  {"document_id": "doc_2", "document_title": null, "relevance_score": 0.75, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 2, "score_origin": "measured"}]}
> cot_step {"chain":"chain:ID2","step_number":2,"question":"s","retrieved_documents":[{"document_id":"doc_1",
    "score":0.84999999999999998},{"document_id":"doc_3","score":0.80000000000000004}]}
{"ref": "step:ID4", "version": 1,
 "sources": [{"document_id": "doc_1", "document_title": null, "relevance_score": 0.85, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"},
  {"document_id": "doc_3", "document_title": null, "relevance_score": 0.8, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 2, "score_origin": "measured"}]}
> cot_finish {"chain":"chain:ID2","final_answer":"a"}
{"source_summary": {"all_sources": [{"document_id": "doc_1", "relevance_score": 0.9}, {"document_id": "doc_3", "relevance_score": 0.8},
   {"document_id": "doc_2", "relevance_score": 0.75}],
  "primary_sources": [{"document_id": "doc_1", "relevance_score": 0.9}, {"document_id": "doc_3", "relevance_score": 0.8},
   {"document_id": "doc_2", "relevance_score": 0.75}],
  "source_usage_by_step": {"1": ["doc_1", "doc_2"], "2": ["doc_1", "doc_3"]}},
 "ref": "chain:ID2"}
> cot_get {"chain":"chain:ID2"}
{"source_summary": {"all_sources": [{"document_id": "doc_1", "relevance_score": 0.9}, {"document_id": "doc_3", "relevance_score": 0.8},
   {"document_id": "doc_2", "relevance_score": 0.75}],
  "primary_sources": [{"document_id": "doc_1", "relevance_score": 0.9}, {"document_id": "doc_3", "relevance_score": 0.8},
   {"document_id": "doc_2", "relevance_score": 0.75}],
  "source_usage_by_step": {"1": ["doc_1", "doc_2"], "2": ["doc_1", "doc_3"]}},
 "search": {"source_breakdown": {"1": ["doc_1", "doc_2"], "2": ["doc_1", "doc_3"]},
  "sources": [{"document_id": "doc_1", "relevance_score": 0.9}, {"document_id": "doc_3", "relevance_score": 0.8},
   {"document_id": "doc_2", "relevance_score": 0.75}]}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.94999999999999996},{"document_id":"b",
    "relevance_score":0.84999999999999998},{"document_id":"c","relevance_score":0.75},{"document_id":"d",
    "relevance_score":0.71999999999999997}]}]}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.95}, {"document_id": "b", "relevance_score": 0.85},
   {"document_id": "c", "relevance_score": 0.75}, {"document_id": "d", "relevance_score": 0.72}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.95}, {"document_id": "b", "relevance_score": 0.85},
   {"document_id": "c", "relevance_score": 0.75}],
  "source_usage_by_step": {"1": ["a", "b", "c", "d"]}}}
> cot_begin {"question":"q"}
{"ref": "chain:ID6", "version": 1}
> cot_step {"chain":"chain:ID6","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a",
    "score":0.94999999999999996},{"document_id":"b","score":0.84999999999999998},{"document_id":"c","score":0.75},
    {"document_id":"d","score":0.71999999999999997}]}
{"ref": "step:ID7", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.95, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"},
  {"document_id": "b", "document_title": null, "relevance_score": 0.85, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 2, "score_origin": "measured"},
  {"document_id": "c", "document_title": null, "relevance_score": 0.75, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 3, "score_origin": "measured"},
  {"document_id": "d", "document_title": null, "relevance_score": 0.72, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 4, "score_origin": "measured"}]}
> cot_finish {"chain":"chain:ID6","final_answer":"a"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.95}, {"document_id": "b", "relevance_score": 0.85},
   {"document_id": "c", "relevance_score": 0.75}, {"document_id": "d", "relevance_score": 0.72}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.95}, {"document_id": "b", "relevance_score": 0.85},
   {"document_id": "c", "relevance_score": 0.75}],
  "source_usage_by_step": {"1": ["a", "b", "c", "d"]}},
 "ref": "chain:ID6"}
> cot_get {"chain":"chain:ID6"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.95}, {"document_id": "b", "relevance_score": 0.85},
   {"document_id": "c", "relevance_score": 0.75}, {"document_id": "d", "relevance_score": 0.72}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.95}, {"document_id": "b", "relevance_score": 0.85},
   {"document_id": "c", "relevance_score": 0.75}],
  "source_usage_by_step": {"1": ["a", "b", "c", "d"]}},
 "search": {"source_breakdown": {"1": ["a", "b", "c", "d"]},
  "sources": [{"document_id": "a", "relevance_score": 0.95}, {"document_id": "b", "relevance_score": 0.85},
   {"document_id": "c", "relevance_score": 0.75}]}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.5},{"document_id":"b",
    "relevance_score":0.40000000000000002},{"document_id":"c","relevance_score":0.29999999999999999},
    {"document_id":"d","relevance_score":0.20000000000000001}]}]}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.4},
   {"document_id": "c", "relevance_score": 0.3}, {"document_id": "d", "relevance_score": 0.2}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.4},
   {"document_id": "c", "relevance_score": 0.3}],
  "source_usage_by_step": {"1": ["a", "b", "c", "d"]}}}
> cot_begin {"question":"q"}
{"ref": "chain:ID9", "version": 1}
> cot_step {"chain":"chain:ID9","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a",
    "score":0.5},{"document_id":"b","score":0.40000000000000002},{"document_id":"c","score":0.29999999999999999},
    {"document_id":"d","score":0.20000000000000001}]}
{"ref": "step:ID10", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"},
  {"document_id": "b", "document_title": null, "relevance_score": 0.4, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 2, "score_origin": "measured"},
  {"document_id": "c", "document_title": null, "relevance_score": 0.3, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 3, "score_origin": "measured"},
  {"document_id": "d", "document_title": null, "relevance_score": 0.2, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 4, "score_origin": "measured"}]}
> cot_finish {"chain":"chain:ID9","final_answer":"a"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.4},
   {"document_id": "c", "relevance_score": 0.3}, {"document_id": "d", "relevance_score": 0.2}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.4},
   {"document_id": "c", "relevance_score": 0.3}],
  "source_usage_by_step": {"1": ["a", "b", "c", "d"]}},
 "ref": "chain:ID9"}
> cot_get {"chain":"chain:ID9"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.4},
   {"document_id": "c", "relevance_score": 0.3}, {"document_id": "d", "relevance_score": 0.2}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.4},
   {"document_id": "c", "relevance_score": 0.3}],
  "source_usage_by_step": {"1": ["a", "b", "c", "d"]}},
 "search": {"source_breakdown": {"1": ["a", "b", "c", "d"]},
  "sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.4},
   {"document_id": "c", "relevance_score": 0.3}]}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.90000000000000002},{"document_id":"b",
    "relevance_score":0.59999999999999998}]}]}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.6}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}], "source_usage_by_step": {"1": ["a", "b"]}}}
> cot_begin {"question":"q"}
{"ref": "chain:ID12", "version": 1}
> cot_step {"chain":"chain:ID12","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a",
    "score":0.90000000000000002},{"document_id":"b","score":0.59999999999999998}]}
{"ref": "step:ID13", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.9, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"},
  {"document_id": "b", "document_title": null, "relevance_score": 0.6, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 2, "score_origin": "measured"}]}
> cot_finish {"chain":"chain:ID12","final_answer":"a"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.6}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}], "source_usage_by_step": {"1": ["a", "b"]}},
 "ref": "chain:ID12"}
> cot_get {"chain":"chain:ID12"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.6}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}], "source_usage_by_step": {"1": ["a", "b"]}},
 "search": {"source_breakdown": {"1": ["a", "b"]}, "sources": [{"document_id": "a", "relevance_score": 0.9}]}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.69999999999999996},{"document_id":"b",
    "relevance_score":0.59999999999999998},{"document_id":"c","relevance_score":0.5},{"document_id":"d",
    "relevance_score":0.40000000000000002}]}]}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.7}, {"document_id": "b", "relevance_score": 0.6},
   {"document_id": "c", "relevance_score": 0.5}, {"document_id": "d", "relevance_score": 0.4}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.7}, {"document_id": "b", "relevance_score": 0.6},
   {"document_id": "c", "relevance_score": 0.5}],
  "source_usage_by_step": {"1": ["a", "b", "c", "d"]}}}
> cot_begin {"question":"q"}
{"ref": "chain:ID15", "version": 1}
> cot_step {"chain":"chain:ID15","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a",
    "score":0.69999999999999996},{"document_id":"b","score":0.59999999999999998},{"document_id":"c","score":0.5},
    {"document_id":"d","score":0.40000000000000002}]}
{"ref": "step:ID16", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.7, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"},
  {"document_id": "b", "document_title": null, "relevance_score": 0.6, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 2, "score_origin": "measured"},
  {"document_id": "c", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 3, "score_origin": "measured"},
  {"document_id": "d", "document_title": null, "relevance_score": 0.4, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 4, "score_origin": "measured"}]}
> cot_finish {"chain":"chain:ID15","final_answer":"a"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.7}, {"document_id": "b", "relevance_score": 0.6},
   {"document_id": "c", "relevance_score": 0.5}, {"document_id": "d", "relevance_score": 0.4}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.7}, {"document_id": "b", "relevance_score": 0.6},
   {"document_id": "c", "relevance_score": 0.5}],
  "source_usage_by_step": {"1": ["a", "b", "c", "d"]}},
 "ref": "chain:ID15"}
> cot_get {"chain":"chain:ID15"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.7}, {"document_id": "b", "relevance_score": 0.6},
   {"document_id": "c", "relevance_score": 0.5}, {"document_id": "d", "relevance_score": 0.4}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.7}, {"document_id": "b", "relevance_score": 0.6},
   {"document_id": "c", "relevance_score": 0.5}],
  "source_usage_by_step": {"1": ["a", "b", "c", "d"]}},
 "search": {"source_breakdown": {"1": ["a", "b", "c", "d"]},
  "sources": [{"document_id": "a", "relevance_score": 0.7}, {"document_id": "b", "relevance_score": 0.6},
   {"document_id": "c", "relevance_score": 0.5}]}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.5},{"document_id":"b","relevance_score":0.5}]},
    {"step_number":2,"question":"s","source_attributions":[{"document_id":"c","relevance_score":0.5},
    {"document_id":"a","relevance_score":0.5}]}]}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.5},
   {"document_id": "c", "relevance_score": 0.5}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.5},
   {"document_id": "c", "relevance_score": 0.5}],
  "source_usage_by_step": {"1": ["a", "b"], "2": ["c", "a"]}}}
> cot_begin {"question":"q"}
{"ref": "chain:ID18", "version": 1}
> cot_step {"chain":"chain:ID18","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a",
    "score":0.5},{"document_id":"b","score":0.5}]}
{"ref": "step:ID19", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"},
  {"document_id": "b", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 2, "score_origin": "measured"}]}
> cot_step {"chain":"chain:ID18","step_number":2,"question":"s","retrieved_documents":[{"document_id":"c",
    "score":0.5},{"document_id":"a","score":0.5}]}
{"ref": "step:ID20", "version": 1,
 "sources": [{"document_id": "c", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"},
  {"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 2, "score_origin": "measured"}]}
> cot_finish {"chain":"chain:ID18","final_answer":"a"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.5},
   {"document_id": "c", "relevance_score": 0.5}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.5},
   {"document_id": "c", "relevance_score": 0.5}],
  "source_usage_by_step": {"1": ["a", "b"], "2": ["c", "a"]}},
 "ref": "chain:ID18"}
> cot_get {"chain":"chain:ID18"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.5},
   {"document_id": "c", "relevance_score": 0.5}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.5},
   {"document_id": "c", "relevance_score": 0.5}],
  "source_usage_by_step": {"1": ["a", "b"], "2": ["c", "a"]}},
 "search": {"source_breakdown": {"1": ["a", "b"], "2": ["c", "a"]},
  "sources": [{"document_id": "a", "relevance_score": 0.5}, {"document_id": "b", "relevance_score": 0.5},
   {"document_id": "c", "relevance_score": 0.5}]}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.5},{"document_id":"b",
    "relevance_score":0.90000000000000002}]},{"step_number":2,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.90000000000000002}]}]}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.9}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.9}],
  "source_usage_by_step": {"1": ["a", "b"], "2": ["a"]}}}
> cot_begin {"question":"q"}
{"ref": "chain:ID22", "version": 1}
> cot_step {"chain":"chain:ID22","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a",
    "score":0.5},{"document_id":"b","score":0.90000000000000002}]}
{"ref": "step:ID23", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"},
  {"document_id": "b", "document_title": null, "relevance_score": 0.9, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 2, "score_origin": "measured"}]}
> cot_step {"chain":"chain:ID22","step_number":2,"question":"s","retrieved_documents":[{"document_id":"a",
    "score":0.90000000000000002}]}
{"ref": "step:ID24", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.9, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"}]}
> cot_finish {"chain":"chain:ID22","final_answer":"a"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.9}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.9}],
  "source_usage_by_step": {"1": ["a", "b"], "2": ["a"]}},
 "ref": "chain:ID22"}
> cot_get {"chain":"chain:ID22"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.9}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.9}],
  "source_usage_by_step": {"1": ["a", "b"], "2": ["a"]}},
 "search": {"source_breakdown": {"1": ["a", "b"], "2": ["a"]},
  "sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.9}]}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.90000000000000002},{"document_id":"a",
    "relevance_score":0.80000000000000004},{"document_id":"a","relevance_score":0.90000000000000002}]}]}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}], "source_usage_by_step": {"1": ["a", "a", "a"]}}}
> cot_begin {"question":"q"}
{"ref": "chain:ID26", "version": 1}
> cot_step {"chain":"chain:ID26","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a",
    "score":0.90000000000000002},{"document_id":"a","score":0.80000000000000004},{"document_id":"a",
    "score":0.90000000000000002}]}
{"ref": "step:ID27", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.9, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"},
  {"document_id": "a", "document_title": null, "relevance_score": 0.8, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 2, "score_origin": "measured"},
  {"document_id": "a", "document_title": null, "relevance_score": 0.9, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 3, "score_origin": "measured"}]}
> cot_finish {"chain":"chain:ID26","final_answer":"a"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}], "source_usage_by_step": {"1": ["a", "a", "a"]}},
 "ref": "chain:ID26"}
> cot_get {"chain":"chain:ID26"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}], "source_usage_by_step": {"1": ["a", "a", "a"]}},
 "search": {"source_breakdown": {"1": ["a", "a", "a"]}, "sources": [{"document_id": "a", "relevance_score": 0.9}]}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.90000000000000002}]},{"step_number":2,
    "question":"s","source_attributions":[]},{"step_number":3,"question":"s",
    "source_attributions":[{"document_id":"b","relevance_score":0.10000000000000001}]}]}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.1}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}],
  "source_usage_by_step": {"1": ["a"], "2": [], "3": ["b"]}}}
> cot_begin {"question":"q"}
{"ref": "chain:ID29", "version": 1}
> cot_step {"chain":"chain:ID29","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a",
    "score":0.90000000000000002}]}
{"ref": "step:ID30", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.9, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"}]}
> cot_step {"chain":"chain:ID29","step_number":2,"question":"s","retrieved_documents":[]}
{"ref": "step:ID31", "version": 1, "sources": []}
> cot_step {"chain":"chain:ID29","step_number":3,"question":"s","retrieved_documents":[{"document_id":"b",
    "score":0.10000000000000001}]}
{"ref": "step:ID32", "version": 1,
 "sources": [{"document_id": "b", "document_title": null, "relevance_score": 0.1, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "measured"}]}
> cot_finish {"chain":"chain:ID29","final_answer":"a"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.1}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}],
  "source_usage_by_step": {"1": ["a"], "2": [], "3": ["b"]}},
 "ref": "chain:ID29"}
> cot_get {"chain":"chain:ID29"}
{"source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.9}, {"document_id": "b", "relevance_score": 0.1}],
  "primary_sources": [{"document_id": "a", "relevance_score": 0.9}],
  "source_usage_by_step": {"1": ["a"], "2": [], "3": ["b"]}},
 "search": {"source_breakdown": {"1": ["a"], "2": [], "3": ["b"]}, "sources": [{"document_id": "a", "relevance_score": 0.9}]}}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[]}
{"ref": "chain:ID33", "version": 1, "steps": 0, "total_confidence": null,
 "source_summary": {"all_sources": [], "primary_sources": [], "source_usage_by_step": {}}}
> cot_begin {"question":"q"}
{"ref": "chain:ID34", "version": 1}
> cot_finish {"chain":"chain:ID34","final_answer":"a"}
{"ref": "chain:ID34", "version": 2, "steps": 0, "total_confidence": null,
 "source_summary": {"all_sources": [], "primary_sources": [], "source_usage_by_step": {}}}
> cot_get {"chain":"chain:ID34"}
{"source_summary": {"all_sources": [], "primary_sources": [], "source_usage_by_step": {}},
 "search": {"source_breakdown": {}, "sources": []}}

== the origin of a score is kept
# The origin of a score is never lost.
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.9},{"document_id":"b","relevance_score":0.8,
    "score_origin":"measured"},{"document_id":"c"}]},{"step_number":2,"question":"t","context_used":["id:d x"]}]}
{"ref": "chain:ID1"}
> cot_get {"chain":"chain:ID1"}
{"reasoning_steps": [{"source_attributions": [{"score_origin": "asserted"}, {"score_origin": "measured"}, {"score_origin": "default"}]},
  {"source_attributions": [{"score_origin": "heuristic"}]}],
 "source_summary": {"all_sources": [{"score_origin": "heuristic"}, "(any)", "(any)", "(any)"]}}

== sources are displayed
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","document_title":"A title","relevance_score":0.92,"excerpt":"words",
    "retrieval_rank":2},{"document_id":"b","document_title":null,"relevance_score":0.87,"excerpt":""},
    {"document_id":"c","relevance_score":0.123456789}]},{"step_number":4,"question":"t"}]}
{"ref": "chain:ID1"}
> cot_sources {"chain":"chain:ID1"}
{"total_sources": 3,
 "primary_sources": [{"document_id": "a", "title": "A title", "relevance": 0.92, "rank": 2, "excerpt": "words"},
  {"document_id": "b", "title": "b", "relevance": 0.87}],
 "all_sources": [{"document_id": "a", "title": "A title", "relevance": 0.92, "excerpt": "words"},
  {"document_id": "b", "title": "b", "relevance": 0.87}, {"document_id": "c", "title": "c", "relevance": 0.12}],
 "step_breakdown": {"step_1": {"step_number": 1, "sources_used": 3, "document_ids": ["a", "b", "c"]},
  "step_4": {"step_number": 4, "sources_used": 0, "document_ids": []}}}
> cot_sources {"chain":"chain:ID1","include_excerpts":false}
{"total_sources": 3,
 "primary_sources": [{"document_id": "a", "title": "A title", "relevance": 0.92, "rank": 2},
  {"document_id": "b", "title": "b", "relevance": 0.87}],
 "all_sources": [{"document_id": "a", "title": "A title", "relevance": 0.92}, {"document_id": "b", "title": "b", "relevance": 0.87},
  {"document_id": "c", "title": "c", "relevance": 0.12}],
 "step_breakdown": {"step_1": {"step_number": 1, "sources_used": 3, "document_ids": ["a", "b", "c"]},
  "step_4": {"step_number": 4, "sources_used": 0, "document_ids": []}}}
> cot_get {"chain":"chain:ID1","include_excerpts":false}
{"ref": "chain:ID1", "state": "finished", "agent_id": "ash", "original_question": "q", "final_answer": "a",
 "reasoning_steps": [{"ref": "step:ID2", "step_number": 1, "question": "s", "intermediate_answer": null, "confidence_score": null,
   "reasoning_trace": null, "execution_time": null,
   "source_attributions": [{"document_id": "a", "document_title": "A title", "relevance_score": 0.92, "excerpt": null, "chunk_index": null,
     "retrieval_rank": 2, "score_origin": "asserted", "ref": "document:a"},
    {"document_id": "b", "document_title": null, "relevance_score": 0.87, "excerpt": null, "chunk_index": null,
     "retrieval_rank": null, "score_origin": "asserted", "ref": "document:b"},
    {"document_id": "c", "document_title": null, "relevance_score": 0.123456789, "excerpt": null, "chunk_index": null,
     "retrieval_rank": null, "score_origin": "asserted", "ref": "document:c"}]},
  {"ref": "step:ID3", "step_number": 4, "question": "t", "intermediate_answer": null, "confidence_score": null,
   "reasoning_trace": null, "execution_time": null, "source_attributions": []}],
 "source_summary": {"all_sources": [{"document_id": "a", "document_title": "A title", "relevance_score": 0.92, "excerpt": null, "chunk_index": null,
    "retrieval_rank": 2, "score_origin": "asserted"},
   {"document_id": "b", "document_title": null, "relevance_score": 0.87, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"},
   {"document_id": "c", "document_title": null, "relevance_score": 0.123456789, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "primary_sources": [{"document_id": "a", "document_title": "A title", "relevance_score": 0.92, "excerpt": null, "chunk_index": null,
    "retrieval_rank": 2, "score_origin": "asserted"},
   {"document_id": "b", "document_title": null, "relevance_score": 0.87, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "source_usage_by_step": {"1": ["a", "b", "c"], "4": []}},
 "total_confidence": null, "total_execution_time": null, "reasoning_strategy": null, "created_at": "NOW",
 "search": {"answer": "a",
  "sources": [{"document_id": "a", "document_title": "A title", "relevance_score": 0.92, "excerpt": null, "chunk_index": null,
    "retrieval_rank": 2, "score_origin": "asserted"},
   {"document_id": "b", "document_title": null, "relevance_score": 0.87, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "reasoning_trace": [{"ref": "step:ID2", "step_number": 1, "question": "s", "intermediate_answer": null, "confidence_score": null,
    "reasoning_trace": null, "execution_time": null,
    "source_attributions": [{"document_id": "a", "document_title": "A title", "relevance_score": 0.92, "excerpt": null, "chunk_index": null,
      "retrieval_rank": 2, "score_origin": "asserted", "ref": "document:a"},
     {"document_id": "b", "document_title": null, "relevance_score": 0.87, "excerpt": null, "chunk_index": null,
      "retrieval_rank": null, "score_origin": "asserted", "ref": "document:b"},
     {"document_id": "c", "document_title": null, "relevance_score": 0.123456789, "excerpt": null, "chunk_index": null,
      "retrieval_rank": null, "score_origin": "asserted", "ref": "document:c"}]},
   {"ref": "step:ID3", "step_number": 4, "question": "t", "intermediate_answer": null, "confidence_score": null,
    "reasoning_trace": null, "execution_time": null, "source_attributions": []}],
  "source_breakdown": {"1": ["a", "b", "c"], "4": []}}}

== a step takes the results of a search
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"Which stage?","intermediate_answer":null,
    "reasoning_trace":null,"confidence_score":null,"execution_time":null,"token_usage":null,
    "context_used":["id:ignored x"],"source_attributions":null,
    "retrieved_documents":[{"document_id":"ml_handbook_ch3","title":"Machine Learning Handbook","score":0.85,
    "content":"Machine learning algorithms","chunk_index":2,"metadata":{"a":[null]}},{"score":"none"},7]}
{"sources": [{"document_id": "ml_handbook_ch3", "relevance_score": 0.85}, {"document_id": "doc_1", "relevance_score": 0.5}],
 "refused": [{"index": 2}], "ref": "step:ID2"}
> cot_get {"chain":"step:ID2"}
{"ref": "chain:ID1", "final_answer": null,
 "reasoning_steps": [{"intermediate_answer": null, "execution_time": null,
   "source_attributions": [{"document_title": "Machine Learning Handbook", "chunk_index": 2, "ref": "document:ml_handbook_ch3"}, "(any)"]}]}

== an earlier answer is a link to its step
# A context that is the answer of an earlier step is not a document.
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"a","intermediate_answer":"Linking takes 71 s."}
{"ref": "step:ID2", "version": 1, "sources": []}
> cot_step {"chain":"chain:ID1","step_number":2,"question":"b","context_used":["Linking takes 71 s.","another text"]}
{"sources": [{"document_id": "context_doc_1", "relevance_score": 0.9}]}
> cot_get {"chain":"chain:ID1"}
{"reasoning_steps": ["(any)", {"earlier_steps": [1]}]}

== a belief leads back to the retrieval
# The path leads from the belief over the step and the document to the logged retrieval.
> log_source_attribution {"agent_id":"ash","source_type":"web","source_uri":"https://x.org",
    "retrieval_timestamp":1678886400000}
{"attribution_id": "ID1", "ref": "attribution:ID1", "version": 1}
> cot_begin {"question":"q"}
{"ref": "chain:ID2", "version": 1}
> cot_step {"chain":"chain:ID2","step_number":1,"question":"s","retrieved_documents":[{"document_id":"d",
    "score":0.9,"content":"c","attribution":"attribution:ID1"}]}
{"ref": "step:ID3"}
> memory_belief {"statement":"so it is","derived_from":["step:ID3"]}
{"ref": "belief:ID4", "version": 1}
> memory_lineage {"ref":"belief:ID4","format":"json"}
{"nodes": ["(any)", {"ref": "step:ID3"}, {"ref": "document:d"}, {"ref": "attribution:ID1"}]}
> memory_whatif {"refs":["attribution:ID1"],"format":"json"}
{"loses_all_support": ["document:d", "step:ID3", "belief:ID4"], "weakened": [], "descends": 0}

== unrelated chains share no document by accident
# A made-up id is only a label; the content identifies the document.
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","context_used":["one text"]}
{"sources": [{"document_id": "context_doc_0", "relevance_score": 1}]}
> cot_get {"chain":"chain:ID1"}
{"reasoning_steps": [{"source_attributions": [{"ref": "document:sha256-b94ddd8ea66566c04f83c6c02e925f269e40180e9acc9cf6cbdf440b7efff704"}]}]}
> cot_begin {"question":"q"}
{"ref": "chain:ID3", "version": 1}
> cot_step {"chain":"chain:ID3","step_number":1,"question":"s","context_used":["another"]}
{"sources": [{"document_id": "context_doc_0", "relevance_score": 1}]}
> cot_get {"chain":"chain:ID3"}
{"reasoning_steps": [{"source_attributions": [{"ref": "document:sha256-ae448ac86c4e8e4dec645729708ef41873ae79c6dff84eff73360989487f08e5"}]}]}
> cot_begin {"question":"q"}
{"ref": "chain:ID5", "version": 1}
> cot_step {"chain":"chain:ID5","step_number":1,"question":"s","context_used":["one text"]}
{"sources": [{"document_id": "context_doc_0", "relevance_score": 1}]}
> cot_get {"chain":"chain:ID5"}
{"reasoning_steps": [{"source_attributions": [{"ref": "document:sha256-b94ddd8ea66566c04f83c6c02e925f269e40180e9acc9cf6cbdf440b7efff704"}]}]}

== retracted documents are reported
# A person retracted the document: later uses are reported.
| destructive_tools: yes
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a"},
    {"document_id":"b"}]}
{"gone": "(absent)"}
> memory_retract {"ref":"document:a"}
{"ref": "document:a", "version": 2}
> cot_step {"chain":"chain:ID1","step_number":2,"question":"s","retrieved_documents":[{"document_id":"a",
    "chunk_index":1},{"document_id":"b"},{"document_id":"a","chunk_index":2}]}
{"gone": [{"ref": "document:a", "status": "retracted"}], "sources": "(3 items)"}

== errors name the problem of a step
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","question":"q"}
! INVALID_REQUEST: step_number is missing -> From 1
> cot_step {"chain":"chain:ID1","step_number":1}
! INVALID_REQUEST: question is missing -> Give a string.
> cot_step {"chain":"chain:ID1","step_number":1,"question":""}
! INVALID_REQUEST: question is empty -> Give a text that is not empty.
> cot_step {"chain":"chain:ID1","step_number":0,"question":"q"}
! INVALID_REQUEST: step_number is out of range -> Give a number from 1 to 9007199254740991.
> cot_step {"chain":"chain:ID1","step_number":-3,"question":"q"}
! INVALID_REQUEST: step_number is out of range -> Give a number from 1 to 9007199254740991.
> cot_step {"chain":"chain:ID1","step_number":1.5,"question":"q"}
! INVALID_REQUEST: step_number is not a whole number in range -> Give a whole number.
> cot_step {"chain":"chain:ID1","step_number":"1","question":"q"}
! INVALID_REQUEST: step_number is a string -> Give a whole number.
> cot_step {"chain":"chain:ID1","step_number":1,"question":"q","confidence_score":1.01}
! INVALID_REQUEST: confidence_score is out of range -> Give a number from 0 to 1.
> cot_step {"chain":"chain:ID1","step_number":1,"question":"q","confidence_score":"high"}
! INVALID_REQUEST: confidence_score is a string -> Give a number.
> cot_step {"chain":"chain:ID1","step_number":1,"question":"q","execution_time":-0.5}
! INVALID_REQUEST: execution_time is out of range -> Give a number not below 0.
> cot_step {"chain":"chain:ID1","step_number":1,"question":"q","retrieved_documents":{}}
! INVALID_REQUEST: retrieved_documents is an object -> Give a list.
> cot_step {"chain":"chain:ID1","step_number":1,"question":"q","context_used":"text"}
! INVALID_REQUEST: context_used is a string -> Give a list.
> cot_step {"chain":"chain:ID1","step_number":1,"question":"q","answer":"x"}
! INVALID_REQUEST: there is no argument 'answer' -> Known are chain, step_number, question, intermediate_answer, reasoning_trace, confidence_score, execution_time, token_usage, model, context_used, source_attributions, retrieved_d…
> cot_step {"chain":"chain:ID1","step_number":1,"question":"q","token_usage":"\ud800"}
! INVALID_REQUEST: token_usage is a string -> Give a number from 0 on, or an object of such numbers.
> cot_step {"chain":"chain:nowhere","step_number":1,"question":"q"}
! NOT_FOUND: no memory is called chain:nowhere -> Search for it, or list its kind.
> memory_belief {"statement":"b"}
{"ref": "belief:ID2", "version": 1}
> cot_step {"chain":"belief:ID2","step_number":1,"question":"q"}
! NOT_FOUND: belief:ID2 is no chain -> Name a chain of thought.
> cot_finish {"chain":"belief:ID2","final_answer":"x"}
! NOT_FOUND: belief:ID2 is no chain -> Name a chain of thought.
> cot_get {"chain":"belief:ID2"}
! NOT_FOUND: it is neither a chain of thought nor a step of one -> memory_list of the kind chain lists them.
> cot_sources {"chain":"belief:ID2"}
! NOT_FOUND: it is neither a chain of thought nor a step of one -> memory_list of the kind chain lists them.

== a step number is used once and a chain ends once
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":2,"question":"q","confidence_score":0.5}
{"ref": "step:ID2", "version": 1, "sources": []}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"q","confidence_score":1}
{"ref": "step:ID3", "version": 1, "sources": []}
> cot_step {"chain":"chain:ID1","step_number":2,"question":"other"}
! CONFLICT: chain:ID1 has a step 2 already, step:ID2 -> Give it the next number; cot_step with `replace` corrects a step.
> cot_finish {"chain":"chain:ID1","final_answer":"so"}
{"total_confidence": 0.75, "steps": 2}
> cot_step {"chain":"chain:ID1","step_number":3,"question":"late"}
! CONFLICT: chain:ID1 is finished already -> Begin another chain.
> cot_finish {"chain":"chain:ID1","final_answer":"so"}
! CONFLICT: chain:ID1 is finished already -> Begin another chain.
> memory_update {"ref":"chain:ID1","text":"another question"}
! CONFLICT: chain:ID1 is finished already -> Begin another chain.
> memory_update {"ref":"chain:ID1","text":"q","tags":["t"]}
{"ref": "chain:ID1", "version": 3}
> cot_get {"chain":"chain:ID1"}
{"state": "finished", "reasoning_steps": [{"step_number": 1}, {"step_number": 2}]}

== given values come before computed ones
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"q","confidence_score":0.5,"execution_time":1.5}
{"ref": "step:ID2", "version": 1, "sources": []}
> cot_step {"chain":"chain:ID1","step_number":2,"question":"q","confidence_score":0.7,"execution_time":2}
{"ref": "step:ID3", "version": 1, "sources": []}
> cot_finish {"chain":"chain:ID1","final_answer":"so","total_confidence":0.9,"total_execution_time":null}
{"ref": "chain:ID1", "version": 2, "steps": 2, "total_confidence": 0.9,
 "source_summary": {"all_sources": [], "primary_sources": [], "source_usage_by_step": {"1": [], "2": []}}}
> cot_get {"chain":"chain:ID1"}
{"total_confidence": 0.9, "total_execution_time": 3.5}

== an output is recorded unchanged
# As the specification's services write it, with all nullable members null, and with further members.
> cot_record {"original_question":"What is machine learning?","final_answer":"A subset of AI.",
    "reasoning_steps":[{"step_number":1,"question":"What is AI?","context_used":["id:ai x"],
    "intermediate_answer":"Intelligent systems","confidence_score":0.8,"reasoning_trace":"Step 1: Analyzing",
    "execution_time":0.5,"token_usage":null,"source_attributions":[{"document_id":"ml_guide_ch1",
    "document_title":"Machine Learning Guide - Chapter 1","relevance_score":0.92,
    "excerpt":"Machine learning algorithms...","chunk_index":0,"retrieval_rank":1,"metadata":{"x":1}}],
    "sub_steps":[]},{"step_number":2,"question":"And learning?","context_used":[],"intermediate_answer":null,
    "confidence_score":null,"reasoning_trace":null,"execution_time":null,"source_attributions":[]}],
    "source_summary":{"all_sources":[{"document_id":"ml_guide_ch1",
    "document_title":"Machine Learning Guide - Chapter 1","relevance_score":0.92,
    "excerpt":"Machine learning algorithms...","chunk_index":0,"retrieval_rank":1}],
    "primary_sources":[{"document_id":"ml_guide_ch1","document_title":null,"relevance_score":0.92,"excerpt":null,
    "chunk_index":null,"retrieval_rank":null}],"source_usage_by_step":{"1":["ml_guide_ch1"],"2":[]}},
    "total_confidence":0.85,"token_usage":412,"total_execution_time":1.25,"reasoning_strategy":"decomposition"}
{"steps": 2, "total_confidence": 0.85, "refused": "(absent)", "differences": "(absent)", "ref": "chain:ID1"}
> cot_get {"chain":"chain:ID1"}
{"state": "finished", "original_question": "What is machine learning?", "final_answer": "A subset of AI.",
 "reasoning_strategy": "decomposition", "total_execution_time": 1.25, "token_usage": 412,
 "reasoning_steps": [{"context_used": ["id:ai x"], "source_attributions": [{"retrieval_rank": 1}]}, {"source_attributions": []}],
 "search": {"answer": "A subset of AI.", "reasoning_trace": "(2 items)"}}

== the call names the owner of a chain
> cot_record {"agent_id":"ash","original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,
    "question":"s"}]}
{"ref": "chain:ID1", "version": 1, "steps": 1, "total_confidence": null,
 "source_summary": {"all_sources": [], "primary_sources": [], "source_usage_by_step": {"1": []}}}
> memory_get {"ref":"chain:ID1","detail":"full"}
{"agent_id": "ash", "detail": {"agent_id": "(absent)"}}
> memory_list {"kind":"step","agent_id":"ash"}
{"memories": "(1 items)"}

== an error refuses all steps and names one
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"q"},
    {"step_number":1,"question":"r"}]}
! INVALID_REQUEST: step 1 occurs twice -> Give each step a number of its own.
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"q"},7]}
! INVALID_REQUEST: reasoning_steps[1] is not an object
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"q"},
    {"question":"r"}]}
! INVALID_REQUEST: reasoning_steps[1]: step_number is missing -> Fix it, then send it again.
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":0,"question":"q"}]}
! INVALID_REQUEST: reasoning_steps[0]: a step number of 0 is out of range -> Number the steps from 1.
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":3,"question":"q",
    "confidence_score":2}]}
! INVALID_REQUEST: step 3: a confidence of 2 is out of range -> Give a number from 0 to 1.
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":3,"question":"q",
    "execution_time":-1}]}
! INVALID_REQUEST: step 3: a time of -1 seconds is out of range -> Give the seconds it took, 0 or more.
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":3}]}
! INVALID_REQUEST: step 3: question is missing -> Fix it, then send it again.
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":3,"question":7.5}]}
! INVALID_REQUEST: step 3: question is not a text -> Fix it, then send it again.
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":"x","question":"q"}]}
! INVALID_REQUEST: reasoning_steps[0]: step_number is not a whole number -> Fix it, then send it again.
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":null}
! INVALID_REQUEST: reasoning_steps is null -> Give a list.
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[],"total_confidence":-1}
! INVALID_REQUEST: total_confidence is out of range -> Give a number from 0 to 1.

== an error names the source and its step
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":4,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.5},{"document_id":"b","relevance_score":1.5}]},
    {"step_number":5,"question":"t","source_attributions":[null,{"document_id":"c","relevance_score":0.4,
    "score_origin":"guessed"}]}]}
{"refused": [{"step_number": 4, "index": 1,
   "reason": "source_attributions[1] (“b”): relevance_score is 1.5, which is not between 0 and 1"},
  "(any)", {"step_number": 5, "index": 1}],
 "source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.5}]}}

== a different summary is reported
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.5}]}],
    "source_summary":{"all_sources":[{"document_id":"a","relevance_score":0.6}],"primary_sources":[],
    "source_usage_by_step":{"1":["a","b"]}}}
{"differences": ["all_sources[0].relevance_score is “0.6”, but its steps give “0.5”",
  "primary_sources is 0 long, but its steps give 1", "source_usage_by_step[1] is 2 long, but its steps give 1"],
 "source_summary": {"all_sources": [{"document_id": "a", "relevance_score": 0.5}]}}

== a whole chain is one change
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.5},{"document_id":"b",
    "relevance_score":0.40000000000000002}]},{"step_number":2,"question":"s",
    "source_attributions":[{"document_id":"c","relevance_score":0.29999999999999999}]}]}
{"ref": "chain:ID1", "version": 1, "steps": 2, "total_confidence": null,
 "source_summary": {"all_sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"},
   {"document_id": "b", "document_title": null, "relevance_score": 0.4, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"},
   {"document_id": "c", "document_title": null, "relevance_score": 0.3, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "primary_sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"},
   {"document_id": "b", "document_title": null, "relevance_score": 0.4, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"},
   {"document_id": "c", "document_title": null, "relevance_score": 0.3, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "source_usage_by_step": {"1": ["a", "b"], "2": ["c"]}}}
> memory_list {"kind":"chain"}
{"memories": "(1 items)"}
> memory_list {"kind":"step"}
{"memories": "(2 items)"}
> memory_list {"kind":"document"}
{"memories": "(3 items)"}

== odd text stays readable
> cot_begin {"question":"why \u0000 \ud800 \u202e🐤?"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"\u0001","intermediate_answer":"half \udc00",
    "context_used":["nul \u0000 within"]}
{"ref": "step:ID2", "version": 1,
 "sources": [{"document_id": "context_doc_0", "document_title": null, "relevance_score": 1, "excerpt": "nul � within",
   "chunk_index": null, "retrieval_rank": 1, "score_origin": "heuristic"}]}
> cot_get {"chain":"chain:ID1"}
{"original_question": "why � ��� ‮🐤?",
 "reasoning_steps": [{"intermediate_answer": "half ���", "source_attributions": [{"excerpt": "nul � within"}]}]}

== a step that is too long is named
# A text that is too long by itself is named, and does not block the following ones.
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"first"}
{"ref": "step:ID2", "version": 1, "sources": []}
> cot_step {"chain":"chain:ID1","step_number":2,"question":"s","reasoning_trace":"<<t * 2000000>>"}
{"ref": "step:ID3", "version": 1, "sources": []}
> cot_step {"chain":"chain:ID1","step_number":3,"question":"last"}
{"ref": "step:ID4", "version": 1, "sources": []}
> cot_get {"chain":"chain:ID1"}
{"reasoning_steps": [{"ref": "step:ID2", "step_number": 1, "question": "first", "intermediate_answer": null, "confidence_score": null,
   "reasoning_trace": null, "execution_time": null, "source_attributions": []}],
 "next": 1, "steps_left_out": 2}
> cot_get {"chain":"chain:ID1","offset":1}
! INVALID_REQUEST: step:ID3 is too long for an answer -> Read it in parts with memory_get, and the rest with cot_get from offset 2.
> cot_get {"chain":"chain:ID1","offset":1}
! INVALID_REQUEST: step:ID3 is too long for an answer -> Read it in parts with memory_get, and the rest with cot_get from offset 2.
> cot_get {"chain":"chain:ID1","offset":2}
{"reasoning_steps": [{"question": "last"}], "texts_cut": "(absent)"}

== a chain is a resource
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","context_used":["id:d text"]}
{"ref": "step:ID2", "version": 1,
 "sources": [{"document_id": "d", "document_title": null, "relevance_score": 1, "excerpt": "id:d text", "chunk_index": null,
   "retrieval_rank": 1, "score_origin": "heuristic"}]}
> resources/read {"uri":"stemma://chain/ID1"}
{"contents": [{"text": "{\"ref\":\"chain:ID1\",\"agent_id\":\"ash\",\"text\":\"q\",\"created_at\":\"NOW\",\"updated_at\":\"NOW\",\"confidence\":0.8,\"source_type\":\"inference\",\"status\":\"active\",\"version\":1,\"label\":\"unsourced\",\"effective\":0.8,\"trust\":0.9,\"class\":\"own\"}"}]}
> resources/read {"uri":"stemma://chain/ID1/reasoning"}
{"contents": [{"text": "{\"ref\":\"chain:ID1\",\"state\":\"running\",\"agent_id\":\"ash\",\"origi…"}],
 "original_question": "(absent)", "reasoning_steps": "(absent)"}
> resources/read {"uri":"stemma://chain/ID1/sources"}
{"contents": [{"text": "{\"total_sources\":1,\"primary_sources\":[{\"document_id\":\"d\",\"title\":\"d\",\"relevance\":1,\"rank\":1,\"excerpt\":\"id:d text\"}],\"all_sources\":[{\"document_id\":\"d\",\"title\":\"d\",\"relevance\":1,\"excerpt\":\"id:d text\"}],\"step_breakdown\":{\"step_1\":{\"step_number\":1,\"sources_used\":1,\"document_ids\":[\"d\"]}}}"}],
 "total_sources": "(absent)"}
> resources/read {"uri":"stemma://belief/x/reasoning"}
! -32002: there is no resource stemma://belief/x/reasoning. See resources/templates/list. {"uri": "stemma://belief/x/reasoning"}
> completion/complete {"ref":{"type":"ref/resource","uri":"stemma://chain/{id}/reasoning"},"argument":{"name":"id",
    "value":""}}
{"completion": {"values": ["ID1"], "total": 1, "hasMore": false}}

== a long head is cut
# Each part of a long answer has its own beginning, so the steps are not blocked.
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"tiny"}
{"ref": "step:ID2", "version": 1, "sources": []}
> cot_finish {"chain":"chain:ID1","final_answer":"<<a * 3000000>>"}
{"ref": "chain:ID1", "version": 2, "steps": 1, "total_confidence": null,
 "source_summary": {"all_sources": [], "primary_sources": [], "source_usage_by_step": {"1": []}}}
> cot_get {"chain":"chain:ID1","offset":0}
{"reasoning_steps": [{"ref": "step:ID2", "step_number": 1, "question": "tiny", "intermediate_answer": null, "confidence_score": null,
   "reasoning_trace": null, "execution_time": null, "source_attributions": []}],
 "final_answer": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…",
 "search": {"answer": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"}, "texts_cut": true,
 "next": "(absent)", "steps_left_out": "(absent)"}
> cot_get {"chain":"chain:ID1","offset":1}
{"reasoning_steps": [], "final_answer": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…",
 "search": {"answer": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"}, "texts_cut": true,
 "next": "(absent)", "steps_left_out": "(absent)"}
> cot_get {"chain":"chain:ID1","offset":2}
{"reasoning_steps": [], "final_answer": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…",
 "search": {"answer": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"}, "texts_cut": true,
 "next": "(absent)", "steps_left_out": "(absent)"}
> memory_get {"ref":"chain:ID1","part":"detail","offset":2999000}
{"ref": "chain:ID1", "agent_id": "(absent)", "trust": "(absent)", "version": 2, "label": "supported", "part": "detail",
 "text": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"confidence_unstated\":true}",
 "characters": 3000046}

== a person's judgement stands, and an agent's stands beside it
| share: yes
@ sean
> cot_begin {"question":"why?"}
{"ref": "chain:ID1"}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","retrieved_documents":[{"document_id":"d","score":0.9}]}
{"ref": "step:ID2"}
> memory_mark {"ref":"step:ID2","mark":"rating","value":"document:d irrelevant","reason":"so I think"}
{"ref": "step:ID2"}
> memory_mark {"ref":"step:ID2","mark":"faithful","value":"no"}
{"ref": "step:ID2"}
> cot_get {"chain":"chain:ID1"}
{"reasoning_steps": [{"faithful": "(absent)", "agent_faithful": "no", "source_attributions": [{"rating": "(absent)", "agent_rating": "irrelevant"}]}]}
$ n=$(stemma list step --json | jq -r .ref); stemma flag rating "$n" --value "document:d relevant" > /dev/null; stemma flag faithful "$n" --value yes > /dev/null
> memory_mark {"ref":"step:ID2","mark":"rating","value":"document:d irrelevant","reason":"I still think so"}
{"ref": "step:ID2"}
> memory_mark {"ref":"step:ID2","mark":"faithful","value":"no","reason":"so it is"}
{"ref": "step:ID2"}
> cot_get {"chain":"chain:ID1"}
{"reasoning_steps": [{"faithful": "yes", "agent_faithful": "no", "source_attributions": [{"rating": "relevant", "agent_rating": "irrelevant"}]}]}
$ n=$(stemma list step --json | jq -r .ref); (stemma show $n; stemma chain $(stemma list chain --json | jq -r .ref)) | grep -E "^ +(rating|faithful)|supported by its|rated" | sed "s/^ *//"
rating         NOW sean  document:d relevant
faithful       NOW sean  yes
rating         NOW agent sean  document:d irrelevant  I still think so
faithful       NOW agent sean  no  so it is
judged       supported by its sources, sean
judged       not supported by its sources, agent sean: so it is
rated relevant by sean
rated irrelevant by agent sean: I still think so

== an agent's rating counts once, beside a person's and an import's
| share: yes
+ {"ref":"document:d","agent_id":"ash","text":"D","created_at":1000}
+ {"ref":"chain:c","agent_id":"ash","text":"why?","created_at":2000}
+ {"ref":"step:s","agent_id":"ash","text":"s","created_at":3000,"detail":{"chain_id":"chain:c","step_number":1},
    "justifications":[{"role":"source","at":3000,"antecedents":[{"ref":"document:d"}]}],
    "marks":[{"mark":"rating","at":1,"actor":"sean","value":"document:d irrelevant"}]}
@ sean
$ for w in irrelevant relevant; do stemma flag rating step:s --value "document:d $w"; done | grep -c flagged
2
> memory_mark {"ref":"step:s","mark":"rating","value":"document:d irrelevant","reason":"r0"}
{"ref": "step:s", "version": 4}
> memory_mark {"ref":"step:s","mark":"rating","value":"document:d irrelevant","reason":"r1"}
{"ref": "step:s", "version": 5}
> memory_mark {"ref":"step:s","mark":"rating","value":"document:d irrelevant","reason":"r2"}
{"ref": "step:s", "version": 6}
> memory_mark {"ref":"step:s","mark":"rating","value":"document:d relevant"}
{"ref": "step:s", "version": 7}
> memory_mark {"ref":"document:d","mark":"rating","value":"0.9"}
{"ref": "document:d", "version": 2}
> memory_mark {"ref":"document:d","mark":"rating","value":"0.8"}
{"ref": "document:d", "version": 3}
> memory_verify {"ref":"step:s"}
{"ref": "step:s", "version": 8}
> memory_verify {"ref":"step:s"}
{"ref": "step:s", "version": 8, "left": ["step:s is verified by sean already"]}
> memory_verify {"ref":"step:s","reason":"again"}
{"ref": "step:s", "version": 9}
$ stemma flag rating document:d --value 0.2 > /dev/null; stemma document document:d | grep quality | sed "s/^ *//"; stemma document document:d --json | jq -c .quality
quality      cited 0 times, used by 1 step, rated relevant 1 time, rated irrelevant 1 time in an import, rated relevant 1 time by agents, rated 0.2 by sean, rated 0.8 by agent sean
{"citations":0,"steps":1,"relevant":1,"irrelevant":0,"imported_relevant":0,"imported_irrelevant":1,"agents_relevant":1,"agents_irrelevant":0,"ratings":[{"value":"0.2","actor":"sean"},{"value":"0.8","actor":"sean","by_agent":true}],"status":"active"}
$ stemma show step:s --json | jq -c ".marks[] | [.mark, .actor, .value, .reason, .by_agent]"; stemma show step:s | grep -E "^ +(rating|verified) " | sed "s/^ *//"
["rating","sean","document:d irrelevant",null,null]
["rating","sean","document:d relevant",null,null]
["rating","sean","document:d relevant",null,true]
["verified","sean",null,"again",true]
rating         1970-01-01 00:00:00Z import of sean  document:d irrelevant
rating         NOW sean  document:d relevant
rating         NOW agent sean  document:d relevant
verified       NOW agent sean  again

== token usage is a number or an object of numbers
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","token_usage":"many"}
! INVALID_REQUEST: token_usage is a string -> Give a number from 0 on, or an object of such numbers.
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","token_usage":[1]}
! INVALID_REQUEST: token_usage is a list -> Give a number from 0 on, or an object of such numbers.
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","token_usage":{"input":1,"output":"2"}}
! INVALID_REQUEST: token_usage is an object with other values -> Give a number from 0 on, or an object of such numbers.
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","token_usage":{"input":1,"output":2}}
{"ref": "step:ID2", "version": 1, "sources": []}
> cot_record {"original_question":"q","final_answer":"a","token_usage":true,"reasoning_steps":[]}
! INVALID_REQUEST: token_usage is true or false -> Give a number from 0 on, or an object of such numbers.
> cot_record {"original_question":"q","final_answer":"a","token_usage":9,"reasoning_steps":[{"step_number":1,
    "question":"s","token_usage":"9"}]}
! INVALID_REQUEST: step 1: token_usage is neither a number nor an object of numbers -> Give a number from 0 on, or an object of such numbers.

== a number that is too large refuses its item
# Not the request.
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a",
    "score":1e999},{"document_id":"b","score":0.5,"chunk_index":1e999}]}
{"ref": "step:ID2", "version": 1, "sources": [],
 "refused": [{"index": 0, "reason": "retrieved_documents[0] (“a”): score is 1e999, which is not between 0 and 1"},
  {"index": 1, "reason": "retrieved_documents[1] (“b”): chunk_index is a number out of range"}]}
> cot_step {"chain":"chain:ID1","step_number":2,"question":"s","confidence_score":1e999}
! INVALID_REQUEST: confidence_score is a number that is too large -> Give a number.
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":-1e999},{"document_id":"b","relevance_score":0.5}]}]}
{"ref": "chain:ID3", "version": 1, "steps": 1, "total_confidence": null,
 "source_summary": {"all_sources": [{"document_id": "b", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "primary_sources": [{"document_id": "b", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "source_usage_by_step": {"1": ["b"]}},
 "refused": [{"step_number": 1, "index": 0,
   "reason": "source_attributions[0] (“a”): relevance_score is -1e999, which is not between 0 and 1"}]}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s",
    "source_attributions":[{"document_id":"a","relevance_score":0.5,"retrieval_rank":1e999,"chunk_index":1e999},
    {"document_id":"b","relevance_score":0.5,"chunk_index":2},{"document_id":"c","relevance_score":0.5,"retrieval_rank":-1e999},
    {"document_id":"d","relevance_score":0.5,"retrieval_rank":"1e999","chunk_index":2.5}]}]}
{"ref": "chain:ID4", "version": 1, "steps": 1, "total_confidence": null,
 "source_summary": {"all_sources": [{"document_id": "b", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": 2,
    "retrieval_rank": null, "score_origin": "asserted"},
   {"document_id": "d", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "primary_sources": [{"document_id": "b", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": 2,
    "retrieval_rank": null, "score_origin": "asserted"},
   {"document_id": "d", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "source_usage_by_step": {"1": ["b", "d"]}},
 "refused": [{"step_number": 1, "index": 0, "reason": "source_attributions[0] (“a”): retrieval_rank is a number out of range"},
  {"step_number": 1, "index": 2, "reason": "source_attributions[2] (“c”): retrieval_rank is a number out of range"}]}
> cot_record {"original_question":"q","final_answer":"a","reasoning_steps":[{"step_number":1,"question":"s","confidence_score":1e999}]}
! INVALID_REQUEST: step 1: confidence_score is a number that is too large -> Fix it, then send it again.
> cot_record {"original_question":"q","final_answer":"a","more":1e999,"reasoning_steps":[]}
! INVALID_REQUEST: there is no argument 'more' -> Known are original_question, final_answer, reasoning_steps, source_summary, total_confidence, token_usage, model, total_execution_time, reasoning_strategy, agent_id.

== a negative chunk stays
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","retrieved_documents":[{"document_id":"a",
    "chunk_index":-1},{"document_id":"b","chunk_index":"-7"},{"document_id":"c"}]}
{"ref": "step:ID2", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": -1,
   "retrieval_rank": 1, "score_origin": "default"},
  {"document_id": "b", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": -7,
   "retrieval_rank": 2, "score_origin": "default"},
  {"document_id": "c", "document_title": null, "relevance_score": 0.5, "excerpt": "", "chunk_index": null,
   "retrieval_rank": 3, "score_origin": "default"}]}
> cot_get {"chain":"chain:ID1"}
{"reasoning_steps": [{"source_attributions": [{"document_id": "a", "chunk_index": -1}, {"document_id": "b", "chunk_index": -7},
    {"document_id": "c", "chunk_index": null}]}]}

== an excerpt is the beginning of a text that is kept
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","source_attributions":[{"document_id":"a",
    "excerpt":"short"},{"document_id":"b","excerpt":"<<🌍 * 201>>"}]}
{"ref": "step:ID2", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": "short", "chunk_index": null,
   "retrieval_rank": null, "score_origin": "default"},
  {"document_id": "b", "document_title": null, "relevance_score": 0.5,
   "excerpt": "🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍",
   "chunk_index": null, "retrieval_rank": null, "score_origin": "default"}]}
> cot_step {"chain":"chain:ID1","step_number":2,"question":"s","retrieved_documents":[{"document_id":"a",
    "content":"<<🌍 * 201>>"},{"document_id":"b","content":"short"}]}
{"ref": "step:ID3", "version": 1,
 "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5,
   "excerpt": "🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍",
   "chunk_index": null, "retrieval_rank": 1, "score_origin": "default"},
  {"document_id": "b", "document_title": null, "relevance_score": 0.5, "excerpt": "short", "chunk_index": null,
   "retrieval_rank": 2, "score_origin": "default"}]}
> memory_get {"ref":"step:ID2","detail":"full"}
{"ref": "step:ID2", "agent_id": "ash", "text": "s", "created_at": "NOW", "updated_at": "NOW", "confidence": 0.8,
 "source_type": "inference", "status": "active", "version": 1,
 "detail": {"step_number": 1, "confidence_unstated": true,
  "passages": [null,
   "🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍"]},
 "justifications": [{"role": "source", "reading": "any", "recorded": "recorded", "at": "NOW",
   "antecedents": [{"ref": "document:a", "relevance": 0.5, "score": "default", "excerpt": "short"},
    {"ref": "document:b", "relevance": 0.5, "score": "default",
     "excerpt": "🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍"}]}],
 "relations": [{"type": "part_of", "to": "chain:ID1", "at": "NOW"}], "label": "supported", "effective": 0.8}
> memory_get {"ref":"step:ID3","detail":"full"}
{"ref": "step:ID3", "agent_id": "ash", "text": "s", "created_at": "NOW", "updated_at": "NOW", "confidence": 0.8,
 "source_type": "inference", "status": "active", "version": 1,
 "detail": {"step_number": 2, "confidence_unstated": true,
  "passages": ["🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍"]},
 "justifications": [{"role": "source", "reading": "any", "recorded": "recorded", "at": "NOW",
   "antecedents": [{"ref": "document:a", "relevance": 0.5, "score": "default",
     "excerpt": "🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍🌍",
     "rank": 1, "version_hash": "e11ac905f979d259081505b41473da310fa4e968b13e85bcfc67a14b5031bc9c"},
    {"ref": "document:b", "relevance": 0.5, "score": "default", "excerpt": "short", "rank": 2,
     "version_hash": "f9b0078b5df596d2ea19010c001bbd009e651de2c57e8fb7e355f31eb9d3f739"}]}],
 "relations": [{"type": "part_of", "to": "chain:ID1", "at": "NOW"}], "label": "supported", "effective": 0.8}

== made-up ids are counted by their documents
# The same id in two steps, of two contents, is two documents, and each says which.
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","context_used":["one text"]}
{"ref": "step:ID2", "version": 1,
 "sources": [{"document_id": "context_doc_0", "document_title": null, "relevance_score": 1, "excerpt": "one text",
   "chunk_index": null, "retrieval_rank": 1, "score_origin": "heuristic"}]}
> cot_step {"chain":"chain:ID1","step_number":2,"question":"s","context_used":["another","one text"]}
{"ref": "step:ID3", "version": 1,
 "sources": [{"document_id": "context_doc_0", "document_title": null, "relevance_score": 1, "excerpt": "another",
   "chunk_index": null, "retrieval_rank": 1, "score_origin": "heuristic"},
  {"document_id": "context_doc_1", "document_title": null, "relevance_score": 0.9, "excerpt": "one text",
   "chunk_index": null, "retrieval_rank": 2, "score_origin": "heuristic"}]}
> cot_sources {"chain":"chain:ID1"}
{"total_sources": 2,
 "primary_sources": [{"document_id": "context_doc_0", "title": "context_doc_0", "relevance": 1, "rank": 1, "excerpt": "one text"},
  {"document_id": "context_doc_0", "title": "context_doc_0", "relevance": 1, "rank": 1, "excerpt": "another"}],
 "all_sources": [{"document_id": "context_doc_0", "title": "context_doc_0", "relevance": 1, "excerpt": "one text"},
  {"document_id": "context_doc_0", "title": "context_doc_0", "relevance": 1, "excerpt": "another"}],
 "step_breakdown": {"step_1": {"step_number": 1, "sources_used": 1, "document_ids": ["context_doc_0"]},
  "step_2": {"step_number": 2, "sources_used": 2, "document_ids": ["context_doc_0", "context_doc_1"]}}}
> cot_finish {"chain":"chain:ID1","final_answer":"a"}
{"ref": "chain:ID1", "version": 2, "steps": 2, "total_confidence": null,
 "source_summary": {"all_sources": [{"document_id": "context_doc_0", "document_title": null, "relevance_score": 1, "excerpt": "one text",
    "chunk_index": null, "retrieval_rank": 1, "score_origin": "heuristic"},
   {"document_id": "context_doc_0", "document_title": null, "relevance_score": 1, "excerpt": "another",
    "chunk_index": null, "retrieval_rank": 1, "score_origin": "heuristic"}],
  "primary_sources": [{"document_id": "context_doc_0", "document_title": null, "relevance_score": 1, "excerpt": "one text",
    "chunk_index": null, "retrieval_rank": 1, "score_origin": "heuristic"},
   {"document_id": "context_doc_0", "document_title": null, "relevance_score": 1, "excerpt": "another",
    "chunk_index": null, "retrieval_rank": 1, "score_origin": "heuristic"}],
  "source_usage_by_step": {"1": ["context_doc_0"], "2": ["context_doc_0", "context_doc_1"]}}}
$ c=$(stemma list chain --json | jq -r .ref); (stemma sources $c; stemma chain $c; stemma cite $c) | grep context_doc | sed "s/^[ #0-9]*//"
╍╍╍╍╍╍╍╍ ~1.0★  context_doc_0 is document:sha256-b94ddd8e
╍╍╍╍╍╍╍╍ ~1.0★  context_doc_0 is document:sha256-ae448ac8
step 1    1 context_doc_0 is document:sha256-b94ddd8e
step 2    2 context_doc_0 is document:sha256-ae448ac8, context_doc_1 is document:sha256-b94ddd8e
╍╍╍╍╍╍╍╍ ~1.0★  context_doc_0 is document:sha256-b94ddd8e
╍╍╍╍╍╍╍╍ ~1.0★  context_doc_0 is document:sha256-ae448ac8
╍╍╍╍╍╍╍  ~.90★  context_doc_1 is document:sha256-b94ddd8e
╍╍╍╍╍╍╍╍ ~1.0★  context_doc_0 is document:sha256-b94ddd8e  2 steps
╍╍╍╍╍╍╍╍ ~1.0★  context_doc_0 is document:sha256-ae448ac8  1 step
(context_doc_0 is document:sha256-b94ddd8e, document)
(context_doc_0 is document:sha256-ae448ac8, document)

== a summary that differs from the steps is kept beside ours
> cot_record {"original_question":"q","final_answer":"a","model":"big","source_summary":{"all_sources":[],
    "source_usage_by_step":{"1":["b"]}},"reasoning_steps":[{"step_number":1,"question":"s","model":"small",
    "source_attributions":[{"document_id":"a","relevance_score":0.5}]}]}
{"ref": "chain:ID1", "version": 1, "steps": 1, "total_confidence": null,
 "source_summary": {"all_sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "primary_sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "source_usage_by_step": {"1": ["a"]}},
 "differences": ["all_sources is 0 long, but its steps give 1", "source_usage_by_step[1][0] is “b”, but its steps give “a”"]}
> cot_get {"chain":"chain:ID1"}
{"ref": "chain:ID1", "state": "finished", "agent_id": "ash", "original_question": "q", "final_answer": "a",
 "reasoning_steps": [{"ref": "step:ID2", "step_number": 1, "question": "s", "intermediate_answer": null, "confidence_score": null,
   "reasoning_trace": null, "execution_time": null, "model": "small",
   "source_attributions": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
     "retrieval_rank": null, "score_origin": "asserted", "ref": "document:a"}]}],
 "source_summary": {"all_sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "primary_sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "source_usage_by_step": {"1": ["a"]}},
 "total_confidence": null, "total_execution_time": null, "reasoning_strategy": null, "model": "big",
 "given_summary": {"all_sources": [], "source_usage_by_step": {"1": ["b"]}},
 "differences": ["all_sources is 0 long, but its steps give 1", "source_usage_by_step[1][0] is “b”, but its steps give “a”"],
 "created_at": "NOW",
 "search": {"answer": "a",
  "sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "reasoning_trace": [{"ref": "step:ID2", "step_number": 1, "question": "s", "intermediate_answer": null, "confidence_score": null,
    "reasoning_trace": null, "execution_time": null, "model": "small",
    "source_attributions": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
      "retrieval_rank": null, "score_origin": "asserted", "ref": "document:a"}]}],
  "source_breakdown": {"1": ["a"]}}}
> cot_record {"original_question":"q","final_answer":"a","source_summary":{"source_usage_by_step":{"1":["a"]}},
    "reasoning_steps":[{"step_number":1,"question":"s","source_attributions":[{"document_id":"a",
    "relevance_score":0.5}]}]}
{"ref": "chain:ID3", "version": 1, "steps": 1, "total_confidence": null,
 "source_summary": {"all_sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "primary_sources": [{"document_id": "a", "document_title": null, "relevance_score": 0.5, "excerpt": null, "chunk_index": null,
    "retrieval_rank": null, "score_origin": "asserted"}],
  "source_usage_by_step": {"1": ["a"]}}}
> memory_get {"ref":"chain:ID3","detail":"full"}
{"ref": "chain:ID3", "agent_id": "ash", "text": "q", "created_at": "NOW", "updated_at": "NOW", "confidence": 0.8,
 "source_type": "inference", "status": "active", "version": 1,
 "detail": {"final_answer": "a", "confidence_unstated": true},
 "justifications": [{"role": "step", "reading": "all", "recorded": "recorded", "at": "NOW", "antecedents": [{"ref": "step:ID4"}]}],
 "label": "supported", "effective": 0.8}

== the sources of a step are replaced, with history
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","intermediate_answer":"yes","retrieved_documents":[
    {"document_id":"a","score":0.9,"content":"first"}]}
{"ref": "step:ID2", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"another","replace":true}
! CONFLICT: step:ID2 asks something else -> Give the question of that step; its sources alone are replaced.
> cot_step {"chain":"chain:ID1","step_number":2,"question":"s","replace":true}
! NOT_FOUND: chain:ID1 has no step 2 -> Leave out `replace` to add it.
> cot_finish {"chain":"chain:ID1","final_answer":"a"}
{"ref": "chain:ID1", "version": 2}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","replace":true,"retrieved_documents":[
    {"document_id":"b","score":0.8},{"document_id":"a","score":0.4},{"document_id":"c","score":3}]}
{"ref": "step:ID2", "version": 2, "sources": [{"document_id": "b"}, {"document_id": "a"}],
 "refused": [{"index": 2, "reason": "retrieved_documents[2] (“c”): score is 3, which is not between 0 and 1"}]}
> cot_get {"chain":"chain:ID1"}
{"reasoning_steps": [{"intermediate_answer": "yes",
   "source_attributions": [{"document_id": "b", "relevance_score": 0.8}, {"document_id": "a", "relevance_score": 0.4}]}],
 "source_summary": {"source_usage_by_step": {"1": ["b", "a"]}}}
> memory_history {"ref":"step:ID2","format":"json"}
{"events": {"0": {"operation": "edit",
   "changes": [{"field": "justifications", "before": "source document:a", "after": null},
    {"field": "justifications", "before": null, "after": "source any of document:b, document:a"}]}}}

== a given id that looks made up names its own document
> cot_begin {"question":"q"}
{"ref": "chain:ID1", "version": 1}
> cot_step {"chain":"chain:ID1","step_number":1,"question":"s","retrieved_documents":[{"document_id":"context_doc_0",
    "score":0.9,"content":"another"},{"score":0.8,"content":"one text"}]}
{"sources": [{"document_id": "context_doc_0"}, {"document_id": "doc_1"}]}
> cot_get {"chain":"chain:ID1"}
{"reasoning_steps": [{"source_attributions": [{"ref": "document:context_doc_0"},
    {"ref": "document:sha256-b94ddd8ea66566c04f83c6c02e925f269e40180e9acc9cf6cbdf440b7efff704"}]}]}
