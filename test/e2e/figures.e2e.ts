import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { compareRows, type ExpectedRow } from '../support/figures/compare-figures.ts';
import {
  computeAccount,
  computeHoldings,
  computeNetWorth,
  groupPositions,
  type Period,
  splitChange,
} from '../support/figures/compute-figures.ts';
import {
  count,
  expectAccountsCard,
  expectAccountsDialog,
  expectChartDay,
  expectHoldingsCard,
  expectMoversCard,
  expectNetWorth,
  expectPortfolio,
  expectPosition,
  listChartDays,
  type MemberFigures,
  money,
  part,
} from '../support/figures/expect-screens.ts';
import { absolute, type Amount, sum, toAmount, toNumber } from '../support/figures/fixed-point.ts';
import { type PortfolioRows, readPortfolioRows } from '../support/figures/portfolio-rows.ts';
import { insertOwnListings, insertRandomPortfolio } from '../support/figures/random-member.ts';
import { findFigures, readFigures, type ShownRow } from '../support/figures/read-figures.ts';
import { sizes } from '../support/browser.ts';
import { seed, runsLongTests } from '../support/long-tests.ts';
import { seeded } from '../support/seeded.ts';
import type { TestService } from '../support/service.ts';
import { connectBank, connectBrokerage, openInstitutionPage } from './connect-account.ts';
import { visitDemo } from './demo-viewer.ts';
import { test } from './fixtures.ts';
import { register } from './people.ts';

/**
 * Reads all figures of members from the screens and compares them with figures computed from the stored rows. A figure
 * that nothing expects is a fault, so a new one on these screens must be added to the expectations.
 */

/** Random members: others in each run, and more of them in `LONG_TESTS=on npm run test:slow -- figures`. */
const MEMBERS = runsLongTests ? 200 : 10;
/** Members of one test, which share a page, since each new browser profile loads the app anew. */
const MEMBERS_OF_TEST = 5;
/** Times at which a screen is read again that has not followed a control yet. */
const SETTLE_ATTEMPTS = 10;
const SETTLE_MS = 100;
/** Days of the longest history. */
const WHOLE_DAYS = 1830;
/** Smallest width of the design. */
const PHONE = { width: 360, height: 800 };
/** Days of the chart that are selected, besides the last one. */
const CHART_DAYS = 5;

// Prices must stay while a member is walked.
test.use({ settings: { TRUSTED_PROXIES: '127.0.0.1', WORKER: 'off', SANDBOX: 'on' } });
test.describe.configure({ mode: 'parallel' });

/**
 * Parts without figures of the portfolio: articles, estimates of earnings, prices of the watchlist and past prices.
 * Dividends have a comparison of their own in dividends.e2e.ts.
 */
const OTHER_PARTS = [
  'Latest news',
  'Upcoming earnings',
  'Watchlist',
  'Dividends',
  'Dividend income',
  'Today’s holdings at past prices',
];

const getPart = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

for (let first = 0; first < MEMBERS; first += MEMBERS_OF_TEST) {
  const last = first + MEMBERS_OF_TEST - 1;
  test(
    `shows the same figures on every screen of random members ${first} to ${last}`,
    { tag: '@slow' },
    async ({ page, service }) => {
      test.setTimeout(MEMBERS_OF_TEST * 120_000);
      console.log(`SEED=${seed}`);
      await insertOwnListings(service.database);
      for (let index = first; index <= last; index += 1)
        await test.step(`member ${index}`, () => walkRandomMember(page, service, index));
    },
  );
}

async function walkRandomMember(page: Page, service: TestService, index: number): Promise<void> {
  const random = seeded((seed + index * 7_919) % 2 ** 31);
  await forgetMember(page);
  const { email } = await register(page);
  const [found] = await service.database.owner<{ id: string }>(
    'select idp_id as id from public.all_users where email = $1',
    [email],
  );
  const { id } = found!;
  await insertRandomPortfolio(service.database, id, random, formatNewYorkDay(new Date()));
  const { flows } = await readPortfolioRows(service.database, id);
  if (index % 5 === 1) flows.push(...(await connect(page, service, id, random)));
  flows.push(...(await changePortfolio(page, service, id, random)));
  await walk(page, () => readMember(service, id, flows), random, { prefix: `Member ${index}: ` });
}

/** Signs the browser out and deletes what it stores. It keeps the scripts of the app. */
async function forgetMember(page: Page): Promise<void> {
  if (page.url() === 'about:blank') return;
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
}

