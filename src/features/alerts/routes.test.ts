import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { startMailServer, type FakeMailServer } from '../../../test/fakes/mail-server.ts';
import { redeemTicket, signInViewer } from '../../../test/support/demo-viewer.ts';
import { assertDocumented } from '../../../test/support/documented-responses.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { sendRequest, SITE } from '../../../test/support/identity.ts';
import { signInMember, type SignedIn } from '../../../test/support/member-tables.ts';
import { startService, type TestService } from '../../../test/support/service.ts';
import { createAlertEvaluator } from './evaluate-alerts.ts';

let service: TestService;
let mails: FakeMailServer;
const cleanups: (() => unknown)[] = [];
beforeAll(async () => {
  mails = await startMailServer({
    onTestFinished: (end) => {
      cleanups.push(end);
    },
  });
  service = await startService({
    BASE_URL: SITE,
    SMTP_URL: `${mails.url}?tls=off`,
    MAIL_FROM: 'Tally <tally@tally.test>',
    API_RATE_LIMIT: '9999',
  });
});
afterAll(async () => {
  await service?.stop();
  for (const end of cleanups) await end();
});

const signUp = async (): Promise<SignedIn> => {
  const member = await signInMember(service);
  const { call } = member;
  return {
    ...member,
    async call(method, path, sent) {
      const response = await call(method, path, sent);
      assertDocumented(method, path, response);
      return response;
    },
  };
};

const ALERT = { symbol: 'AAPL', kind: 'above', threshold: 1e6 };

/** Evaluates a price of AAPL as a refresh does. Each call is a minute later than the one before. */
let minutes = 0;
async function evaluate(price: number): Promise<void> {
  minutes += 1;
  const evaluatePrices = createAlertEvaluator({ sendsMail: true, capture: () => {} });
  const priceAt = new Date(Date.now() + minutes * 60_000).toISOString();
  const written = {
    symbol: 'AAPL',
    price,
    change_1d: 1,
    price_at: priceAt,
    day: priceAt.slice(0, 10),
    delayed_minutes: 0,
    sample: true,
  };
  await service.database.database.service.transaction((tx) => evaluatePrices(tx, { prices: [written], splits: [] }));
}

test('sets, lists, changes and removes an alert', async () => {
  const { call, idpId } = await signUp();

  const added = await call('POST', '/api/alerts', { ...ALERT, note: ' Sell half ' });
  assert.equal(added.status, 201);
  const { alert } = added.body;
  assert.deepEqual([alert.symbol, alert.name, alert.repeats, alert.note], ['AAPL', 'Apple Inc.', 'once', 'Sell half']);
  const terms = { kind: 'move', threshold: 5, repeats: 'daily', note: null };
  const changed = await call('PATCH', `/api/alerts/${alert.id}`, terms);
  assert.deepEqual([changed.status, changed.body.alert.kind, changed.body.alert.note], [200, 'move', null]);
  const list = await call('GET', '/api/alerts');
  assert.deepEqual([list.body.limit, list.body.alerts, list.body.unread_count], [20, [changed.body.alert], 0]);
  assert.equal((await call('DELETE', `/api/alerts/${alert.id}`)).status, 204);
  assert.deepEqual((await call('GET', '/api/alerts')).body.alerts, []);
  const events = await service.database.owner<{ event: string }>(
    `select event from public.analytics_events where idp_id = $1 and event like 'alert%' order by occurred_at`,
    [idpId],
  );
  assert.deepEqual(
    events.map(({ event }) => event),
    ['alert_added', 'alert_removed'],
  );
});

test('changes the terms that are named and keeps the others', async () => {
  const { call } = await signUp();
  const { alert } = (await call('POST', '/api/alerts', { ...ALERT, note: 'Sell half' })).body;
  const change = async (body: object) => {
    const changed = await call('PATCH', `/api/alerts/${alert.id}`, body);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    return changed.body.alert;
  };

  assert.deepEqual(await change({ threshold: 2e6 }), { ...alert, threshold: 2e6 });
  assert.deepEqual(await change({ repeats: 'daily' }), { ...alert, threshold: 2e6, repeats: 'daily' });
  assert.deepEqual(await change({ kind: 'below' }), { ...alert, threshold: 2e6, repeats: 'daily', kind: 'below' });
  assert.deepEqual(await change({ note: null, kind: 'move', threshold: 5 }), {
    ...alert,
    kind: 'move',
    threshold: 5,
    repeats: 'daily',
    note: null,
  });
});

