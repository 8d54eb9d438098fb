import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { sizes, themes } from '../../test/support/browser.ts';
import { showAnswer, showEarlier, showReport } from './assistant.ts';
import { pictureContext } from './picture-context.ts';

interface Shot {
  name: string;
  path: string;
  signedIn: boolean;
  /** The page to its end, not the first screen alone. */
  whole?: boolean;
  /** Brings the page into the state to be shown. */
  prepare(page: Page): Promise<void>;
  /** Takes back what this browser or the service would remember of it. */
  leave?(page: Page): Promise<void>;
}

const heading =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> =>
    page.getByRole('heading', { name, level: 1 }).waitFor();

/** What a visitor meets comes first: it leads a member on to the dashboard. */
const shots: readonly Shot[] = [
  { name: 'landing', path: '/', signedIn: false, prepare: heading(/Know what/) },
  { name: 'sign-up', path: '/sign-up', signedIn: false, prepare: heading('Create your account') },
  {
    name: 'sign-up-invited',
    path: '/sign-up?ref=Qm7XvT3kWz9B',
    signedIn: false,
    prepare: showInvitation,
    leave: (page) => page.unroute('**/api/referrals/*'),
  },
  { name: 'sign-in', path: '/sign-in', signedIn: false, prepare: heading('Sign in') },
  { name: 'dashboard', path: '/dashboard', signedIn: true, prepare: waitForCards, whole: true },
  {
    name: 'dashboard-new',
    path: '/dashboard',
    signedIn: true,
    prepare: beginAnew,
    leave: (page) => page.unroute('**/api/**'),
  },
  {
    name: 'plans',
    path: '/plans',
    signedIn: true,
    prepare: async (page) => page.getByRole('list', { name: 'Plans' }).getByText('Your plan').waitFor(),
    whole: true,
  },
  {
    name: 'add-widget',
    path: '/dashboard',
    signedIn: true,
    prepare: offerNews,
    leave: (page) => page.unroute('**/api/dashboard'),
  },
  { name: 'add-investment', path: '/dashboard', signedIn: true, prepare: fillInvestment },
  { name: 'accounts', path: '/dashboard', signedIn: true, prepare: openAccounts },
  {
    name: 'dashboard-privacy',
    path: '/dashboard',
    signedIn: true,
    prepare: hideAmounts,
    whole: true,
    leave: showAmounts,
  },
  { name: 'assistant', path: '/dashboard', signedIn: true, prepare: showAnswer, leave: forget },
  { name: 'assistant-earlier', path: '/dashboard', signedIn: true, prepare: showEarlier, leave: forget },
  { name: 'assistant-report', path: '/dashboard?assistant=open', signedIn: true, prepare: showReport },
  { name: 'settings', path: '/settings', signedIn: true, prepare: heading('Settings') },
  { name: 'api-keys', path: '/settings/api-keys', signedIn: true, prepare: playWithKeys, whole: true },
  { name: 'own-assistant', path: '/settings/assistant', signedIn: true, prepare: makeToken, whole: true },
  {
    name: 'invite',
    path: '/settings/invite',
    signedIn: true,
    prepare: showReferrals,
    whole: true,
    leave: (page) => page.unroute('**/api/referrals/*'),
  },
];

async function forget(page: Page): Promise<void> {
  await page.unrouteAll();
}

/** The sign-up page of somebody with a member's link. */
async function showInvitation(page: Page): Promise<void> {
  await page.route('**/api/referrals/*', (route) =>
    route.fulfill({ json: { valid: true, referrer_idp_id: 'user_2abc' } }),
  );
  // Not by a reload, which asks for the font anew.
  await page.goto('/sign-in');
  await page.goto('/sign-up?ref=Qm7XvT3kWz9B');
  await page.getByRole('status').getByText('A member has invited you').waitFor();
}

/** The page to invite friends, half a year after the first of them came. */
async function showReferrals(page: Page): Promise<void> {
  const signups = [0, 0, 0, 0, 0, 0, 2, 1, 4, 3, 6, 5];
  const months = signups.map((count, i) => ({
    month: new Date(Date.UTC(2025, 11 + i)).toISOString().slice(0, 7),
    signups: count,
    completions: Math.floor(count / 2),
  }));
  const total = (name: 'signups' | 'completions') => months.reduce((sum, month) => sum + month[name], 0);
  const answers: Record<string, object> = {
    stats: { total_signups: total('signups'), completed_referrals: total('completions') },
    history: { months },
    'get-link': { referral_link: 'Qm7XvT3kWz9B', url: 'https://tally.example.com/sign-up?ref=Qm7XvT3kWz9B' },
  };
  await page.route('**/api/referrals/*', (route) =>
    route.fulfill({ json: answers[new URL(route.request().url()).pathname.split('/').at(-1)!]! }),
  );
  await page.goto('/settings');
  await page.goto('/settings/invite');
  await page.getByRole('img', { name: 'QR code of your link' }).waitFor();
  await page.getByRole('rowheader').first().waitFor();
}

