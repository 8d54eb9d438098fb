import type { Page } from '@playwright/test';

/** Collects everything that the page's live regions have said. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(
          '[role=status], [role=alert], [aria-live]',
        );
        const text = region?.textContent.trim();
        if (text && said.at(-1) !== text) said.push(text);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said);
}

/** Waits until this has been said. */
export const heard = (page: Page, words: string) =>
  page.waitForFunction(
    (wanted) => (window as unknown as { said: string[] }).said.some((text) => text.includes(wanted)),
    words,
  );
