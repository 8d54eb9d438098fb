/**
 * `npm run bench -- demo-gate [--requests 3000]`: what the session gate costs the demo account. Two services in this
 * process on one database: in one the account is the demo account, whose sessions the gate checks, in the other it is
 * an ordinary member. The same requests go to both in turn, in an order that changes; the answers are compared first.
 * Then the statements of an ordinary member's requests are counted in both. Ends with 1 where a goal is missed.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config.ts';
import { start } from '../src/main.ts';
import { createTestDatabase } from '../test/support/database.ts';
import { makeLink } from '../test/support/demo-links.ts';
import { send, SITE, TestBrowser } from '../test/support/identity.ts';
import { settingsOn } from '../test/support/service.ts';
import { recordStatements } from '../test/support/statement-log.ts';
import { median } from '../test/support/median.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '3000' } } });
const requests = Number(values.requests);
const PATHS = ['/api/watchlist', '/api/me'] as const;
const MOST_MORE = 0.05;
/** Requests before those that count, until what runs all day is compiled; and after which a token is renewed. */
const [WARM_UP, A_TOKEN] = [1_000, 500];

await using stack = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'tally-gate-'));
stack.defer(async () => rmSync(folder, { recursive: true, force: true }));
const db = await createTestDatabase();
stack.defer(() => db.drop());

async function serve(name: string, settings: Record<string, string>, seed = false) {
  const common = {
    ...settingsOn(db),
    TOKEN_COUNT_WORKERS: '0',
    WORKER: 'off',
    BASE_URL: SITE,
    API_RATE_LIMIT: '1000000',
  };
  const service = await start(loadConfig({ ...common, DATA_DIR: join(folder, name), ...settings }), { seed });
  stack.defer(() => service.stop());
  return service;
}
const gated = await serve('gated', {}, true);
const { members } = gated.firstRun!;
const ungated = await serve('ungated', { DEMO_ACCOUNT_IDP_USER_ID: 'user_nobody' });
const urls = { gated: gated.url, ungated: ungated.url };
type Name = keyof typeof urls;

const firstRun = { operator_token: gated.firstRun!.operator_token! };
const { id, ticket } = await makeLink({ url: urls.gated, firstRun }, 'Bench');
const viewer = await signIn({ strategy: 'ticket', ticket });
const bound = await send(
  `${urls.gated}/api/demo-access/complete`,
  'POST',
  { invitation_id: id, ticket },
  await viewer(),
);
assert.equal(bound.status, 200);

let missed = 0;
const goal = (met: boolean, text: string): string => {
  if (!met) missed += 1;
  return `${met ? 'goal met' : 'GOAL MISSED'}: ${text}`;
};

for (const path of PATHS) {
  const [one, other] = await Promise.all([get('gated', path, await viewer()), get('ungated', path, await viewer())]);
  assert.deepEqual({ ...(one as object), is_demo_account: false }, { ...(other as object), is_demo_account: false });
  const { gated: withGate, ungated: without } = await time(path);
  const more = withGate / without - 1;
  console.log(
    `GET ${path.padEnd(14)} p50 ${withGate.toFixed(3)} ms with the gate, ${without.toFixed(3)} ms without: ` +
      `${(100 * more).toFixed(1)} % more   ${goal(more <= MOST_MORE, 'at most 5 %')}`,
  );
}

const { email, password } = members[0]!;
const member = await signIn({ identifier: email, password });
const texts = recordStatements({ after: () => {} });
for (const path of PATHS) {
  const counts: Record<string, number> = {};
  for (const name of ['gated', 'ungated'] as const) {
    const headers = await member();
    await get(name, path, headers); // the member is known to it now
    counts[name] = Infinity;
    // The service's own work, such as delivering events, may add statements to one request: the least of five counts.
    for (let i = 0; i < 5; i += 1) {
      texts.length = 0;
      await get(name, path, headers);
      counts[name] = Math.min(counts[name], texts.length);
      assert.ok(!texts.some((text) => text.includes('demo_access')));
    }
  }
  console.log(
    `GET ${path.padEnd(14)} ${counts['gated']} statements of an ordinary member, ${counts['ungated']} where no ` +
      `account is gated   ${goal(counts['gated'] === counts['ungated'], 'none more')}`,
  );
}
process.exitCode = missed > 0 ? 1 : 0;

/** Medians in milliseconds, with and without the gate. */
async function time(path: string): Promise<Record<Name, number>> {
  const times: Record<Name, number[]> = { gated: [], ungated: [] };
  let headers = await viewer();
  for (let i = 0; i < WARM_UP + requests; i += 1) {
    if (i % A_TOKEN === 0) headers = await viewer();
    for (const name of i % 2 === 0 ? (['gated', 'ungated'] as const) : (['ungated', 'gated'] as const)) {
      const started = performance.now();
      await get(name, path, headers);
      if (i >= WARM_UP) times[name].push(performance.now() - started);
    }
  }
  return { gated: median(times.gated), ungated: median(times.ungated) };
}

async function get(name: Name, path: string, headers: Record<string, string>): Promise<unknown> {
  const { status, body } = await send(`${urls[name]}${path}`, 'GET', undefined, headers);
  assert.equal(status, 200, `${path} answered ${status}`);
  return body;
}

/** Signs in; what it returns makes the header of a fresh token. */
async function signIn(fields: Record<string, string>): Promise<() => Promise<Record<string, string>>> {
  const browser = new TestBrowser(urls.gated);
  const { status, body } = await browser.call('POST', '/client/sign_ins', fields);
  assert.equal(status, 200);
  const sessionId = body.response.created_session_id as string;
  return async () => ({ authorization: `Bearer ${await browser.token(sessionId)}` });
}