/** The dashboard of somebody who has nothing yet. */
async function beginAnew(page: Page): Promise<void> {
  const empty: Record<string, object> = {
    '/api/net-worth': { currencies: [], unpriced: [], sample_data: false },
    '/api/investments/positions': { positions: [], sample_data: false },
    '/api/earnings': { earnings: [], complete: true, sample_data: false },
    '/api/news': { articles: [], sample_data: false },
  };
  await page.route('**/api/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (empty[pathname]) return route.fulfill({ json: empty[pathname] });
    if (pathname !== '/api/watchlist') return route.fallback();
    const list = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...list, items: [], item_count: 0, locked_count: 0 } });
  });
  await page.evaluate(() => localStorage.removeItem('tally.has'));
  // Not by a reload, which asks for the font anew.
  await page.goto('/settings');
  await page.goto('/dashboard');
  await page.getByRole('group', { name: 'Popular' }).waitFor();
}

/** Every card with what belongs in it. */
export async function waitForCards(page: Page): Promise<void> {
  for (const name of ['Holdings', 'Upcoming earnings', 'Latest news', 'Watched tickers'])
    await page.getByRole('list', { name }).waitFor();
  await page.getByRole('slider', { name: 'Net worth over time' }).waitFor();
}

/** Add widget as it is for a member who has put the news away. */
async function offerNews(page: Page): Promise<void> {
  await page.route('**/api/dashboard', (route) =>
    route.fulfill({
      json: {
        cards: ['net_worth', 'holdings', 'earnings', 'watchlist'].map((id) => ({ id })),
        removed: [{ id: 'news' }],
      },
    }),
  );
  // Not by a reload, which asks for the font anew: one that comes late is not used.
  await page.goto('/settings');
  await page.goto('/dashboard');
  await page.getByRole('list', { name: 'Watched tickers' }).waitFor();
  await page.getByRole('button', { name: 'Add widget' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add Latest news' }).waitFor();
}

/** Add investment, ready to be sent. */
async function fillInvestment(page: Page): Promise<void> {
  await waitForCards(page);
  await page.getByRole('button', { name: 'Add investment' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add investment' });
  await dialog.getByRole('combobox', { name: 'Security' }).fill('AAPL');
  await dialog.getByRole('option', { name: /^AAPL/ }).click();
  await dialog.getByLabel('Quantity').fill('3');
  await dialog.getByLabel(/^Cost in all/).fill('450');
}

async function openAccounts(page: Page): Promise<void> {
  await waitForCards(page);
  await page.getByRole('region', { name: 'Holdings' }).getByRole('button', { name: 'Accounts' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Edit / })
    .first()
    .waitFor();
}

const privacy = (page: Page): Locator => page.getByRole('button', { name: 'Privacy mode' });

async function hideAmounts(page: Page): Promise<void> {
  await waitForCards(page);
  await privacy(page).click();
  await page.getByRole('button', { name: 'Privacy mode', pressed: true }).waitFor();
}

async function showAmounts(page: Page): Promise<void> {
  await privacy(page).click();
  await page.getByRole('button', { name: 'Privacy mode', pressed: false }).waitFor();
}

/** The playground with a count in it, and the keys of a member who has been here for a while. */
async function playWithKeys(page: Page): Promise<void> {
  await page.getByText(/of 20$/).waitFor();
  await page.getByLabel('System prompt').fill('You answer in one sentence.');
  await page.getByLabel('Message').fill('What is a tally mark, and why is every fifth one drawn across the others?');
  await page
    .getByRole('status')
    .getByText(/input tokens/)
    .waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

/** Makes two keys through the page, as a member does. */
async function makeKeys(page: Page): Promise<void> {
  await page.goto('/settings/api-keys');
  for (const name of ['Build server', 'Notebook']) {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
  }
}

/** Makes a token through the page and leaves it to be copied, unless there is one. */
async function makeToken(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Your tokens' }).waitFor();
  await page.getByText(/of 10$/).waitFor();
  if ((await page.getByText('Laptop').count()) > 0) return;
  await page.getByLabel('Name').fill('Laptop');
  await page.getByRole('button', { name: 'Make token' }).click();
  await page.getByRole('button', { name: 'I have copied it' }).waitFor();
}

/** Each page as a visitor or a member meets it, into `folder`. */
export async function picturePages(
  browser: Browser,
  url: string,
  member: { email: string; password: string },
  folder: string,
  wanted: (name: string) => boolean,
): Promise<void> {
  let first = true;
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const theme of themes) {
      const context = await pictureContext(browser, {
        baseURL: url,
        viewport,
        colorScheme: theme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      for (const shot of shots.filter(({ name }) => wanted(name))) {
        if (shot.signedIn && !(await context.cookies()).some(({ name }) => name === '__client')) {
          await page.goto('/sign-in');
          await page.getByLabel('E-mail address').fill(member.email);
          await page.getByRole('textbox', { name: 'Password' }).fill(member.password);
          await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
          await heading('Dashboard')(page);
          if (first) await makeKeys(page);
          first = false;
        }
        await page.goto(shot.path);
        await shot.prepare(page);
        await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 0)));
        // A window as high as the page: what is drawn only once it is near would be missing below the fold.
        if (shot.whole)
          await page.setViewportSize({
            width: viewport.width,
            height: await page.evaluate(() => document.documentElement.scrollHeight),
          });
        await page.waitForFunction(() =>
          [...document.images].every(
            (image) => image.complete || !image.checkVisibility({ contentVisibilityAuto: true }),
          ),
        );
        await page.screenshot({
          path: join(folder, `${shot.name}-${size}-${theme}.png`),
          fullPage: shot.whole ?? false,
        });
        await page.setViewportSize(viewport);
        await shot.leave?.(page);
      }
      await context.close();
    }
  }
}
