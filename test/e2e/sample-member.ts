import type { Page } from '@playwright/test';
import { seedPortfolios } from '../../src/features/portfolio/demo/seed-portfolios.ts';
import { formatNewYorkDay } from '../../src/ui/kit/new-york-time.ts';
import type { TestService } from '../support/service.ts';
import { type Person, register } from './people.ts';
import { setTier, addToWatchlist } from './watchlist-card.ts';

/**
 * Creates a new signed-in member with the first run's data for this plan: accounts, holdings of four kinds, a year of
 * net worth and a watchlist. Other tests do not share this member. No page is open afterwards.
 */
export async function registerSampleMember(
  page: Page,
  service: TestService,
  tier: 'free' | 'pro' | 'max',
): Promise<Person> {
  const { database, firstRun } = service;
  const person = await register(page);
  const [member] = await database.owner<{ idp_id: string }>('select idp_id from public.all_users where email = $1', [
    person.email,
  ]);
  const watched = await database.owner<{ symbol: string }>(
    'select symbol from public.watchlist_items where idp_id = $1 order by position',
    [firstRun.members.find((candidate) => candidate.tier === tier)!.idp_user_id],
  );
  await setTier(service, person, tier);
  await addToWatchlist(
    service,
    person,
    watched.map(({ symbol }) => symbol),
  );
  await seedPortfolios(database.database.service, [member!.idp_id], formatNewYorkDay(new Date()));
  return person;
}

/** Opens the dashboard of a new member with the first run's data. */
export async function openSampleDashboard(
  page: Page,
  service: TestService,
  tier: 'free' | 'pro' | 'max',
): Promise<Person> {
  const person = await registerSampleMember(page, service, tier);
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  return person;
}

/** Deletes all accounts and holdings of a member. An open page receives no notice. */
export async function deleteAllInvestments({ database }: TestService, { email }: Person): Promise<void> {
  for (const table of ['manual_public_holdings', 'accounts'])
    await database.owner(
      `delete from public.${table} o using public.all_users m where m.idp_id = o.idp_id and m.email = $1`,
      [email],
    );
}
