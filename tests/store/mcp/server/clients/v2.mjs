// Version 2 of the TypeScript SDK, in each of its modes: legacy, auto, modern.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { assert, httpOptions } from './harness.mjs';
import { everything } from './everything.mjs';

const MODES = { legacy: 'legacy', auto: 'auto', modern: { pin: '2026-07-28' } };

await everything({
    client: (name, mode) => new Client({ name, version: '2.0.0' }, { versionNegotiation: { mode: MODES[mode] } }),
    transport: ([command, ...args]) => command.startsWith('http:')
        ? new StreamableHTTPClientTransport(new URL(command), httpOptions(args[0]))
        : new StdioClientTransport({ command, args, stderr: 'inherit' }),
    era: (client) => {
        const era = client.getProtocolEra();
        assert.equal(era, process.argv[3] === 'legacy' ? 'legacy' : 'modern');
        return era;
    },
    notFound: () => -32602, // the name depends on the era
    call: (client, params, options) => client.callTool(params, options),
    onNotification: (client, method, handler) => client.setNotificationHandler(method, handler),
});
