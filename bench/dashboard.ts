/**
 * `npm run bench -- dashboard [--rows 250] [--holdings 500] [--rounds 15] [--slowdown 4]` measures the time from an
 * interaction to its paint. The dashboard watches 250 tickers (a search row adds and removes the last one), the portfolio
 * holds 500 securities, and the CPU is slowed down. An empty interaction of the page is measured in between. Then the
 * page load is measured: first and largest paint, and the layout shift.
 */
import type { Page } from '@playwright/test';
import { getCard, getSearchField } from '../test/e2e/watchlist-card.ts';
import { type BenchSite, openLongList, withSite } from './browser/open-site.ts';
import { type PaintTimes, timeToPaint } from './browser/time-to-paint.ts';
import { insertTickers } from '../test/support/many-tickers.ts';
import { median } from '../test/support/median.ts';
import { parseOptions } from '../tools/run/parse-options.ts';

const { values: options } = parseOptions({
  usage: 'npm run bench -- dashboard [--rows 250] [--holdings 500] [--rounds 15] [--slowdown 4]',
  options: {
    rows: { type: 'string', default: '250' },
    holdings: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '15' },
    slowdown: { type: 'string', default: '4' },
  },
});
const rows = Number(options.rows);
const holdings = Number(options.holdings);
const rounds = Number(options.rounds);
const slowdown = Number(options.slowdown);
const MAX_PAINT_MS = 100;
const LIST = 'ul[aria-label="Watched tickers"]';
const RESULTS = '[role="listbox"][aria-multiselectable]';
const HOLDINGS = '[role="table"][aria-label="Holdings"]';
const EDIT = 'dialog[open] :is(ol, ul, [role="grid"], [role="listbox"])';

interface Interaction {
  name: string;
  /** Type of the events and the part of the page that changes. The preceding row in the table is the baseline. */
  type: string;
  changes: string | null;
  /** Runs before and after each measurement, without being measured. */
  prepare?: (page: Page) => Promise<void>;
  act(page: Page, round: number): Promise<void>;
  finish?: (page: Page) => Promise<void>;
}

const getEditDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit watchlist' });
const getHandle = (page: Page, index: number) =>
  getEditDialog(page)
    .getByRole('button', { name: /^(Reorder|Drag)/ })
    .nth(index);
const HANDLE_INDEX = 2;

let dragStart = { x: 0, y: 0 };

/** Returns the center of a drag handle in pixels. */
async function getHandleCenter(page: Page, index: number): Promise<{ x: number; y: number }> {
  const box = await getHandle(page, index).boundingBox();
  if (!box) throw new Error('The drag handle is not on screen.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const cardInteractions: readonly Interaction[] = [
  {
    name: 'nothing: a click on the title',
    type: 'click',
    changes: null,
    act: (page) => getCard(page).getByRole('heading', { name: 'Watchlist' }).click(),
  },
  {
    name: 'toggle the second line',
    type: 'click',
    changes: LIST,
    act: (page) =>
      getCard(page)
        .getByRole('button', { name: /^Shown under the price/ })
        .click(),
  },
  {
    name: 'nothing: a key',
    type: 'keydown',
    changes: null,
    prepare: (page) => getCard(page).getByLabel('Sort').focus(),
    act: (page) => page.keyboard.press('Shift'),
  },
  {
    name: 'sort',
    type: 'keydown',
    changes: LIST,
    prepare: (page) => getCard(page).getByLabel('Sort').focus(),
    // Three times down and three times up through the menu, so that every sort order is selected from another one.
    act: (page, round) => page.keyboard.press(round % 6 < 3 ? 'ArrowDown' : 'ArrowUp'),
  },
];

let pendingSave: Promise<unknown> = Promise.resolve();

/**
 * Creates the Enter interaction in the search. It ends when the service has accepted it and the list has been reloaded.
 */
const createToggle = (name: string, method: 'POST' | 'DELETE'): Interaction => ({
  name,
  type: 'keydown',
  changes: RESULTS,
  async prepare(page) {
    const read = page.waitForResponse(
      (response) => response.request().method() === 'GET' && /\/api\/watchlist(\?|$)/.test(response.url()),
    );
    const saveResponse = page.waitForResponse(
      (response) =>
        response.request().method() === method && response.url().includes('/api/watchlist') && response.ok(),
    );
    pendingSave = Promise.all([saveResponse, read]);
    await getSearchField(page).focus();
  },
  act: (page) => page.keyboard.press('Enter'),
  async finish() {
    await pendingSave;
  },
});

const searchInteractions: readonly Interaction[] = [
  {
    name: 'nothing: a key in the search',
    type: 'keydown',
    changes: null,
    prepare: (page) => getSearchField(page).focus(),
    act: (page) => page.keyboard.press('Shift'),
  },
  createToggle('add by a search row', 'POST'),
  createToggle('remove by a search row', 'DELETE'),
];

const editInteractions: readonly Interaction[] = [
  {
    name: 'nothing: a move of the pointer',
    type: 'pointermove',
    changes: null,
    act: (page, round) => page.mouse.move(600, 300 + (round % 2) * 52),
  },
  {
    name: 'drag by one row',
    type: 'pointermove',
    changes: EDIT,
    async prepare(page) {
      dragStart = await getHandleCenter(page, HANDLE_INDEX);
      const { x, y } = dragStart;
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y + 6);
    },
    act: (page) => page.mouse.move(dragStart.x, dragStart.y + 58),
    // Return the row to its old position, so that nothing is saved.
    async finish(page) {
      const { x, y } = dragStart;
      await page.mouse.move(x, y);
      await page.mouse.up();
    },
  },
  {
    name: 'nothing: a click on the dialog’s title',
    type: 'click',
    changes: null,
    act: (page) => getEditDialog(page).getByRole('heading', { name: 'Edit watchlist' }).click(),
  },
  {
    name: 'move down by the menu',
    type: 'click',
    changes: EDIT,
    prepare: (page) =>
      getEditDialog(page)
        .getByRole('button', { name: /^Move / })
        .nth(HANDLE_INDEX)
        .click(),
    act: (page) =>
      page
        .getByRole('button', { name: 'Move down' })
        .or(page.getByRole('menuitem', { name: 'Move down' }))
        .click(),
  },
];

