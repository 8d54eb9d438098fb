import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessible } from '../support/browser.ts';
import { shareMember } from './fixtures.ts';
import { pressTabUntil } from './keys.ts';
import { getCard, createMemberWith, replaceWatchlist, getRows, getSearchField, waitForRows } from './watchlist-card.ts';

// Covers the card with forced colors, reduced motion and privacy mode.
/** Returns true if a line that forced colors keep separates an element from its background. */
const hasEdge = (page: Page, selector: string): Promise<boolean> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { borderStyle, borderWidth, outlineStyle, outlineWidth } = getComputedStyle(element);
      return (
        (borderStyle !== 'none' && Number.parseFloat(borderWidth) > 0) ||
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0)
      );
    });

/** Reads the mark at the end of an option: its line, its color and the color behind it. */
const readMark = (option: Locator): Promise<{ shape: string; stroke: string; ground: string }> =>
  option
    .locator('svg path')
    .first()
    .evaluate((path) => {
      let behind: Element = path;
      while (behind.parentElement && /^rgba\(.*, 0\)$|^transparent$/.test(getComputedStyle(behind).backgroundColor))
        behind = behind.parentElement;
      return {
        shape: path.getAttribute('d') ?? '',
        stroke: getComputedStyle(path).stroke,
        ground: getComputedStyle(behind).backgroundColor,
      };
    });

/** Measures the WCAG contrast of the card's edge, the rule between rows and the faint text against their background. */
const measureContrasts = (page: Page): Promise<{ edge: number; rule: number; faint: number }> =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const computeLuminance = (color: string): number => {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const computeContrast = (a: string, b: string): number => {
      const [high = 0, low = 0] = [computeLuminance(a), computeLuminance(b)].toSorted((x, y) => y - x);
      return (high + 0.05) / (low + 0.05);
    };
    const list = document.querySelector('ul[aria-label="Watched tickers"]')!;
    const section = getComputedStyle(list.closest('section')!);
    const [first] = [...list.children].map((row) => getComputedStyle(row));
    const faint = getComputedStyle(list.querySelector('.text-ink-faint')!);
    return {
      edge: computeContrast(section.borderTopColor, section.backgroundColor),
      rule: computeContrast(first!.borderTopColor, section.backgroundColor),
      faint: computeContrast(faint.color, section.backgroundColor),
    };
  });

const test = shareMember((page, service) => createMemberWith(page, service, ['AAPL', 'VOO']), {
  forcedColors: 'active',
});

test('shows all marks when colors are forced', { tag: '@slow' }, async ({ page }) => {
  const line = getCard(page).locator('li svg[preserveAspectRatio=none] path').first();
  const [stroke, ground] = await line.evaluate((path) => [
    getComputedStyle(path).stroke,
    getComputedStyle(path.closest('section')!).backgroundColor,
  ]);
  assert.notEqual(stroke, ground);
  await pressTabUntil(page, /^AAPL, /);
  const ring = await getRows(page)
    .first()
    .evaluate((link) => getComputedStyle(link, '::after').outlineStyle);
  assert.equal(ring, 'solid', 'the focused row has a ring');
  await getCard(page).getByRole('button', { name: 'Add tickers' }).press('Enter');
  await getSearchField(page).fill('vanguard');
  const watched = await readMark(getCard(page).getByRole('option', { name: /^VOO.*watching/ }));
  const other = await readMark(getCard(page).getByRole('option').filter({ hasNotText: 'watching' }).first());
  assert.notEqual(watched.shape, other.shape, 'a shape marks watched rows, not only a color');
  for (const { stroke, ground: behind } of [watched, other]) assert.notEqual(stroke, behind, 'the shape can be seen');
  await getSearchField(page).press('ArrowDown');
  const id = await getSearchField(page).getAttribute('aria-activedescendant');
  assert.ok(id);
  assert.ok(await hasEdge(page, `[id="${id}"]`), 'the highlighted option has an edge');
  await assertAccessible(page, 'search in forced colors');
  assert.ok(await hasEdge(page, 'section.card'), 'a card has an edge');
  assert.ok(await hasEdge(page, 'ul[aria-label="Watched tickers"] > li'), 'rows have a rule between them');
});

test(
  'draws stronger lines when the browser asks for more contrast',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, ['AAPL', 'VOO']);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ forcedColors: 'none', contrast: 'more', colorScheme });
      const { edge, rule, faint } = await measureContrasts(page);
      assert.ok(edge >= 3 && rule >= 3, `with more contrast, ${colorScheme}: edge ${edge}, rule ${rule}`);
      assert.ok(faint >= 7, `faint text, ${colorScheme}: ${faint}`);
    }
    await page.emulateMedia({ forcedColors: 'none', contrast: 'no-preference', colorScheme: 'light' });
    const { rule } = await measureContrasts(page);
    assert.ok(rule < 3, 'has quiet rules without a preference');
  },
);

test(
  'runs no animation longer than 1 ms on the card with reduced motion',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' });
    await replaceWatchlist(page, service, member, ['AAPL', 'MSFT', 'VOO']);
    // Colors of an earlier preference may still change.
    await page.waitForFunction(() => document.getAnimations().length === 0);
    await page.evaluate(() => {
      const durations: number[] = [];
      Object.assign(window, { durations });
      const recordAnimations = (): void => {
        for (const animation of document.getAnimations())
          durations.push(Number(animation.effect?.getComputedTiming().endTime ?? 0));
        requestAnimationFrame(recordAnimations);
      };
      recordAnimations();
    });
    await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit watchlist' });
    await dialog.getByRole('button', { name: /^Reorder Apple/ }).press('Alt+ArrowDown');
    await dialog.getByRole('button', { name: /^Reorder Apple, position 2 of 3/ }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await waitForRows(page, ['MSFT', 'AAPL', 'VOO']);
    await getRows(page).first().click();
    await page.getByRole('dialog').getByText('52-week range').waitFor();
    const maxDurationMs = await page.evaluate(() =>
      Math.max(0, ...(window as unknown as { durations: number[] }).durations),
    );
    assert.ok(maxDurationMs <= 1, `an animation runs for ${maxDurationMs} ms`);
  },
);

test(
  'hides positions from sight and speech in privacy mode and keeps market figures',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'no-preference' });
    await replaceWatchlist(page, service, member, ['AAPL']);
    await service.database.owner(
      `with mine as (insert into public.accounts (idp_id, name)
     select idp_id, 'Brokerage' from public.all_users where email = $1 returning id, idp_id)
   insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
   select idp_id, id, 'AAPL', 1234.5 from mine`,
      [member.email],
    );
    await page.reload();
    await getRows(page).first().click();
    const panel = page.getByRole('dialog', { name: 'Apple Inc.' });
    const position = panel.getByRole('region', { name: 'Your position' });
    await position.getByText(/1,234\.5 · \$/).waitFor();
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Privacy mode' }).click();
    await getRows(page).first().click();
    await position.waitFor();
    assert.doesNotMatch(await position.ariaSnapshot(), /1,234|\$/);
    assert.match(await position.ariaSnapshot(), /hidden/);
    assert.doesNotMatch(await panel.innerHTML(), /1,234\.5/, 'not drawn either');
    assert.match(
      await panel.getByText('52-week range').locator('..').innerText(),
      /\$/,
      'what everybody can know stays',
    );
  },
);