/** One member for all cases, since sign-ups are limited. */
let editor: Promise<SignedIn> | undefined;
const getEditor = (): Promise<SignedIn> => {
  editor ??= signUp();
  return editor;
};

test.each([
  [{ kind: 'above', threshold: 100 }, {}, '', /Name at least one field/],
  [{ kind: 'above', threshold: 100 }, { symbol: 'MSFT', threshold: 2 }, '', /symbol/],
  [{ kind: 'above', threshold: 5 }, { kind: 'move' }, 'threshold', /between a price and a percentage/],
  [{ kind: 'move', threshold: 5 }, { kind: 'below' }, 'threshold', /between a price and a percentage/],
  [{ kind: 'above', threshold: 100 }, { kind: 'move', threshold: 101 }, 'threshold', /from 0\.1 to 100 percent/],
  [{ kind: 'move', threshold: 5 }, { threshold: 0.05 }, 'threshold', /from 0\.1 to 100 percent/],
  [{ kind: 'above', threshold: 100 }, { threshold: -1 }, 'threshold', /./],
  [{ kind: 'above', threshold: 100 }, { note: '' }, 'note', /./],
])('rejects a change of %j by %j', async (terms, body, path, message) => {
  const { call } = await getEditor();
  const { alert } = (await call('POST', '/api/alerts', { symbol: 'AAPL', ...terms })).body;

  const changed = await call('PATCH', `/api/alerts/${alert.id}`, body);

  assert.deepEqual([changed.status, changed.body.code], [400, 'INVALID_REQUEST']);
  assert.equal(changed.body.issues[0].path, path);
  assert.match(changed.body.issues[0].message, message);
  assert.deepEqual((await call('GET', '/api/alerts')).body.alerts, [alert]);
  await call('DELETE', `/api/alerts/${alert.id}`);
});

test('starts an alert anew after a change of its threshold, and not after one of its note', async () => {
  const { call } = await signUp();
  const { alert } = (await call('POST', '/api/alerts', { ...ALERT, threshold: 900, repeats: 'daily' })).body;
  const countFired = async () => (await call('GET', '/api/alerts')).body.fired.length;
  await evaluate(901);
  assert.equal(await countFired(), 1);

  await call('PATCH', `/api/alerts/${alert.id}`, { note: 'Sell half' });
  await evaluate(902);
  assert.equal(await countFired(), 1, 'fired on this day');
  await call('PATCH', `/api/alerts/${alert.id}`, { threshold: 850 });
  await evaluate(903);
  assert.equal(await countFired(), 2);
});

test("answers 404 for another member's alert and for no id", async () => {
  const ada = await signUp();
  const bob = await signUp();
  const { alert } = (await ada.call('POST', '/api/alerts', ALERT)).body;

  for (const id of [alert.id, '00000000-0000-4000-8000-000000000000', 'x']) {
    assert.equal((await bob.call('PATCH', `/api/alerts/${id}`, { threshold: 2 })).status, 404, id);
    assert.equal((await bob.call('DELETE', `/api/alerts/${id}`)).status, 404, id);
  }
  assert.deepEqual((await ada.call('GET', '/api/alerts')).body.alerts, [alert]);
  assert.deepEqual((await bob.call('GET', '/api/alerts')).body.alerts, []);
});

test.each([
  [{ ...ALERT, threshold: 0 }, 400],
  [{ ...ALERT, threshold: 1e9 + 1 }, 400],
  [{ ...ALERT, threshold: -1 }, 400],
  [{ ...ALERT, threshold: '200' }, 400],
  // NaN and Infinity are null in JSON.
  [{ ...ALERT, threshold: Number.NaN }, 400],
  [{ ...ALERT, kind: 'move', threshold: 101 }, 400],
  [{ ...ALERT, kind: 'sideways' }, 400],
  [{ ...ALERT, note: 'x'.repeat(201) }, 400],
  [{ ...ALERT, symbol: 'NOSUCHX' }, 404],
  [{ ...ALERT, symbol: 'BTCUSDT' }, 422],
])('rejects %j with %i', async (body, status) => {
  const { call } = await getEditor();
  assert.equal((await call('POST', '/api/alerts', body)).status, status);
  assert.deepEqual((await call('GET', '/api/alerts')).body.alerts, []);
});

