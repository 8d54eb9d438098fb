import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'vitest';
import { startDemoApp, UNCONFIRMED } from '../../../test/support/demo-access.ts';
import { getTicket } from '../../../test/support/demo-links.ts';
import { AppError } from '../../errors.ts';
import type { Command } from '../../command-line.ts';
import { demoAccessCommand, demoAccountCommand } from './cli.ts';
import type { DemoReset } from './reset-demo.ts';

const TOKEN = randomBytes(32).toString('hex');

interface CapturedOutput {
  code: number;
  out: string;
  err: string;
}

interface Options {
  timeoutMs?: number;
  reset?: () => Promise<DemoReset>;
}

const readDeploymentAt =
  (baseUrl: string, { timeoutMs }: Options) =>
  () => ({ baseUrl, token: TOKEN, ...(timeoutMs && { timeoutMs }) });

/** Creates a runner of the demo-access command for a deployment. */
const createRunner = (baseUrl: string, options: Options = {}) =>
  runCommand(demoAccessCommand(readDeploymentAt(baseUrl, options)));

/** Creates a runner of the demo-account command. */
const createAccountRunner = (baseUrl: string, options: Options = {}) => {
  const { reset = async () => ({ ok: true, idpUserId: 'user_demo' }) } = options;
  return runCommand(demoAccountCommand({ readDeployment: readDeploymentAt(baseUrl, options), reset }));
};

/** Runs a command and asserts that its output does not contain the token. */
const runCommand =
  (command: Command) =>
  async (...argv: string[]): Promise<CapturedOutput> => {
    const captured = { out: '', err: '' };
    const code = await command.run(argv, {
      out: (text) => {
        captured.out += text;
      },
      err: (text) => {
        captured.err += text;
      },
    });
    assert.ok(!`${captured.out}${captured.err}`.includes(TOKEN), 'the token is printed');
    return { code, ...captured };
  };

const findInvitationId = ({ err }: CapturedOutput): string => /[0-9a-f-]{36}/.exec(err)![0];
const findTicket = ({ out }: CapturedOutput): string => getTicket(out.trim());

/** Starts the service with an invitation that the command created. `viewer` has signed in with its link. */
async function createInvitation(t: TestContext) {
  const demo = await startDemoApp(t, { operatorToken: TOKEN });
  const run = createRunner(demo.url);
  const created = await run('create', '--label', ' Ada at Example ');
  assert.equal(created.code, 0);
  const viewer = await demo.signInWithTicket(findTicket(created));
  const id = findInvitationId(created);
  const complete = () => demo.complete(viewer, { invitation_id: id, ticket: findTicket(created) });
  return { demo, run, runAccount: createAccountRunner(demo.url), created, viewer, id, complete };
}

test('prints only the link on standard output when create succeeds', async (t) => {
  const { created } = await createInvitation(t);

  assert.match(created.out, /^http:\/\/tally\.test\/demo-access#code=[\w-]+\n$/);
  assert.match(
    created.err,
    /^Link [0-9a-f-]{36} for "Ada at Example": works once, until 20\d\d-\d\d-\d\d \d\d:\d\d UTC\. /,
  );
  assert.ok(!created.err.includes(findTicket(created)));
});

test('lists sessions without an invitation as candidates without ending them', async (t) => {
  const { demo, runAccount, viewer, complete } = await createInvitation(t);

  const orphaned = await runAccount('candidates');
  assert.equal(orphaned.code, 0);
  assert.match(orphaned.out, new RegExp(`^session +user +created +last active\n${viewer.sessionId} +${demo.demoId} `));
  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'active', 'an operator decides');

  await complete();
  const noSessions = await runAccount('candidates');
  assert.deepEqual([noSessions.code, noSessions.out], [0, '']);
});

test('lists an invitation with its session', async (t) => {
  const { run, viewer, id, complete } = await createInvitation(t);
  await complete();

  const listed = await run('list');
  const { invitations } = JSON.parse((await run('list', '--json')).out) as { invitations: Record<string, string>[] };

  assert.match(listed.out, new RegExp(`^id .*\n${id}  Ada at Example  in_use .* active\n$`));
  const [entry] = invitations;
  assert.deepEqual([entry!.session_id, entry!.session_status], [viewer.sessionId, 'active']);
  assert.match(entry!.usedAt!, /^20\d\d-\d\d-\d\dT/);
});

test('lists last known values when the provider is unavailable, but no candidates', async (t) => {
  const { demo, run, runAccount, complete } = await createInvitation(t);
  await complete();
  await run('list');
  demo.provider.listSessions = async () => UNCONFIRMED;

  const unavailable = await run('list');

  assert.deepEqual([unavailable.code, / unknown\n$/.test(unavailable.out)], [0, true]);
  assert.match(unavailable.err, /last known values/);
  assert.equal((await runAccount('candidates')).code, 3);
});

