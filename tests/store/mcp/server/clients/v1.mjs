// Version 1 of the TypeScript SDK: only the era of the handshake.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { httpOptions } from './harness.mjs';
import { LoggingMessageNotificationSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { everything } from './everything.mjs';

const SCHEMAS = { 'notifications/message': LoggingMessageNotificationSchema, 'notifications/resources/updated': ResourceUpdatedNotificationSchema };

await everything({
    client: (name) => new Client({ name, version: '1.0.0' }),
    transport: ([command, ...args]) => command.startsWith('http:')
        ? new StreamableHTTPClientTransport(new URL(command), httpOptions(args[0]))
        : new StdioClientTransport({ command, args, stderr: 'inherit' }),
    era: () => 'legacy',
    notFound: () => -32002,
    call: (client, params, options) => client.callTool(params, undefined, options),
    onNotification: (client, method, handler) => client.setNotificationHandler(SCHEMAS[method], handler),
});
