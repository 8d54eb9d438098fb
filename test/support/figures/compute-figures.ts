import { type Amount, divide, multiply, round, sum, toAmount, toNumber } from './fixed-point.ts';
import type { PortfolioRows, StoredAccount, StoredHolding, StoredListing } from './portfolio-rows.ts';

/**
 * Figures of a member, computed from the stored rows by the rules of docs/explanation/portfolio.md and without any code
 * of the product. Null is unknown.
 */

/** A holding in the currency of its amounts, and in the base currency if there is a rate. */
export interface HoldingFigures {
  id: string;
  account: StoredAccount;
  listing: StoredListing | undefined;
  symbol: string | null;
  /** Symbol, or the name of a holding that the catalog does not list. */
  title: string;
  quantity: Amount;
  price: Amount | null;
  /** Change of the price since the previous close. */
  priceChange: Amount | null;
  currency: string | null;
  own: Amounts;
  /** Null if a value has no rate. */
  base: Amounts | null;
  /** Units of the base currency for one unit. Null without conversion. */
  rate: Amount | null;
}

export interface Amounts {
  value: Amount | null;
  change: Amount | null;
  cost: Amount | null;
}

export interface Gain {
  amount: Amount;
  percent: Amount | null;
}

/** Sums of positions, each given as its holdings. */
export interface Totals {
  value: Amount | null;
  change: Gain | null;
  gain: Gain | null;
  withoutPrice: number;
  withoutChange: number;
  withoutCost: number;
}

/** Change of net worth over a period. */
export interface PeriodChange {
  from: string;
  market: Amount;
  flows: Amount;
  rates: Amount;
  gain: Amount;
  percent: Amount | null;
}

export interface NetWorthFigures {
  cash: Amount;
  liabilities: Amount;
  investments: Amount;
  total: Amount;
  /** Amounts per currency. */
  currencies: { currency: string; cash: Amount; liabilities: Amount; investments: Amount; rate: Amount | null }[];
  changes: Partial<Record<Period, PeriodChange>>;
  /** The complete days of the past and today, from which the changes follow. */
  points: readonly Point[];
  history: { date: string; total: Amount; cash: Amount; investments: Amount; flows: Amount }[];
}

const periods = ['1d', '1w', '1m', '3m', 'ytd', '1y', 'all'] as const;
export type Period = (typeof periods)[number];

const HUNDRED = toAmount(100);

/** Returns the rate that was last published by a day, in units of the base currency. Null if a currency has none. */
export function findRate({ base, rates }: PortfolioRows, currency: string, day: string): Amount | null {
  if (currency === base) return toAmount(1);
  const ofEuro = (code: string): Amount | null => {
    if (code === 'EUR') return toAmount(1);
    const published = rates.get(code)?.findLast(([date]) => date <= day);
    return published ? toAmount(published[1]) : null;
  };
  const to = ofEuro(base);
  const from = ofEuro(currency);
  return to === null || from === null ? null : divide(to, from);
}

const convert = (amount: Amount | null, rate: Amount): Amount | null =>
  amount === null ? null : multiply(amount, rate);

/** Returns the figures of each holding. */
export function computeHoldings(rows: PortfolioRows): HoldingFigures[] {
  return rows.holdings.map((holding) => computeHolding(rows, holding));
}

