import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Locator, Page } from '@playwright/test';

export const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
export type Size = keyof typeof sizes;
export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

interface Look {
  theme: Theme;
  size: Size;
}

/** A way through states of a page, begun in one look; in each state the page is looked at in each of `looks`. */
interface Walk extends Look {
  looks: readonly Look[];
}

const everyLook = themes.flatMap((theme) => (Object.keys(sizes) as Size[]).map((size): Look => ({ theme, size })));

/**
 * The ways on which the accessibility of pages is looked at: with `ALL_LOOKS=on` (`ALL_LOOKS=on npm test`) one for
 * each theme at each size, else one with two looks that have each theme and each size once, since the way takes longer
 * than to look.
 */
export const walks: readonly Walk[] =
  process.env['ALL_LOOKS'] === 'on'
    ? everyLook.map((look) => ({ ...look, looks: [look] }))
    : [
        {
          theme: 'light',
          size: 'desktop',
          looks: everyLook.filter(({ theme, size }) => (theme === 'light') === (size === 'desktop')),
        },
      ];

/** For a state on the way of another test: looked at in each look of all the walks. */
export const onOneWay: Walk = { theme: 'light', size: 'desktop', looks: walks.flatMap(({ looks }) => looks) };

/** Looks at a page as it stands in each look of a walk, which goes on in its own. */
export async function inEachLook(
  page: Page,
  { looks, ...own }: Walk,
  look: (name: string, seen: Look) => Promise<void>,
): Promise<void> {
  const show = async ({ theme, size }: Look): Promise<void> => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(sizes[size]);
  };
  for (const seen of looks) {
    if (looks.length > 1) await show(seen);
    await look(`${seen.theme}, ${seen.size}`, seen);
  }
  if (looks.length > 1) await show(own);
}

let axeSource: string | undefined;
/** The small build: each new document takes and compiles it, and the other one has more than twice its size. */
const readAxe = (): string => readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Fails with every rule of axe-core that the page, or the part of it that is meant, breaks, and where. Animations are
 * waited for: half-faded text has no contrast. One that is cancelled meanwhile is over too.
 */
export async function assertAccessible(page: Page, state: string, part: Locator | null = null): Promise<void> {
  await page.evaluate(async () => {
    // One that ends may have been replaced by another.
    for (;;) {
      const moving = document
        .getAnimations()
        .filter(
          ({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        );
      if (moving.length === 0) return;
      await Promise.allSettled(moving.map(({ finished }) => finished));
    }
  });
  // Past the page's policy, as a browser's own tools are, and once a document: it is half a megabyte of script.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate((axeSource ??= readAxe()));
  const look = (where: Element | null): Promise<AxeResults> => {
    const { axe: rules } = window as unknown as { axe: { run(where: Node, options: RunOptions): Promise<AxeResults> } };
    // Without the style sheets, which an experimental rule alone reads: to gather them took a third of each run.
    return rules.run(where ?? document, { resultTypes: ['violations'], preload: { assets: ['media'] } });
  };
  const { violations } = part ? await part.evaluate(look) : await page.evaluate(look, null);
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`,
  );
  assert.deepEqual(told, [], `axe-core finds nothing on: ${state}`);
}

/** Fails with what axe-core finds in any look of a walk, on the page or on a part of it; it stands in `state` then. */
export const assertAccessibleInEachLook = (
  page: Page,
  state: string,
  walk: Walk = onOneWay,
  part: Locator | null = null,
): Promise<void> => inEachLook(page, walk, (look) => assertAccessible(page, `${state} (${look})`, part));
