import assert from 'node:assert/strict';
import { assertAccessibleInAllVariants, a11yScenarios } from '../support/browser.ts';
import { entryStates, expectedOnEntryTour, tourEntryPage } from './demo-entry-tour.ts';
import { test } from './fixtures.ts';

for (const walk of a11yScenarios)
  test(
    `shows each entry state accessibly from ${walk.theme} on a ${walk.size}`,
    { tag: '@slow' },
    async ({ service, visit }) => {
      const page = await visit({ ...walk, expected: expectedOnEntryTour });
      const titles = new Map<string, string>();
      await tourEntryPage(page, service, async (state) => {
        await assertAccessibleInAllVariants(page, state, walk);
        const headings = page.getByRole('heading', { level: 1 });
        assert.equal(await headings.count(), 1);
        assert.equal(await page.title(), await headings.innerText(), 'the window is named for what it shows');
        titles.set(state, await page.title());
        // A phone of 320 pixels, equal to a window of 1280 at 400 %.
        const before = page.viewportSize()!;
        await page.setViewportSize({ width: 320, height: 256 });
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 320, `${state} needs ${width} pixels`);
        await page.setViewportSize(before);
      });
      assert.deepEqual([...titles.keys()], [...entryStates]);
      assert.equal(new Set(titles.values()).size, entryStates.length, 'no two states have the same heading');
    },
  );

test('explains what to do and keeps the link valid without script', async ({ page, service }) => {
  const context = await page.context().browser()!.newContext({ javaScriptEnabled: false, baseURL: service.url });
  const silent = await context.newPage();
  await silent.goto('/demo-access#code=abc');
  await silent.getByRole('heading', { name: 'The demo opens with JavaScript', level: 1 }).waitFor();
});
