import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { assertAccessibleInAllVariants, a11yScenarios } from '../support/browser.ts';
import { waitForEvents } from './captured-events.ts';
import { shareMember, test } from './fixtures.ts';
import { fillCredentials, register } from './people.ts';
import { getCard, createMemberWith, setTier, getCatalogSymbols, addToWatchlist } from './watchlist-card.ts';

const plans = (page: Page) => page.getByRole('list', { name: 'Plans' });
const waitForCurrentPlan = (page: Page, name: string) =>
  plans(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name }) })
    .getByText('Your plan')
    .waitFor();

const limitTest = shareMember(async (page, service) =>
  createMemberWith(page, service, await getCatalogSymbols(service, 20)),
);

// The second test expects the events of both.
limitTest.describe.serial('a list at its limit', () => {
  limitTest(
    'leads from a full list to the plans with limits and the member’s own plan marked',
    async ({ page, service, member }) => {
      await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
      await getCard(page).getByRole('link', { name: 'Upgrade' }).click();
      await page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor();
      assert.match(page.url(), /\/plans\?entry=watchlist_limit$/);
      await page.getByText('Your watchlist is full.').waitFor();
      await waitForCurrentPlan(page, 'Free');
      assert.deepEqual(await plans(page).getByText(/^\d+$/).allInnerTexts(), ['20', '100', '250']);
      await page.getByRole('button', { name: 'Upgrade to Pro' }).waitFor();
      assert.deepEqual(
        await plans(page)
          .getByText(/a month$/)
          .allInnerTexts(),
        ['$9.99 a month', '$19.99 a month'],
      );
      // The events must arrive before the list changes, since the service counts items at that moment.
      await waitForEvents(service, member, ['upgrade_cta_clicked', 'plans_viewed']);
    },
  );

  limitTest('leads from locked tickers to the plans and back by keyboard', async ({ page, service, member }) => {
    await setTier(service, member, 'pro');
    await addToWatchlist(service, member, (await getCatalogSymbols(service, 22)).slice(20));
    await setTier(service, member, 'free');
    await page.goto('/dashboard');
    await getCard(page).getByText('2 more saved tickers are locked').waitFor();
    await getCard(page).getByRole('link', { name: 'Upgrade' }).press('Enter');
    await page.getByText('locked, not deleted').waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1' && document.title === 'Plans · Tally');
    const twice = ['upgrade_cta_clicked', 'upgrade_cta_clicked', 'plans_viewed', 'plans_viewed'];
    const events = await waitForEvents(service, member, twice);
    assert.deepEqual(
      events
        .filter(({ event }) => event === 'upgrade_cta_clicked')
        .map(({ properties: { source, tier, limit, item_count, locked_count, feature } }) => [
          source,
          feature,
          tier,
          limit,
          item_count,
          locked_count,
        ]),
      [
        ['dashboard_watchlist_limit', 'watchlist', 'free', 20, 20, 0],
        ['dashboard_watchlist_locked', 'watchlist', 'free', 20, 22, 2],
      ],
    );
    assert.deepEqual(
      events.filter(({ event }) => event === 'plans_viewed').map(({ properties }) => properties),
      ['watchlist_limit', 'watchlist_locked'].map((entry) => ({ entry_source: entry, tier: 'free' })),
    );
    await page.getByRole('link', { name: 'Back to Home' }).press('Enter');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  });
});

test('names the largest plan to its member who comes from a limit', async ({ service, visit }) => {
  const member = service.firstRun.members.find(({ tier }) => tier === 'max');
  assert.ok(member);
  const page = await visit();
  await page.goto('/sign-in');
  await fillCredentials(page, member);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.goto('/plans?entry=watchlist_limit');
  await waitForCurrentPlan(page, 'Max');
  await page.getByRole('note').getByText('Max is the largest plan.').waitFor();
});

for (const walk of a11yScenarios) {
  const walkTest = shareMember((page) => register(page), { ...walk, expected: [/answer 503/, /status of 503/] });
  const variant = `${walk.theme}, ${walk.size}`;

  walkTest(
    `ignores an unknown entry source and does not pass it on from ${variant}`,
    { tag: '@slow' },
    async ({ page, service, member }) => {
      await page.goto('/plans?entry=%3Cscript%3Ealert(1)%3C/script%3E');
      await waitForCurrentPlan(page, 'Free');
      await page.getByText('Plans differ only in how many tickers you can follow.').waitFor();
      const viewed = (await waitForEvents(service, member, ['plans_viewed'])).filter(
        ({ event }) => event === 'plans_viewed',
      );
      assert.deepEqual(
        viewed.map(({ properties }) => properties),
        [{ entry_source: null, tier: 'free' }],
      );
    },
  );

  walkTest(
    `shows an error with a retry when the plan cannot be read from ${variant}`,
    { tag: '@slow' },
    async ({ page }) => {
      await page.route('**/api/plans', (route) =>
        route.fulfill({
          status: 503,
          json: { code: 'TIER_UNAVAILABLE', message: 'Your plan cannot be looked up right now; try again shortly.' },
        }),
      );
      await page.goto('/plans');
      await page.getByText('Your plan cannot be looked up right now').waitFor();
      await assertAccessibleInAllVariants(page, 'plans, not known', walk);
      await page.unroute('**/api/plans');
      await page.getByRole('button', { name: 'Try again' }).click();
      await waitForCurrentPlan(page, 'Free');
    },
  );

  walkTest(`passes axe-core and clips nothing on the plans from ${variant}`, { tag: '@slow' }, async ({ page }) => {
    await page.goto('/plans?entry=watchlist_limit');
    await waitForCurrentPlan(page, 'Free');
    await assertAccessibleInAllVariants(page, 'plans', walk);
    await page.setViewportSize({ width: 320, height: 640 });
    const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(content <= screen, `${content} pixels wide on a screen of ${screen}`);
  });
}

test('never invites to pay again while a checkout is open', async ({ page }) => {
  await register(page);
  let status = 'open';
  await page.route('**/api/billing/sync', (route) =>
    route.fulfill({
      json: { tier: 'free', checkout: { id: '00000000-0000-4000-8000-000000000000', status, tier: 'pro' } },
    }),
  );
  await page.clock.install();
  await page.goto('/plans/return/00000000-0000-4000-8000-000000000000');
  await page.getByRole('heading', { name: 'Confirming your payment…' }).waitFor();
  const given = page.getByRole('heading', { name: 'Payment not confirmed yet' });
  for (let poll = 0; poll < 30 && !(await given.isVisible()); poll += 1) {
    assert.equal(await page.getByText('start again').count(), 0);
    const polled = page.waitForResponse('**/api/billing/sync');
    await page.clock.fastForward(2_000);
    await Promise.race([polled, given.waitFor()]);
  }
  await given.waitFor();
  assert.equal(await page.getByText('start again').count(), 0);
  status = 'expired';
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText('You can start again at any time.').waitFor();
});