function computeHolding(rows: PortfolioRows, holding: StoredHolding): HoldingFigures {
  const listing = holding.symbol === null ? undefined : rows.listings.get(holding.symbol);
  const isPriced = listing !== undefined && listing.price !== null && listing.currency !== null;
  const price = isPriced ? toAmount(listing.price!) : null;
  const quantity = toAmount(holding.quantity);
  const currency = isPriced ? listing.currency : (holding.currency ?? listing?.currency ?? null);
  const worth = (unitPrice: Amount): Amount =>
    round(multiply(quantity, listing?.asset_type === 'bond' ? divide(unitPrice, HUNDRED) : unitPrice), 4);
  const institutionValue = holding.institution_value === null ? null : toAmount(holding.institution_value);
  const value = price === null ? institutionValue : worth(price);
  const isDaily = listing?.asset_type === 'stock' || listing?.asset_type === 'etf';
  const priceChange =
    price !== null && isDaily && listing.previous_close !== null ? price - toAmount(listing.previous_close) : null;
  const own: Amounts = {
    value,
    change: value === null || priceChange === null ? null : worth(priceChange),
    cost: holding.cost === null ? null : toAmount(holding.cost),
  };
  const rate = currency === null ? null : findRate(rows, currency, rows.today);
  return {
    id: holding.id,
    account: rows.accounts.find(({ id }) => id === holding.account_id)!,
    listing,
    symbol: holding.symbol,
    title: holding.symbol ?? holding.name!,
    quantity,
    price,
    priceChange,
    currency,
    own,
    base:
      value === null || rate === null
        ? null
        : { value: multiply(value, rate), change: convert(own.change, rate), cost: convert(own.cost, rate) },
    rate: currency === rows.base ? null : rate,
  };
}

export const computePercent = (amount: Amount, whole: Amount): Amount | null =>
  whole === 0n ? null : divide(multiply(amount, HUNDRED), whole < 0n ? -whole : whole);

const sumKnown = (amounts: readonly (Amount | null)[]): Amount | null =>
  amounts.some((amount) => amount === null) ? null : sum(amounts as Amount[]);

/** Returns the sums of a position. A sum is unknown if it is for one of its holdings. */
export const addUp = (amounts: readonly Amounts[]): Amounts => ({
  value: sumKnown(amounts.map(({ value }) => value)),
  change: sumKnown(amounts.map(({ value, change }) => (value === null ? null : change))),
  cost: sumKnown(amounts.map(({ cost }) => cost)),
});

export const computeGain = ({ value, cost }: Amounts): Gain | null =>
  value === null || cost === null ? null : { amount: value - cost, percent: computePercent(value - cost, cost) };

/** Returns the totals of positions. What lacks a figure is left out of its total and counted. */
export function computeTotals(positions: readonly (readonly Amounts[])[]): Totals {
  const sums = positions.map(addUp);
  const priced = sums.filter(({ value }) => value !== null);
  const changed = priced.filter(({ change }) => change !== null);
  const costed = priced.filter(({ cost }) => cost !== null);
  const change = sum(changed.map((entry) => entry.change!));
  const changedValue = sum(changed.map((entry) => entry.value!));
  return {
    value: priced.length === 0 ? null : sum(priced.map(({ value }) => value!)),
    change: changed.length === 0 ? null : { amount: change, percent: computePercent(change, changedValue - change) },
    gain:
      costed.length === 0
        ? null
        : computeGain({
            value: sum(costed.map(({ value }) => value!)),
            cost: sum(costed.map(({ cost }) => cost!)),
            change: null,
          }),
    withoutPrice: positions.length - priced.length,
    withoutChange: priced.length - changed.length,
    withoutCost: priced.length - costed.length,
  };
}

/** Totals of holdings in the base currency, and what has no rate. */
export function computeBaseTotals(holdings: readonly HoldingFigures[]): {
  totals: Totals | null;
  unconverted: Map<string, Amount>;
} {
  const isUnconverted = ({ own, base }: HoldingFigures): boolean => own.value !== null && base === null;
  const counted = holdings.filter((holding) => !isUnconverted(holding));
  const unknown: Amounts = { value: null, change: null, cost: null };
  const unconverted = new Map<string, Amount>();
  for (const { currency, own } of holdings.filter(isUnconverted))
    unconverted.set(currency!, (unconverted.get(currency!) ?? 0n) + own.value!);
  return {
    totals: counted.length === 0 ? null : computeTotals(counted.map(({ base }) => [base ?? unknown])),
    unconverted,
  };
}

