// What each tool is called with: `good` answers and conforms, `bad` is an error that says which code.
// The refs are those of the demo's story.
export const BELIEF = 'belief:8a2770de-67d0-450f-a29b-b158f6e6f3da';
const EPISODE = 'episode:65f767ba';
const ME = { agent_id: 'tester' };
const NOWHERE = 'raw:00000000-0000-4000-8000-000000000000';
// Named by what rests on it, and never written.
const NAMED = 'raw:11111111-0000-4000-8000-000000000000';
const REF = /^[a-z]+:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const added = (kind) => (a, assert) => {
    assert.match(a.ref, REF);
    assert.ok(a.ref.startsWith(kind + ':'));
    assert.equal(a.version, 1);
};

// Each case: [arguments, what the answer is checked with]; or the code of the error.
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
                assert.equal(a.ref, BELIEF);
                assert.match(a.text, /^Never skip staging/);
                assert.equal(a.label, 'grounded');
            }],
        ],
        bad: [[{ ref: NOWHERE }, 'NOT_FOUND'], [{}, 'INVALID_REQUEST'], [{ ref: [] }, 'INVALID_REQUEST']],
    },
    memory_list: {
        good: [
            [{}, (a, assert) => assert.ok(a.total > 40 && a.memories.length === 50 && a.next)],
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
            [{ ref: BELIEF }, (a, assert) => assert.ok(a.nodes.length > 1 && a.links.length > 0)],
            [{ ref: EPISODE, direction: 'descendants', depth: 1 }, (a, assert) => assert.ok(a.nodes.length > 1)],
        ],
        bad: [[{ ref: NOWHERE, direction: 'ancestors' }, 'NOT_FOUND'], [{ ref: BELIEF, direction: 'sideways' }, 'INVALID_REQUEST'], [{ ref: BELIEF, depth: -1 }, 'INVALID_REQUEST']],
    },
    memory_orphans: { good: [[{}, (a, assert) => assert.ok(JSON.stringify(a).includes('problem'))]], bad: [] },
    memory_whatif: {
        good: [[{ refs: [EPISODE] }, (a, assert) => assert.ok(Array.isArray(a.falls) && Array.isArray(a.weakened) && a.descends >= 0)]],
        bad: [[{ refs: [NOWHERE] }, 'NOT_FOUND'], [{ refs: [] }, 'INVALID_REQUEST'], [{}, 'INVALID_REQUEST']],
    },
    log_source_attribution: {
        good: [
            // The document's own example.
            [{ agent_id: 'my-ai-agent-001', source_type: 'tavily_search', source_uri: 'latest advancements in large language models', retrieval_timestamp: 1678886400000, content_summary: 'Summary of search results on LLM advancements from various research papers and articles.' }, (a, assert) => assert.match(a.attribution_id, /^[0-9a-f-]{36}$/)],
            [{ agent_id: 'tester', source_type: 'web', source_uri: null, retrieval_timestamp: 0, content_summary: null, full_content_hash: null }, () => {}],
            [{ agent_id: 'tester', source_type: 'web', retrieval_timestamp: 1678886400000, full_content_hash: 'a'.repeat(64), full_content_json: null, supports: [EPISODE] }, () => {}],
        ],
        bad: [
            [{ agent_id: 'tester', source_type: 'web', retrieval_timestamp: 1.5 }, 'INVALID_REQUEST'],
            // A person protected it.
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
};
