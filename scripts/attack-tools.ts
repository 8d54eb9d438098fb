/**
 * `npm run lab -- attack-tools [--only text]`: starts a service on this machine and sends Debian's attack and load
 * tools at it: sqlmap at what members and visitors send, slowhttptest at its timeouts, wapiti's scan as a member,
 * zzuf's flipped bits, ab, siege, wrk and h2load at its endurance. While they run a member asks beside them. Prints
 * what each found, and ends with 1 where one found something, an answer was 5xx or broke, or the member got none.
 * Where programs are missing it says how to install them and ends with 2.
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
import { mutateBytes } from './attack-tools/mutate-bytes.ts';
import { PACKAGES, type Tool, toolsFor } from './attack-tools/tools.ts';

/** Longer than any of them takes. */
const LONGEST_MS = 240_000;

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const ZZUF = 'zzuf, flipped bits';
const names = [...toolsFor({ url: '', signedIn: '', apiKey: '', folder: '' }).map(({ name }) => name), ZZUF];
const chosen = names.filter((name) => name.includes(values.only));
// A name begins with its program's.
const absent = Object.keys(PACKAGES).filter(
  (program) => chosen.some((name) => name.startsWith(`${program},`)) && spawnSync('which', [program]).status !== 0,
);
if (absent.length > 0 || chosen.length === 0) {
  const install = absent.map((program) => PACKAGES[program]).join(' ');
  const missing = `Not installed: ${absent.join(', ')}. On Debian: apt-get install ${install}`;
  console.error(absent.length > 0 ? missing : `--only is part of one of these: ${names.join('; ')}.`);
  process.exit(2);
}

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

/** The words of a program, which is ended after four minutes. */
async function run({ program, args }: Tool): Promise<string> {
  const [command = '', ...rest] = args[0] === 'sh' ? args : [program, ...args];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TERM: 'dumb' },
    timeout: LONGEST_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise<void>((resolve) => void child.on('close', () => resolve()));
  return output;
}

interface Attack extends Pick<Tool, 'name' | 'finds' | 'says'> {
  run(): Promise<string>;
}

const target = {
  url: service.url,
  signedIn: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
  ...{ apiKey: service.firstRun.api_key, folder },
};
const attacks: Attack[] = [
  ...toolsFor(target).map((tool) => ({ ...tool, run: () => run(tool) })),
  {
    name: ZZUF,
    run: () => mutateBytes(service.url, service.firstRun.api_key, fresh),
    finds: (output) => /\d+ × (?:5\d\d|closed)/.exec(output)?.[0],
    says: (output) => output,
  },
];

let wrong = 0;
for (const attack of attacks.filter(({ name }) => chosen.includes(name))) {
  seen.answers = 0;
  seen.faults.clear();
  const waits: number[] = [];
  let ended = false;
  const end = attack.run().finally(() => (ended = true));
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
  const output = await end;
  const finding = attack.finds(output) ?? [...seen.faults].map(([what, n]) => `${what}: ${n}`).join('; ');
  if (finding) wrong += 1;
  console.log(
    `${finding ? `WRONG ${finding}` : 'ok'} | ${attack.name} | ${attack.says(output)}` +
      `${seen.answers > 0 ? `, ${seen.answers} requests` : ''} | ` +
      `a member beside it waited ${Math.max(...waits).toFixed(0)} ms at most`,
  );
}
between.close();
between.closeAllConnections();
await service.stop();
rmSync(folder, { recursive: true, force: true });
process.exitCode = wrong > 0 ? 1 : 0;
