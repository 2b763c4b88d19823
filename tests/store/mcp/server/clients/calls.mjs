// Calls of each tool: `good` must succeed and match the schema, `bad` must fail with the code.
// The refs are from the demo's story.
export const BELIEF = 'belief:8a2770de-67d0-450f-a29b-b158f6e6f3da';
const EPISODE = 'episode:65f767ba';
const ME = { agent_id: 'tester' };
const NOWHERE = 'raw:00000000-0000-4000-8000-000000000000';
// A memory that others name as a source, but that was never written.
const NAMED = 'raw:11111111-0000-4000-8000-000000000000';
// The beginning of an id, as answers give it.
const REF = /^[a-z]+:[0-9a-f]{8}[0-9a-f-]*$/;

const added = (kind) => (a, assert) => {
    assert.match(a.ref, REF);
    assert.ok(a.ref.startsWith(kind + ':'));
    assert.equal(a.version, 1);
};

// A new memory each time, so that calls can be repeated on the same store.
const belief = (more) => async (call) => ({ ref: (await call('memory_belief', { statement: 'the queue drains in an hour', confidence: 0.7, ...ME })).ref, ...more });
const raw = (more) => async (call) => ({ ref: (await call('memory_raw', { blob: 'as it came', ...ME })).ref, ...more });
// A new chain: empty, with a step, and finished.
const chain = (more) => async (call) => ({ chain: (await call('cot_begin', { question: 'why?', ...ME })).ref, ...more });
const stepped = (more) => async (call) => {
    const given = await chain(more)(call);
    await call('cot_step', { chain: given.chain, step_number: 1, question: 'first', confidence_score: 0.5, retrieved_documents: [{ document_id: 'doc_1', score: 0.9, content: 'c' }] });
    return given;
};
const finished = (more) => async (call) => {
    const given = await stepped(more)(call);
    await call('cot_finish', { chain: given.chain, final_answer: 'done' });
    return given;
};
// The output of chain-of-thought services.
const attribution = (document_id, relevance_score, retrieval_rank, more) => ({ document_id, document_title: null, relevance_score, excerpt: null, chunk_index: null, retrieval_rank, ...more });
const THOUGHT = {
    original_question: 'Why was build 512 slow?',
    final_answer: 'The cache was lost.',
    reasoning_steps: [
        { step_number: 1, question: 'Which stage?', context_used: [], intermediate_answer: 'Linking', confidence_score: 0.8, reasoning_trace: 'compared', execution_time: 1.5, token_usage: 100, source_attributions: [attribution('doc_1', 0.9, 1, { document_title: 'CI log', excerpt: 'link: 71 s', chunk_index: 0 }), attribution('doc_2', 0.75, 2)] },
        { step_number: 2, question: 'Why?', context_used: ['Linking'], intermediate_answer: null, confidence_score: 0.6, reasoning_trace: null, execution_time: 2, token_usage: null, source_attributions: [attribution('doc_1', 0.85, 1), attribution('doc_3', 0.8, 2)] },
    ],
    source_summary: {
        all_sources: [attribution('doc_1', 0.9, 1), attribution('doc_3', 0.8, 2), attribution('doc_2', 0.75, 2)],
        primary_sources: [attribution('doc_1', 0.9, 1), attribution('doc_3', 0.8, 2), attribution('doc_2', 0.75, 2)],
        source_usage_by_step: { 1: ['doc_1', 'doc_2'], 2: ['doc_1', 'doc_3'] },
    },
    total_confidence: 0.7,
    token_usage: 250,
    total_execution_time: 3.5,
    reasoning_strategy: 'decomposition',
};
// A new response each time.
let responses = 0;
const cited = (sources, more) => ({ conversation_id: 'conversation', message_id: `message ${Date.now()} ${responses++}`, sources, ...more });
const changed = (a, assert, { ref }) => {
    assert.equal(a.ref, ref);
    assert.equal(a.version, 2);
};
const risen = (a, assert, args) => {
    changed(a, assert, args);
    assert.equal(a.old, 0.7);
    assert.equal(a.new, 0.713182); // 0.7 + 0.05 / 1.1 * 0.29, with six decimals
};

// A new namespace each time, with a key and a value.
let rooms = 0;
const room = () => `session.clients-${Math.random().toString(36).slice(2, 7)}x.n${rooms++}`;
const entry = (key, value, more) => async (call) => {
    const named = { namespace: room(), key };
    await call('putMemory', { ...named, value });
    return { ...named, ...more };
};
const SECRET = /^\[REDACTED\]_[a-z2-7]+$/i;
const done = (a, assert) => assert.deepEqual(a, { success: true });

