import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { formatFirstSteps } from '../../src/installation/first-run.ts';
import { sizes, type Size } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { fillCredentials, signUp } from './people.ts';
import { recordShifts, getLayoutShifts } from './record-shifts.ts';
import { getCard } from './watchlist-card.ts';

test('leads from the output of the first start to a dashboard and a count', async ({ service, visit }) => {
  const [where = '', who = '', call = '', ...more] = formatFirstSteps(service.firstRun).split('\n');
  assert.deepEqual(more, ['']);
  const waitForCount = spawnSync('/bin/sh', ['-c', call], { encoding: 'utf8' });
  if (waitForCount.status === 127) console.log('not sent: there is no curl here');
  else assert.match(waitForCount.stdout, /^\{"input_tokens":\d+\}$/, waitForCount.stderr);

  const page = await visit();
  await page.goto('/');
  const displays = await page.evaluate(() => [...document.fonts].map(({ display }) => display));
  assert.deepEqual([...new Set(displays)], ['optional'], 'no letter is swapped once it is drawn');
  await page.getByRole('heading', { name: 'Your whole portfolio in one place', level: 1 }).waitFor();
  const picture = page.getByRole('img', { name: /^The dashboard of a portfolio/ });
  await picture.evaluate((image: HTMLImageElement) => image.decode());
  const light = await picture.evaluate((image: HTMLImageElement) => image.currentSrc);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction((src) => [...document.images].every((image) => image.currentSrc !== src), light);
  await page.emulateMedia({ colorScheme: 'light' });

  await page.goto(/^Sign in at (\S+)$/.exec(where)?.[1] ?? '');
  const [, email = '', password = ''] = /^as (\S+) with the password (.+)$/.exec(who) ?? [];
  await fillCredentials(page, { email, password });
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
});

for (const size of Object.keys(sizes) as Size[]) {
  test(
    `leads from a new member’s first screen to the watchlist without shifts on ${size}`,
    { tag: '@slow' },
    async ({ visit }) => {
      const page = await visit({ size });
      await recordShifts(page);
      await signUp(page);
      const popular = getCard(page).getByRole('group', { name: 'Popular' });
      await popular.waitFor();
      const thirdParty = await popular.getByRole('option').nth(2).boundingBox();
      assert.ok(
        thirdParty && thirdParty.y + thirdParty.height <= sizes[size].height,
        `the third pick ends at ${thirdParty?.y} + 48`,
      );
      assert.equal(await page.getByRole('button', { name: 'Add investment' }).count(), 1);
      assert.equal(await page.getByText('Nothing you count is stored').count(), 0);
      assert.deepEqual(await getLayoutShifts(page), []);
      // A pick adds news and reports above the list. The list must keep its position under the finger.
      const before = (await getCard(page).boundingBox())?.y;
      await popular.getByRole('option', { name: /AAPL/ }).click();
      await page.getByRole('list', { name: 'Latest news' }).waitFor();
      assert.equal((await getCard(page).boundingBox())?.y, before);
      await page.reload();
      await page.getByRole('list', { name: 'Latest news' }).waitFor();
      assert.deepEqual(await getLayoutShifts(page), []);
    },
  );
}

test('shows a new member’s small cards in rows of equal height on a phone', async ({ visit }) => {
  const page = await visit({ size: 'phone' });
  await signUp(page);
  await getCard(page).getByRole('group', { name: 'Popular' }).waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const boxes = await page
      .getByRole('list', { name: 'Cards' })
      .locator('> li > section')
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().toJSON() as DOMRect));
    const [one, two, three, four, five, six] = boxes.map(({ top, bottom }) => `${top}–${bottom}`);
    assert.deepEqual([one, three, five], [two, four, six], `${width} px`);
    const [name, accounts] = await Promise.all(
      [
        page.getByRole('heading', { name: 'Holdings', exact: true }),
        page.getByRole('button', { name: 'Accounts', exact: true }),
      ].map((part) => part.boundingBox()),
    );
    assert.ok(name && accounts && accounts.y < name.y + name.height && name.y < accounts.y + accounts.height);
    assert.ok(name.x + name.width <= accounts.x, `${width} px: beside the title`);
  }
});
