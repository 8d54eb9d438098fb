import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import { addEntryPage, rewriteEntryPageUrl } from './entry-page.ts';

const SCRIPT = 'take()';
const STYLE = 'p{color:red}';
const DOCUMENT = `<html><script>${SCRIPT}</script><style>${STYLE}</style><p>${'Tally '.repeat(400)}</p></html>`;
const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

interface StartOptions {
  built?: boolean;
  connectTo?: string;
}

async function start(t: TestContext, { built = true, connectTo }: StartOptions = {}) {
  const webRoot = await mkdtemp(join(tmpdir(), 'tally-entry-'));
  t.onTestFinished(() => rm(webRoot, { recursive: true }));
  await mkdir(join(webRoot, 'demo-access'));
  if (built) await writeFile(join(webRoot, 'demo-access/index.html'), DOCUMENT);
  const app = await createTestHttpApp({ rewriteUrl: rewriteEntryPageUrl });
  t.onTestFinished(() => app.close());
  await addEntryPage(app, { webRoot, connectTo });
  app.get('/Other', async () => 'other');
  return app.listen({ host: '127.0.0.1', port: 0 });
}

const VARIANTS = [
  '/demo-access',
  '/demo-access/',
  '/demo-access//',
  '/Demo-Access',
  '/DEMO-ACCESS/',
  '/demo%2Daccess',
  '/demo-access?utm_source=mail',
  '/demo-access/?next=/a/&b=%2F',
  '/Demo-Access?',
];

test('returns 200 with the page for every spelling of its path without a redirect', async (t) => {
  const url = await start(t);
  for (const path of VARIANTS) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(url + path, { method, redirect: 'manual', headers: { accept: 'text/html' } });
      assert.deepEqual([answer.status, answer.headers.get('location')], [200, null], `${method} ${path}`);
      assert.equal(await answer.text(), method === 'HEAD' ? '' : DOCUMENT);
    }
  }
});

test('returns the page for no other path', async (t) => {
  const url = await start(t);
  for (const path of [
    '/demo-accessory',
    '/demo-access-more',
    '/demo-access_',
    '/x/demo-access',
    '/demo',
    '/other',
    '/Other/',
    '/?/demo-access',
  ])
    assert.equal((await fetch(url + path)).status, 404, path);
  assert.equal(await (await fetch(`${url}/Other`)).text(), 'other');
});

test('rejects other methods for every spelling', async (t) => {
  const url = await start(t);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const path of ['/demo-access', '/Demo-Access/']) {
      const answer = await fetch(url + path, { method });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'], `${method} ${path}`);
    }
  }
});

test('allows only the page’s own script and style, and fonts and calls of this origin', async (t) => {
  const { headers } = await fetch(`${await start(t)}/demo-access`);
  const policy = headers.get('content-security-policy')!;
  assert.deepEqual(policy.split(';').sort(), [
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `script-src ${hash(SCRIPT)}`,
    `style-src ${hash(STYLE)}`,
    "trusted-types 'none'",
  ]);
  assert.deepEqual(
    ['cache-control', 'referrer-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy'].map((name) =>
      headers.get(name),
    ),
    ['no-store', 'no-referrer', 'same-origin', 'same-origin'],
  );
  assert.deepEqual(
    ['x-content-type-options', 'x-frame-options', 'x-robots-tag', 'content-type', 'link', 'set-cookie'].map((name) =>
      headers.get(name),
    ),
    ['nosniff', 'DENY', 'noindex, nofollow', 'text/html; charset=utf-8', null, null],
  );
});

test('allows calls of the Frontend API when the provider is hosted', async (t) => {
  const { headers } = await fetch(`${await start(t, { connectTo: 'https://idp.example' })}/demo-access`);
  assert.match(headers.get('content-security-policy')!, /;connect-src 'self' https:\/\/idp\.example;/);
});

test('returns the same page for a prefetch, a preview and another Host', async (t) => {
  const url = new URL(await start(t));
  const requestStatus = (headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(url, { path: '/demo-access', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
  for (const headers of [
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'preview', 'user-agent': 'Slackbot-LinkExpanding 1.0' },
    { host: 'tally.example.com' },
    { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'elsewhere.example' },
    { 'accept-language': 'de', accept: '*/*' },
  ])
    assert.equal(await requestStatus(headers as unknown as Record<string, string>), 200);
});

test('serves no page without a built one', async (t) => {
  assert.equal((await fetch(`${await start(t, { built: false })}/demo-access`)).status, 404);
});
