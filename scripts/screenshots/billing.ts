import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { register } from '../../test/e2e/people.ts';
import { sizes, themes } from '../../test/support/browser.ts';
import type { TestService } from '../../test/support/service.ts';
import { pictureContext } from './picture-context.ts';

type Shoot = (state: string, whole?: boolean) => Promise<void>;

/** A purchase from the question before it to the billing page, and the revenue report of half a year, into `folder`. */
export async function pictureBilling(
  browser: Browser,
  service: TestService,
  folder: string,
  wanted: (name: string) => boolean,
): Promise<void> {
  if (!wanted('billing')) return;
  await seedRevenue(service);
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const theme of themes) {
      const context = await pictureContext(browser, {
        baseURL: service.url,
        ...{ viewport, colorScheme: theme, reducedMotion: 'reduce' },
      });
      const page = await context.newPage();
      const shoot: Shoot = async (state, whole = false) => {
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: join(folder, `${state}-${size}-${theme}.png`), fullPage: whole });
      };
      await buy(page, shoot);
      await report(page, service, shoot, size === 'desktop');
      await context.close();
    }
  }
}

async function buy(page: Page, shoot: Shoot): Promise<void> {
  // The font comes with the first page; one that comes late is not used there.
  await page.goto('/sign-up');
  await page.evaluate(() => document.fonts.ready);
  await register(page);
  await page.goto('/plans?entry=watchlist_limit&add=AAPL');
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await page.getByRole('dialog').getByText('AAPL is added to it.').waitFor();
  await shoot('upgrade-dialog');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByText('Test payment, no money').waitFor();
  await shoot('checkout');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByText('You are on Pro now.').waitFor();
  await page.goto('/settings/billing');
  await page.getByText('$9.99 a month').waitFor();
  await shoot('billing', true);
}

async function report(page: Page, { firstRun }: TestService, shoot: Shoot, whole: boolean): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/operator/revenue');
  await page.getByRole('textbox', { name: 'Operator’s token' }).fill(firstRun.revenue_operator_token!);
  await page.getByRole('button', { name: 'Show the report' }).click();
  await page.getByLabel('From', { exact: true }).fill('2026-01-01');
  await page.getByLabel('To', { exact: true }).fill('2026-06-30');
  await page.getByRole('button', { name: 'Show these days' }).click();
  await page.getByText('Shown from 2026-01-01 to 2026-06-30.').waitFor();
  await shoot('revenue', whole);
}

/** Half a year of payers: each month some begin, some of them change the plan, and some leave. */
async function seedRevenue({ database }: TestService): Promise<void> {
  await database.owner(`
    create temp table payer_of as
      select n, gen_random_uuid() as payer, 1 + n % 6 as month,
             case n % 5 when 0 then null when 1 then 'watchlist_locked' when 2 then 'watchlist_locked'
               else 'watchlist_limit' end as entry
        from generate_series(1, 90) n;
    insert into public.billing_payers (payer) select payer from payer_of;
    insert into public.billing_movements (payer, kind, currency, mrr_minor, from_tier, to_tier, entry_source, moved_at)
      select payer, 'new', 'USD', 999, 'free', 'pro', entry, make_timestamptz(2026, month, 1 + n % 27, 12, 0, 0, 'UTC')
        from payer_of;
    insert into public.billing_movements (payer, kind, currency, mrr_minor, from_tier, to_tier, entry_source, moved_at)
      select payer, case when n % 3 = 0 then 'expansion' else 'churn' end, 'USD',
             case when n % 3 = 0 then 1000 else -999 end, 'pro', case when n % 3 = 0 then 'max' else 'free' end, entry,
             make_timestamptz(2026, month + 1, 1 + n % 27, 12, 0, 0, 'UTC')
        from payer_of where month < 6 and n % 3 < 2 and n % 4 < 2;
    insert into public.billing_invoices (payer, id, status, currency, total_minor, net_minor, tier, entry_source,
        created_at, paid_at)
      select payer, 'in_' || n || '_' || m, 'paid', 'USD', 999, 999, 'pro', entry, at, at
        from payer_of, generate_series(month, 6) m, make_timestamptz(2026, m, 1 + n % 27, 12, 0, 0, 'UTC') at;
    insert into public.all_users (idp_id) select 'user_funnel' || n from payer_of;
    insert into public.analytics_events (idp_id, event, properties, occurred_at)
      select 'user_funnel' || n, event, jsonb_build_object('entry_source', entry, 'source',
               replace(entry, 'watchlist_', 'dashboard_watchlist_')),
             make_timestamptz(2026, month, 1 + n % 27, 11, step::integer, 0, 'UTC')
        from payer_of, unnest(array['upgrade_cta_clicked', 'plans_viewed', 'upgrade_modal_viewed',
               'upgrade_modal_confirmed']) with ordinality e (event, step)
       where n % 10 < (array[10, 9, 7, 6])[step];
    insert into public.billing_checkouts (idp_id, tier, entry_source, status, origin, created_at)
      select 'user_funnel' || n, 'pro', entry, case when n % 10 < 4 then 'complete' else 'expired' end, '',
             make_timestamptz(2026, month, 1 + n % 27, 11, 30, 0, 'UTC')
        from payer_of where n % 10 < 5`);
}
