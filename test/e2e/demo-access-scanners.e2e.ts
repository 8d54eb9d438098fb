import assert from 'node:assert/strict';
import type { BrowserContext, Page } from '@playwright/test';
import { runsLongTests } from '../support/long-tests.ts';
import { makeLink, findInvitation } from '../support/demo-links.ts';
import { pressOpen, waitForEntryState } from './demo-viewer.ts';
import { test } from './fixtures.ts';
import { createRandomAddress } from '../support/random-address.ts';

/** Number of visits per program. Every run sends two, and `LONG_TESTS=on npm test -- scanners` sends a hundred. */
const VISITS = runsLongTests ? 100 : 2;

const createRequest = (method: string, headers: Record<string, string>) => async (address: string) => {
  const response = await fetch(address, { method, headers, redirect: 'manual' });
  assert.equal(response.status, 200, `${method} ${JSON.stringify(headers)}`);
  await response.text();
};

/** Programs that open a link before a person does: mail scanners, message previews and browsers. */
const programs = {
  head: createRequest('HEAD', { 'user-agent': 'Microsoft Office Existence Discovery' }),
  get: createRequest('GET', { 'user-agent': 'Slackbot-LinkExpanding 1.0', accept: 'text/html' }),
  prefetch: createRequest('GET', { 'sec-purpose': 'prefetch' }),
  prerender: createRequest('GET', { 'sec-purpose': 'prefetch;prerender', purpose: 'prefetch' }),
};

/** Visits the page like a scanner that runs scripts: reads, points, scrolls, focuses and leaves. */
async function visitLikeScanner(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForEntryState(page, 'ready');
  const button = page.getByRole('button', { name: 'Open demo' });
  await button.hover();
  await button.focus();
  await page.mouse.wheel(0, 400);
  await button.evaluate((found) => {
    for (const type of ['pointerover', 'mouseenter', 'pointerdown', 'mousedown', 'mouseup', 'touchstart', 'click'])
      found.dispatchEvent(new Event(type, { bubbles: true }));
    (found as HTMLButtonElement).click();
  });
  await page.waitForLoadState('networkidle');
}

/** Records every request of the context except those for the page itself and its font. */
function recordCalls(context: BrowserContext): string[] {
  const calls: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!['/demo-access', '/healthz'].includes(pathname) && !pathname.endsWith('.woff2')) calls.push(pathname);
  });
  return calls;
}

test('keeps a scanned link valid and redeems it once at one press', { tag: '@slow' }, async ({ service, visit }) => {
  const visitor = await visit();
  const browser = visitor.context().browser()!;
  const { id, path } = await makeLink(service);
  for (const [what, request] of Object.entries(programs)) {
    for (let round = 0; round < VISITS; round += 1) await request(service.url + path);
    assert.equal((await findInvitation(service, id)).status, 'unused', what);
  }
  const context = await browser.newContext({ baseURL: service.url });
  const calls = recordCalls(context);
  const scanner = await context.newPage();
  for (let round = 0; round < VISITS; round += 1) {
    await visitLikeScanner(scanner, path);
    await scanner.goto('about:blank');
  }
  assert.deepEqual(calls, [], 'a browser that opens the link requests only the page and its font');
  assert.deepEqual(await context.cookies(), []);
  assert.equal((await findInvitation(service, id)).status, 'unused');

  await visitor.context().setExtraHTTPHeaders({ 'x-forwarded-for': createRandomAddress() });
  await visitor.goto(path);
  await pressOpen(visitor);
  const { status, session_id } = await findInvitation(service, id);
  assert.equal(status, 'in_use');
  for (const request of Object.values(programs)) await request(service.url + path);
  await scanner.goto(path);
  await pressOpen(scanner, 'This link has been used');
  assert.equal((await findInvitation(service, id)).session_id, session_id);
});