test('adds one alert when 30 race for the last of the plan', async () => {
  const { call } = await signUp();
  for (let n = 1; n < 20; n += 1) assert.equal((await call('POST', '/api/alerts', ALERT)).status, 201);

  const raced = await Promise.all(Array.from({ length: 30 }, () => call('POST', '/api/alerts', ALERT)));

  assert.equal(raced.filter(({ status }) => status === 201).length, 1);
  const rejected = raced.filter(({ status }) => status === 403).map(({ body }) => [body.code, body.limit]);
  assert.deepEqual(
    rejected,
    Array.from({ length: 29 }, () => ['LIMIT_REACHED', 20]),
  );
  assert.equal((await call('GET', '/api/alerts')).body.alerts.length, 20);
});

test('removes an alert once when two tabs remove it', async () => {
  const { call, idpId } = await signUp();
  const { alert } = (await call('POST', '/api/alerts', ALERT)).body;

  const removals = await Promise.all([1, 2].map(() => call('DELETE', `/api/alerts/${alert.id}`)));

  assert.deepEqual(removals.map(({ status }) => status).sort(), [204, 404]);
  const events = await service.database.owner(
    `select from public.analytics_events where idp_id = $1 and event = 'alert_removed'`,
    [idpId],
  );
  assert.equal(events.length, 1);
});

test('adds no alert for a row that the plan locks', async () => {
  const { call, idpId } = await signUp();
  await call('POST', '/api/watchlist', { symbol: 'AAPL' });
  await service.database.owner(
    `insert into public.watchlist_items (idp_id, symbol, position)
     select $1, symbol, row_number() over () + 1 from
       (select symbol from public.tracked_tickers_latest where symbol <> 'AAPL' limit 20) t`,
    [idpId],
  );
  await service.database.owner(
    `update public.watchlist_items set position = 500 where idp_id = $1 and symbol = 'AAPL'`,
    [idpId],
  );

  const { status, body } = await call('POST', '/api/alerts', ALERT);
  assert.deepEqual([status, body.code], [403, 'FORBIDDEN']);
});

test('rejects the demo account and the sample user', async () => {
  const viewer = await signInViewer(service);
  const demo = await viewer.call('POST', '/api/alerts', ALERT);
  assert.deepEqual([demo.status, demo.body.code], [403, 'DEMO_ACCOUNT']);
  assert.equal((await viewer.call('GET', '/api/alerts')).status, 200);
  const opened = await sendRequest(`${service.url}/api/sample-portfolio`, 'POST');
  const visitor = await redeemTicket(service, opened.body.ticket as string);
  const sample = await visitor.call('POST', '/api/alerts', ALERT);
  assert.deepEqual([sample.status, sample.body.code], [403, 'DEMO_MODE']);
});

test('lists fired alerts as unread until they are marked', async () => {
  const { call } = await signUp();
  await call('POST', '/api/alerts', { symbol: 'AAPL', kind: 'above', threshold: 500, note: 'Sell' });
  await evaluate(501);

  const { body } = await call('GET', '/api/alerts');
  const [fired] = body.fired;
  assert.deepEqual([body.alerts.length, body.unread_count, body.fired.length], [0, 1, 1]);
  assert.deepEqual(
    [fired.kind, fired.threshold, fired.price, fired.note, fired.sample, fired.stale, fired.read],
    ['above', 500, 501, 'Sell', true, false, false],
  );
  assert.deepEqual((await call('GET', '/api/alerts/unread')).body, { unread_count: 1 });
  const other = await signUp();
  assert.equal((await other.call('POST', '/api/alerts/read', { ids: [fired.id] })).status, 204);
  assert.equal((await call('GET', '/api/alerts/unread')).body.unread_count, 1, "another member's mark");
  assert.equal((await call('POST', '/api/alerts/read', { ids: [fired.id] })).status, 204);
  assert.equal((await call('GET', '/api/alerts/unread')).body.unread_count, 0);
});

