// @module-tag slow
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type TestContext, test } from 'vitest';
import { omitCreationFields } from '../../src/features/token-api/command/creation-fields.ts';
import { startModelApi } from '../fakes/model-api.ts';
import { startCountServer } from '../support/count-server.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const run = promisify(execFile);
const TIMEOUT = 240_000;

/** A client of the Messages API, and the program with its arguments that sends one message. */
interface MessagesClient {
  name: string;
  packageName: string;
  program: readonly string[];
}

const CLAUDE_CODE = ['node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs'];
const CLIENTS: readonly MessagesClient[] = [
  { name: 'Claude Code', packageName: '@anthropic-ai/claude-code', program: [...CLAUDE_CODE, '-p', 'Name a port.'] },
  { name: 'the AI SDK', packageName: '@ai-sdk/anthropic', program: ['send-with-ai-sdk.ts'] },
  { name: 'LangChain', packageName: '@langchain/anthropic', program: ['send-with-langchain.ts'] },
];

interface Exchange {
  path: string;
  status: number;
}

/** Starts an address that serves counts and models from the service, and messages from a fake of the model. */
async function startGateway(t: TestContext) {
  const counting = await startCountServer({}, t);
  const model = await startModelApi();
  const exchanges: Exchange[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname } = new URL(request.url ?? '/', counting.url);
      const upstream = pathname === '/v1/messages' ? model.url : counting.url;
      const body = await buffer(request);
      const headers = new Headers();
      for (const name of ['authorization', 'x-api-key', 'anthropic-version', 'anthropic-beta', 'content-type']) {
        const value = request.headers[name];
        if (typeof value === 'string') headers.set(name, value);
      }
      const answer = await fetch(new URL(upstream === model.url ? pathname : (request.url ?? '/'), upstream), {
        method: request.method ?? 'GET',
        headers,
        ...(request.method === 'POST' && { body }),
      });
      exchanges.push({ path: pathname, status: answer.status });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await model.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, counting, model, exchanges };
}

/** Runs a client with only the base URL and the key of the gateway. */
async function runClient(t: TestContext, program: readonly string[], url: string, key: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'counting-client-'));
  t.onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  const { stdout } = await run(process.execPath, program, {
    cwd: folder,
    timeout: TIMEOUT,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: 'claude-sonnet-5',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  });
  return stdout;
}

function skipIfMissing(t: TestContext, packageName: string): void {
  const manifest = `${folder}node_modules/${packageName}/package.json`;
  if (!existsSync(manifest) && !process.env['COUNTING_CLIENTS_REQUIRED'])
    t.skip('not run, for lack of the clients: npm ci --prefix test/counting-clients');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  console.log(`${packageName} ${version}`);
}

test('counts each part of the context when Claude Code runs /context', { timeout: TIMEOUT }, async (t) => {
  skipIfMissing(t, '@anthropic-ai/claude-code');
  const { url, counting, exchanges } = await startGateway(t);

  const output = await runClient(t, [...CLAUDE_CODE, '-p', '/context'], url, counting.key);

  const counts = exchanges.filter(({ path }) => path === '/v1/messages/count_tokens');
  assert.match(output, /Tokens:/);
  assert.ok(counts.length > 5, `${counts.length} counts`);
  assert.deepEqual(
    counts.filter(({ status }) => status !== 200),
    [],
  );
});

test.for(CLIENTS)('counts the request that $name sends', { timeout: TIMEOUT }, async (client, t) => {
  skipIfMissing(t, client.packageName);
  const { url, counting, model } = await startGateway(t);
  await runClient(t, client.program, url, counting.key);
  const [sent] = model.requests;
  assert.ok(sent);

  const answer = await counting.post(omitCreationFields({ ...sent.body }));

  const result = (await answer.json()) as { input_tokens?: number };
  assert.equal(answer.status, 200, JSON.stringify(result));
  console.log(
    `${client.name}: ${sent.body.messages.map(({ role }) => role).join(', ')}, ${result.input_tokens} tokens`,
  );
  assert.ok((result.input_tokens ?? 0) > 5);
});
