import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessible } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { shareMember } from './fixtures.ts';
import type { Person } from './people.ts';
import { openSampleDashboard } from './sample-member.ts';

const bar = (page: Page, name: string): Locator => page.getByRole('group', { name: `Arrange ${name}` }).locator('p');
const readOrder = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Cards' })
    .locator('> li')
    .evaluateAll((cards) => cards.map(({ id }) => id.replace('card-', '')));
const waitForSave = (page: Page) =>
  page.waitForResponse(
    (response) => response.url().endsWith('/api/dashboard') && response.request().method() === 'PUT' && response.ok(),
  );

const test = shareMember((page, service) => openSampleDashboard(page, service, 'pro'));
const phoneTest = shareMember((page, service) => openSampleDashboard(page, service, 'pro'), { size: 'phone' });

/** Records the orders of the cards that the page sends. */
function recordSentOrders(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'PUT' || !request.url().endsWith('/api/dashboard')) return;
    sent.push((request.postDataJSON() as { cards: { id: string }[] }).cards.map(({ id }) => id).join());
  });
  return sent;
}

/** Starts arranging once every card is shown. */
async function arrange(page: Page): Promise<void> {
  for (const name of ['Net worth', 'Accounts', 'Movers', 'Holdings', 'Upcoming earnings', 'Latest news', 'Watchlist'])
    await page.getByRole('region', { name, exact: true }).waitFor();
  await page.getByRole('button', { name: 'Arrange' }).click();
  await bar(page, 'Watchlist').waitFor();
}

/** Restores the initial order of the cards and starts arranging. */
async function resetArrangement(page: Page, service: TestService, person: Person): Promise<void> {
  await service.database.owner(
    'delete from public.dashboard_layouts l using public.all_users m where m.idp_id = l.idp_id and m.email = $1',
    [person.email],
  );
  await page.reload();
  await arrange(page);
}

/** Returns the center of an element in pixels of the window. */
async function getCenter(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags a card by its bar over another card without dropping it. */
async function dragOver(page: Page, name: string, target: string): Promise<void> {
  const from = await getCenter(bar(page, name));
  const to = await getCenter(bar(page, target));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page
    .locator('[data-variant="target"]')
    .getByRole('group', { name: `Arrange ${target}` })
    .waitFor();
}

test(
  'saves a dragged card once and shows its place after a reload',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await resetArrangement(page, service, member);
    const sent = recordSentOrders(page);
    await dragOver(page, 'Net worth', 'Accounts');
    await assertAccessible(page, 'while a card is dragged');
    const save = waitForSave(page);
    await page.mouse.up();
    await save;
    await page.getByText('Net worth is now 2 of 8').waitFor();
    assert.equal(await page.locator('[data-variant]').count(), 0);
    assert.equal(await page.locator('#card-net_worth').evaluate(({ style }) => style.translate), '');
    await page.reload();
    await page.getByRole('region', { name: 'Net worth' }).waitFor();
    assert.deepEqual(await readOrder(page), [
      'accounts',
      'net_worth',
      'movers',
      'earnings',
      'dividends',
      'news',
      'holdings',
      'watchlist',
    ]);
    assert.deepEqual(sent, ['accounts,net_worth,movers,earnings,dividends,news,holdings,watchlist']);
  },
);

test(
  'restores the place of a dragged card on Escape and ignores a mere press',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await resetArrangement(page, service, member);
    const sent = recordSentOrders(page);
    await dragOver(page, 'Net worth', 'Accounts');
    await page.keyboard.press('Escape');
    await page.locator('[data-variant]').first().waitFor({ state: 'detached' });
    await page.mouse.up();
    await bar(page, 'Movers').click();
    // The next save is the first one.
    const save = waitForSave(page);
    await page.getByRole('button', { name: 'Move Movers later' }).click();
    await save;
    assert.deepEqual(sent, ['net_worth,accounts,earnings,movers,dividends,news,holdings,watchlist']);
  },
);

test(
  'scrolls under a dragged card near the edge of the window',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await resetArrangement(page, service, member);
    const sent = recordSentOrders(page);
    await page.setViewportSize({ width: 1280, height: 560 });
    // The contents of the cards determine the length of the page.
    await page.waitForLoadState('networkidle');
    const from = await getCenter(bar(page, 'Net worth'));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    const lowest = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    assert.ok(lowest > 0);
    await page.mouse.move(from.x, 550, { steps: 4 });
    await page.waitForFunction((end) => scrollY >= end - 1, lowest);
    await page.locator('[data-variant="target"]#card-watchlist').waitFor();
    // A card that is held below the page makes it longer. The scrolling must end there.
    const later = await page.evaluate(
      () =>
        new Promise<number>((done) =>
          requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(scrollY)))),
        ),
    );
    assert.ok(later <= lowest, `${later} of ${lowest}`);
    const save = waitForSave(page);
    await page.mouse.up();
    await save;
    assert.deepEqual(sent, ['accounts,movers,earnings,dividends,news,holdings,watchlist,net_worth']);
  },
);

phoneTest(
  'drags a card by its bar with a finger and scrolls the rest of the page',
  async ({ page, service, member }) => {
    await resetArrangement(page, service, member);
    const sent = recordSentOrders(page);
    await bar(page, 'Upcoming earnings').scrollIntoViewIfNeeded();
    await bar(page, 'Movers').evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }));
    await page.evaluate(() => scrollBy(0, -120));
    const from = await getCenter(bar(page, 'Movers'));
    const to = await getCenter(bar(page, 'Upcoming earnings'));
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', [from]);
    for (const share of [0.3, 0.6, 1])
      await touch('touchMove', [{ x: from.x, y: from.y + (to.y + 20 - from.y) * share }]);
    await page.locator('[data-variant="target"]#card-earnings').waitFor();
    const save = waitForSave(page);
    await touch('touchEnd', []);
    await save;
    assert.deepEqual(sent, ['net_worth,accounts,earnings,movers,dividends,news,holdings,watchlist']);
    assert.deepEqual(
      await bar(page, 'Movers').evaluate((element) => [
        getComputedStyle(element).touchAction,
        getComputedStyle(document.body).touchAction,
      ]),
      ['none', 'auto'],
    );
  },
);
