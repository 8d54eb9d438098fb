import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { makeLink, findInvitation } from '../support/demo-links.ts';
import { pressOpen, waitForEntryState } from './demo-viewer.ts';
import { listActiveSessions } from './demo-entry-tour.ts';
import { test } from './fixtures.ts';
import { pressTabUntil } from './keys.ts';
import { createRandomAddress } from '../support/random-address.ts';
import { register } from './people.ts';

/** Counts the redemptions that a page sends. */
async function countRedemptions(page: Page): Promise<() => number> {
  // Each test uses its own client address, since requests per address and minute are limited.
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': createRandomAddress() });
  let redemptions = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/sign_ins')) redemptions += 1;
  });
  return () => redemptions;
}

test('informs the second viewer when the demo was opened', async ({ page, service, visit }) => {
  const redemptions = await countRedemptions(page);
  const { id, path } = await makeLink(service);
  await page.goto(path);
  await page.getByText(/works once, in one browser, until \w+ \d+, \d{4}/).waitFor();
  await pressTabUntil(page, /^Open demo$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  assert.equal(page.url(), `${service.url}/dashboard`);
  assert.equal(redemptions(), 1);
  const { status, active, session_id } = await findInvitation(service, id);
  assert.deepEqual([status, active, [session_id]], ['in_use', true, await listActiveSessions(page)]);

  const other = await visit();
  await other.goto(path);
  await pressOpen(other, 'This link has been used');
  assert.deepEqual(await listActiveSessions(other), []);
  assert.equal((await findInvitation(service, id)).session_id, session_id, 'the first viewer stays');
});

test('redeems once at two simultaneous presses', async ({ page, service }) => {
  const redemptions = await countRedemptions(page);
  const { id, path } = await makeLink(service);
  await page.goto(path);
  await page.evaluate(() => {
    const button = document.querySelector('button')!;
    button.click();
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  });
  await waitForEntryState(page, 'ready');
  await page.getByRole('button', { name: 'Open demo' }).dblclick();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  assert.equal(redemptions(), 1);
  assert.equal((await findInvitation(service, id)).status, 'in_use');
});

test(
  'opens the demo when a character that browsers encode follows the link',
  { tag: '@slow' },
  async ({ page, service }) => {
    await countRedemptions(page);
    const { id, path } = await makeLink(service);
    for (const behind of ['>', '"', '`', '”', '»', '…', '\u200b', '.', ',', ')', '%3E', '%2522', '>.']) {
      await page.goto('about:blank');
      await page.goto(path + behind);
      await waitForEntryState(page, 'ready');
    }
    await pressOpen(page);
    assert.equal((await findInvitation(service, id)).status, 'in_use');
  },
);

test(
  'redeems nothing and explains the repair when the # of a link was changed',
  { tag: '@slow' },
  async ({ page, service }) => {
    const redemptions = await countRedemptions(page);
    const { id, path, code } = await makeLink(service);
    for (const before of ['%23code=', '%2523code=', '?code=', '/code=', '%3Fcode%3D', '/%23code=']) {
      await page.goto(`/demo-access${before}${code}`);
      await waitForEntryState(page, 'altered');
      assert.equal(page.url(), `${service.url}/demo-access`, 'the address keeps nothing of it');
      await page.getByText('There must be a # right before “code=”.').waitFor();
      assert.equal(await page.getByRole('button').count(), 0);
    }
    assert.equal(redemptions(), 0);
    assert.equal((await findInvitation(service, id)).status, 'unused');
    await page.goto(path); // The address bar now has the repaired address.
    await waitForEntryState(page, 'ready');
    await pressOpen(page);
  },
);

test('keeps an existing session and leaves the link valid for the same page', async ({ page, service }) => {
  const redemptions = await countRedemptions(page);
  const { email } = await register(page);
  const before = await listActiveSessions(page);
  const { id, path } = await makeLink(service);
  await page.goto(path);
  await pressOpen(page, 'You are already signed in');
  await page.getByText(`signed in as ${email}`).waitFor();
  assert.deepEqual([redemptions(), await listActiveSessions(page)], [0, before]);
  assert.equal((await findInvitation(service, id)).status, 'unused');

  // The viewer signs out in another tab and returns.
  await page.context().request.post(`/_idp/v1/client/sessions/${before[0]}/end`);
  await pressOpen(page, 'Home', 'Try again');
  assert.equal((await findInvitation(service, id)).status, 'in_use');
});

test(
  'uses a link that is pasted into the open page instead of the earlier one',
  { tag: '@slow' },
  async ({ page, service }) => {
    await countRedemptions(page);
    const first = await makeLink(service);
    const second = await makeLink(service);
    await page.goto('/demo-access');
    await waitForEntryState(page, 'no-link');
    for (const { path } of [first, second]) {
      await page.goto(path);
      await waitForEntryState(page, 'ready');
      await page.waitForURL((url) => url.hash === '');
    }
    await pressOpen(page);
    const states = [await findInvitation(service, first.id), await findInvitation(service, second.id)];
    assert.deepEqual(
      states.map(({ status }) => status),
      ['unused', 'in_use'],
    );
  },
);

test(
  'loses its link on reload and opens the demo again from the message',
  { tag: '@slow' },
  async ({ service, visit }) => {
    const page = await visit({ size: 'phone' });
    await countRedemptions(page);
    const { path } = await makeLink(service);
    await page.goto(path);
    await waitForEntryState(page, 'ready');
    await page.reload();
    await waitForEntryState(page, 'refreshed');
    await page.goto(path);
    await waitForEntryState(page, 'ready');
    await pressOpen(page);
  },
);

test(
  'loses nothing offline and redeems at the same press after the connection is back',
  { tag: '@slow' },
  async ({ service, visit }) => {
    const page = await visit({ expected: [/ERR_INTERNET_DISCONNECTED/] });
    await countRedemptions(page);
    const { path } = await makeLink(service);
    await page.goto(path);
    await page.context().setOffline(true);
    await pressOpen(page, 'You are offline');
    await page.context().setOffline(false);
    await page.getByText('You are online again.').waitFor();
    await waitForEntryState(page, 'offline');
    await pressOpen(page, 'Home', 'Try again');
  },
);

test('repeats a completion with a lost response in the same session', { tag: '@slow' }, async ({ service, visit }) => {
  const page = await visit({ expected: [/net::ERR/] });
  const redemptions = await countRedemptions(page);
  const { id, path } = await makeLink(service);
  await page.goto(path);
  let lost = 0;
  await page.route('**/api/demo-access/complete', async (route) => {
    lost += 1;
    if (lost > 1) return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await pressOpen(page, 'Tally cannot be reached');
  assert.equal((await findInvitation(service, id)).status, 'in_use', 'the service had done it');
  await pressOpen(page, 'Home', 'Try again');
  assert.deepEqual([lost, redemptions()], [2, 1]);
});

test(
  'continues from the link when the page was left between redemption and completion',
  { tag: '@slow' },
  async ({ service, visit }) => {
    const page = await visit({ expected: [/net::ERR/] });
    const redemptions = await countRedemptions(page);
    const { id, path } = await makeLink(service);
    await page.goto(path);
    await page.route('**/api/demo-access/complete', (route) => route.abort());
    await pressOpen(page, 'Tally cannot be reached');
    await page.unroute('**/api/demo-access/complete');
    await page.reload();
    await waitForEntryState(page, 'refreshed');
    await page.goto(path);
    await pressOpen(page);
    assert.equal(redemptions(), 1);
    assert.equal((await findInvitation(service, id)).status, 'in_use');
  },
);
