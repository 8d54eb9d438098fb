import type { Page } from '@playwright/test';

/** Collects everything that the page's live regions have said. */
export async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const announcements: string[] = [];
    Object.assign(window, { said: announcements });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(
          '[role=status], [role=alert], [aria-live]',
        );
        const text = region?.textContent.trim();
        if (text && announcements.at(-1) !== text) announcements.push(text);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said);
}

/** Waits until this has been said. */
export const waitForAnnouncement = (page: Page, text: string) =>
  page.waitForFunction(
    (expected) => (window as unknown as { said: string[] }).said.some((text) => text.includes(expected)),
    text,
  );