const getFirstHolding = (page: Page) => page.locator(HOLDINGS).getByRole('link').first();
const getPanel = (page: Page) => page.getByRole('dialog');

const waitForPanel = (page: Page) => getPanel(page).getByText('Previous close').waitFor();

async function closePanel(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await getPanel(page).waitFor({ state: 'detached' });
}

const portfolioInteractions: readonly Interaction[] = [
  {
    name: 'nothing: a click on Portfolio’s title',
    type: 'click',
    changes: null,
    act: (page) => page.getByRole('heading', { name: 'Portfolio', level: 1 }).click(),
  },
  {
    name: 'sort the holdings by a heading',
    type: 'click',
    changes: HOLDINGS,
    act: (page, round) =>
      page
        .locator(HOLDINGS)
        .getByRole('button', { name: round % 2 === 0 ? 'Gain' : 'Day', exact: true })
        .click(),
  },
  {
    name: 'open a security',
    type: 'click',
    changes: 'body',
    act: (page) => getFirstHolding(page).click(),
    async finish(page) {
      await waitForPanel(page);
      await closePanel(page);
    },
  },
  {
    name: 'nothing: a key in the portfolio',
    type: 'keydown',
    changes: null,
    prepare: (page) => page.getByLabel('Group holdings').focus(),
    act: (page) => page.keyboard.press('Shift'),
  },
  {
    name: 'group the holdings',
    type: 'keydown',
    changes: HOLDINGS,
    prepare: (page) => page.getByLabel('Group holdings').focus(),
    act: (page, round) => page.keyboard.press(round % 2 === 0 ? 'ArrowDown' : 'ArrowUp'),
  },
  {
    name: 'close a security',
    type: 'keydown',
    changes: 'body',
    async prepare(page) {
      await getFirstHolding(page).click();
      await waitForPanel(page);
    },
    act: closePanel,
  },
];

const netWorthInteractions: readonly Interaction[] = [
  {
    name: 'nothing: a click on Home’s title',
    type: 'click',
    changes: null,
    act: (page) => page.getByRole('heading', { name: 'Home', level: 1 }).click(),
  },
  {
    name: 'show all holdings on Home',
    type: 'click',
    changes: '#card-holdings',
    act: (page) =>
      page
        .locator('#card-holdings')
        .getByRole('button', { name: /^Show (all|fewer|less)/ })
        .click(),
  },
];

/** Gives the member as many holdings, in two accounts. */
async function addHoldings({ database }: BenchSite['service'], email: string, count: number): Promise<void> {
  const symbols = await insertTickers(database, count);
  await database.owner(
    `with member as (select idp_id from public.all_users where email = $1), made as (
       insert into public.accounts (idp_id, name) select idp_id, name from member, unnest(array['One', 'Two']) as name
       returning idp_id, id, name)
     insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
     select m.idp_id, m.id, s.symbol, s.place, 100 * s.place from unnest($2::text[]) with ordinality as s (symbol, place)
       join made m on m.name = case when s.place % 2 = 0 then 'One' else 'Two' end`,
    [email, symbols],
  );
}