/** Returns the value of an account with its cash in the base currency, and what has no rate. */
export function computeAccount(rows: PortfolioRows, account: StoredAccount, holdings: readonly HoldingFigures[]) {
  const held = holdings.filter((holding) => holding.account.id === account.id);
  const amounts = [
    { currency: account.currency, value: toAmount(account.balance) },
    ...held.map(({ currency, own }) => ({ currency, value: own.value ?? 0n })),
  ].filter((entry): entry is { currency: string; value: Amount } => entry.currency !== null && entry.value !== 0n);
  const converted = amounts.map(({ currency, value }) => convert(value, findRate(rows, currency, rows.today) ?? 0n)!);
  const unconverted = new Map<string, Amount>();
  for (const { currency, value } of amounts)
    if (findRate(rows, currency, rows.today) === null)
      unconverted.set(currency, (unconverted.get(currency) ?? 0n) + value);
  const hasKnown = amounts.some(({ currency }) => !unconverted.has(currency));
  return { held, value: amounts.length > 0 && !hasKnown ? null : sum(converted), unconverted };
}

/** Returns the positions of holdings: those of one symbol together, and each other one alone. */
export const groupPositions = (holdings: readonly HoldingFigures[]): HoldingFigures[][] => [
  ...Map.groupBy(holdings, ({ symbol, id }) => symbol ?? id).values(),
];

/** Returns the totals of an account's positions per currency. */
export const computeAccountTotals = (held: readonly HoldingFigures[]): Map<string, Totals> =>
  new Map(
    [...Map.groupBy(groupPositions(held), ([first]) => first!.currency ?? '')].map(([currency, positions]) => [
      currency,
      computeTotals(positions.map((position) => position.map(({ own }) => own))),
    ]),
  );

interface CurrencyAmounts {
  currency: string;
  cash: Amount;
  investments: Amount;
}

/** Amounts of a day whose currencies have a rate. */
interface Point {
  date: string;
  amounts: readonly CurrencyAmounts[];
}

/** Returns net worth, its history of the last `days` days, and its changes. */
export function computeNetWorth(
  rows: PortfolioRows,
  holdings: readonly HoldingFigures[],
  days: number,
): NetWorthFigures {
  const amounts = new Map<string, CurrencyAmounts & { liabilities: Amount }>();
  const getEntry = (currency: string) => {
    const entry = amounts.get(currency) ?? { currency, cash: 0n, liabilities: 0n, investments: 0n };
    amounts.set(currency, entry);
    return entry;
  };
  for (const { currency, balance } of rows.accounts) {
    const entry = getEntry(currency);
    entry.cash += toAmount(balance);
    if (toAmount(balance) < 0n) entry.liabilities += toAmount(balance);
  }
  for (const { currency, own } of holdings)
    if (currency !== null && own.value !== null) getEntry(currency).investments += own.value;
  const currencies = [...amounts.values()]
    .map((entry) => ({ ...entry, rate: findRate(rows, entry.currency, rows.today) }))
    .sort((a, b) => a.currency.localeCompare(b.currency));
  const known = currencies.filter(({ rate }) => rate !== null);
  const inBase = (pick: (entry: (typeof known)[number]) => Amount): Amount =>
    sum(known.map((entry) => convertRounded(pick(entry), entry.rate!)));
  const liabilities = inBase((entry) => entry.liabilities);
  const cash = inBase((entry) => entry.cash) - liabilities;
  const investments = inBase((entry) => entry.investments);
  return {
    cash,
    liabilities,
    investments,
    total: cash + liabilities + investments,
    currencies,
    ...computeChanges(rows, currencies, days),
  };
}

interface Step {
  date: string;
  start: Amount;
  market: Amount;
  flows: Amount;
  rates: Amount;
  /** Amounts before they are rounded, for the percentage. `gain` is market and rates. */
  exact: { start: Amount; flows: Amount; gain: Amount };
}

