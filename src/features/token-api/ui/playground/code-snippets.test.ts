import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'vitest';
import { writeCurl, writePython, writeTypeScript } from './code-snippets.ts';

const BASE_URL = 'https://tally.example';
/** Texts that a shell, TypeScript or Python could change. */
const request = {
  model: 'claude-sonnet-5',
  messages: [{ role: 'user', content: `It's $HOME "quoted" \\n \`id\` \${x} %s\n世界 😀 \u2028` }],
  tools: [],
  flags: { yes: true, no: false, none: null, number: 1.5, empty: {} },
};

test('writes a curl command whose body the shell does not change', () => {
  const code = writeCurl(request, BASE_URL).replace(/^curl .*\n(?: {2}-H .*\n)+ {2}--data-binary @-/, 'cat');
  const shell = spawnSync('/bin/sh', ['-c', code], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(shell.stdout), request);
});

test('writes the address, the key and the version into the curl command', () => {
  const code = writeCurl(request, BASE_URL);
  assert.match(code, /^curl 'https:\/\/tally\.example\/v1\/messages\/count_tokens' \\\n/);
  assert.match(code, /-H "x-api-key: \$TALLY_API_KEY" \\\n/);
  assert.match(code, /-H 'svc-version: 2023-06-01' \\\n/);
});

/** Runs the TypeScript code with a client that records its calls. */
async function runTypeScript(code: string): Promise<{ options: unknown; call: string; body: unknown }> {
  const body = stripTypeScriptTypes(code)
    .replace(/^import .*\n/, '')
    .replace('console.log(input_tokens);', '');
  const calls: { options: unknown; call: string; body: unknown }[] = [];
  class Client {
    readonly messages: object;
    readonly beta: object;
    constructor(options: unknown) {
      const record = (call: string) => async (body: unknown) => {
        calls.push({ options, call, body });
        return { input_tokens: 1 };
      };
      this.messages = { countTokens: record('messages') };
      this.beta = { messages: { countTokens: record('beta.messages') } };
    }
  }
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function('Anthropic', 'process', `return (async () => {${body}})();`) as (
    client: typeof Client,
    process: object,
  ) => Promise<void>;
  await run(Client, { env: { TALLY_API_KEY: 'sk-test' } });
  assert.equal(calls.length, 1);
  return calls[0]!;
}

test('writes TypeScript that calls the official client with the request', async () => {
  assert.deepEqual(await runTypeScript(writeTypeScript(request, BASE_URL)), {
    options: { baseURL: BASE_URL, apiKey: 'sk-test' },
    call: 'messages',
    body: request,
  });
});

test('writes TypeScript with the beta interface when a field needs it', async () => {
  const beta = { ...request, context_management: { edits: [] } };
  assert.equal((await runTypeScript(writeTypeScript(beta, BASE_URL))).call, 'beta.messages');
});

test('writes Python that calls the official client with the request', () => {
  assert.equal(
    writePython(
      { model: 'm', messages: [{ role: 'user', content: 'a "b"\n' }], flags: { a: true, b: null, c: [] } },
      BASE_URL,
    ),
    `import os

from anthropic import Anthropic

client = Anthropic(base_url="https://tally.example", api_key=os.environ["TALLY_API_KEY"])

count = client.messages.count_tokens(
    model="m",
    messages=[
        {
            "role": "user",
            "content": "a \\"b\\"\\n",
        },
    ],
    flags={
        "a": True,
        "b": None,
        "c": [],
    },
)
print(count.input_tokens)
`,
  );
});
