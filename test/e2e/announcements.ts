import type { Page } from '@playwright/test';

/** Records the texts of the page's live regions. Returns a function that reads them. */
export async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const announcements: string[] = [];
    Object.assign(window, { announcements });
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
  return () => page.evaluate(() => (window as unknown as { announcements: string[] }).announcements);
}

/** Waits until a live region has announced this text. */
export const waitForAnnouncement = (page: Page, text: string) =>
  page.waitForFunction(
    (expected) =>
      (window as unknown as { announcements: string[] }).announcements.some((text) => text.includes(expected)),
    text,
  );
