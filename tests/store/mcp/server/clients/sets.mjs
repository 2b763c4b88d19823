// Each set of tools through both official clients, in one process. The arguments: a name for the lines, the sets with commas, and
// the command of the server.
import { Client as V1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as V2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Transport } from '@modelcontextprotocol/client/stdio';
import { assert, conforms, finish, test } from './harness.mjs';
import { calls } from './calls.mjs';

const [, , , sets, command, ...rest] = process.argv;
const KITS = {
    'v1 legacy': {
        connect: (args) => [new V1({ name: 'official', version: '1.0.0' }), new V1Transport({ command, args, stderr: 'inherit' })],
        call: (client, params) => client.callTool(params),
    },
    'v2 modern': {
        connect: (args) => [new V2({ name: 'official', version: '2.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } }), new V2Transport({ command, args, stderr: 'inherit' })],
        call: (client, params) => client.callTool(params),
    },
};

async function answers(kit, client, name, tool) {
    const call = async (other, given) => (await kit.call(client, { name: other, arguments: given })).structuredContent;
    const [given, check] = calls[name].good[0];
    const args = typeof given === 'function' ? await given(call) : given;
    if (args && tool) conforms(tool.inputSchema, args);
    const result = await kit.call(client, { name, arguments: args });
    assert.ok(!result.isError, name + ': ' + JSON.stringify(result).slice(0, 300));
    if (tool?.outputSchema) conforms(tool.outputSchema, result.structuredContent);
    check(result.structuredContent ?? result.content[0].text, assert, args);
}

const names = {};
for (const [version, kit] of Object.entries(KITS)) {
    for (const set of sets.split(','))
        await test(`${version}: ${set}`, async () => {
            const [client, transport] = kit.connect([...rest, '--tools', set]);
            await client.connect(transport);
            const { tools } = await client.listTools();
            assert.ok(tools.length > 0 && (set !== 'memory' || tools.length <= 10), `${tools.length} tools`);
            for (const { name, inputSchema, outputSchema } of tools) {
                for (const schema of [inputSchema, outputSchema].filter((s) => s)) conforms({ $ref: 'https://json-schema.org/draft/2020-12/schema' }, schema);
                assert.ok(calls[name], `${name} is never called here`);
            }
            for (const tool of tools) await answers(kit, client, tool.name, tool);
            const unlisted = Object.keys(calls).find((name) => !tools.some((t) => t.name === name));
            assert.equal(unlisted === undefined, set === 'all');
            if (unlisted) await answers(kit, client, unlisted);
            names[set] ??= tools.map((t) => t.name);
            assert.deepEqual(tools.map((t) => t.name), names[set], 'both list the same');
            await client.close();
        });
    await test(`${version}: each tool is in one set, and all has them all`, async () => {
        const each = Object.entries(names).filter(([set]) => set !== 'all').flatMap(([, listed]) => listed);
        assert.deepEqual(each.toSorted(), names.all.toSorted());
    });
}
finish();