function computeChanges(
  rows: PortfolioRows,
  current: readonly CurrencyAmounts[],
  days: number,
): Pick<NetWorthFigures, 'changes' | 'history' | 'points'> {
  const from = addDays(rows.today, -days);
  const points = listPoints(rows, current, from);
  const past = points.filter(({ date }) => date < rows.today);
  const now: Point = {
    date: rows.today,
    amounts: current.filter(({ currency }) => findRate(rows, currency, rows.today) !== null),
  };
  const steps = [...past.slice(1), now].map((point, index) => computeStep(rows, past[index], point));
  const historySteps = points.map((point, index) => computeStep(rows, points[index - 1], point));
  return {
    points: [...past, now],
    history: points.map((point, index) => ({
      date: point.date,
      cash: sumAt(
        rows,
        point.amounts.map((entry) => ({ ...entry, investments: 0n })),
        point.date,
      ),
      investments: sumAt(
        rows,
        point.amounts.map((entry) => ({ ...entry, cash: 0n })),
        point.date,
      ),
      total: sumAt(rows, point.amounts, point.date),
      flows: index === 0 ? 0n : historySteps[index]!.flows,
    })),
    changes:
      past.length === 0
        ? {}
        : listChanges(
            rows,
            past.map(({ date }) => date),
            steps,
          ),
  };
}

/** Returns the parts of a change by currency. */
export function splitChange(rows: PortfolioRows, { points, changes }: NetWorthFigures, period: Period) {
  const from = changes[period]!.from;
  const flowCurrencies = listFlows(rows).map(({ currency }) => currency);
  const currencies = new Set([
    ...points.flatMap(({ amounts }) => amounts.map(({ currency }) => currency)),
    ...flowCurrencies,
  ]);
  return [...currencies].sort().map((currency) => {
    const steps = points.slice(1).flatMap((point, index) => {
      const ofCurrency = ({ date, amounts }: Point): Point => ({
        date,
        amounts: amounts.filter((entry) => entry.currency === currency),
      });
      return point.date > from ? [computeStep(rows, ofCurrency(points[index]!), ofCurrency(point), currency)] : [];
    });
    return {
      currency,
      market: sum(steps.map(({ market }) => market)),
      rates: sum(steps.map(({ rates }) => rates)),
      flows: steps.map(({ date, flows }) => ({ date, amount: flows })),
    };
  });
}

/** Returns the days that have a snapshot and a rate of each currency that the member had then. */
function listPoints(rows: PortfolioRows, current: readonly CurrencyAmounts[], from: string): Point[] {
  const snapshots = rows.snapshots.filter(({ date }) => date >= from);
  const currencies = [...Map.groupBy(snapshots, ({ currency }) => currency)].map(([currency, group]) => ({
    first: group[0]!.date,
    last: current.some((entry) => entry.currency === currency) ? '9999' : group.at(-1)!.date,
  }));
  return [...Map.groupBy(snapshots, ({ date }) => date)]
    .filter(
      ([date, group]) => group.length === currencies.filter(({ first, last }) => first <= date && date <= last).length,
    )
    .map(([date, group]) => ({
      date,
      amounts: group
        .filter(({ currency }) => findRate(rows, currency, rows.today) !== null)
        .map(({ currency, cash, investments }) => ({
          currency,
          cash: toAmount(cash),
          investments: toAmount(investments),
        })),
    }))
    .filter(
      ({ date, amounts }) =>
        amounts.length > 0 && amounts.every(({ currency }) => findRate(rows, currency, date) !== null),
    );
}

/** Converts to the base currency, in which net worth has four decimals. */
const convertRounded = (amount: Amount, factor: Amount): Amount => round(multiply(amount, factor), 4);

/** Returns the sum of amounts in the base currency at the rates of a day. */
function sumAt(
  rows: PortfolioRows,
  amounts: readonly CurrencyAmounts[],
  day: string,
  convertAt = convertRounded,
): Amount {
  return sum(
    amounts.flatMap(({ currency, cash, investments }) => {
      const factor = findRate(rows, currency, day)!;
      return [convertAt(cash, factor), convertAt(investments, factor)];
    }),
  );
}