const seededMembers = {
  'a member of the first start': async (page: Page, { firstRun }: TestService) => {
    const [{ email, password, idp_user_id: id }] = firstRun.members as [SeededMember];
    await signIn(page, { identifier: email, password });
    return id;
  },
  'the sample user': async (page: Page) => {
    const { ticket } = (await (await page.request.post('/api/sample-portfolio')).json()) as { ticket: string };
    await signIn(page, { strategy: 'ticket', ticket });
    const config = (await (await page.request.get('/api/config')).json()) as { sample_user: { idp_user_id: string } };
    return config.sample_user.idp_user_id;
  },
  'the demo account': async (page: Page, service: TestService) => {
    await visitDemo(page, service);
    return service.firstRun.demo_account_idp_user_id;
  },
};
type SeededMember = TestService['firstRun']['members'][number];

for (const [name, open] of Object.entries(seededMembers))
  test(`shows the same figures on every screen of ${name}`, { tag: '@slow' }, async ({ page, service }) => {
    console.log(`SEED=${seed}`);
    const id = await open(page, service);
    const isReadOnly = name !== 'a member of the first start';
    assertSameDay(await walk(page, () => readMember(service, id), seeded(seed), { isReadOnly }));
  });

/** Throws if Home's change of the day, without exchange rates, is not the day change of the holdings in a currency. */
function assertSameDay({ rows, holdings, netWorth }: MemberFigures): void {
  for (const { currency, market } of splitChange(rows, netWorth, '1d')) {
    const held = holdings.filter((holding) => holding.currency === currency && holding.priceChange !== null);
    // An exchange with a later session than New York has a shorter day than net worth.
    if (!held.every(({ listing }) => listing!.price_day === rows.session)) continue;
    const difference = market - sum(held.map(({ base }) => base!.change!));
    assert.ok(absolute(difference) < toAmount(0.005), `the day in ${currency} differs by ${toNumber(difference)}`);
  }
}

/** Signs the page's browser in without a page. */
async function signIn(page: Page, form: Record<string, string>): Promise<void> {
  const answer = await page.request.post('/_idp/v1/client/sign_ins', { headers: await getOrigin(page), form });
  assert.equal(answer.status(), 200, await answer.text());
}

const getOrigin = async (page: Page): Promise<{ origin: string }> => ({
  origin: new URL((await page.request.get('/healthz')).url()).origin,
});

/** Formats a date as screens do. */
const formatDay = (date: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date));

const formatNewYorkDay = (at: Date): string => at.toLocaleDateString('en-CA', { timeZone: 'America/New_York' });

type Random = (below: number) => number;
type Flows = PortfolioRows['flows'];

/** Reads a member. `flows` replace the stored ones. */
async function readMember(service: TestService, idpId: string, flows?: Flows): Promise<MemberFigures> {
  const stored = await readPortfolioRows(service.database, idpId);
  const rows = { ...stored, flows: flows ?? stored.flows };
  const holdings = computeHoldings(rows);
  return { rows, holdings, netWorth: computeNetWorth(rows, holdings, 366) };
}

/** Connects the accounts of a sandbox. Returns their flows: all that they contain was added. */
async function connect(page: Page, service: TestService, idpId: string, random: Random): Promise<Flows> {
  const kind = random(2) === 0 ? 'bank' : 'brokerage';
  await page.goto('/settings/connections');
  await page.getByRole('button', { name: 'Connect an account' }).click();
  await openInstitutionPage(page, kind);
  await (kind === 'bank' ? connectBank(page) : connectBrokerage(page));
  await page.getByRole('heading', { name: / is connected$/, level: 1 }).waitFor();
  const { rows, holdings } = await readMember(service, idpId);
  return rows.accounts
    .filter(({ isConnected }) => isConnected)
    .flatMap(({ id, currency, balance }) => [
      createFlow(currency, toAmount(balance)),
      ...holdings
        .filter(({ account, own }) => account.id === id && own.value !== null)
        .map((holding) => createFlow(holding.currency!, holding.own.value!)),
    ]);
}

const createFlow = (currency: string, amount: Amount): Flows[number] => ({
  date: null,
  currency,
  amount: toNumber(amount).toFixed(4),
  symbol: null,
  quantity: null,
});