test('revokes an invitation with its session, also when repeated', async (t) => {
  const { demo, run, viewer, id, complete } = await createInvitation(t);
  await complete();

  for (let time = 0; time < 2; time += 1)
    assert.deepEqual(await run('revoke', id), { code: 0, out: '', err: `${id} is revoked.\n` });

  assert.equal(await demo.getSessionStatus(viewer.sessionId), 'revoked');
});

test('prints the link with its id and deadline when create is run with --json', async (t) => {
  const demo = await startDemoApp(t, { operatorToken: TOKEN });
  const created = await createRunner(demo.url)('create', '--label', 'Ada', '--json');
  const { id, link, expires_at, ...more } = JSON.parse(created.out) as Record<string, string>;
  assert.deepEqual([created.code, id, more], [0, findInvitationId(created), { label: 'Ada' }]);
  assert.ok(Date.parse(expires_at!) > Date.now());
  assert.ok(!created.err.includes(getTicket(link!)));
  await demo.signInWithTicket(getTicket(link!));
});

test('tries each id and exits with the highest code when revoke gets several', async (t) => {
  const demo = await startDemoApp(t, { operatorToken: TOKEN });
  const run = createRunner(demo.url);
  const ids = [
    findInvitationId(await run('create', '--label', 'one')),
    findInvitationId(await run('create', '--label', 'two')),
  ];
  const unknownId = '00000000-0000-4000-8000-000000000000';
  const mixedResult = await run(
    'revoke',
    ids[0]!,
    unknownId,
    '../candidates',
    'http://tally.test/demo-access#code=SECRET',
  );
  assert.equal(mixedResult.code, 1);
  assert.ok(!mixedResult.err.includes('SECRET'), 'a link in the place of an id is not repeated');
  assert.doesNotMatch(demo.log.join(''), /SECRET/);
  assert.match(
    mixedResult.err,
    new RegExp(`^${ids[0]} is revoked\\.\n.*${unknownId} is not revoked\\. There is no invitation`),
  );
  demo.provider.revokeSignInToken = async () => UNCONFIRMED;
  const pending = await run('revoke', unknownId, ids[1]!);
  assert.equal(pending.code, 3);
  assert.match(pending.err, /REVOCATION_UNCONFIRMED\) Try again in \d+ s\./);
  assert.match((await run('list')).out, /two +revocation_pending/);
});

test('follows the pages to the last one when list is run', { tags: ['slow'] }, async (t) => {
  const demo = await startDemoApp(t, { operatorToken: TOKEN });
  const run = createRunner(demo.url);
  const empty = await run('list');
  assert.deepEqual([empty.code, empty.out], [0, '']);
  for (let number = 0; number < 52; number += 1) await run('create', '--label', `viewer ${number}`);
  const { invitations } = JSON.parse((await run('list', '--json')).out) as { invitations: { label: string }[] };
  assert.deepEqual(
    invitations.map(({ label }) => label),
    Array.from({ length: 52 }, (_, number) => `viewer ${51 - number}`),
  );
});

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const refusal = (code: string) => JSON.stringify({ code, message: 'A sentence.', request_id: 'r' });
type Sent = [status: number, headers: Record<string, string>, body: string];
const json = { 'content-type': 'application/json; charset=utf-8' };

const ANSWERS: Record<string, { sent: Sent; code: number; pattern: RegExp }> = {
  'another token': {
    sent: [401, json, refusal('UNAUTHENTICATED')],
    code: 1,
    pattern: /rejected this DEMO_ACCESS/,
  },
  'an account that is not ready': {
    sent: [409, json, refusal('DEMO_ACCOUNT_NOT_READY')],
    code: 1,
    pattern: /: A sentence\. \(DEMO_ACCOUNT_NOT_READY\)\n$/,
  },
  'a deployment without the setting': {
    sent: [503, json, refusal('NOT_CONFIGURED')],
    code: 1,
    pattern: /: A sentence\. \(NOT_CONFIGURED\): set DEMO_ACCOUNT_IDP_USER_ID and DEMO_ACCESS_OPERATOR_TOKEN at http/,
  },
  'too many requests': {
    sent: [429, { ...json, 'retry-after': '17' }, refusal('RATE_LIMITED')],
    code: 3,
    pattern: /\(RATE_LIMITED\) Try again in 17 s\./,
  },
  'an unavailable provider': {
    sent: [503, json, refusal('UNAVAILABLE')],
    code: 3,
    pattern: /\(UNAVAILABLE\) Try again later\.\n.*it was not shown/,
  },
  'a fault': { sent: [500, json, refusal('INTERNAL')], code: 3, pattern: /\(INTERNAL\) Try again later\./ },
  'a proxy’s page for an unavailable service': {
    sent: [502, { 'content-type': 'text/html' }, '<h1>Bad Gateway</h1>'],
    code: 3,
    pattern: /returned 502 with text\/html, which is not a response of this service: check BASE_URL/,
  },
  'another site': {
    sent: [200, { 'content-type': 'text/html' }, '<html>'],
    code: 1,
    pattern: /returned 200 with text\/html/,
  },
  'another service': {
    sent: [201, json, '{"id":1}'],
    code: 1,
    pattern: /returned 201 with application\/json, which is not a response/,
  },
  'half an answer': {
    sent: [201, json, '{"id":"5b1f8c1e-6f0a'],
    code: 1,
    pattern: /application\/json, which.*\n.*it was not shown/,
  },
  'no body': { sent: [404, {}, ''], code: 1, pattern: /returned 404 with no media type/ },
};

