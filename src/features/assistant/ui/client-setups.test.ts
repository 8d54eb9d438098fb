import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { connectClient, type McpApp, startMcpApp } from '../../../../test/support/mcp-app.ts';
import { getClientSetups } from './client-setups.ts';

let app: McpApp;
let token: string;
beforeAll(async () => {
  app = await startMcpApp();
  token = await app.makeToken('user_ada');
});
afterAll(() => app.close());

interface Server {
  type?: string;
  url: string;
  headers: Record<string, string>;
}

/** Parses each client's text by the rules of the client's documentation. */
const parserByClient: Readonly<Record<string, (text: string) => Server>> = {
  'Claude Code'(text) {
    // Splits the words of a shell command. Double quotes enclose one word.
    const [program, ...args] = [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quotedArg, bareArg]) => quotedArg ?? bareArg!,
    );
    assert.deepEqual([program, ...args.slice(0, 2)], ['claude', 'mcp', 'add']);
    const options = new Map(
      [...args.keys()].filter((index) => args[index]!.startsWith('--')).map((at) => [args[at], args[at + 1]!]),
    );
    assert.deepEqual([...options.keys()], ['--scope', '--transport', '--header']);
    const [name, value] = options.get('--header')!.split(': ');
    const url = args.find((arg) => /^https?:/.test(arg))!;
    assert.equal(args[args.indexOf(url) - 1], 'tally');
    return { type: options.get('--transport')!, url, headers: { [name!]: value! } };
  },
  'VS Code'(text) {
    const { inputs, servers } = JSON.parse(text) as {
      inputs: { id: string; type: string; password: boolean }[];
      servers: Record<string, Server>;
    };
    assert.deepEqual([inputs.length, inputs[0]!.type, inputs[0]!.password], [1, 'promptString', true]);
    const server = servers['tally']!;
    const tokenPlaceholder = `\${input:${inputs[0]!.id}}`;
    const headers = Object.entries(server.headers).map(([name, value]) => [
      name,
      value.replace(tokenPlaceholder, token),
    ]);
    return { ...server, headers: Object.fromEntries(headers) as Record<string, string> };
  },
  Cursor: (text) => (JSON.parse(text) as { mcpServers: Record<string, Server> }).mcpServers['tally']!,
};

test('connects and lists the tools when each client reads its setup text', async () => {
  const setups = getClientSetups(`${app.url}/mcp`, token);
  assert.deepEqual(
    setups.map(({ name }) => name),
    Object.keys(parserByClient),
  );
  for (const { name, text } of setups) {
    const { type = 'http', url, headers } = parserByClient[name]!(text);
    assert.equal(type, 'http', name);
    const client = await connectClient(url, headers, '2025-11-25');
    assert.ok((await client.listTools()).tools.length > 0, name);
    await client.close();
  }
});
