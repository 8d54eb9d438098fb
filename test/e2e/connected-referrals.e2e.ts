import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { eventually } from '../support/eventually.ts';
import { simulateTabRefocus } from './simulate-tab-refocus.ts';
import { connectBank, connectBrokerage, openInstitutionPage, waitUntilStored } from './connect-account.ts';
import { test } from './fixtures.ts';
import { fillCredentials, createPerson, register } from './people.ts';

/** Copies the member's link from its page. */
async function copyLink(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/settings/invite');
  await page.getByRole('button', { name: 'Copy your link' }).click();
  await page.getByRole('status').getByText('Copied.').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Waits until the reloaded page of the link shows these numbers of signups and completions. */
const waitForFigures = (page: Page, signups: number, completed: number): Promise<void> =>
  eventually(async () => {
    const read = page.waitForResponse('**/api/referrals/stats');
    await simulateTabRefocus(page);
    await (await read).finished();
    const figures = page.getByRole('region', { name: 'Your referrals' }).locator('dd');
    return (await figures.allInnerTexts()).join() === `${signups},${completed}`;
  });

/** Starts a connection in the settings and stops at the sandbox page. */
async function begin(page: Page, kind: 'bank' | 'brokerage'): Promise<string> {
  await page.goto('/settings/connections');
  await page.getByRole('button', { name: 'Connect an account' }).click();
  return openInstitutionPage(page, kind);
}

const isConnected = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name: `${name} is connected`, exact: true, level: 1 }).waitFor();

test(
  'counts each friend who joins by a copied link and connects an account once',
  { tag: '@slow' },
  async ({ visit }) => {
    const member = await visit();
    await register(member);
    const link = await copyLink(member);
    for (const [before, kind] of (['bank', 'brokerage'] as const).entries())
      await test.step(`counts a friend who connects a ${kind}`, async () => {
        const friend = await visit();
        await friend.goto(link);
        await fillCredentials(friend, createPerson());
        await friend.getByRole('main').getByRole('button', { name: 'Create account' }).click();
        await friend.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
        await waitForFigures(member, before + 1, before);
        if (kind === 'brokerage') {
          await begin(friend, kind);
          await friend.getByRole('button', { name: 'Cancel' }).click();
          await friend.getByRole('heading', { name: 'You did not finish connecting' }).waitFor();
          await waitForFigures(member, before + 1, before);
        }
        const secret = await begin(friend, kind);
        const name = kind === 'bank' ? 'Sandbox Bank' : 'Sandbox Brokerage';
        await (kind === 'bank' ? connectBank(friend) : connectBrokerage(friend));
        await isConnected(friend, name);
        assert.equal(new URL(friend.url()).search, '', 'nothing of the aggregator is left in the address');
        assert.ok(!(await waitUntilStored(friend)).includes(secret), 'the secret of its page is kept nowhere');
        await waitForFigures(member, before + 1, before + 1);
        await friend.reload();
        await isConnected(friend, name);
        await begin(friend, kind === 'bank' ? 'brokerage' : 'bank');
        await (kind === 'bank' ? connectBrokerage(friend) : connectBank(friend));
        await isConnected(friend, kind === 'bank' ? 'Sandbox Brokerage' : 'Sandbox Bank');
        await friend.getByRole('link', { name: 'See your connections' }).click();
        await friend.getByRole('button', { name: `Remove ${name}`, exact: true }).click();
        await friend.getByRole('button', { name: 'Remove the connection' }).click();
        await friend.getByRole('status').getByText(`${name} removed.`).waitFor();
        await member.reload();
        await waitForFigures(member, before + 1, before + 1);
      });
  },
);