// Each case: [arguments, check of the answer], or the code of the error. Functions may make arguments by calls.
export const calls = {
    memory_raw: {
        good: [
            [{ blob: 'the queue stands still', ...ME }, added('raw')],
            [{ blob: 'ünïcödé 🐤 \u0001 \u202e "quotes" \\ /\n\ttab\u2028', context: 'x', context_tags: ['a'], ...ME }, added('raw')],
            [{ blob: 'without an agent' }, added('raw')],
        ],
        bad: [
            [{}, 'INVALID_REQUEST'],
            [{ blob: '' }, 'INVALID_REQUEST'],
            [{ blob: 7 }, 'INVALID_REQUEST'],
            [{ blob: 'x', derivation: 'some' }, 'INVALID_REQUEST'],
        ],
    },
    memory_episode: {
        good: [
            [{ objective: 'o', outcome: 'p', ...ME }, added('episode')],
            [{ objective: 'o', outcome: 'p', outcome_type: 'success', lessons: ['l', 'm'], tags: ['t'], derived_from: [EPISODE], ...ME }, added('episode')],
        ],
        bad: [[{ objective: 'o' }, 'INVALID_REQUEST'], [{ outcome: 'o' }, 'INVALID_REQUEST'], [{ objective: 'o', outcome: 'p', lessons: [1] }, 'INVALID_REQUEST']],
    },
    memory_note: {
        good: [
            [{ content: 'n', ...ME }, added('note')],
            [{ content: 'n', type: 'quote', speaker: 'Sean', reason: 'r', tags: ['t'], relates_to: [BELIEF], ...ME }, added('note')],
        ],
        bad: [[{}, 'INVALID_REQUEST'], [{ content: null }, 'INVALID_REQUEST']],
    },
    memory_belief: {
        good: [
            [{ statement: 's', ...ME }, added('belief')],
            [{ statement: 's', type: 'fact', confidence: 0.25, derived_from: [EPISODE, BELIEF], derivation: 'all', relates_to: [EPISODE], source: 'Claire told me', source_entity: 'claire', ...ME }, added('belief')],
            [{ statement: 's', derived_from: [NAMED], ...ME }, (a, assert) => assert.deepEqual(a.unresolved, [NAMED])],
            [{ statement: 's', derived_from: ['context:a conversation: over coffee'], ...ME }, added('belief')],
        ],
        bad: [
            [{ statement: 's', confidence: 1.5 }, 'INVALID_REQUEST'],
            [{ statement: 's', confidence: '0.5' }, 'INVALID_REQUEST'],
            [{ confidence: 0.5 }, 'INVALID_REQUEST'],
        ],
    },
    memory_get: {
        good: [
            [{ ref: BELIEF }, (a, assert) => {
                assert.ok(BELIEF.startsWith(a.ref));
                assert.match(a.text, /^Never skip staging/);
                assert.equal(a.label, 'supported');
            }],
            [{ ref: BELIEF, detail: 'full' }, (a, assert) => assert.equal(a.ref, BELIEF)],
        ],
        bad: [[{ ref: NOWHERE }, 'NOT_FOUND'], [{}, 'INVALID_REQUEST'], [{ ref: [] }, 'INVALID_REQUEST']],
    },
    memory_list: {
        good: [
            [{}, (a, assert) => assert.ok(a.memories.length === 50 && a.more && a.next)],
            [undefined, (a, assert) => assert.ok(a.memories.length > 0)],
            [{ kind: 'belief', agent_id: 'claire', order: 'confidence', limit: 3 }, (a, assert) => {
                assert.equal(a.memories.length, 3);
                assert.ok(a.memories.every((m) => m.agent_id === 'claire' && m.ref.startsWith('belief:')));
            }],
            [{ label: 'circular' }, (a, assert) => assert.ok(a.memories.length >= 2)],
            [{ status: 'active', limit: 200 }, (a, assert) => assert.ok(a.memories.every((m) => (m.status ?? 'active') === 'active'))],
        ],
        bad: [
            [{ limit: 0 }, 'INVALID_REQUEST'],
            [{ limit: 201 }, 'INVALID_REQUEST'],
            [{ limit: 1.5 }, 'INVALID_REQUEST'],
            [{ kind: 'beleif' }, 'INVALID_REQUEST'],
            [{ cursor: 'no cursor of ours' }, 'INVALID_REQUEST'],
        ],
    },
    memory_search: {
        good: [
            [{ query: 'staging' }, (a, assert) => assert.ok(a.memories.length > 2)],
            [{ query: 'ステージング', kind: 'belief', limit: 1 }, (a, assert) => assert.equal(a.memories.length, 1)],
            [{ query: 'nobody ever wrote this' }, (a, assert) => assert.equal(a.memories.length, 0)],
        ],
        bad: [[{}, 'INVALID_REQUEST'], [{ query: 'x', kind: 'thing' }, 'INVALID_REQUEST'], [{ query: 'x', limit: -1 }, 'INVALID_REQUEST']],
    },
    memory_lineage: {
        good: [
            [{ ref: BELIEF, format: 'json' }, (a, assert) => assert.ok(a.nodes.length > 1 && a.links.length > 0)],
            [{ ref: BELIEF }, (a, assert) => assert.match(a, /^belief:8a2770de/m)],
            [{ ref: EPISODE, direction: 'descendants', depth: 1, format: 'json' }, (a, assert) => assert.ok(a.nodes.length > 1)],
        ],
        bad: [[{ ref: NOWHERE, direction: 'ancestors' }, 'NOT_FOUND'], [{ ref: BELIEF, direction: 'sideways' }, 'INVALID_REQUEST'], [{ ref: BELIEF, depth: -1 }, 'INVALID_REQUEST']],
    },
    memory_orphans: { good: [[{}, (a, assert) => assert.ok(JSON.stringify(a).includes('problem'))]], bad: [] },
    memory_duplicates: { good: [[{}, (a, assert) => assert.equal(typeof a, 'string')], [{ refs: [EPISODE] }, (a, assert) => assert.match(a, /no two memories/)]], bad: [[{ refs: [NOWHERE] }, 'NOT_FOUND']] },
    memory_conflicts: { good: [[{}, (a, assert) => assert.equal(typeof a, 'string')]], bad: [[{ refs: [NOWHERE] }, 'NOT_FOUND'], [{ limit: 0 }, 'INVALID_REQUEST']] },
    ...Object.fromEntries(
        Object.entries({ why: 'derivations', blame: 'sets', roots: 'independent', confidence: 'low', taint: 'alone', forensics: 'changes' }).map(([name, member]) => [
            'memory_' + name,
            { good: [[{ ref: BELIEF }, (a, assert) => assert.ok(member in JSON.parse(a.split('\n')[0]))]], bad: [[{ ref: NOWHERE }, 'NOT_FOUND']] },
        ]),
    ),
    memory_keystones: { good: [[{}, (a, assert) => assert.ok(JSON.parse(a.split('\n')[0]).loses > 0)]], bad: [[{ refs: [NOWHERE] }, 'NOT_FOUND']] },
    memory_suspects: { good: [[{}, (a, assert) => assert.equal(typeof a, 'string')]], bad: [[{ refs: [NOWHERE] }, 'NOT_FOUND']] },
    memory_why_not: { good: [[{ text: 'retries are safe' }, (a, assert) => assert.ok(JSON.parse(a).cause)]], bad: [] },
    memory_whatif: {
        good: [[{ refs: [EPISODE], format: 'json' }, (a, assert) => assert.ok(Array.isArray(a.loses_all_support) && Array.isArray(a.weakened) && a.descends >= 0)]],
        bad: [[{ refs: [NOWHERE] }, 'NOT_FOUND'], [{ refs: [] }, 'INVALID_REQUEST'], [{}, 'INVALID_REQUEST']],
    },
    log_source_attribution: {
        good: [
            // The example of the specification.
            [{ agent_id: 'my-ai-agent-001', source_type: 'tavily_search', source_uri: 'latest advancements in large language models', retrieval_timestamp: 1678886400000, content_summary: 'Summary of search results on LLM advancements from various research papers and articles.' }, (a, assert) => assert.match(a.attribution_id, /^[0-9a-f-]{36}$/)],
            [{ agent_id: 'tester', source_type: 'web', source_uri: null, retrieval_timestamp: 0, content_summary: null, full_content_hash: null }, () => {}],
            [{ agent_id: 'tester', source_type: 'web', retrieval_timestamp: 1678886400000, full_content_hash: 'a'.repeat(64), full_content_json: null, supports: [EPISODE] }, () => {}],
        ],
        bad: [
            [{ agent_id: 'tester', source_type: 'web', retrieval_timestamp: 1.5 }, 'INVALID_REQUEST'],
            // A person locked it.
            [{ agent_id: 'tester', source_type: 'web', retrieval_timestamp: 1, supports: [BELIEF] }, 'PERMISSION_DENIED'],
            [{ agent_id: '', source_type: 'web', retrieval_timestamp: 1 }, 'INVALID_REQUEST'],
            [{ agent_id: 'tester', source_type: 'web', retrieval_timestamp: 1, full_content_hash: 'abc' }, 'INVALID_REQUEST'],
        ],
    },
    get_source_attributions: {
        good: [
            [{ agent_id: 'my-ai-agent-001', source_type: 'tavily_search', limit: 10 }, (a, assert) => {
                assert.ok(a.total >= 1 && a.attributions.length >= 1);
                assert.ok(a.attributions.every((x) => x.agent_id === 'my-ai-agent-001' && x.source_type === 'tavily_search'));
            }],
            [{ agent_id: 'nobody' }, (a, assert) => assert.deepEqual([a.attributions, a.total], [[], 0])],
            [{ agent_id: 'my-ai-agent-001', source_type: null, limit: 0 }, (a, assert) => assert.deepEqual(a.attributions, [])],
            [{ agent_id: 'my-ai-agent-001', source_type: '', offset: 100000 }, (a, assert) => assert.deepEqual(a.attributions, [])],
        ],
        bad: [[{}, 'INVALID_REQUEST'], [{ agent_id: 'x', limit: 1001 }, 'INVALID_REQUEST'], [{ agent_id: 'x', offset: -1 }, 'INVALID_REQUEST']],
    },
    log_search_attribution: {
        good: [[{ agent_id: 'tester', query: 'locks', results_summary: 'four pages', retrieval_timestamp: 1678886400000 }, (a, assert) => assert.match(a.attribution_id, /^[0-9a-f-]{36}$/)]],
        bad: [[{ agent_id: 'tester', retrieval_timestamp: 1 }, 'INVALID_REQUEST'], [{ agent_id: 'tester', query: 'q', retrieval_timestamp: 'now' }, 'INVALID_REQUEST']],
    },
    cot_begin: {
        good: [
            [{ question: 'Why is it slow?', strategy: 'decomposition', ...ME }, added('chain')],
            [{ question: 'ünïcödé 🐤 \u0001 \n?', strategy: null, agent_id: null }, added('chain')],
        ],
        bad: [[{ question: '' }, 'INVALID_REQUEST'], [{ question: 'q', agent_id: '' }, 'INVALID_REQUEST']],
    },
    cot_step: {
        good: [
            [chain({ step_number: 1, question: 'When?', intermediate_answer: 'yesterday', reasoning_trace: 't', confidence_score: 0.8, execution_time: 1.5, retrieved_documents: [{ document_id: 'doc_1', title: 'One', score: 0.9, content: 'c', chunk_index: 0, more: { any: [null] } }, { document_id: null, title: null, score: null, content: null }, { score: 7 }], context_used: null, token_usage: null }), (a, assert) => {
                added('step')(a, assert);
                assert.deepEqual(a.sources.map((s) => [s.document_id, s.score_origin]), [['doc_1', 'measured'], ['doc_1', 'default']]);
                assert.deepEqual(a.refused.map((r) => r.index), [2]);
            }],
            [chain({ step_number: 7, question: 'And?', context_used: ['id:doc_2 text', '  ', 'plain'] }), (a, assert) => {
                assert.deepEqual(a.sources.map((s) => [s.document_id, s.retrieval_rank]), [['doc_2', 1], ['context_doc_2', 3]]);
            }],
            [chain({ step_number: 1, question: 'bare' }), (a, assert) => assert.deepEqual(a.sources, [])],
        ],
        bad: [
            [chain({ step_number: 0, question: 'q' }), 'INVALID_REQUEST'],
            [chain({ step_number: 1, question: 'q', confidence_score: 1.5 }), 'INVALID_REQUEST'],
            [chain({ step_number: 1, question: 'q', execution_time: -1 }), 'INVALID_REQUEST'],
            [stepped({ step_number: 1, question: 'again' }), 'CONFLICT'],
            [finished({ step_number: 9, question: 'late' }), 'CONFLICT'],
            [{ chain: BELIEF, step_number: 1, question: 'q' }, 'NOT_FOUND'],
            [{ chain: 'chain:00000000-0000-4000-8000-000000000000', step_number: 1, question: 'q' }, 'NOT_FOUND'],
        ],
    },
    cot_finish: {
        good: [
            [stepped({ final_answer: 'because' }), (a, assert, args) => {
                assert.deepEqual([a.ref, a.version, a.steps, a.total_confidence], [args.chain, 2, 1, 0.5]);
                assert.deepEqual(a.source_summary.source_usage_by_step, { 1: ['doc_1'] });
                assert.equal(a.source_summary.primary_sources[0].document_id, 'doc_1');
            }],
            [stepped({ final_answer: 'because', total_confidence: 0.25, total_execution_time: null }), (a, assert) => assert.equal(a.total_confidence, 0.25)],
        ],
        bad: [[finished({ final_answer: 'twice' }), 'CONFLICT'], [chain({ final_answer: '' }), 'INVALID_REQUEST'], [{ chain: BELIEF, final_answer: 'x' }, 'NOT_FOUND']],
    },
    cot_record: {
        good: [
            [{ ...THOUGHT, ...ME }, (a, assert) => {
                assert.match(a.ref, REF);
                assert.equal(a.steps, 2);
                assert.deepEqual(a.source_summary.all_sources.map((s) => [s.document_id, s.relevance_score]), [['doc_1', 0.9], ['doc_3', 0.8], ['doc_2', 0.75]]);
                assert.equal(a.refused, undefined);
                assert.equal(a.differences, undefined);
            }],
            // Every nullable member is null, and every optional one absent.
            [{ original_question: 'q', final_answer: 'a', reasoning_steps: [{ step_number: 1, question: 's' }], source_summary: null, total_confidence: null, token_usage: null, total_execution_time: null, reasoning_strategy: null }, (a, assert) => assert.equal(a.steps, 1)],
            [{ ...THOUGHT, source_summary: { all_sources: [], primary_sources: [], source_usage_by_step: {} } }, (a, assert) => assert.ok(a.differences.length > 0)],
            [{ original_question: 'q', final_answer: 'a', reasoning_steps: [{ step_number: 3, question: 's', source_attributions: [{ document_id: 'd', relevance_score: 2 }, { document_id: 'e', relevance_score: 0.1 }] }] }, (a, assert) => {
                assert.deepEqual(a.refused.map((r) => [r.step_number, r.index]), [[3, 0]]);
            }],
        ],
        bad: [
            [{ ...THOUGHT, reasoning_steps: [...THOUGHT.reasoning_steps, THOUGHT.reasoning_steps[0]] }, 'INVALID_REQUEST'],
            [{ ...THOUGHT, reasoning_steps: [{ ...THOUGHT.reasoning_steps[0], confidence_score: 2 }] }, 'INVALID_REQUEST'],
            [{ ...THOUGHT, original_question: '' }, 'INVALID_REQUEST'],
        ],
    },
    cot_get: {
        good: [
            [async (call) => ({ chain: (await call('cot_record', THOUGHT)).ref }), (a, assert, args) => {
                assert.deepEqual([a.ref, a.state, a.final_answer, a.reasoning_steps.length], [args.chain, 'finished', 'The cache was lost.', 2]);
                assert.deepEqual(a.search.sources, a.source_summary.primary_sources);
                assert.deepEqual(a.search.reasoning_trace, a.reasoning_steps);
            }],
            [stepped({ include_excerpts: false, offset: 1 }), (a, assert) => assert.deepEqual([a.state, a.reasoning_steps], ['running', []])],
            [async (call) => ({ chain: (await call('cot_step', { ...(await chain()(call)), step_number: 1, question: 'by its step' })).ref }), (a, assert) => assert.equal(a.reasoning_steps[0].question, 'by its step')],
        ],
        bad: [[{ chain: BELIEF }, 'NOT_FOUND'], [{ chain: '' }, 'INVALID_REQUEST']],
    },
    cot_sources: {
        good: [
            [async (call) => ({ chain: (await call('cot_record', THOUGHT)).ref, include_excerpts: null }), (a, assert) => {
                assert.equal(a.total_sources, 3);
                assert.deepEqual(a.primary_sources[0], { document_id: 'doc_1', title: 'CI log', relevance: 0.9, rank: 1, excerpt: 'link: 71 s' });
                assert.deepEqual(a.step_breakdown.step_1, { step_number: 1, sources_used: 2, document_ids: ['doc_1', 'doc_2'] });
            }],
            [stepped({ include_excerpts: false }), (a, assert) => assert.equal(a.total_sources, 1)],
        ],
        bad: [[{ chain: EPISODE }, 'NOT_FOUND'], [{ chain: BELIEF, offset: 1 }, 'INVALID_REQUEST']],
    },
    extract_sources: {
        good: [
            // The examples of the specification.
            [{ context_documents: [], search_results: [{ document_id: 'doc_123', title: 'Introduction to AI', score: 0.92, content: 'Artificial intelligence involves...', chunk_index: 0 }] }, (a, assert) => {
                assert.deepEqual(a, { sources: [{ document_id: 'doc_123', document_title: 'Introduction to AI', relevance_score: 0.92, excerpt: 'Artificial intelligence involves...', chunk_index: 0, retrieval_rank: 1, score_origin: 'measured' }] });
            }],
            [{ context_documents: ['id:doc_123 Machine learning content...', 'Deep learning overview...'] }, (a, assert) => {
                assert.deepEqual(a.sources.map((s) => [s.document_id, s.relevance_score]), [['doc_123', 1], ['context_doc_1', 0.9]]);
            }],
            [{ context_documents: ['🌍'.repeat(201)], search_results: [] }, (a, assert) => assert.equal([...a.sources[0].excerpt].length, 200)],
            [{ context_documents: [], search_results: [{ score: 2 }, { score: 0.1 }] }, (a, assert) => {
                assert.equal(a.refused[0].index, 0);
                assert.equal(a.sources[0].document_id, 'doc_1');
            }],
        ],
        bad: [[{}, 'INVALID_REQUEST'], [{ context_documents: 'x' }, 'INVALID_REQUEST'], [{ context_documents: [], search_results: {} }, 'INVALID_REQUEST']],
    },
    cite_sources: {
        good: [
            [cited([{ documentId: 'doc-1', documentName: 'Management Presentation', location: { page: 12 }, snippet: 'Revenue was €5.2M', relevanceScore: 0.9, retrievedAt: '2026-01-11T09:30:00.000Z' }]), (a, assert) => {
                assert.equal(a.citations[0].formatted, '(Management Presentation, page 12)');
                assert.match(a.citations[0].ref, REF);
                assert.deepEqual(a.events.map((e) => e.type), ['source_added', 'done']);
                assert.deepEqual(a.events[0].source, a.sources[0]);
                assert.deepEqual(a.events[1].sources, a.sources);
            }],
            [cited([]), (a, assert) => assert.deepEqual([a.sources, a.events.map((e) => e.type), a.uncertainty], [[], ['done'], 'complete'])],
            [cited([9, 8, 7, 6, 5, 4, 3].map((n) => ({ documentId: 'd' + n, documentName: 'D', snippet: 's', relevanceScore: n / 10, retrievedAt: '2026-01-11T09:30:00Z' }))), (a, assert) => {
                assert.deepEqual(a.sources.map((s) => s.relevanceScore), [0.9, 0.8, 0.7, 0.6, 0.5]);
                assert.equal(a.left_out, 2);
                assert.equal(a.events.length, 6);
            }],
            [cited([{ relevanceScore: 7 }, { documentName: 'odd \u0001 🐤' }], ME), (a, assert) => {
                assert.equal(a.refused[0].index, 0);
                assert.equal(a.sources[0].documentId, 'source-2');
            }],
        ],
        bad: [[{ conversation_id: 'c', message_id: '', sources: [] }, 'INVALID_REQUEST'], [cited(null), 'INVALID_REQUEST'], [cited('x'), 'INVALID_REQUEST']],
    },
    get_citations: {
        good: [
            [async (call) => {
                const given = cited([{ documentId: 'doc-1', documentName: 'N', relevanceScore: 0.9, snippet: 's' }]);
                await call('cite_sources', given);
                return { message_id: given.message_id, conversation_id: null, limit: 10, offset: 0 };
            }, (a, assert) => {
                assert.deepEqual([a.total, a.citations.length, a.uncertainty], [1, 1, 'none']);
                assert.equal(a.citations[0].document, 'document:doc-1');
            }],
            [{ document_id: 'nobody cites this' }, (a, assert) => assert.deepEqual(a, { citations: [], total: 0, uncertainty: 'complete' })],
        ],
        bad: [[{}, 'INVALID_REQUEST'], [{ message_id: '' }, 'INVALID_REQUEST'], [{ message_id: 'm', limit: 0 }, 'INVALID_REQUEST']],
    },
    memory_history: {
        good: [
            [belief({ format: 'json' }), (a, assert, { ref }) => {
                assert.deepEqual([a.events.length, a.versions, a.older], [1, [], undefined]);
                assert.deepEqual([a.events[0].operation, a.events[0].class, a.events[0].version], ['add', 'agent', 1]);
                assert.ok(a.events[0].ref.startsWith(ref));
                assert.ok(a.events[0].changes.some((c) => c.field === 'text' && c.before === null));
            }],
            [async (call) => {
                const { ref } = await belief({})(call);
                await call('memory_reinforce', { ref, evidence_source: EPISODE, reason: 'again' });
                const next = await call('memory_supersede', { ref, statement: 'in two' });
                return { ref: next.ref, limit: 1, format: 'json' };
            }, (a, assert, { ref }) => {
                assert.equal(a.versions.length, 2);
                assert.ok(a.versions[1].startsWith(ref));
            }],
            [{ ref: BELIEF, limit: 1, format: 'json' }, (a, assert) => assert.equal(a.events.length, 1)],
            [{ ref: BELIEF, limit: 1 }, (a, assert) => assert.match(a, /^#/)],
        ],
        bad: [[{ ref: NOWHERE }, 'NOT_FOUND'], [{ ref: BELIEF, limit: 0 }, 'INVALID_REQUEST'], [{ ref: BELIEF, before: 0 }, 'INVALID_REQUEST']],
    },
    memory_process_raw: {
        good: [
            [raw({ as: 'belief' }), added('belief')],
            [raw({ as: 'episode', text: 'a word of its own \u0001', relates_to: [EPISODE], derived_from: ['context:x'], context_tags: ['t'], source: 'the log', ...ME }), added('episode')],
            [raw({ as: 'note', derived_from: [NAMED], derivation: 'all' }), (a, assert) => assert.deepEqual(a.unresolved, [NAMED])],
        ],
        bad: [[raw({ as: 'raw' }), 'INVALID_REQUEST'], [raw({ as: 'note', text: '' }), 'INVALID_REQUEST'], [belief({ as: 'note' }), 'INVALID_REQUEST'], [{ ref: NOWHERE, as: 'note' }, 'NOT_FOUND']],
    },
    memory_reinforce: {
        good: [
            [belief({ evidence_source: EPISODE, reason: 'it happened again' }), risen],
            [belief({}), risen],
            [belief({ evidence_source: 'consolidation:2026-02-01' }), risen],
        ],
        bad: [
            // A person locked it.
            [{ ref: BELIEF, evidence_source: EPISODE }, 'PERMISSION_DENIED'],
            [belief({ evidence_source: '' }), 'INVALID_REQUEST'],
            [{ ref: NOWHERE }, 'NOT_FOUND'],
        ],
    },
    memory_supersede: {
        good: [
            [belief({ statement: 'the queue drains in two hours', reason: 'measured' }), (a, assert, { ref }) => {
                added('belief')(a, assert);
                assert.notEqual(a.ref, ref);
            }],
            [belief({ statement: 'ünïcödé 🐤', confidence: 0.2 }), added('belief')],
        ],
        bad: [
            [belief({ statement: '' }), 'INVALID_REQUEST'],
            [belief({ statement: 'x', confidence: 2 }), 'INVALID_REQUEST'],
            [{ ref: BELIEF, statement: 'x' }, 'PERMISSION_DENIED'],
            [raw({ statement: 'x' }), 'INVALID_REQUEST'],
            [async (call) => {
                const { ref } = await belief({})(call);
                await call('memory_supersede', { ref, statement: 'once' });
                return { ref, statement: 'twice' };
            }, 'CONFLICT'],
        ],
    },
    memory_revise_from_episode: {
        good: [
            [async (call) => ({ episode: EPISODE, confirms: [(await belief({})(call)).ref], contradicts: [(await belief({})(call)).ref] }), (a, assert, { confirms, contradicts }) => {
                assert.deepEqual(a, { reinforced: confirms, for_review: contradicts });
            }],
            [async (call) => ({ episode: EPISODE, confirms: [(await belief({})(call)).ref] }), (a, assert) => assert.equal(a.for_review.length, 0)],
        ],
        bad: [
            [{ episode: EPISODE }, 'INVALID_REQUEST'],
            [{ episode: EPISODE, confirms: [BELIEF] }, 'PERMISSION_DENIED'],
            [{ episode: BELIEF, confirms: [BELIEF] }, 'INVALID_REQUEST'],
            [{ episode: NOWHERE, confirms: [BELIEF] }, 'NOT_FOUND'],
        ],
    },
    memory_update: {
        good: [
            [belief({ text: 'the queue drains in an hour or so', confidence: 0.6, tags: ['a', 'b'], reason: 'r', expected_version: 1 }), changed],
            [belief({ tags: ['c'] }), changed],
            [belief({ text: 'the queue drains in an hour' }), (a, assert) => {
                assert.equal(a.version, 1);
                assert.equal(a.left.length, 1);
            }],
        ],
        bad: [
            [belief({ text: 'x', expected_version: 7 }), 'CONFLICT'],
            [belief({}), 'INVALID_REQUEST'],
            [belief({ confidence: -1 }), 'INVALID_REQUEST'],
            [{ ref: BELIEF, text: 'x' }, 'PERMISSION_DENIED'],
        ],
    },
    memory_add: {
        good: [
            [{ kind: 'goal', text: 'halve the time of a rollback', derived_from: [EPISODE], confidence: 0.5, ...ME }, added('goal')],
            [{ kind: 'document', text: 'Q3 report', detail: { document_id: 'q3', uri: 'https://example.org/q3' }, ...ME }, added('document')],
        ],
        bad: [[{ kind: 'thing', text: 'x' }, 'INVALID_REQUEST'], [{ kind: 'goal', text: '' }, 'INVALID_REQUEST'], [{ kind: 'goal', text: 'x', detail: [] }, 'INVALID_REQUEST']],
    },
    memory_verify: { good: [[belief({ reason: 'read the log again' }), changed]], bad: [[{ ref: BELIEF }, 'PERMISSION_DENIED'], [{ ref: NOWHERE }, 'NOT_FOUND']] },
    memory_mark: {
        good: [
            [belief({ mark: 'for_review', reason: 'I doubt it' }), changed],
            [belief({ mark: 'rating', value: '4/5' }), changed],
        ],
        bad: [[belief({ mark: 'two words' }), 'INVALID_REQUEST'], [belief({ mark: '' }), 'INVALID_REQUEST'], [{ ref: BELIEF, mark: 'poisoned' }, 'PERMISSION_DENIED']],
    },
    memory_consolidate: {
        good: [
            [belief({ evidence: [EPISODE], date: '2026-02-01', reason: 'looked over' }), risen],
            [belief({ evidence: [EPISODE, 'context:the day'] }), risen],
        ],
        bad: [[belief({ evidence: [] }), 'INVALID_REQUEST'], [belief({ evidence: [EPISODE], date: 'today' }), 'INVALID_REQUEST'], [{ ref: BELIEF, evidence: [EPISODE] }, 'PERMISSION_DENIED']],
    },
    memory_seed: {
        good: [[{ statement: 'care before speed', confidence: 0.85, tags: ['values'] }, added('belief')], [{ statement: 's' }, added('belief')]],
        bad: [[{ statement: '' }, 'INVALID_REQUEST'], [{ statement: 's', confidence: 1.1 }, 'INVALID_REQUEST']],
    },
    memory_propagate_confidence: {
        good: [[{ ref: EPISODE }, (a, assert) => assert.ok(Array.isArray(a.changes))]],
        bad: [[{ ref: NOWHERE }, 'NOT_FOUND']],
    },
    listMemory: {
        good: [
            [async (call) => {
                const namespace = room();
                for (const key of ['b', 'user.phone', 'a', 'B']) await call('putMemory', { namespace, key, value: key });
                return { namespace, limit: 3 };
            }, (a, assert) => {
                assert.deepEqual(a.keys, ['B', 'a', 'b']);
                assert.equal(a.total, 4);
                assert.equal(typeof a.cursor, 'string');
            }],
            [async (call) => {
                const { namespace } = await entry('user.phone', 1)(call);
                await call('putMemory', { namespace, key: 'other', value: 2 });
                return { namespace, prefix: 'user', cursor: '' };
            }, (a, assert) => {
                assert.equal(a.keys.length, 1);
                assert.match(a.keys[0], SECRET);
                assert.deepEqual([a.total, a.cursor], [1, undefined]);
            }],
            [{ namespace: 'public.nothing', limit: 100 }, (a, assert) => assert.deepEqual(a, { keys: [], total: 0 })],
        ],
        bad: [
            [{ namespace: 'sensitive.x' }, 'PERMISSION_DENIED'],
            [{ namespace: 'session' }, 'PERMISSION_DENIED'],
            [{ namespace: 'session..x' }, 'INVALID_REQUEST'],
            [{ namespace: 'session.x', limit: 0 }, 'INVALID_REQUEST'],
            [{ namespace: 'session.x', limit: 101 }, 'INVALID_REQUEST'],
            [{ namespace: 'session.x', cursor: 'no cursor of ours' }, 'INVALID_REQUEST'],
        ],
    },
    getContext: {
        good: [
            [undefined, (a, assert) => {
                assert.match(a.session_id, /^[0-9a-f-]{36}$/);
                assert.ok(Date.parse(a.start_time) <= Date.now());
                assert.ok(a.memory_usage.tokens_used >= 0 && a.memory_usage.tokens_estimated && a.memory_usage.usd_spent === 0);
                assert.deepEqual([a.agent_id, a.task_id, a.tool_history], [undefined, undefined, undefined]);
            }],
            [{ context_type: 'all' }, (a, assert) => assert.match(a.session_id, /^[0-9a-f-]{36}$/)],
            [{ context_type: 'agent', include_history: true }, (a, assert) => assert.deepEqual(a, {})],
            [async (call) => {
                await call('listMemory', { namespace: 'sensitive.x' });
                await call('listMemory', { namespace: 'public.x' });
                return { context_type: 'session', include_history: true };
            }, (a, assert) => {
                const last = a.tool_history.slice(-2);
                assert.deepEqual(last.map((h) => [h.tool_name, h.success]), [['listMemory', false], ['listMemory', true]]);
                assert.ok(last.every((h) => Date.parse(h.timestamp) >= Date.parse(a.start_time)));
            }],
        ],
        bad: [[{ context_type: 'world' }, 'INVALID_REQUEST'], [{ context_type: 'session', include_history: 'yes' }, 'INVALID_REQUEST']],
    },
    putMemory: {
        good: [
            [async () => ({ namespace: room(), key: 'step.1', value: { done: true, of: [null, 1.5, 'ünïcödé 🐤 \u0001'] }, ttl_seconds: 600 }), done],
            [async () => ({ namespace: room(), key: 'a_b.c:d/e@f-g', value: null }), done],
            [async () => ({ namespace: room(), key: 'k', value: 0, ttl_seconds: 0 }), done],
            [async () => ({ namespace: room(), key: 'k', value: 'x'.repeat(1048574) }), done],
            [entry('k', 'first', { value: 'second' }), done],
        ],
        bad: [
            [{ namespace: 'public.info', key: 'k', value: 1 }, 'PERMISSION_DENIED'],
            [{ namespace: 'session.x', key: 'two words', value: 1 }, 'INVALID_REQUEST'],
            [{ namespace: 'session.x', key: 'k', value: 1, ttl_seconds: 3601 }, 'INVALID_REQUEST'],
            [{ namespace: 'session.x', key: 'k', value: 1, ttl_seconds: -1 }, 'INVALID_REQUEST'],
            [{ namespace: 'session.x', key: 'k', value: 'x'.repeat(1048575) }, 'INVALID_REQUEST'],
        ],
    },
    getMemory: {
        good: [
            [entry('step.1', { done: true, of: [null, 1.5, 'ünïcödé 🐤 \u0001'] }), (a, assert, { namespace, key }) => {
                assert.deepEqual([a.namespace, a.key, a.value, a.version], [namespace, key, { done: true, of: [null, 1.5, 'ünïcödé 🐤 \u0001'] }, 1]);
                assert.match(a.ref, REF);
                assert.equal(a.expires_at, undefined);
            }],
            [entry('who', { mail: 'jane.doe@example.com', token: 7 }), (a, assert) => assert.deepEqual(a.value, { mail: '[redacted-email]', token: '[redacted]' })],
            // By the masked key.
            [async (call) => {
                const { namespace } = await entry('user.phone', 'of a kind')(call);
                return { namespace, key: (await call('listMemory', { namespace })).keys[0] };
            }, (a, assert, { key }) => {
                assert.match(key, SECRET);
                assert.deepEqual([a.key, a.value], [key, 'of a kind']);
            }],
            [async (call) => {
                const named = { namespace: room(), key: 'k' };
                await call('putMemory', { ...named, value: 1 });
                await call('putMemory', { ...named, value: 2, ttl_seconds: 600 });
                return named;
            }, (a, assert) => {
                assert.deepEqual([a.value, a.version], [2, 2]);
                assert.equal(a.expires_at, a.updated_at + 600000);
            }],
        ],
        bad: [
            [{ namespace: 'sensitive.x', key: 'k' }, 'PERMISSION_DENIED'],
            [{ namespace: 'public.info', key: 'never_put' }, 'NOT_FOUND'],
            [{ namespace: 'public.info', key: '' }, 'INVALID_REQUEST'],
            [async (call) => {
                const named = await entry('k', 1)(call);
                await call('putMemory', { ...named, value: 2, ttl_seconds: 0 });
                return named;
            }, 'NOT_FOUND'],
        ],
    },
    deleteMemory: {
        good: [[entry('k', 1), done]],
        bad: [
            [{ namespace: 'public.info', key: 'k' }, 'PERMISSION_DENIED'],
            [{ namespace: 'session.x', key: 'never_put' }, 'NOT_FOUND'],
            [async (call) => {
                const named = await entry('k', 1)(call);
                await call('deleteMemory', named);
                return named;
            }, 'NOT_FOUND'],
        ],
    },
};

// Only if the configuration allows it to agents.
export const byLeave = {
    memory_retract: {
        good: [[belief({ reason: 'wrong host' }), changed], [belief({}), changed]],
        bad: [[{ ref: BELIEF }, 'PERMISSION_DENIED'], [{ ref: '' }, 'INVALID_REQUEST']],
    },
    memory_restore: {
        good: [[async (call) => {
            const { ref } = await belief({})(call);
            await call('memory_retract', { ref });
            return { ref };
        }, (a, assert) => assert.equal(a.version, 3)], [belief({}), (a, assert) => assert.equal(a.left.length, 1)]],
        bad: [[{ ref: NOWHERE }, 'NOT_FOUND']],
    },
    memory_forget: { good: [[belief({}), changed]], bad: [[{ ref: BELIEF }, 'PERMISSION_DENIED']] },
    memory_protect: { good: [[belief({}), changed]], bad: [[{ ref: NOWHERE }, 'NOT_FOUND']] },
};
