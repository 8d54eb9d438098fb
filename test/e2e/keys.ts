import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';

/** Presses Tab until an element with this name has the focus. */
export async function pressTabUntil(
  page: Page,
  name: RegExp,
  { back = false }: { back?: boolean } = {},
): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    const now = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      return (
        element?.getAttribute('aria-label') ??
        element?.labels?.[0]?.innerText ??
        element?.innerText ??
        ''
      ).trim();
    });
    if (name.test(now)) return;
    passed.push(now.slice(0, 40));
  }
  assert.fail(`Tab never reached ${name}: ${passed.join(' | ')}`);
}

/** Presses Enter on the element with this name, reached by Tab. */
export async function pressEnterOn(page: Page, name: RegExp, options: { back?: boolean } = {}): Promise<void> {
  await pressTabUntil(page, name, options);
  await page.keyboard.press('Enter');
}