function computeStep(rows: PortfolioRows, previous: Point | undefined, point: Point, only?: string): Step {
  const earlier = previous ?? { date: '', amounts: [] };
  const start = previous ? sumAt(rows, earlier.amounts, earlier.date) : 0n;
  const startAtNewRates = sumAt(rows, earlier.amounts, point.date);
  const added = listFlows(rows)
    .filter(({ date }) => (date ?? rows.today) > earlier.date && (date ?? rows.today) <= point.date)
    .filter(({ currency }) => only === undefined || currency === only);
  const addedByDay = Map.groupBy(added, ({ date, currency }) => `${date} ${currency}`);
  const sumFlows = (convertAt: typeof convertRounded): Amount =>
    sum(
      [...addedByDay.values()].map((group) =>
        convertAt(sum(group.map(({ amount }) => amount)), findRate(rows, group[0]!.currency, point.date) ?? 0n),
      ),
    );
  const flows = sumFlows(convertRounded);
  const exactStart = previous ? sumAt(rows, earlier.amounts, earlier.date, multiply) : 0n;
  const exactFlows = sumFlows(multiply);
  return {
    exact: {
      start: exactStart,
      flows: exactFlows,
      gain: sumAt(rows, point.amounts, point.date, multiply) - exactStart - exactFlows,
    },
    date: point.date,
    start,
    market: sumAt(rows, point.amounts, point.date) - startAtNewRates - flows,
    flows,
    rates: startAtNewRates - start,
  };
}

/** Returns the flows with their amounts. A quantity has its value at the current price, or is left out. */
function listFlows(rows: PortfolioRows): { date: string | null; currency: string; amount: Amount }[] {
  return rows.flows.flatMap(({ date, currency, amount, symbol, quantity }) => {
    if (currency !== null && amount !== null) return [{ date, currency, amount: toAmount(amount) }];
    const listing = rows.listings.get(symbol!);
    if (!listing || listing.price === null || listing.currency === null) return [];
    const price = listing.asset_type === 'bond' ? divide(toAmount(listing.price), HUNDRED) : toAmount(listing.price);
    return [{ date, currency: listing.currency, amount: round(multiply(toAmount(quantity!), price), 4) }];
  });
}

function listChanges(
  { today, session }: PortfolioRows,
  dates: readonly string[],
  steps: readonly Step[],
): NetWorthFigures['changes'] {
  const firstDays: Record<Period, string> = {
    '1d': dates.findLast((date) => date < session) ?? dates[0]!,
    '1w': addDays(today, -7),
    '1m': addDays(today, -31),
    '3m': addDays(today, -92),
    ytd: `${Number(today.slice(0, 4)) - 1}-12-31`,
    '1y': addDays(today, -366),
    all: dates[0]!,
  };
  return Object.fromEntries(
    periods.flatMap((period) => {
      const from = dates.find((date) => date >= firstDays[period]);
      if (from === undefined) return [];
      return [
        [
          period,
          toChange(
            from,
            steps.filter(({ date }) => date > from),
          ),
        ],
      ];
    }),
  );
}

function toChange(from: string, steps: readonly Step[]): PeriodChange {
  const add = (part: 'market' | 'flows' | 'rates'): Amount => sum(steps.map((step) => step[part]));
  return {
    from,
    market: add('market'),
    flows: add('flows'),
    rates: add('rates'),
    gain: add('market') + add('rates'),
    percent: computeReturn(steps),
  };
}

/** Returns the time-weighted return in percent, or null if a day with a gain had nothing invested. */
function computeReturn(steps: readonly Step[]): Amount | null {
  let growth = 1;
  for (const { exact } of steps) {
    const gain = round(exact.gain, 12);
    const invested = exact.start + (exact.flows > 0n ? exact.flows : 0n);
    if (gain === 0n) continue;
    if (round(invested, 12) <= 0n) return null;
    growth *= 1 + toNumber(gain) / toNumber(invested);
  }
  return toAmount((100 * (growth - 1)).toFixed(10));
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