test('has no unread alerts once all listed ones are marked when 120 fired', async () => {
  const { call, idpId } = await signUp();
  // Makes the settings row to which fired alerts belong.
  await call('POST', '/api/alerts', ALERT);
  await service.database.owner(
    `insert into public.fired_alerts (idp_id, symbol, kind, threshold, price, price_at, delayed_minutes, sample, fired_at, mail_pending)
     select $1, 'AAPL', 'above', n, 200, now(), 0, true, now() - make_interval(mins => n), false from generate_series(1, 120) n`,
    [idpId],
  );

  const { fired, unread_count } = (await call('GET', '/api/alerts')).body;
  assert.deepEqual([fired.length, unread_count], [100, 100]);
  await call('POST', '/api/alerts/read', { ids: fired.map(({ id }: { id: string }) => id) });

  assert.equal((await call('GET', '/api/alerts/unread')).body.unread_count, 0);
  assert.equal((await call('GET', '/api/alerts')).body.unread_count, 0);
});

/** Lets the next mail of all members go out now. */
async function endWait(): Promise<void> {
  await service.database.owner(`update public.alert_settings set last_mail_at = now() - interval '6 minutes'`);
  await service.database.owner(`update graphile_worker._private_jobs set run_at = now() where run_at > now()`);
}

test('mails all that fired, at most every five minutes, until the link of a mail stops it', async () => {
  const { call, idpId, email } = await signUp();
  // The first mail asks to confirm the address.
  await mails.waitForMail(email);
  const countMails = () => mails.received.filter(({ to }) => to === email).length - 1;
  const refused = await call('PUT', '/api/alerts/mail', { enabled: true });
  assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT'], 'the address is not confirmed');
  await service.database.owner('update idp.users set email_verified_at = now() where id = $1', [idpId]);
  assert.equal((await call('PUT', '/api/alerts/mail', { enabled: true })).status, 204);
  for (const threshold of [600, 601, 602])
    await call('POST', '/api/alerts', { ...ALERT, threshold, note: `n${threshold}` });

  await evaluate(600.5);
  const first = await mails.waitForMail(email, 1);
  assert.match(first.text, /AAPL rose to \$600\.00 or above/);
  assert.match(first.text, /sample data/);
  await evaluate(605);
  await eventually(async () => {
    const waiting = await service.database.owner(
      `select from graphile_worker._private_jobs where key = 'later-alert-mails' and run_at > now() + interval '3 minutes'`,
    );
    return waiting.length === 1;
  });
  assert.equal(countMails(), 1, 'the second mail waits');
  await endWait();
  const second = await mails.waitForMail(email, 2);
  assert.match(second.subject, /^2 price alerts$/);
  assert.match(second.text, /n601[^]*n602/);
  assert.match(second.text, /list-unsubscribe-post: List-Unsubscribe=One-Click/i);

  const [, code] = /list-unsubscribe:\s*<\S*\/api\/alerts\/unsubscribe\?code=([0-9a-f]{64})>/i.exec(second.text)!;
  await call('POST', '/api/alerts', { ...ALERT, threshold: 700 });
  await evaluate(700);
  const response = await fetch(`${service.url}/api/alerts/unsubscribe?code=${code}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  assert.equal(response.status, 204);
  assert.deepEqual((await call('GET', '/api/alerts')).body.mail, { available: true, enabled: false });
  await endWait();
  const pending = await service.database.owner('select from public.fired_alerts where idp_id = $1 and mail_pending', [
    idpId,
  ]);
  assert.deepEqual([pending, countMails()], [[], 2]);
  const unknown = await sendRequest(`${service.url}/api/alerts/unsubscribe?code=${'0'.repeat(64)}`, 'POST');
  assert.equal(unknown.status, 204);
});

test('tries a mail again with the next one when the mail server refuses it', async () => {
  const { call, idpId, email } = await signUp();
  await mails.waitForMail(email);
  await service.database.owner('update idp.users set email_verified_at = now() where id = $1', [idpId]);
  await call('PUT', '/api/alerts/mail', { enabled: true });
  await call('POST', '/api/alerts', { ...ALERT, threshold: 800 });
  mails.fault = 'refuses';
  const before = mails.attempts;
  await evaluate(801);
  await eventually(async () => mails.attempts > before);
  mails.fault = undefined;
  await eventually(async () => {
    const jobs = await service.database.owner(
      `select from graphile_worker._private_jobs where key = 'later-alert-mails' and run_at > now() and locked_at is null`,
    );
    return jobs.length === 1;
  });
  await endWait();
  assert.match((await mails.waitForMail(email, 1)).subject, /^AAPL rose to \$800\.00 or above$/);
});
