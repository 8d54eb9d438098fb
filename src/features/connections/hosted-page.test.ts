import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import {
  type ConnectionsApp,
  finish,
  startAttempt,
  startConnectionsApp,
} from '../../../test/support/connections-app.ts';
import { sendRequest } from '../../../test/support/identity.ts';

let app: ConnectionsApp;
beforeAll(async () => {
  app = await startConnectionsApp();
});
afterAll(() => app.close());

const getPageUrl = (url: string): string => `${app.url}${new URL(url).pathname}`;
const post = (url: string, fields: Record<string, string>) =>
  sendRequest(getPageUrl(url), 'POST', new URLSearchParams(fields));

test('continues a sign-in with a second factor only with the correct code', async () => {
  const { attempt_id, url } = await startAttempt(app, 'user_a');
  const signIn = { action: 'sign-in', user: 'user_good', password: 'mfa_device', bank: 'ins_sandbox_1' };
  const codePage = await post(url, signIn);
  assert.match(String(codePage.body), /inputmode="numeric"/);
  const wrong = await post(url, { action: 'code', code: '4321' });
  assert.equal(wrong.status, 422);
  assert.match(String(wrong.body), /The code is wrong/);
  assert.equal((await post(url, { action: 'connect', account: 'any' })).status, 422, 'no way around the code');
  assert.deepEqual((await finish(app, 'user_a', attempt_id)).body, { status: 'pending' });
  const accounts = await post(url, { action: 'code', code: '1234' });
  const [, account] = /name="account" value="([^"]+)"/.exec(String(accounts.body))!;
  assert.equal((await post(url, { action: 'connect' })).status, 422, 'at least one account');
  assert.equal((await post(url, { action: 'connect', account: account! })).status, 303);
  const { body } = await finish(app, 'user_a', attempt_id);
  assert.equal(body.status, 'connected');
  assert.equal(body.connection.accounts.length, 1, 'the one that was chosen');
});

test('expires a page with its attempt when it stays open too long', async () => {
  const { attempt_id, url } = await startAttempt(app, 'user_b');
  assert.equal((await sendRequest(getPageUrl(url), 'GET')).status, 200);
  app.advanceClock(1_801);
  for (const response of [
    await sendRequest(getPageUrl(url), 'GET'),
    await post(url, { action: 'sign-in', user: 'user_good' }),
  ]) {
    assert.equal(response.status, 410);
    assert.match(String(response.body), /This page has expired/);
  }
  await app.owner(`update bank_sandbox.link_sessions set expires_at = now() - interval '1 second'`);
  const expired = { status: 'abandoned', code: 'EXPIRED' };
  assert.deepEqual((await finish(app, 'user_b', attempt_id)).body, expired);
  assert.deepEqual((await finish(app, 'user_b', attempt_id)).body, expired, 'safe to repeat');
});

test('serves a test page without scripts or resources that says it is not a real bank', async () => {
  const { url } = await startAttempt(app, 'user_b');
  const { body, headers } = await sendRequest(getPageUrl(url), 'GET');
  assert.doesNotMatch(String(body), /<script|<link|<img|https?:/);
  assert.match(String(body), /not a real bank/i);
  assert.match(headers.get('content-security-policy')!, /default-src 'none'/);
  assert.equal(headers.get('cache-control'), 'no-store');
});

test('loads the aggregators’ libraries on demand and not at start', () => {
  const folder = new URL('.', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const texts = sources.map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const library = String.raw`'(?:plaid|snaptrade-typescript-sdk)'`;
  assert.equal(texts.filter((text) => new RegExp(String.raw`await import\(${library}\)`).test(text)).length, 2);
  const staticImport = new RegExp(String.raw`^(?:import|export)(?! type\b).* from ${library}|^import ${library}`, 'm');
  assert.deepEqual(
    texts.filter((text) => staticImport.test(text)),
    [],
  );
});
