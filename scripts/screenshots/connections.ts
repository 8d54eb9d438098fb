import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { connectBank, leaveFor } from '../../test/e2e/connect-account.ts';
import { register } from '../../test/e2e/people.ts';
import { sizes, themes } from '../../test/support/browser.ts';
import type { TestService } from '../../test/support/service.ts';
import { pictureContext } from './picture-context.ts';

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, level: 1, exact: true }).waitFor();

/** A member's way from no connection to one that needs a new sign-in and one that is removed, into `folder`. */
export async function pictureConnections(
  browser: Browser,
  service: TestService,
  folder: string,
  wanted: (name: string) => boolean,
): Promise<void> {
  if (!wanted('connections')) return;
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const theme of themes) {
      const context = await pictureContext(browser, {
        baseURL: service.url,
        ...{ viewport, colorScheme: theme, reducedMotion: 'reduce' },
      });
      const page = await context.newPage();
      await tour(page, service, async (state) => {
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: join(folder, `connections-${state}-${size}-${theme}.png`) });
      });
      await context.close();
    }
  }
}

async function tour(page: Page, service: TestService, shoot: (state: string) => Promise<void>): Promise<void> {
  const { email } = await register(page);
  await page.goto('/settings/connections');
  await page.getByRole('button', { name: 'Connect an account' }).click();
  await page.getByRole('dialog').getByText('It can move no money').waitFor();
  await shoot('dialog');

  await leaveFor(page, 'bank');
  await shoot('sandbox');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await heading(page, 'You left before it was done');
  await shoot('left');

  await page.getByRole('button', { name: 'Try again' }).click();
  await leaveFor(page, 'bank');
  await page.route('**/api/connections/finish', (route) => route.fulfill({ json: { status: 'pending' } }));
  await connectBank(page);
  await heading(page, 'Waiting for your institution');
  await shoot('waiting');
  await page.unroute('**/api/connections/finish');
  await page.reload();
  await heading(page, 'Sandbox Bank is connected');
  await page.getByRole('list', { name: 'Accounts at Sandbox Bank' }).waitFor();
  await shoot('connected');

  await service.database.owner(
    `update public.connections c set status = 'login_required' from public.all_users m
      where m.idp_id = c.idp_id and m.email = $1`,
    [email],
  );
  await page.goto('/dashboard');
  await page.getByRole('status').getByText('Sandbox Bank needs a new sign-in.').waitFor();
  await page.getByRole('list', { name: 'Holdings', exact: true }).getByText('AAPL call 300').waitFor();
  await shoot('notice');
  await page.goto('/settings/connections');
  const card = page.getByRole('region', { name: 'Sandbox Bank' });
  await card.getByRole('button', { name: 'Rename Sandbox Checking' }).waitFor();
  await shoot('list');
  await card.getByRole('button', { name: 'Remove Sandbox Bank' }).click();
  await page.getByRole('dialog').getByText('Its 3 accounts go at once').waitFor();
  await shoot('removal');
}