/** Changes a balance and adds a holding by hand. Returns what this adds to net worth. */
async function changePortfolio(page: Page, service: TestService, idpId: string, random: Random): Promise<Flows> {
  const { rows } = await readMember(service, idpId);
  const account = rows.accounts.find(({ kind }) => kind === 'manual');
  if (!account) return [];
  const headers = { authorization: `Bearer ${await readToken(page)}`, ...(await getOrigin(page)) };
  const flows: Flows = [];
  if (random(2) === 0) {
    const added = random(400_000) / 100 - 1_500;
    const balance = Number((Number(account.balance) + added).toFixed(4));
    const answer = await page.request.patch(`/api/accounts/${account.id}`, { headers, data: { balance } });
    assert.equal(answer.status(), 200, await answer.text());
    flows.push(createFlow(account.currency, toAmount(balance) - toAmount(account.balance)));
  }
  if (random(2) === 0) {
    const data = { account_id: account.id, symbol: 'ADBE', quantity: 1 + random(20), cost_basis: 5_000 };
    const answer = await page.request.post('/api/investments/holdings', { headers, data });
    assert.equal(answer.status(), 201, await answer.text());
    const { holdings } = await readMember(service, idpId);
    const added = holdings.find(({ symbol, account: { id } }) => symbol === 'ADBE' && id === account.id)!;
    flows.push(createFlow('USD', added.own.value!));
  }
  return flows;
}

/** Opens every screen of a member and throws if a figure differs. Returns the member. */
async function walk(
  page: Page,
  read: () => Promise<MemberFigures>,
  random: Random,
  { prefix = '', isReadOnly = false } = {},
): Promise<MemberFigures> {
  const member = await read();
  const faults: string[] = [];
  const check: Check = async (screen, readRows, expected) => {
    const compare = async () => compareRows(await readRows(), expected).map((fault) => `${prefix}${screen}: ${fault}`);
    let found = await compare();
    for (let attempt = 0; found.length > 0 && attempt < SETTLE_ATTEMPTS; attempt += 1) {
      await page.waitForTimeout(SETTLE_MS);
      found = await compare();
    }
    faults.push(...found);
  };
  await walkHome(page, member, random, check);
  await walkPortfolio(page, member, random, check);
  await walkPanels(page, member, check);
  const current = isReadOnly ? member : await walkOtherBase(page, member, read, random, check);
  await walkConnections(page, current, check);
  assert.deepEqual(faults, [], `${faults.length} figures differ`);
  return member;
}

const bases = ['USD', 'EUR', 'GBP', 'JPY', 'CHF'] as const;

/**
 * Changes the base currency on Home and compares what Home, its dialog and the portfolio show without a new load. Returns
 * the member after it.
 */
async function walkOtherBase(
  page: Page,
  before: MemberFigures,
  read: () => Promise<MemberFigures>,
  random: Random,
  check: Check,
): Promise<MemberFigures> {
  await openPage(page, '/dashboard');
  await waitForCards(page);
  const select = getPart(page, 'Net worth').getByLabel('Base currency');
  if ((await select.count()) === 0) return before;
  const others = bases.filter((currency) => currency !== before.rows.base);
  const base = others[random(others.length)]!;
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/portfolio/settings') && response.request().method() === 'PATCH',
  );
  await select.selectOption(base);
  assert.ok((await saved).ok());
  const member = await read();
  const screen = `after the change to ${base}`;
  await openAllRows(page, member, check);
  const main = page.getByRole('main');
  await check(`Home ${screen}`, () => readFigures(main, listNames(member), OTHER_PARTS), expectHome(member, '1y'));
  await checkAccountsDialog(page, member, check, `Accounts ${screen}`);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Portfolio', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Portfolio', level: 1 }).waitFor();
  if (!hasPortfolio(member)) return member;
  await main.getByRole('region', { name: 'Summary' }).waitFor();
  // The walk of the portfolio has grouped it.
  const grouping = member.holdings.length === 0 ? 'account' : 'currency';
  await check(`Portfolio ${screen}`, () => readFigures(main, [], OTHER_PARTS), expectPortfolio(member, grouping));
  return member;
}

