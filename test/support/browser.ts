import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Locator, Page } from '@playwright/test';

export const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
export type Size = keyof typeof sizes;
export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

interface Variant {
  theme: Theme;
  size: Size;
}

/** A test's walk through the states of a page. It starts in one look, and checks each state in all of `looks`. */
interface A11yScenario extends Variant {
  variants: readonly Variant[];
}

const allVariantList = themes.flatMap((theme) =>
  (Object.keys(sizes) as Size[]).map((size): Variant => ({ theme, size })),
);

/**
 * The walks that check accessibility. By default it is one walk that checks each state in light on a desktop and in
 * dark on a phone, since walking takes longer than checking. With `ALL_LOOKS=on` each theme at each size has a walk.
 */
export const a11yScenarios: readonly A11yScenario[] =
  process.env['ALL_LOOKS'] === 'on'
    ? allVariantList.map((variant) => ({ ...variant, variants: [variant] }))
    : [
        {
          theme: 'light',
          size: 'desktop',
          variants: allVariantList.filter(({ theme, size }) => (theme === 'light') === (size === 'desktop')),
        },
      ];

/** For a state that another test reaches once: it is checked in the looks of all walks. */
export const allVariants: A11yScenario = {
  theme: 'light',
  size: 'desktop',
  variants: a11yScenarios.flatMap(({ variants }) => variants),
};

/** Runs `look` on the page in each look of a walk, and then restores the look in which the walk started. */
export async function forEachVariant(
  page: Page,
  { variants, ...initial }: A11yScenario,
  check: (name: string, variant: Variant) => Promise<void>,
): Promise<void> {
  const applyVariant = async ({ theme, size }: Variant): Promise<void> => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(sizes[size]);
  };
  for (const variant of variants) {
    if (variants.length > 1) await applyVariant(variant);
    await check(`${variant.theme}, ${variant.size}`, variant);
  }
  if (variants.length > 1) await applyVariant(initial);
}

let axeSource: string | undefined;
/** The minified build, since every new document compiles it and the other one is more than twice as large. */
const readAxe = (): string => readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Fails with each rule of axe-core that the page, or `part` of it, breaks. It waits for animations to end, since
 * half-faded text lacks contrast.
 */
export async function assertAccessible(page: Page, state: string, part: Locator | null = null): Promise<void> {
  await page.evaluate(async () => {
    // An animation that ends may start another one.
    for (;;) {
      const running = document
        .getAnimations()
        .filter(
          ({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        );
      if (running.length === 0) return;
      await Promise.allSettled(running.map(({ finished }) => finished));
    }
  });
  // Evaluating is not subject to the page's security policy. Once for each document, since axe-core is large.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate((axeSource ??= readAxe()));
  const runAxe = (root: Element | null): Promise<AxeResults> => {
    const { axe: axeApi } = window as unknown as {
      axe: { run(where: Node, options: RunOptions): Promise<AxeResults> };
    };
    // Style sheets are not loaded, since only an experimental rule reads them and it took a third of each run.
    return axeApi.run(root ?? document, { resultTypes: ['violations'], preload: { assets: ['media'] } });
  };
  const { violations } = part ? await part.evaluate(runAxe) : await page.evaluate(runAxe, null);
  const problems = violations.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`,
  );
  assert.deepEqual(problems, [], `axe-core finds nothing on: ${state}`);
}

/** Fails with what axe-core finds in any look of a walk, on the page in this state or on a part of it. */
export const assertAccessibleInAllVariants = (
  page: Page,
  state: string,
  scenario: A11yScenario = allVariants,
  part: Locator | null = null,
): Promise<void> =>
  forEachVariant(page, scenario, (variantName) => assertAccessible(page, `${state} (${variantName})`, part));
