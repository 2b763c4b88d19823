// Everything that a client may do, through an official client. The arguments: a name for the lines, the mode, and the
// command of the server.
//
// `kit` has what differs between the clients: Client, transport(command), call(client, params, options),
// onNotification(client, method, handler).
import { assert, conforms, finish, rejected, test, until } from './harness.mjs';
import { BELIEF, calls as always, byLeave } from './calls.mjs';

const GIVEN = { ref: BELIEF, agent: 'ash', what: 'that a client was here', since: '2 days ago' }; // to prompts

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
const [, , , mode, ...server] = process.argv;
const http = server[0].startsWith('http:');

function text(result) {
    assert.equal(result.content.length, 1);
    assert.equal(result.content[0].type, 'text');
    return JSON.parse(result.content[0].text);
}

function isFailure(result, code) {
    assert.equal(result.isError, true, 'is no error: ' + JSON.stringify(result).slice(0, 300));
    const said = text(result);
    assert.equal(said.type, 'error');
    assert.equal(typeof said.error.message, 'string');
    assert.equal(typeof said.error.details, 'object');
    if (result.structuredContent !== undefined) assert.deepEqual(result.structuredContent, said);
    assert.equal(said.error.code, code, said.error.message);
}

export async function everything(kit) {
    const errors = [];
    const connect = async (name = 'official') => {
        const client = kit.client(name, mode);
        client.onerror = (error) => errors.push(error);
        await client.connect(kit.transport(server));
        return client;
    };
    let client = await connect();
    const modern = kit.era(client) === 'modern';
    const call = (params, options) => kit.call(client, params, options);
    let tools = [];
    let calls = always;
    // Functions may make arguments by calls.
    const made = (args) => (typeof args === 'function' ? args(async (name, given) => (await call({ name, arguments: given })).structuredContent) : args);

    await test('introduces itself', async () => {
        assert.equal(client.getServerVersion().name, 'stemma');
        assert.match(client.getServerVersion().version, /^\d+\.\d+\.\d+/);
        assert.equal(typeof client.getInstructions(), 'string');
        const can = client.getServerCapabilities();
        for (const what of ['tools', 'resources', 'prompts', 'completions'])
            assert.equal(typeof can[what], 'object', what);
    });

    await test('lists tools that hosts accept', async () => {
        tools = (await client.listTools()).tools;
        if (tools.some((t) => byLeave[t.name])) calls = { ...always, ...byLeave };
        for (const tool of tools) {
            assert.match(tool.name, /^[A-Za-z0-9_-]{1,60}$/);
            assert.ok(tool.title && tool.description.length > 40 && tool.description.length <= 2048, tool.name);
            for (const schema of [tool.inputSchema, tool.outputSchema].filter((s) => s)) {
                assert.equal(schema.type, 'object');
                conforms({ $ref: 'https://json-schema.org/draft/2020-12/schema' }, schema);
            }
            for (const never of ['oneOf', 'anyOf', 'allOf']) assert.equal(tool.inputSchema[never], undefined);
            for (const hint of HINTS) assert.equal(typeof tool.annotations[hint], 'boolean', tool.name + ' ' + hint);
            assert.equal(tool.annotations.openWorldHint, false);
        }
        assert.deepEqual((await client.listTools()).tools.map((t) => t.name), tools.map((t) => t.name));
        const missing = tools.map((t) => t.name).filter((name) => !calls[name]);
        assert.deepEqual(missing, [], 'tools that are never called here');
        assert.deepEqual(Object.keys(calls).filter((name) => !tools.some((t) => t.name === name)), [], 'are not offered');
    });

    if (calls === always)
        await test('refuses tools that the configuration does not allow', async () => {
            for (const name of Object.keys(byLeave)) isFailure(await call({ name, arguments: { ref: BELIEF } }), 'PERMISSION_DENIED');
        });

    for (const [name, { good, bad }] of Object.entries(calls)) {
        await test(`${name} answers by its schema`, async () => {
            const { outputSchema, inputSchema } = tools.find((t) => t.name === name);
            for (const [given, check] of good) {
                const args = await made(given);
                if (args) conforms(inputSchema, args);
                const result = await call({ name, arguments: args });
                assert.ok(!result.isError, JSON.stringify(result));
                // A tool without a schema answers text for reading, or JSON if that is asked for.
                if (outputSchema) conforms(outputSchema, result.structuredContent);
                if (result.structuredContent !== undefined) assert.deepEqual(text(result), result.structuredContent);
                else assert.ok(!outputSchema && !args.format);
                check(result.structuredContent ?? result.content[0].text, assert, args);
            }
        });
        await test(`${name} reports wrong arguments`, async () => {
            const { properties, required = [] } = tools.find((t) => t.name === name).inputSchema;
            const whole = await made(good.find(([args]) => args)[0]);
            for (const [args, code] of bad) isFailure(await call({ name, arguments: await made(args) }), code);
            isFailure(await call({ name, arguments: { ...whole, nonsense: 1 } }), 'INVALID_REQUEST');
            for (const missing of required) {
                const { [missing]: _, ...rest } = whole;
                isFailure(await call({ name, arguments: rest }), 'INVALID_REQUEST');
            }
            for (const [key, schema] of Object.entries(properties)) {
                if (!schema.type) continue; // accepts anything
                const wrong = schema.type === 'object' ? 'text' : { an: 'object' };
                isFailure(await call({ name, arguments: { ...whole, [key]: wrong } }), 'INVALID_REQUEST');
            }
        });
    }

    await test('a stale change is refused with both versions', async () => {
        const { ref } = (await call({ name: 'memory_belief', arguments: { statement: 'first', agent_id: 'tester' } })).structuredContent;
        await call({ name: 'memory_update', arguments: { ref, text: 'second', expected_version: 1 } });
        const refused = await call({ name: 'memory_update', arguments: { ref, text: 'third', expected_version: 1 } });
        isFailure(refused, 'CONFLICT');
        const { expected, present } = text(refused).error.details;
        assert.deepEqual([expected.text, expected.version, present.text, present.version], ['first', 1, 'second', 2]);
        const unknown = await call({ name: 'memory_update', arguments: { ref, text: 'third', expected_version: 9 } });
        isFailure(unknown, 'CONFLICT');
        assert.deepEqual(text(unknown).error.details.expected, { version: 9 });
    });

    await test('reads back what it wrote', async () => {
        const odd = 'x\u0001\u202e🐤 "\\ \u2028';
        const { ref } = (await call({ name: 'memory_raw', arguments: { blob: odd, agent_id: 'tester' } })).structuredContent;
        const back = (await call({ name: 'memory_get', arguments: { ref, detail: 'full' } })).structuredContent;
        assert.equal(back.text, odd);
        assert.equal(back.agent_id, 'unnamed');
        assert.equal(back.detail.claimed_agent, 'tester');
        const belief = (await call({ name: 'memory_belief', arguments: { statement: 'rests', derived_from: [ref] } })).structuredContent.ref;
        const lineage = (await call({ name: 'memory_lineage', arguments: { ref: belief, direction: 'ancestors', format: 'json' } })).structuredContent;
        assert.ok([belief, ref].every((known, i) => lineage.nodes[i].ref.startsWith(known)));
    });

    await test('pages through a list without repeating or skipping', async () => {
        const seen = [];
        let cursor;
        do {
            const page = (await call({ name: 'memory_list', arguments: { kind: 'belief', limit: 4, ...(cursor && { cursor }) } })).structuredContent;
            seen.push(...page.memories.map((m) => m.ref));
            cursor = page.next;
            assert.equal(page.more ?? false, cursor !== undefined);
        } while (cursor);
        assert.equal(new Set(seen).size, seen.length);
        assert.ok(seen.length > 16);
    });

    await test('refuses unknown tools, resources and prompts', async () => {
        assert.equal((await rejected(call({ name: 'memory_remember', arguments: {} }))).code, -32602);
        assert.equal((await rejected(client.listTools({ cursor: 'never given' }))).code, -32602);
        assert.equal((await rejected(client.getPrompt({ name: 'no such prompt' }))).code, -32602);
        assert.equal((await rejected(client.readResource({ uri: 'stemma://belief/nowhere' }))).code, kit.notFound(modern));
    });

    await test('lists and reads resources', async () => {
        const { resources } = await client.listResources();
        assert.ok(resources.length > 0);
        for (const { uri } of resources.slice(0, 20)) {
            const { contents } = await client.readResource({ uri });
            assert.ok(contents.length > 0 && contents.every((c) => typeof c.uri === 'string' && typeof c.text === 'string'));
            for (const c of contents) if (c.mimeType === 'application/json') JSON.parse(c.text);
        }
        const { resourceTemplates } = await client.listResourceTemplates();
        assert.ok(resourceTemplates.length > 0);
        assert.ok(resourceTemplates.every((t) => t.uriTemplate.startsWith('stemma://') && t.name));
        const { contents } = await client.readResource({ uri: 'stemma://' + BELIEF.replace(':', '/') });
        assert.ok(contents.some((c) => c.text.includes('Never skip staging')));
    });

    await test('lists and gives prompts', async () => {
        const { prompts } = await client.listPrompts();
        for (const prompt of prompts) {
            const given = Object.fromEntries((prompt.arguments ?? []).map((a) => [a.name, GIVEN[a.name]]));
            const { messages } = await client.getPrompt({ name: prompt.name, arguments: given });
            assert.ok(messages.length > 0 && messages.every((m) => m.content.type === 'text' && m.content.text));
            if ((prompt.arguments ?? []).some((a) => a.required))
                assert.equal((await rejected(client.getPrompt({ name: prompt.name, arguments: {} }))).code, -32602);
        }
    });

    await test('completes', async () => {
        const { resourceTemplates } = await client.listResourceTemplates();
        let any = 0;
        for (const { uriTemplate } of resourceTemplates)
            for (const [, name] of uriTemplate.matchAll(/\{[+#./;?&]?([A-Za-z_]+)/g)) {
                const { completion } = await client.complete({ ref: { type: 'ref/resource', uri: uriTemplate }, argument: { name, value: '' } });
                assert.ok(completion.values.length <= 100 && completion.values.every((v) => typeof v === 'string'));
                any += completion.values.length;
            }
        assert.ok(any > 0, 'nothing was completed');
        for (const prompt of (await client.listPrompts()).prompts)
            for (const { name } of prompt.arguments ?? [])
                await client.complete({ ref: { type: 'ref/prompt', name: prompt.name }, argument: { name, value: 'be' } });
        assert.equal((await rejected(client.complete({ ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'a', value: '' } }))).code, -32602);
    });

    await test('notifies subscribers of a change', async () => {
        const { ref } = (await call({ name: 'memory_raw', arguments: { blob: 'watched', agent_id: 'tester' } })).structuredContent;
        const uri = 'stemma://' + ref.replace(':', '/');
        const other = await connect('watcher');
        const seen = [];
        kit.onNotification(other, 'notifications/resources/updated', (n) => seen.push(n.params.uri));
        let stream;
        if (modern) stream = await other.listen({ resourceSubscriptions: [uri] });
        else await other.subscribeResource({ uri });
        // A new memory is based on it, which notifies its subscribers. No other test changes it.
        await call({ name: 'log_source_attribution', arguments: { agent_id: 'tester', source_type: 'web', retrieval_timestamp: 1678886400000, supports: [ref] } });
        await until('resources/updated of what was subscribed to', () => seen.includes(uri));
        assert.deepEqual([...new Set(seen)], [uri]);
        if (modern) await stream.close();
        else await other.unsubscribeResource({ uri });
        await other.close();
    });

    await test('shows another client each step of a chain', async () => {
        const other = await connect('watcher');
        const ask = async (name, args) => (await call({ name, arguments: args })).structuredContent;
        const { ref } = await ask('cot_begin', { question: 'why?', strategy: 'iterative', agent_id: 'tester' });
        const uri = `stemma://${ref.replace(':', '/')}/reasoning`;
        const look = async () => JSON.parse((await other.readResource({ uri })).contents[0].text);
        let told = 0;
        kit.onNotification(other, 'notifications/resources/updated', (n) => (told += n.params.uri === uri));
        if (modern) await other.listen({ resourceSubscriptions: [uri] });
        else await other.subscribeResource({ uri });
        const steps = [];
        for (let number = 1; number <= 4; number++) {
            const before = told;
            const step = await ask('cot_step', { chain: ref, step_number: number, question: `${number}?`, intermediate_answer: `${number}!`, confidence_score: number / 5, retrieved_documents: [{ document_id: `doc_${number % 2}`, score: number / 5, content: `passage ${number}` }] });
            steps.push(step.ref);
            await until(`word of step ${number}`, () => told > before);
            const seen = await look();
            assert.deepEqual([seen.state, seen.final_answer, seen.reasoning_steps.map((s) => s.ref)], ['running', null, steps]);
        }
        const { source_summary: summary } = await ask('cot_finish', { chain: ref, final_answer: 'therefore' });
        assert.deepEqual(summary.all_sources.map((s) => [s.document_id, s.relevance_score]), [['doc_0', 0.8], ['doc_1', 0.6]]);
        assert.deepEqual(summary.primary_sources.map((s) => s.document_id), ['doc_0']);
        const seen = await look();
        assert.deepEqual([seen.state, seen.final_answer, seen.source_summary], ['finished', 'therefore', summary]);
        const { ref: belief } = await ask('memory_belief', { statement: 'so it is', derived_from: [steps[3]] });
        const lineage = await ask('memory_lineage', { ref: belief, format: 'json' });
        for (const rests of [steps[3], 'document:doc_0']) assert.ok(lineage.nodes.some((n) => rests.startsWith(n.ref)), rests);
        await other.close();
    });

    // Over HTTP the server cannot see that a client of the stateless era has ended.
    if (!(http && modern)) await test('abandons a chain whose session ends', async () => {
        const other = await connect('leaver');
        const { ref } = (await kit.call(other, { name: 'cot_begin', arguments: { question: 'why?' } })).structuredContent;
        const state = async () => (await call({ name: 'cot_get', arguments: { chain: ref } })).structuredContent.state;
        assert.equal(await state(), 'running');
        if (http) await other.transport.terminateSession();
        await other.close();
        let last;
        await until('the end of its session', async () => (last = await state()) !== 'running');
        assert.equal(last, 'abandoned');
    });

    await test('sends the events of a response after a handshake', async () => {
        const heard = [];
        const other = await connect('reader');
        kit.onNotification(other, 'notifications/message', ({ params }) => heard.push(params));
        const sources = [0.2, 0.9, 0.5].map((relevanceScore) => ({ documentId: `d${relevanceScore}`, documentName: 'D', snippet: 's', relevanceScore, retrievedAt: '2026-01-11T09:30:00.000Z' }));
        const cite = async (message_id) => (await kit.call(other, { name: 'cite_sources', arguments: { conversation_id: 'c', message_id, sources } })).structuredContent;
        const { events } = await cite('first');
        assert.deepEqual(events.map((e) => e.source?.relevanceScore ?? e.type), [0.9, 0.5, 0.2, 'done']);
        if (modern) {
            assert.deepEqual(heard, []);
        } else {
            await until('the last event', () => heard.length >= 4);
            assert.deepEqual(heard, events.map((data) => ({ level: 'info', logger: 'stemma.citations', data })));
            await other.setLoggingLevel('warning');
            await cite('second');
            isFailure(await kit.call(other, { name: 'cite_sources', arguments: { conversation_id: 'c', sources } }), 'INVALID_REQUEST');
            await until('the error', () => heard.length > 4);
            assert.deepEqual(heard.slice(4).map((n) => [n.level, n.data.type, n.data.conversationId]), [['error', 'error', 'c']]);
        }
        await other.close();
    });

    await test('reports progress on request, and cancels a call', async () => {
        const told = [];
        await call({ name: 'memory_orphans', arguments: {} }, { onprogress: (p) => told.push(p.progress) });
        for (let i = 1; i < told.length; i++) assert.ok(told[i] > told[i - 1], 'progress goes back: ' + told);
        const stop = new AbortController();
        const pending = call({ name: 'memory_orphans', arguments: {} }, { signal: stop.signal });
        stop.abort('changed my mind');
        await rejected(pending);
        assert.ok((await call({ name: 'memory_list', arguments: { limit: 1 } })).structuredContent.memories.length === 1);
    });

    await test('answers the methods of its era', async () => {
        if (modern) {
            const found = await client.discover();
            assert.ok(found.supportedVersions.includes('2026-07-28'));
            return;
        }
        await client.ping();
        await client.setLoggingLevel('warning');
        await client.setLoggingLevel('debug');
    });

    await test('answers many calls at once, each with its own answer', async () => {
        const answers = await Promise.all(
            Array.from({ length: 200 }, (_, i) =>
                i % 2
                    ? call({ name: 'memory_raw', arguments: { blob: `many ${i}`, agent_id: 'tester' } })
                    : call({ name: 'memory_get', arguments: { ref: BELIEF } }),
            ),
        );
        const refs = answers.filter((_, i) => i % 2).map((a) => a.structuredContent.ref);
        assert.equal(new Set(refs).size, 100);
        for (let i = 0; i < refs.length; i += 9)
            assert.equal((await call({ name: 'memory_get', arguments: { ref: refs[i] } })).structuredContent.text, `many ${2 * i + 1}`);
    });

    await test('two clients of one store see what the other wrote', async () => {
        const other = await connect('other');
        const both = await Promise.all(
            Array.from({ length: 40 }, (_, i) => kit.call(i % 2 ? other : client, { name: 'memory_note', arguments: { content: `both ${i}`, agent_id: 'tester' } })),
        );
        for (let i = 0; i < both.length; i += 7) {
            const { ref } = both[i].structuredContent;
            const back = await kit.call(i % 2 ? client : other, { name: 'memory_get', arguments: { ref } });
            assert.equal(back.structuredContent.text, `both ${i}`);
        }
        await other.close();
    });

    await test('stores a text of a megabyte', async () => {
        const blob = 'デプロイ '.repeat(70000);
        const { ref } = (await call({ name: 'memory_raw', arguments: { blob, agent_id: 'tester' } })).structuredContent;
        let read = '';
        for (let offset = 0; offset !== undefined; ) {
            const piece = (await call({ name: 'memory_get', arguments: { ref, offset } })).structuredContent;
            read += piece.text;
            offset = piece.next;
        }
        assert.equal(read, blob);
    });

    await test('ends in good order and starts again', async () => {
        await client.close();
        client = await connect();
        assert.ok((await client.listTools()).tools.length === tools.length);
        await client.close();
    });

    await test('received nothing unexpected', async () => {
        // The end of this client; and it handles progress after an answer that it read together with it.
        const known = http ? /unknown message ID|progress notification for an unknown token|SSE stream disconnected: AbortError|^This operation was aborted$/i
            : /unknown message ID|progress notification for an unknown token/i;
        const odd = errors.map((e) => String(e?.message ?? e)).filter((m) => !known.test(m));
        assert.deepEqual(odd, []);
    });
    finish();
}