/** Opens a page as a link does. A load of the app takes longer than all of its figures. */
async function openPage(page: Page, path: string): Promise<void> {
  if (page.url() === 'about:blank') {
    await page.goto(path);
    return;
  }
  await page.evaluate((url) => {
    history.pushState(null, '', url);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, path);
}

async function walkConnections(page: Page, { rows, holdings }: MemberFigures, check: Check): Promise<void> {
  const connected = rows.accounts.filter(({ isConnected }) => isConnected);
  if (connected.length === 0) return;
  await openPage(page, '/settings/connections');
  const main = page.getByRole('main');
  await main.getByText(connected[0]!.name).first().waitFor();
  await check(
    'Connections',
    async () =>
      (await readFigures(main, [], OTHER_PARTS)).map(({ path, figures }) => ({
        path: path.split(' › ').at(-1)!,
        figures,
      })),
    connected.map((account) => {
      const { name, mask, balance, currency } = account;
      const { value } = computeAccount(rows, account, holdings);
      return {
        path: name,
        figures: [
          ...(mask === null ? [] : [count('last digits', Number(mask))]),
          ...(value === null ? [] : [part(money('value', value, rows.base), 'accounts')]),
          money('cash', absolute(toAmount(balance)), currency),
        ],
      };
    }),
  );
}

/** Compares what a part of the page shows, as soon as it does. */
type Check = (screen: string, read: () => Promise<ShownRow[]>, expected: readonly ExpectedRow[]) => Promise<void>;

/** Opens the rest of each card's rows and compares the numbers that its button names. */
async function openAllRows(page: Page, { rows, holdings }: MemberFigures, check: Check): Promise<void> {
  const buttons = page.getByRole('main').getByRole('button', { name: /^Show all / });
  const texts = await buttons.allTextContents();
  const sizes = { accounts: rows.accounts.length, holdings: groupPositions(holdings).length };
  for (const [noun, size] of Object.entries(sizes)) {
    const shown = texts
      .filter((text) => text.endsWith(noun))
      .map((text) => ({ path: noun, figures: findFigures(text) }));
    await check(
      'Home',
      async () => shown,
      shown.length === 0 ? [] : [{ path: noun, figures: [count(`all ${noun}`, size)] }],
    );
  }
  await buttons.evaluateAll((elements) => elements.forEach((element) => (element as HTMLElement).click()));
}

async function walkHome(page: Page, member: MemberFigures, random: Random, check: Check): Promise<void> {
  await openPage(page, '/dashboard');
  await waitForCards(page);
  await openAllRows(page, member, check);
  const names = listNames(member);
  await check('Home', () => readFigures(page.getByRole('main'), names, OTHER_PARTS), expectHome(member, '1y'));
  if (member.holdings.length > 0) {
    await page.setViewportSize(PHONE);
    const list = getPart(page, 'Holdings');
    await list.getByRole('list', { name: 'Holdings', exact: true }).waitFor();
    await check('Home on a phone', () => readFigures(list, names), expectHoldingsCard(member, { isPhone: true }));
    await page.setViewportSize(sizes.desktop);
    await list.getByRole('table', { name: 'Holdings' }).waitFor();
  }
  const card = getPart(page, 'Net worth');
  await walkChart(card, member, random, check);
  for (const [label, period] of Object.entries(ranges)) {
    if ((await card.getByRole('radio', { name: label }).count()) === 0) continue;
    await card.getByRole('radio', { name: label, exact: true }).evaluate((radio: HTMLInputElement) => radio.click());
    const ranged = period === 'all' ? withWholeHistory(member) : member;
    await check(`Home, ${label}`, () => readFigures(card), expectNetWorth(ranged, period));
  }
  await checkAccountsDialog(page, member, check, 'Accounts');
  await page.keyboard.press('Escape');
}

const expectHome = (member: MemberFigures, range: Period): ExpectedRow[] => [
  ...expectNetWorth(member, range),
  ...expectAccountsCard(member),
  ...expectHoldingsCard(member),
  ...expectMoversCard(member),
];

/** Opens the dialog of accounts on Home and compares it. */
async function checkAccountsDialog(page: Page, member: MemberFigures, check: Check, screen: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Manage accounts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Accounts' });
  await dialog.getByRole('list', { name: 'Your accounts' }).waitFor();
  await check(screen, () => readFigures(dialog), expectAccountsDialog(member));
}

/** Selects days of the chart by keyboard, the first and the last ones too, and compares what it says about them. */
async function walkChart(card: Locator, member: MemberFigures, random: Random, check: Check): Promise<void> {
  const slider = card.getByRole('slider', { name: 'Net worth over time' });
  const days = listChartDays(member, '1y');
  if ((await slider.count()) === 0) return check('Chart', async () => [], days.length < 2 ? [] : [expectPoint(0)]);
  const last = days.length - 1;
  let index = 0;
  await slider.press('Home');
  for (let day = 0; day < CHART_DAYS; day += 1) {
    await check('Chart', readPoint, [expectPoint(index)]);
    const weeks = 1 + random(8);
    for (let week = 0; week < weeks; week += 1) await slider.press('PageUp');
    index = Math.min(last, index + 7 * weeks);
  }
  await slider.press('End');
  await check('Chart', readPoint, [expectPoint(last)]);
  await slider.blur();

  async function readPoint(): Promise<ShownRow[]> {
    const [path = '', text = ''] = (await slider.getAttribute('aria-valuetext'))!.split(': ');
    const shown = await card.locator('[data-chart-details] .font-semibold').innerText();
    return [{ path, figures: [...findFigures(shown), ...findFigures(text)] }];
  }
  function expectPoint(day: number): ExpectedRow {
    const { base } = member.rows;
    const { date, total } = days[day]!;
    return {
      path: formatDay(date),
      figures: [money('selected net worth', total, base), ...expectChartDay(days, day, base)],
    };
  }
}

/** The range "All" reads the whole history, and all others a year. */
function withWholeHistory(member: MemberFigures): MemberFigures {
  const { rows, holdings, netWorth } = member;
  const { all } = computeNetWorth(rows, holdings, WHOLE_DAYS).changes;
  return { ...member, netWorth: { ...netWorth, changes: { ...netWorth.changes, ...(all && { all }) } } };
}

const ranges = { '1W': '1w', '1M': '1m', '3M': '3m', YTD: 'ytd', All: 'all' } as const;

const waitForCards = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      document.querySelectorAll('main section.card').length > 3 &&
      document.querySelectorAll('main [aria-busy=true], main .skeleton').length === 0,
  );