async function measure(page: Page, interactions: readonly Interaction[]): Promise<Map<string, PaintTimes[]>> {
  const times = new Map(interactions.map(({ name }): [string, PaintTimes[]] => [name, []]));
  // The first three rounds are for warm-up.
  for (let round = -3; round < rounds; round += 1) {
    for (const { name, type, changes, prepare, act, finish } of interactions) {
      await prepare?.(page);
      await page.waitForTimeout(200);
      const time = await timeToPaint(page, { type, changes, act: () => act(page, round + 3) });
      await finish?.(page);
      if (round >= 0) times.get(name)!.push(time);
    }
  }
  return times;
}

function report(interactions: readonly Interaction[], times: ReadonlyMap<string, readonly PaintTimes[]>): void {
  let baseline = 1;
  for (const { name } of interactions) {
    const measured = times.get(name)!;
    const painted = measured.map((time) => time.painted);
    const timed = measured.flatMap((time) => time.timed ?? []);
    const typical = Math.max(median(painted), timed.length > measured.length / 2 ? median(timed) : 0);
    if (name.startsWith('nothing')) baseline = typical;
    const verdict = name.startsWith('nothing')
      ? ''
      : `${(typical / baseline).toFixed(1)} × nothing   ${typical <= MAX_PAINT_MS ? 'goal met' : 'GOAL MISSED'}: ` +
        `at most ${MAX_PAINT_MS} ms`;
    const browser = timed.length > measured.length / 2 ? `${median(timed).toFixed(0).padStart(4)} ms` : '      –';
    console.log(
      `${name.padEnd(34)} ${median(painted).toFixed(0).padStart(5)} ms ${browser}  ` +
        `${`${Math.min(...painted).toFixed(0)}–${Math.max(...painted).toFixed(0)}`.padStart(9)}   ${verdict}`,
    );
  }
}

interface LoadTimes {
  firstPaint: number;
  largestPaint: number;
  /** Cumulative layout shift. */
  shift: number;
}

/** Reloads the page and returns the browser's own times in ms from the start of navigation. */
async function loadPage(page: Page): Promise<LoadTimes> {
  await page.reload({ waitUntil: 'networkidle' });
  return page.evaluate(async () => {
    const read = (type: string): Promise<PerformanceEntry[]> =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
        setTimeout(resolve, 1_000, []);
      });
    const [paints, largest, shifts] = await Promise.all([
      read('paint'),
      read('largest-contentful-paint'),
      read('layout-shift') as Promise<(PerformanceEntry & { value: number })[]>,
    ]);
    return {
      firstPaint: paints.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? Number.NaN,
      largestPaint: largest.at(-1)?.startTime ?? Number.NaN,
      shift: shifts.reduce((sum, { value }) => sum + value, 0),
    };
  });
}

async function reportLoads(page: Page): Promise<void> {
  const loads: LoadTimes[] = [];
  for (let round = 0; round < rounds; round += 1) loads.push(await loadPage(page));
  for (const name of ['firstPaint', 'largestPaint', 'shift'] as const) {
    const values = loads.map((load) => load[name]);
    const digits = name === 'shift' ? 3 : 0;
    console.log(
      `load: ${name.padEnd(28)} ${median(values).toFixed(digits).padStart(5)}   ` +
        `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`,
    );
  }
}

await withSite(async (site) => {
  const { page, context, member, spareSymbol } = await openLongList(site, rows);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  console.log(
    `${rows} rows, processor ${slowdown} × slower, ${rounds} rounds: median by the page's clock, ` +
      `by the browser's (Event Timing), least–most`,
  );
  report(cardInteractions, await measure(page, cardInteractions));
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getSearchField(page).fill(spareSymbol);
  await getCard(page)
    .getByRole('option', { name: new RegExp(`^${spareSymbol}`) })
    .waitFor();
  report(searchInteractions, await measure(page, searchInteractions));
  await getCard(page).getByRole('button', { name: 'Done' }).click();
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await getHandle(page, HANDLE_INDEX).waitFor();
  report(editInteractions, await measure(page, editInteractions));
  await reportLoads(page);

  await addHoldings(site.service, member.email, holdings);
  console.log(`${holdings} holdings`);
  await page.goto('/portfolio');
  await getFirstHolding(page).waitFor();
  report(portfolioInteractions, await measure(page, portfolioInteractions));
  await page.goto('/dashboard');
  await getFirstHolding(page).waitFor();
  report(netWorthInteractions, await measure(page, netWorthInteractions));
});
