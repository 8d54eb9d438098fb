import { test } from 'node:test';
import { assertAccessible, inEachLook, useSite, walks } from '../support/browser.ts';
import { register } from './people.ts';

const site = useSite();

for (const walk of walks) {
  test(`axe-core finds nothing from a purchase to its invoice: from ${walk.theme}, ${walk.size}`, async (t) => {
    const page = await site.visit(t, walk);
    const look = (state: string) => inEachLook(page, walk, (seen) => assertAccessible(page, `${state} (${seen})`));
    await register(page);
    await page.goto('/plans?entry=watchlist_limit&add=AAPL');
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
    await page.getByRole('dialog').getByText('AAPL is added to it.').waitFor();
    await look('the question before a purchase');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByText('Test payment, no money').waitFor();
    await look('the checkout');
    await page.getByRole('radio', { name: /0002/ }).check();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('The card was declined. Choose another one.').first().waitFor();
    await look('the checkout, declined');
    await page.getByRole('radio', { name: /0341/ }).check();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('You are on Pro now.').waitFor();
    await look('the way back from a payment');
    await page.goto('/settings/billing');
    await page.getByRole('button', { name: 'Cancel the plan' }).click();
    await look('the question before a cancellation');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Means of payment' }).click();
    await page.getByRole('button', { name: 'Go on to the next renewal' }).click();
    await page.getByText('Your last payment did not go through.').waitFor();
    await inEachLook(page, walk, async (seen) => {
      await page.getByText('$9.99 a month').waitFor();
      await assertAccessible(page, `billing with a payment problem (${seen})`);
    });
    await page.goto('/plans');
    await page.getByRole('button', { name: 'Upgrade to Max' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Due now/)
      .waitFor();
    await look('the question before a change');
  });
}