/** Returns the names of the held securities, whose digits are no figures. */
const listNames = ({ rows }: MemberFigures): string[] => [...rows.listings.values()].flatMap(({ name }) => name ?? []);

/** Without holdings and cash the page is empty. */
const hasPortfolio = ({ rows, holdings }: MemberFigures): boolean =>
  holdings.length > 0 || rows.accounts.some(({ balance }) => toAmount(balance) !== 0n);

async function walkPortfolio(page: Page, member: MemberFigures, random: Random, check: Check): Promise<void> {
  await openPage(page, '/portfolio');
  const main = page.getByRole('main');
  if (!hasPortfolio(member)) {
    await main.getByRole('heading', { name: 'No holdings yet' }).waitFor();
    await check('Portfolio', () => readFigures(main, [], OTHER_PARTS), []);
    return;
  }
  await main.getByRole('region', { name: 'Summary' }).waitFor();
  await check('Portfolio', () => readFigures(main, [], OTHER_PARTS), expectPortfolio(member, 'account'));
  await page.setViewportSize(PHONE);
  const onPhone = expectPortfolio(member, 'account', { isPhone: true });
  await check('Portfolio on a phone', () => readFigures(main, [], OTHER_PARTS), onPhone);
  await page.setViewportSize(sizes.desktop);
  if (member.holdings.length === 0) return;
  for (const [label, grouping] of [
    ['By class', 'class'],
    ['By currency', 'currency'],
  ] as const) {
    await main.getByLabel('Group holdings').selectOption(label);
    await check(`Portfolio, ${label}`, () => readFigures(main, [], OTHER_PARTS), expectPortfolio(member, grouping));
  }
  const bar = main.getByRole('list', { name: 'Allocation' }).getByRole('button');
  if ((await bar.count()) === 0) return;
  const button = bar.nth(random(await bar.count()));
  const name = (await button.locator('span.truncate').textContent())!;
  await button.click();
  await check(
    `Portfolio, ${name}`,
    () => readFigures(main, [], OTHER_PARTS),
    expectPortfolio(member, 'currency', { chosenGroup: name }),
  );
  // All holdings are shown again.
  await button.click();
}

async function walkPanels(page: Page, member: MemberFigures, check: Check): Promise<void> {
  const symbols = [...new Set(member.holdings.flatMap(({ symbol }) => symbol ?? []))].slice(0, 2);
  for (const symbol of symbols) {
    await page.getByRole('main').getByRole('link', { name: symbol }).first().click();
    const position = page.getByRole('region', { name: 'Your position' });
    await position.waitFor();
    await check(`Panel of ${symbol}`, () => readFigures(position), expectPosition(member, symbol));
    await page.keyboard.press('Escape');
    await position.waitFor({ state: 'detached' });
  }
}

async function readToken(page: Page): Promise<string> {
  const { request } = page.context();
  const { response } = await (await request.get('/_idp/v1/client')).json();
  const [{ id }] = response.sessions;
  const headers = await getOrigin(page);
  return (await (await request.post(`/_idp/v1/client/sessions/${id}/tokens`, { headers })).json()).jwt;
}