for (const [what, { sent, code, pattern }] of Object.entries(ANSWERS)) {
  test(`prints a clear sentence and exits with ${code} when ${what}`, async (t) => {
    const [status, headers, body] = sent;
    const url = await serve(t, (_request, response) => response.writeHead(status, headers).end(body));
    const result = await createRunner(url)('create', '--label', 'Ada');
    assert.deepEqual([result.code, result.out], [code, '']);
    assert.match(result.err, pattern);
  });
}

test('does not follow a redirect, so that no other host receives the token', async (t) => {
  let visits = 0;
  const otherHost = await serve(t, (_request, response) => {
    visits += 1;
    response.end();
  });
  const location = `${otherHost}/login?next=secret`;
  const url = await serve(t, (_request, response) => response.writeHead(302, { location }).end());
  const result = await createRunner(url)('list');
  assert.deepEqual([result.code, result.out, visits], [1, '', 0]);
  assert.match(result.err, new RegExp(`returned a redirect to ${otherHost}, which is not a response`));
});

test('advises a retry when the service is unavailable, disconnects or times out', async (t) => {
  const away = await createRunner('http://127.0.0.1:1')('list');
  assert.deepEqual([away.code, away.out], [3, '']);
  assert.match(away.err, /http:\/\/127\.0\.0\.1:1 did not respond \(/);
  const droppingServer = await serve(t, (request) => request.socket.destroy());
  assert.equal((await createRunner(droppingServer)('revoke', '00000000-0000-4000-8000-000000000000')).code, 3);
  const silentServer = await serve(t, () => {});
  const timedOut = await createRunner(silentServer, { timeoutMs: 100 })('create', '--label', 'Ada');
  assert.equal(timedOut.code, 3);
  assert.match(timedOut.err, /did not respond \(timeout after 0\.1 s\)\.\nIf a link was created, it was not shown/);
});

test('explains wrong usage without a request', async () => {
  const run = createRunner('http://127.0.0.1:1');
  for (const argv of [
    [],
    ['show'],
    ['create'],
    ['create', '--label', ' '],
    ['create', '--label', 'x'.repeat(121)],
    ['create', '--label', 'Ada', 'extra'],
    ['create', '--json'],
    ['list', 'extra'],
    ['list', '--label', 'Ada'],
    ['list', '--env-file'],
    ['revoke'],
    ['revoke', '--json', 'id'],
  ]) {
    const { code, out, err } = await run(...argv);
    assert.deepEqual([code, out], [2, ''], argv.join(' '));
    assert.match(err, /^tally demo-access: .* See tally demo-access --help\.\n$/, argv.join(' '));
  }
  const runAccount = createAccountRunner('http://127.0.0.1:1');
  for (const argv of [[], ['list'], ['candidates', 'extra'], ['reset', 'now']]) {
    const { code, out, err } = await runAccount(...argv);
    assert.deepEqual([code, out], [2, ''], argv.join(' '));
    assert.match(err, /^tally demo-account: .* See tally demo-account --help\.\n$/, argv.join(' '));
  }
});

test('prints the result of reset', async () => {
  const resetting = (reset: () => Promise<DemoReset>) => createAccountRunner('http://127.0.0.1:1', { reset })('reset');
  const done = await resetting(async () => ({ ok: true, idpUserId: 'user_demo' }));
  assert.deepEqual(done, { code: 0, out: '', err: 'The demo data of user_demo was reset.\n' });
  const rejected = await resetting(async () => ({ ok: false, message: 'There is no demo account.' }));
  assert.deepEqual(rejected, { code: 1, out: '', err: 'tally demo-account: There is no demo account.\n' });
  const unavailableResult = await resetting(async () => {
    throw new AppError('UNAVAILABLE', { message: 'LLY cannot be looked up.' });
  });
  assert.deepEqual(unavailableResult, { code: 3, out: '', err: 'tally demo-account: LLY cannot be looked up.\n' });
});
