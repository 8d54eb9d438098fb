/**
 * `npm run lab -- attack-tools [--only tool]`: starts a service on this machine and sends Debian's attack and load
 * tools at it: sqlmap at what members and visitors send, slowhttptest at its timeouts, ab, siege, wrk and h2load at its
 * endurance. While they run a member asks beside them. Prints what each tool found, and ends with 1 where one found a
 * parameter to inject into, an answer was 5xx or broke, or the member got none. A tool that is missing is named.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SITE, TestBrowser } from '../test/support/identity.ts';
import { startService } from '../test/support/service.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const service = await startService({
  ...{ BASE_URL: SITE, SANDBOX: 'on', WORKER: 'off', API_RATE_LIMIT: '1000000', REFERRAL_RATE_LIMITS: 'off' },
  TOKEN_COUNT_RATE_LIMITS: 'off',
});
const folder = mkdtempSync(join(tmpdir(), 'tally-attack-'));
const browser = new TestBrowser(service.url);
const { email, password } = service.firstRun.members[0]!;
const { body } = await browser.call('POST', '/client/sign_ins', { identifier: email, password });
const sessionId = body.response.created_session_id as string;
let [token, tokenAt] = ['', -Infinity];
async function fresh(): Promise<string> {
  if (performance.now() - tokenAt > 30_000) [token, tokenAt] = [await browser.token(sessionId), performance.now()];
  return token;
}

const seen = { answers: 0, faults: new Map<string, number>() };
/** The service as the tools see it: signed in as a member, and each answer's status is counted. */
const between = createServer((incoming, outgoing) => {
  void fresh().then((bearer) => {
    const { host: _host, ...headers } = incoming.headers;
    const sent = request(
      new URL(incoming.url ?? '/', service.url),
      { method: incoming.method, headers: { ...headers, authorization: `Bearer ${bearer}` } },
      (answer) => {
        seen.answers += 1;
        const status = answer.statusCode ?? 0;
        const what = `${status} ${incoming.method} ${incoming.url?.split('?')[0]}`;
        if (status >= 500) seen.faults.set(what, (seen.faults.get(what) ?? 0) + 1);
        outgoing.writeHead(status, answer.headers);
        answer.pipe(outgoing);
      },
    );
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
});
await new Promise<void>((resolve) => void between.listen(0, '127.0.0.1', resolve));
const signedIn = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;

interface Tool {
  name: string;
  program: string;
  args: readonly string[];
  /** What of its words is a finding; `undefined` where there is none. */
  finds(output: string): string | undefined;
  /** The words to print. */
  says(output: string): string;
}

const line = (output: string, pattern: RegExp): string => pattern.exec(output)?.[0].trim() ?? '(no such line)';

const inject = (name: string, ...args: readonly string[]): Tool => ({
  name: `sqlmap, ${name}`,
  program: 'sqlmap',
  args: [
    ...['--batch', '--flush-session', '--output-dir', folder, '--dbms', 'PostgreSQL', '--level', '2', '--risk', '2'],
    ...['--technique', 'BEUS', '--ignore-code', '400,401,403,404,409,422,429', '--disable-coloring', ...args],
  ],
  finds: (output) => /is vulnerable|Parameter: .*\n\s+Type:/.exec(output)?.[0],
  says: (output) =>
    /do(?:es)? not appear to be injectable/.test(output) ? 'no parameter can be injected into' : output.slice(-300),
});

const slow = (name: string, ...args: readonly string[]): Tool => ({
  name: `slowhttptest, ${name}`,
  program: 'slowhttptest',
  args: ['-c', '400', '-r', '200', '-l', '20', '-p', '3', '-i', '5', ...args],
  finds: (output) => (/service available:\s+NO/i.test(output.split('Hold')[0] ?? '') ? 'not available' : undefined),
  says: (output) => line(output, /Exit status:[^\n]*/) || output.slice(-200),
});

const key = ['-H', `x-api-key: ${service.firstRun.api_key}`, '-H', 'svc-version: 2023-06-01'];
const tools: readonly Tool[] = [
  inject('search', '-u', `${signedIn}/api/investments/search?q=apple&limit=5`),
  inject('a ticker in the path', '-u', `${signedIn}/api/watchlist/ticker/AAPL*`),
  inject(
    'adding',
    '-u',
    `${signedIn}/api/watchlist`,
    '--data',
    '{"symbol":"AAPL"}',
    '-H',
    'content-type: application/json',
  ),
  inject('a referral link', '-u', `${service.url}/api/referrals/validate-referrer?ref=Qm7XvT3kWz9B`),
  inject('models', '-u', `${service.url}/v1/models?limit=5&after_id=claude-sonnet-5`, ...key),
  slow('headers', '-H', '-u', `${service.url}/api/config`),
  slow('bodies', '-B', '-u', `${service.url}/v1/messages/count_tokens`, '-s', '8192'),
  slow('reading', '-X', '-u', `${service.url}/openapi.json`, '-w', '1', '-y', '2'),
  {
    name: 'ab, 20 at a time',
    program: 'ab',
    args: ['-q', '-k', '-n', '4000', '-c', '20', `${service.url}/api/config`],
    finds: (output) => (Number(/Failed requests:\s+(\d+)/.exec(output)?.[1]) > 0 ? 'failed requests' : undefined),
    says: (output) => `${line(output, /Failed requests:[^\n]*/)}, ${line(output, /Requests per second:[^\n]*/)}`,
  },
  {
    name: 'siege, 20 at a time',
    program: 'siege',
    args: ['-b', '-q', '-c', '20', '-t', '8S', '-j', `${service.url}/`],
    finds: (output) => (/"failed_transactions":\s+[1-9]/.test(output) ? 'failed transactions' : undefined),
    says: (output) => `${line(output, /"transactions":[^\n]*/)} ${line(output, /"failed_transactions":[^\n]*/)}`,
  },
  {
    name: 'wrk, 100 connections',
    program: 'wrk',
    args: ['-t1', '-c100', '-d8s', `${service.url}/healthz`],
    finds: (output) => /Non-2xx[^\n]*|Socket errors[^\n]*/.exec(output)?.[0],
    says: (output) => line(output, /\d+ requests in [^\n]*/),
  },
  {
    name: 'h2load, 50 clients over HTTP/1.1',
    program: 'h2load',
    args: ['--h1', '-n', '4000', '-c', '50', `${service.url}/api/config`],
    finds: (output) => (/ 0 failed, 0 errored, 0 timeout/.test(output) ? undefined : 'failed requests'),
    says: (output) => line(output, /requests: [^\n]*/),
  },
];

let wrong = 0;
for (const tool of tools.filter(({ name }) => name.includes(values.only))) {
  if (spawnSync('which', [tool.program]).status !== 0) {
    console.log(`NOT TRIED  ${tool.name}: not installed`);
    continue;
  }
  seen.answers = 0;
  seen.faults.clear();
  const waits: number[] = [];
  const child = spawn(tool.program, tool.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TERM: 'dumb' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let ended = false;
  const end = new Promise<void>((resolve) => child.on('close', () => resolve(void (ended = true))));
  while (!ended) {
    const from = performance.now();
    const headers = { authorization: `Bearer ${await fresh()}` };
    const status = await fetch(`${service.url}/api/watchlist`, { headers, signal: AbortSignal.timeout(10_000) }).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 0,
    );
    if (status !== 200) seen.faults.set(`${status} for the member beside it`, 1);
    waits.push(performance.now() - from);
    await Promise.race([end, sleep(500)]);
  }
  await end;
  const finding = tool.finds(output) ?? [...seen.faults].map(([what, n]) => `${what}: ${n}`).join('; ');
  if (finding) wrong += 1;
  const longest = Math.max(...waits);
  console.log(
    `${finding ? `WRONG ${finding}` : 'ok'} | ${tool.name} | ${tool.says(output)}` +
      `${seen.answers > 0 ? `, ${seen.answers} requests` : ''} | ` +
      `a member beside it waited ${longest.toFixed(0)} ms at most`,
  );
}
between.close();
between.closeAllConnections();
await service.stop();
rmSync(folder, { recursive: true, force: true });
process.exitCode = wrong > 0 ? 1 : 0;
