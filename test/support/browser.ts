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

/** A scenario for the states of a page. It starts in one variant and checks each state in all `variants`. */
interface A11yScenario extends Variant {
  variants: readonly Variant[];
}

const allVariantList = themes.flatMap((theme) =>
  (Object.keys(sizes) as Size[]).map((size): Variant => ({ theme, size })),
);

/**
 * Accessibility scenarios. By default one scenario checks each state in light on a desktop and in dark on a phone,
 * since visiting takes longer than checking. With `ALL_VARIANTS=on` each theme at each size has its own scenario.
 */
export const a11yScenarios: readonly A11yScenario[] =
  process.env['ALL_VARIANTS'] === 'on'
    ? allVariantList.map((variant) => ({ ...variant, variants: [variant] }))
    : [
        {
          theme: 'light',
          size: 'desktop',
          variants: allVariantList.filter(({ theme, size }) => (theme === 'light') === (size === 'desktop')),
        },
      ];

/** The scenario for a state that another test visits once. It checks the variants of all scenarios. */
export const allVariants: A11yScenario = {
  theme: 'light',
  size: 'desktop',
  variants: a11yScenarios.flatMap(({ variants }) => variants),
};

/** Runs `check` on the page in each variant of a scenario, and then restores the initial variant. */
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
/** Reads the minified build, since every new document compiles it and the full build is more than twice as large. */
const readAxe = (): string => readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Throws for each rule of axe-core that the page, or `part` of it, violates. Waits for animations to end, since
 * half-faded text lacks contrast.
 */
export async function assertAccessible(page: Page, state: string, part: Locator | null = null): Promise<void> {
  await page.evaluate(async () => {
    // An animation that ends may start another one.
    const listRunning = (): Animation[] =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        );
    let running = listRunning();
    while (running.length > 0) {
      await Promise.allSettled(running.map(({ finished }) => finished));
      running = listRunning();
    }
  });
  // Evaluating bypasses the page's security policy. It runs once per document, since axe-core is large.
  if (await page.evaluate(() => !('axe' in window))) {
    axeSource ??= readAxe();
    await page.evaluate(axeSource);
  }
  const runAxe = (root: Element | null): Promise<AxeResults> => {
    const { axe: axeApi } = window as unknown as {
      axe: { run(where: Node, options: RunOptions): Promise<AxeResults> };
    };
    // Style sheets are not loaded. Only an experimental rule reads them, and loading took a third of each run.
    return axeApi.run(root ?? document, { resultTypes: ['violations'], preload: { assets: ['media'] } });
  };
  const { violations } = part ? await part.evaluate(runAxe) : await page.evaluate(runAxe, null);
  const problems = violations.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`,
  );
  assert.deepEqual(problems, [], `axe-core finds nothing on: ${state}`);
}

/** Throws if axe-core finds a violation in any variant of a scenario, on the page in this state or on a part of it. */
export const assertAccessibleInAllVariants = (
  page: Page,
  state: string,
  scenario: A11yScenario = allVariants,
  part: Locator | null = null,
): Promise<void> =>
  forEachVariant(page, scenario, (variantName) => assertAccessible(page, `${state} (${variantName})`, part));

/** Asserts that a slider does nothing at Alt+Left, with which some browsers go back. */
export async function assertLeavesAltLeftToBrowser(slider: Locator): Promise<void> {
  const before = await slider.getAttribute('aria-valuenow');
  const isPrevented = await slider.evaluate((element) => {
    const event = new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: true, bubbles: true, cancelable: true });
    return !element.dispatchEvent(event);
  });
  assert.equal(isPrevented, false, 'Alt+Left is Back');
  assert.equal(await slider.getAttribute('aria-valuenow'), before);
}
