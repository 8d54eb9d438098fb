import type { Page } from '@playwright/test';

/**
 * Continues from the open dialog to the sandbox page of a bank or a brokerage. Returns the secret part of the page's
 * address.
 */
export async function openInstitutionPage(page: Page, kind: 'bank' | 'brokerage'): Promise<string> {
  const dialog = page.getByRole('dialog');
  const choice = dialog.getByRole('radio', { name: kind === 'bank' ? /^Bank/ : /^Brokerage/ });
  await dialog.getByText('It cannot move money').waitFor();
  if ((await choice.count()) > 0) await choice.check({ force: true });
  await dialog.getByRole('button', { name: `Continue to Sandbox ${kind === 'bank' ? 'Bank' : 'Brokerage'}` }).click();
  await page.waitForURL(new RegExp(`/_${kind}/`));
  return new URL(page.url()).pathname.split('/').at(-1)!;
}

/**
 * Signs in at the sandbox bank and returns with its accounts, if it offers a choice: all accounts, or the one with
 * these last digits.
 */
export async function connectBank(page: Page, selectedMasks?: string): Promise<void> {
  await page.getByLabel('User name').fill('user_good');
  await page.getByLabel('Password').fill('pass_good');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const choose = page.getByRole('button', { name: 'Connect' });
  await Promise.race([choose.waitFor(), page.waitForURL(/\/connections\/return\//)]);
  if (!page.url().includes('/connections/return/')) {
    if (selectedMasks !== undefined)
      for (const box of await page.getByRole('checkbox').all())
        await box.setChecked((await box.locator('xpath=..').innerText()).includes(selectedMasks));
    await choose.click();
  }
  await page.waitForURL(/\/connections\/return\//);
}

/** Returns the page's text and this browser's storage for the site as one text. */
export const waitUntilStored = (page: Page): Promise<string> =>
  page.evaluate(async () =>
    JSON.stringify([
      document.documentElement.outerHTML,
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      window.name,
      history.state,
      await indexedDB.databases(),
      await caches.keys(),
    ]),
  );

/** Signs in at the sandbox brokerage and returns to the page. */
export async function connectBrokerage(page: Page): Promise<void> {
  await page.getByLabel('User name').fill('user_good');
  await page.getByLabel('Password').fill('pass_good');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.waitForURL(/\/connections\/return\//);
}
