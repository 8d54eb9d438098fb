// @module-tag slow
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, test } from 'vitest';
import { promisify } from 'node:util';
import { eventually } from './support/eventually.ts';
import { createEmail, SECRET_KEY, sendRequest, TestBrowser } from './support/identity.ts';
import { type LoggedService, startLoggedService } from './support/logged-service.ts';
import { getAttributes, type ReceivedSpan, startOtlpReceiver } from './support/otlp-receiver.ts';

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let otherReceiver: typeof receiver;
let service: LoggedService;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  otherReceiver = await startOtlpReceiver();
  service = await startLoggedService({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20sentinel',
    IDP_SECRET_KEY: SECRET_KEY,
    POSTHOG_API_KEY: 'phc_sentinel',
    POSTHOG_URL: otherReceiver.endpoint,
  });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
  await otherReceiver.close();
});

const traceIds = { list: 'a'.repeat(32), count: 'b'.repeat(32), broken: 'c'.repeat(32), odd: 'd'.repeat(32) };
const parent = (id: string): string => `00-${id}-00f067aa0ba902b7-01`;
const getSpans = (id: string): ReceivedSpan[] => receiver.spans().filter(({ traceId }) => traceId === id);
const count = (traceparent: string, key = service.firstRun.api_key) =>
  sendRequest(
    `${service.url}/v1/messages/count_tokens`,
    'POST',
    { model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'sentinel text' }] },
    { 'x-api-key': key, 'svc-version': '2023-06-01', traceparent },
  );

test('continues the caller’s trace with statements and without personal data', async () => {
  const browser = new TestBrowser(service.url, service.url);
  const email = createEmail();
  const { body } = await browser.call('POST', '/client/sign_ups', {
    email_address: email,
    password: 'sentinel-pass-1',
  });
  const token = await browser.token(body.response.created_session_id as string);
  const call = (path: string, traceparent: string) =>
    sendRequest(`${service.url}${path}`, 'GET', undefined, { authorization: `Bearer ${token}`, traceparent });
  const me = await call('/api/me', '00-bad');
  assert.equal((await call('/api/watchlist?sentinel=1', parent(traceIds.list))).status, 200);
  assert.equal((await call('/api/nowhere/SENTINEL', parent(traceIds.odd))).status, 404);
  await eventually(() => getSpans(traceIds.list).some(({ kind }) => kind === 2) && getSpans(traceIds.odd).length > 0);

  const all = getSpans(traceIds.list);
  const [server] = all.filter(({ kind }) => kind === 2);
  assert.equal(server!.name, 'GET /api/watchlist');
  assert.equal(server!.parentSpanId, '00f067aa0ba902b7');
  assert.deepEqual(getAttributes(server!), {
    'http.request.method': 'GET',
    'http.route': '/api/watchlist',
    'http.response.status_code': 200,
  });
  const statements = all.filter((span) => getAttributes(span)['db.system.name'] === 'postgresql');
  assert.ok(statements.length > 0);
  for (const statement of statements) {
    assert.equal(statement.parentSpanId, server!.spanId);
    assert.match(statement.name, /^(select|insert|update|delete) [a-z_]+\.[a-z_]+$/);
  }

  const odd = getSpans(traceIds.odd).find(({ kind }) => kind === 2)!;
  assert.equal(odd.name, 'GET unmatched');
  const sent = receiver.text();
  for (const secret of ['sentinel', 'SENTINEL', email, token, me.body.idp_user_id as string, service.firstRun.api_key])
    assert.ok(!sent.includes(secret), `a span holds ${secret}`);
});

test('creates one span for a count, also when it is rejected', async () => {
  assert.equal((await count(parent(traceIds.count))).status, 200);
  assert.equal((await count(parent(traceIds.broken), 'sk-sentinel')).status, 401);
  await eventually(() => [traceIds.count, traceIds.broken].every((id) => getSpans(id).some(({ kind }) => kind === 2)));
  const servers = [traceIds.count, traceIds.broken].map((id) => getSpans(id).filter(({ kind }) => kind === 2));
  assert.deepEqual(
    servers.map((list) => list.map((span) => [span.name, getAttributes(span)['http.response.status_code']])),
    [[['POST /v1/messages/count_tokens', 200]], [['POST /v1/messages/count_tokens', 401]]],
  );
  assert.equal(receiver.headers[0]!['x-collector-key'], 'a sentinel');
  assert.doesNotMatch(receiver.text(), /sentinel/);
});

test('starts a trace for a job with its statements and calls', async () => {
  await service.database.owner(`select graphile_worker.add_job('cleanup-embedded-identity', '{}')`);
  const job = () => receiver.spans().find(({ name }) => name === 'job cleanup-embedded-identity');
  await eventually(() => job() !== undefined);
  const { traceId, spanId, parentSpanId } = job()!;
  assert.ok(!parentSpanId);
  const under = getSpans(traceId).filter((span) => span.spanId !== spanId);
  assert.ok(under.some(({ name }) => name === 'delete idp.sessions'));
  assert.ok(under.every((span) => span.parentSpanId === spanId));
});

test('creates a span with only host and status for a call to another service', async () => {
  await service.database.owner(
    `insert into public.analytics_events (idp_id, event, properties)
     select idp_id, 'watchlist_viewed', '{"sort": "sentinel"}' from public.all_users limit 1`,
  );
  await service.database.owner(`select graphile_worker.add_job('forward-analytics', '{}')`);
  const jobs = () => receiver.spans().filter(({ name }) => name === 'job forward-analytics');
  const call = () =>
    receiver
      .spans()
      .find(
        (span) =>
          getAttributes(span)['server.address'] !== undefined &&
          jobs().some(({ spanId }) => spanId === span.parentSpanId),
      );
  await eventually(() => call() !== undefined);
  assert.match(otherReceiver.text(), /sentinel/);
  assert.deepEqual(getAttributes(call()!), {
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
  });
  assert.doesNotMatch(receiver.text(), /sentinel|batch/);
  // Random span identifiers are left out, since they may contain these digits.
  const spanSummaries = receiver.spans().map((span) => [span.name, getAttributes(span)]);
  assert.doesNotMatch(JSON.stringify(spanSummaries), /4318/);
  assert.ok(
    receiver.spans().every(({ name }) => !name.includes('v1/traces')),
    'what goes to the collector is in no trace',
  );
});

test('loads no part of OpenTelemetry without a collector', async () => {
  const script = `
    import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ load: (url, context, next) => (seen.push(url), next(url, context)) });
    await import(${JSON.stringify(new URL('../src/main.ts', import.meta.url).href)});
    const loaded = seen.filter((url) => /opentelemetry.(sdk|otlp|exporter|core)|src.http.tracing/.test(url));
    console.log(JSON.stringify(loaded), seen.length > 300);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  assert.equal(stdout.trim(), '[] true');
});
