import type { ExpectedFigure, ExpectedRow } from './compare-figures.ts';
import {
  addUp,
  computeAccount,
  computeAccountTotals,
  computeBaseTotals,
  computeGain,
  computePercent,
  computeTotals,
  findRate,
  type Gain,
  groupPositions,
  type HoldingFigures,
  type NetWorthFigures,
  type Period,
  type PeriodChange,
  type Totals,
} from './compute-figures.ts';
import { type Amount, absolute, divide, multiply, round, sum, toAmount } from './fixed-point.ts';
import type { PortfolioRows, StoredAccount } from './portfolio-rows.ts';
import { joinPath } from './read-figures.ts';

/** Everything that the expectations of a member's screens follow from. */
export interface MemberFigures {
  rows: PortfolioRows;
  holdings: readonly HoldingFigures[];
  netWorth: NetWorthFigures;
}

const HUNDRED = toAmount(100);

export const money = (what: string, value: Amount, currency: string | null): ExpectedFigure => ({
  what,
  kind: 'money',
  value,
  currency,
});
export const change = (what: string, value: Amount, currency: string | null): ExpectedFigure => ({
  ...money(what, value, currency),
  kind: 'change',
});
const percent = (what: string, value: Amount): ExpectedFigure => ({ ...money(what, value, null), kind: 'percent' });
const share = (what: string, value: Amount): ExpectedFigure => ({ ...money(what, value, null), kind: 'share' });
export const count = (what: string, value: number): ExpectedFigure => ({
  ...money(what, toAmount(value), null),
  kind: 'count',
});
const quantity = (value: Amount): ExpectedFigure => ({ ...money('quantity', value, null), kind: 'quantity' });
const rate = (value: Amount): ExpectedFigure[] => [
  count('one unit', 1),
  { ...money('rate', value, null), kind: 'rate' },
];
/** Makes a figure a part of a named sum on its screen. */
export const part = (figure: ExpectedFigure, partOf: string): ExpectedFigure => ({ ...figure, partOf });
/** Makes a figure the total of named sums. */
export const total = (figure: ExpectedFigure, ...totalOf: string[]): ExpectedFigure => ({ ...figure, totalOf });

/** A price in its currency, or of a bond in percent of par. */
const price = (value: Amount, { listing, currency }: HoldingFigures): ExpectedFigure => ({
  ...money('price', value, listing?.asset_type === 'bond' ? '%' : currency),
  kind: 'price',
});

/** A price beside a quantity, whose shown digits give their product in a currency. */
const priceOf = (value: Amount, size: Amount, holding: HoldingFigures): ExpectedFigure => ({
  ...price(value, holding),
  product: {
    of: holding.listing?.asset_type === 'bond' ? divide(size, HUNDRED) : size,
    currency: holding.currency ?? 'USD',
  },
});

/** An amount with its percentage. Nothing if it is unknown. `describe` may make the amount a part or a total. */
const withPercent = (
  what: string,
  gain: Gain | null,
  currency: string | null,
  describe: (figure: ExpectedFigure) => ExpectedFigure = (figure) => figure,
): ExpectedFigure[] =>
  gain === null
    ? []
    : [
        describe(change(what, gain.amount, currency)),
        ...(gain.percent === null ? [] : [percent(`percentage of ${what}`, gain.percent)]),
      ];

/** How many of all have a figure, if some have not. */
const coverage = (all: number, missing: number): ExpectedFigure[] =>
  missing === 0 ? [] : [count('holdings with the figure', all - missing), count('holdings', all)];

const unconvertedAmounts = (amounts: ReadonlyMap<string, Amount>): ExpectedFigure[] =>
  [...amounts].map(([currency, amount]) => money(`amount in ${currency} without rate`, amount, currency));

/** Sentences about what totals omit, then about what they contain in part. */
const omissions = (
  { withoutPrice, withoutCost, withoutChange }: Omissions,
  partial = { withoutPrice: 0, withoutCost: 0 },
): ExpectedFigure[] =>
  [
    count('holdings without price', withoutPrice - partial.withoutPrice),
    count('holdings partly without price', partial.withoutPrice),
    count('holdings without cost', withoutCost - partial.withoutCost),
    count('holdings partly without cost', partial.withoutCost),
    count('holdings without day change', withoutChange),
  ].filter(({ value }) => value !== 0n);

/** Returns the day change of holdings as a percentage of the previous close, which all of them have in common. */
function computeDay(amount: Amount | null, { listing, priceChange }: HoldingFigures): Gain | null {
  if (amount === null || priceChange === null) return null;
  return { amount, percent: computePercent(priceChange, toAmount(listing!.previous_close!)) };
}

/** Returns the share of an amount in the value of all holdings. */
const computeShare = (value: Amount | null, all: readonly HoldingFigures[]): Amount | null => {
  const whole = computeBaseTotals(all).totals?.value ?? null;
  return value === null || whole === null ? null : computePercent(value, whole);
};

/** The parts of a screen's card of net worth, while the chart shows a range. */
export function expectNetWorth({ rows, netWorth }: MemberFigures, range: Period, path = 'Net worth'): ExpectedRow[] {
  const { base } = rows;
  const { currencies, changes } = netWorth;
  if (currencies.length === 0) return [];
  const shown = currencies.filter(({ cash, investments, liabilities }) => cash || investments || liabilities);
  const excluded = new Map(
    currencies
      .filter((entry) => entry.rate === null && entry.cash + entry.investments !== 0n)
      .map((entry) => [entry.currency, entry.cash + entry.investments]),
  );
  const isKnown = excluded.size === 0 || excluded.size < shown.length;
  const converted = currencies.filter((entry) => entry.rate !== null && entry.currency !== base);
  const included = shown.filter((entry) => entry.rate !== null);
  const periodChange = isKnown ? changes[range] : undefined;
  const dayChange = isKnown ? changes['1d'] : undefined;
  const gain = (shownChange: PeriodChange | undefined, name: string, ...totalOf: string[]): ExpectedFigure[] =>
    shownChange
      ? withPercent(name, { amount: shownChange.gain, percent: shownChange.percent }, base, (figure) =>
          total(figure, ...totalOf),
        )
      : [];
  return [
    {
      path,
      figures: [
        ...(isKnown ? [total(money('net worth', netWorth.total, base), 'accounts', 'parts of net worth')] : []),
        ...gain(dayChange, 'gain of the day'),
        ...gain(periodChange, `gain of ${range}`, 'parts of the gain'),
        ...(converted.length > 0 ? [count('currencies', included.length)] : []),
        ...unconvertedAmounts(excluded),
      ],
    },
    ...(periodChange ? expectChangeParts(periodChange, base, joinPath(path, 'Parts of the change')) : []),
    ...(isKnown
      ? [
          {
            path: joinPath(path, 'Investments'),
            figures: [part(money('investments', netWorth.investments, base), 'parts of net worth')],
          },
          { path: joinPath(path, 'Cash'), figures: [part(money('cash', netWorth.cash, base), 'parts of net worth')] },
          ...(round(netWorth.liabilities, 4) === 0n
            ? []
            : [
                {
                  path: joinPath(path, 'Liabilities'),
                  figures: [part(money('liabilities', netWorth.liabilities, base), 'parts of net worth')],
                },
              ]),
        ]
      : []),
    ...(converted.length === 0
      ? []
      : included.map((entry) => ({
          path: joinPath(path, 'Currencies', entry.currency),
          figures: [
            money(`net worth in ${entry.currency}`, entry.cash + entry.investments, entry.currency),
            ...(entry.currency === base ? [] : rate(entry.rate!)),
          ],
        }))),
  ];
}

const expectChangeParts = ({ market, rates, flows }: PeriodChange, base: string, path: string): ExpectedRow[] => [
  { path, figures: [part(change('market', market, base), 'parts of the gain')] },
  ...(round(rates, 4) === 0n
    ? []
    : [{ path, figures: [part(change('exchange rates', rates, base), 'parts of the gain')] }]),
  ...(round(flows, 4) === 0n ? [] : [{ path, figures: [money('flows', absolute(flows), base)] }]),
];

/** The card of accounts on Home. */
export const expectAccountsCard = ({ rows, holdings }: MemberFigures): ExpectedRow[] =>
  rows.accounts.map((account) => {
    const { held, value, unconverted } = computeAccount(rows, account, holdings);
    const withoutPrice = groupPositions(held).filter((position) =>
      position.some(({ own }) => own.value === null),
    ).length;
    const changes = held.flatMap(({ base }) => base?.change ?? []);
    const change = sum(changes);
    const earlierValue = (value ?? 0n) - change;
    const percent = earlierValue > 0n ? computePercent(change, earlierValue) : null;
    return {
      path: joinPath('Accounts', 'Accounts', account.name),
      figures: [
        ...(value === null ? [] : [part(money(`value of ${account.name}`, value, rows.base), 'accounts')]),
        ...(changes.length === 0 ? [] : withPercent('day change', { amount: change, percent }, rows.base)),
        ...unconvertedAmounts(unconverted),
        ...(withoutPrice > 0 ? [count('holdings without price', withoutPrice)] : []),
      ],
    };
  });

/**
 * Value, day and gain of some holdings, as above a list.
 * @param sizes Numbers of all, and of those without a figure.
 * @param list Name of the list below it, whose amounts add up to them.
 */
function expectTotal(
  held: readonly HoldingFigures[],
  base: string,
  sizes: Omissions & { all: number },
  list: string,
): ExpectedFigure[] {
  const { totals } = computeBaseTotals(held);
  if (!totals) return [];
  return [
    ...(totals.value === null ? [] : [total(money('value', totals.value, base), list)]),
    ...withPercent('day change', totals.change, base, (figure) => total(figure, `${list}, day change`)),
    ...coverage(sizes.all, sizes.withoutPrice + sizes.withoutChange),
    ...withPercent('gain', totals.gain, base, (figure) => total(figure, `${list}, gain`)),
    ...coverage(sizes.all, sizes.withoutPrice + sizes.withoutCost),
  ];
}

type Omissions = Pick<Totals, 'withoutPrice' | 'withoutChange' | 'withoutCost'>;

/**
 * A position in the base currency, or in its own if that has no rate. Its figures are the sums over the holdings of which
 * they are known.
 */
function describePosition(position: readonly HoldingFigures[], base: string) {
  const first = position[0]!;
  const converted = computeBaseTotals(position).totals;
  const totals = converted ?? computeTotals(position.map(({ own }) => [own]));
  const priced = position.length - totals.withoutPrice;
  return {
    first,
    isConverted: converted !== null,
    totals,
    isValuePartial: totals.value !== null && priced < position.length,
    isGainPartial: totals.gain !== null && priced - totals.withoutCost < position.length,
    currency: converted ? base : first.currency,
  };
}

/** The card of holdings on Home with all rows open, as a table or as the list of a phone. It counts positions. */
export function expectHoldingsCard(
  { rows, holdings }: MemberFigures,
  { isPhone = false }: { isPhone?: boolean } = {},
): ExpectedRow[] {
  if (holdings.length === 0) return [];
  const { base } = rows;
  const { totals, unconverted } = computeBaseTotals(holdings);
  const positions = groupPositions(holdings).map((position) => ({ position, ...describePosition(position, base) }));
  const priced = positions.filter((entry) => entry.totals.value !== null && !entry.isValuePartial);
  const converted = priced.filter(({ isConverted }) => isConverted);
  const sizes = {
    all: positions.length,
    withoutPrice: positions.length - priced.length,
    withoutChange: converted.filter((entry) => entry.totals.change === null).length,
    withoutCost: converted.filter((entry) => entry.totals.gain === null || entry.isGainPartial).length,
  };
  const partial = {
    withoutPrice: positions.filter(({ isConverted, isValuePartial }) => isConverted && isValuePartial).length,
    withoutCost: converted.filter(({ isGainPartial }) => isGainPartial).length,
  };
  return [
    { path: 'Holdings', figures: totals ? omissions(sizes, partial) : [] },
    {
      path: joinPath('Holdings', 'Total'),
      figures: [...expectTotal(holdings, base, sizes, 'holdings'), ...unconvertedAmounts(unconverted)],
    },
    ...positions.map(({ position, first, isConverted, totals: ofPosition, currency }) => {
      const weight = isConverted ? computeShare(ofPosition.value, holdings) : null;
      const list = isConverted ? 'holdings' : 'other holdings';
      const value = ofPosition.value === null ? [] : [part(money('value', ofPosition.value, currency), list)];
      const size = sum(position.map((holding) => holding.quantity));
      const unitPrice = first.price === null ? [] : [priceOf(first.price, size, first)];
      const day = withPercent('day change', computeDay(ofPosition.change?.amount ?? null, first), currency, (figure) =>
        part(figure, `${list}, day change`),
      );
      const gain = withPercent('gain', ofPosition.gain, currency, (figure) => part(figure, `${list}, gain`));
      const shares = weight === null ? [] : [share('weight', weight)];
      const heading = first.symbol === null ? [...value, quantity(size)] : [quantity(size), ...unitPrice, ...value];
      return {
        path: joinPath('Holdings', 'Holdings', first.title),
        figures: isPhone
          ? [...heading, ...day, ...shares, ...gain]
          : [...unitPrice, quantity(size), ...day, ...value, ...gain, ...shares],
      };
    }),
  ];
}

/** The card of movers on Home with all rows open. */
export function expectMoversCard({ rows, holdings }: MemberFigures): ExpectedRow[] {
  const positions = groupPositions(holdings);
  const isKnown = ([first]: readonly HoldingFigures[]): boolean => first!.priceChange !== null;
  const withoutChange = positions.filter((position) => !isKnown(position)).length;
  return [
    { path: 'Movers', figures: withoutChange > 0 ? [count('holdings without day change', withoutChange)] : [] },
    ...positions
      .filter((position) => isKnown(position) && position[0]!.priceChange !== 0n)
      .map((position) => {
        const { first, totals, currency } = describePosition(position, rows.base);
        const day = computePercent(first.priceChange!, toAmount(first.listing!.previous_close!))!;
        return {
          path: joinPath('Movers', 'Movers', first.title),
          figures: [
            percent('day change in percent', day),
            ...(totals.change === null ? [] : [part(change('day change', totals.change.amount, currency), 'movers')]),
          ],
        };
      }),
  ];
}

type Grouping = 'account' | 'class' | 'currency';

const classNames = { stock: 'Stocks', etf: 'ETFs', mutual_fund: 'Mutual funds', bond: 'Bonds', other: 'Other' };

const getGroupName = (holding: HoldingFigures, grouping: Grouping): string => {
  if (grouping === 'account') return holding.account.name;
  return grouping === 'class' ? classNames[holding.listing?.asset_type ?? 'other'] : (holding.currency ?? '');
};

/** Several holdings under one heading. Accounts may have the same name. */
interface Group {
  key: string;
  name: string;
  members: readonly HoldingFigures[];
}

const listGroups = (holdings: readonly HoldingFigures[], grouping: Grouping): Group[] =>
  [
    ...Map.groupBy(holdings, (holding) =>
      grouping === 'account' ? holding.account.id : getGroupName(holding, grouping),
    ),
  ].map(([key, members]) => ({ key, name: getGroupName(members[0]!, grouping), members }));

/**
 * The page of the portfolio with a table of groups, or with the list of a phone. All holdings are shown, or those of one
 * group of the bar.
 */
export function expectPortfolio(
  member: MemberFigures,
  grouping: Grouping,
  { chosenGroup, isPhone = false }: { chosenGroup?: string; isPhone?: boolean } = {},
): ExpectedRow[] {
  const { rows, holdings, netWorth } = member;
  const { base } = rows;
  const groups = listGroups(holdings, grouping);
  const shownGroups = chosenGroup === undefined ? groups : groups.filter(({ name }) => name === chosenGroup);
  const shown = chosenGroup === undefined ? holdings : shownGroups.flatMap(({ members }) => members);
  const { totals, unconverted } = computeBaseTotals(shown);
  const withCash = rows.accounts.filter(({ balance }) => toAmount(balance) !== 0n);
  const currencies = new Set([...withCash, ...holdings].map(({ currency }) => currency));
  const isFiltered = shown.length < holdings.length;
  // A portfolio of short positions has no parts.
  const hasAllocation = groups.some(({ members }) => (computeBaseTotals(members).totals?.value ?? 0n) > 0n);
  const sizes = { all: shown.length, ...(totals ?? { withoutPrice: 0, withoutChange: 0, withoutCost: 0 }) };
  const figures = expectTotal(shown, base, sizes, 'groups');
  const [value, ...others] = figures;
  return [
    {
      path: 'Summary',
      figures: [
        ...(isFiltered ? [count('shown holdings', shown.length), count('holdings', holdings.length)] : []),
        ...(value ? [isFiltered ? value : { ...value, totalOf: ['groups', 'allocation'] }, ...others] : []),
        ...(!isFiltered && withCash.length > 0 ? [money('net worth', netWorth.total, base)] : []),
        ...unconvertedAmounts(unconverted),
        ...(totals ? omissions(totals) : []),
      ],
    },
    ...[...currencies].flatMap((currency) => {
      const factor = currency === null || currency === base ? null : findRate(rows, currency, rows.today);
      return factor === null ? [] : [{ path: joinPath('Summary', 'Exchange rates'), figures: rate(factor) }];
    }),
    ...(hasAllocation ? groups : []).map(({ name, members }) => {
      const ofGroup = computeBaseTotals(members).totals?.value ?? null;
      const weight = computeShare(ofGroup, holdings);
      return {
        path: joinPath('Summary', 'Allocation', name),
        figures:
          ofGroup === null || weight === null
            ? []
            : [share('weight', weight), part(money('value', ofGroup, base), 'allocation')],
      };
    }),
    ...shownGroups.flatMap((group) => (isPhone ? expectListGroup : expectTableGroup)(group, holdings, base)),
    ...expectCash(
      member,
      'Cash',
      netWorth.cash,
      withCash.filter(({ balance }) => toAmount(balance) > 0n),
    ),
    ...expectCash(
      member,
      'Liabilities',
      netWorth.liabilities,
      withCash.filter(({ balance }) => toAmount(balance) < 0n),
    ),
  ];
}

/** The list of accounts with cash, or of those with debt. */
function expectCash(
  { rows }: MemberFigures,
  label: string,
  whole: Amount,
  accounts: readonly StoredAccount[],
): ExpectedRow[] {
  if (accounts.length === 0) return [];
  return [
    { path: label, figures: [total(part(money(label, whole, rows.base), 'net worth'), label)] },
    ...accounts.map(({ name, balance, currency }) => {
      const factor = findRate(rows, currency, rows.today);
      const own = money(`cash in ${name}`, toAmount(balance), currency);
      const converted = factor === null ? [] : [money('in base', multiply(toAmount(balance), factor), rows.base)];
      return {
        path: joinPath(label, `${label} by account`, name),
        figures: currency === rows.base ? [part(own, label)] : [own, ...converted.map((figure) => part(figure, label))],
      };
    }),
  ];
}

const expectTableGroup = (group: Group, all: readonly HoldingFigures[], base: string): ExpectedRow[] => [
  { path: joinPath('Holdings', 'Holdings', group.name), figures: expectGroupHeading(group, all, base) },
  ...group.members.map((holding) => ({
    path: joinPath('Holdings', 'Holdings', group.name, holding.title),
    figures: expectTableRow(holding, all, base, group.key),
  })),
];

function expectGroupHeading({ key, members }: Group, all: readonly HoldingFigures[], base: string): ExpectedFigure[] {
  const { totals, unconverted } = computeBaseTotals(members);
  const weight = computeShare(totals?.value ?? null, all);
  const omitted = (what: string, number: number | undefined): ExpectedFigure[] =>
    number ? [count(`holdings ${what}`, number)] : [];
  const describe = (list: string) => (figure: ExpectedFigure) =>
    total(part(figure, `groups${list}`), `group ${key}${list}`);
  return [
    count('holdings', members.length),
    ...unconvertedAmounts(unconverted),
    ...withPercent('day change', totals?.change ?? null, base, describe(', day change')),
    ...omitted('without day change', totals?.withoutChange),
    ...(totals?.value == null ? [] : [describe('')(money('value', totals.value, base))]),
    ...omitted('without price', totals?.withoutPrice),
    ...withPercent('gain', totals?.gain ?? null, base, describe(', gain')),
    ...omitted('without cost', totals?.withoutCost),
    ...(weight === null ? [] : [share('weight', weight)]),
  ];
}

/** Figures of a holding, in the order of no layout. */
function describeHolding(holding: HoldingFigures, all: readonly HoldingFigures[], base: string, group: string) {
  const { own, currency, base: converted } = holding;
  const weight = computeShare(converted?.value ?? null, all);
  const baseGain = converted && computeGain(converted);
  const isForeign = currency !== base;
  const describe = (list: string) => (figure: ExpectedFigure) => part(figure, `group ${group}${list}`);
  const describeOwn = (list: string) => (isForeign ? (figure: ExpectedFigure) => figure : describe(list));
  const day = [
    ...withPercent('day change', computeDay(own.change, holding), currency, describeOwn(', day change')),
    ...(isForeign && converted?.change != null
      ? [describe(', day change')(change('day change in base', converted.change, base))]
      : []),
  ];
  const value = [
    ...(own.value === null ? [] : [describeOwn('')(money('value', own.value, currency))]),
    ...(isForeign && converted?.value != null ? [describe('')(money('value in base', converted.value, base))] : []),
  ];
  const gain = [
    ...withPercent('gain', computeGain(own), currency, describeOwn(', gain')),
    ...(isForeign && baseGain ? [describe(', gain')(change('gain in base', baseGain.amount, base))] : []),
  ];
  return {
    day,
    value,
    gain,
    price: holding.price === null ? [] : [priceOf(holding.price, holding.quantity, holding)],
    quantity: quantity(holding.quantity),
    weight: weight === null ? [] : [share('weight', weight)],
  };
}

function expectTableRow(...holding: Parameters<typeof describeHolding>): ExpectedFigure[] {
  const figures = describeHolding(...holding);
  return [...figures.price, figures.quantity, ...figures.day, ...figures.value, ...figures.gain, ...figures.weight];
}

/** A group of the list that a phone shows. */
function expectListGroup({ key, name, members }: Group, all: readonly HoldingFigures[], base: string): ExpectedRow[] {
  const { totals, unconverted } = computeBaseTotals(members);
  const weight = computeShare(totals?.value ?? null, all);
  const describe = (list: string) => (figure: ExpectedFigure) =>
    total(part(figure, `groups${list}`), `group ${key}${list}`);
  const path = joinPath('Holdings', name);
  return [
    {
      path,
      figures: [
        ...(totals?.value == null ? [] : [describe('')(money('value', totals.value, base))]),
        ...(totals && totals.withoutPrice > 0 ? [count('holdings without price', totals.withoutPrice)] : []),
        count('holdings', members.length),
        ...(weight === null ? [] : [share('weight', weight)]),
        ...(totals
          ? [
              ...withPercent('day change', totals.change, base, describe(', day change')),
              ...coverage(members.length, totals.withoutPrice + totals.withoutChange),
              ...withPercent('gain', totals.gain, base, describe(', gain')),
              ...coverage(members.length, totals.withoutPrice + totals.withoutCost),
            ]
          : []),
        ...unconvertedAmounts(unconverted),
      ],
    },
    ...members.map((holding) => {
      const figures = describeHolding(holding, all, base, key);
      return {
        path: joinPath(path, `Holdings, ${name}`, holding.title),
        figures: [
          ...figures.value,
          figures.quantity,
          ...figures.price,
          ...figures.day,
          ...figures.weight,
          ...figures.gain,
        ],
      };
    }),
  ];
}

/** A day of the chart of net worth. */
export interface ChartDay {
  date: string;
  total: Amount;
  flows: Amount;
}

/** The days of a range of the chart, with what was added since the day before. The last one is today. */
export function listChartDays({ rows, netWorth }: MemberFigures, range: Period): ChartDay[] {
  const periodChange = netWorth.changes[range];
  if (!periodChange) return [];
  const { from, flows } = periodChange;
  const days = netWorth.history
    .filter(({ date }) => date >= from && date < rows.today)
    .map((day, index) => ({ ...day, flows: index === 0 ? 0n : day.flows }));
  const today = { date: rows.today, total: netWorth.total, flows: flows - sum(days.map((day) => day.flows)) };
  return evenOut([...days, today]);
}

const DAY_MS = 86_400_000;

/** Leaves out days that are closer to the one before than most are, except for the last. The next day has their flows. */
function evenOut(days: readonly ChartDay[]): ChartDay[] {
  const dayNumbers = days.map(({ date }) => Date.parse(date) / DAY_MS);
  const distances = dayNumbers.slice(1).map((day, index) => day - dayNumbers[index]!);
  const usualDistance = distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 0;
  const kept: ChartDay[] = [];
  let lastDay = -Infinity;
  let flows = 0n;
  for (const [index, day] of days.entries()) {
    flows += day.flows;
    const dayNumber = dayNumbers[index]!;
    if (index < days.length - 1 && dayNumber - lastDay < usualDistance) continue;
    kept.push({ ...day, flows });
    lastDay = dayNumber;
    flows = 0n;
  }
  return kept;
}

/** What the chart says about a day: net worth, what was added, and the gain since the first day. */
export function expectChartDay(days: readonly ChartDay[], index: number, base: string): ExpectedFigure[] {
  const { total: amount, flows } = days[index]!;
  const gain = amount - days[0]!.total - sum(days.slice(1, index + 1).map((day) => day.flows));
  return [
    money('net worth', amount, base),
    ...(round(flows, 4) === 0n ? [] : [money('flows', absolute(flows), base)]),
    ...(index === 0 ? [] : [change('gain', gain, base)]),
  ];
}

/** The dialog of accounts. */
export const expectAccountsDialog = ({ rows, holdings }: MemberFigures): ExpectedRow[] =>
  rows.accounts.map((account) => {
    const held = holdings.filter((holding) => holding.account.id === account.id);
    return {
      path: joinPath('Accounts', 'Your accounts', account.name),
      figures: [
        money('cash', absolute(toAmount(account.balance)), account.currency),
        count('holdings', held.length),
        ...listAccountTotals(held).flatMap(([currency, totals]) => [
          ...(totals.value === null ? [] : [money('value of holdings', totals.value, currency)]),
          ...withPercent('day change', totals.change, currency),
          ...withPercent('gain', totals.gain, currency),
          ...omissions(totals),
        ]),
      ],
    };
  });

/** Totals per currency, those of the most positions first. */
function listAccountTotals(held: readonly HoldingFigures[]): [string, Totals][] {
  const sizes = new Map(
    [...Map.groupBy(groupPositions(held), ([first]) => first!.currency ?? '')].map(([currency, positions]) => [
      currency,
      positions.length,
    ]),
  );
  return [...computeAccountTotals(held)].sort(([a], [b]) => sizes.get(b)! - sizes.get(a)! || a.localeCompare(b));
}

/** The position in the panel of a security. */
export function expectPosition({ holdings }: MemberFigures, symbol: string): ExpectedRow[] {
  const position = holdings.filter((holding) => holding.symbol === symbol);
  const [first] = position as [HoldingFigures];
  const amounts = addUp(position.map(({ own }) => own));
  const { currency } = first;
  const weight = computeShare(sumBase(position), holdings);
  const path = 'Your position';
  const byAccount = [...Map.groupBy(position, ({ account }) => account)];
  const size = sum(position.map((holding) => holding.quantity));
  const isBond = first.listing?.asset_type === 'bond';
  return [
    {
      path,
      figures: [
        ...(amounts.value === null ? [] : [money('value', amounts.value, currency)]),
        ...withPercent('gain', computeGain(amounts), currency),
        ...withPercent('day change', computeDay(amounts.change, first), currency),
      ],
    },
    ...(amounts.cost === null
      ? []
      : [
          { path: joinPath(path, 'Cost'), figures: [money('cost', amounts.cost, currency)] },
          {
            path: joinPath(path, 'Average price'),
            figures: [price(divide(isBond ? multiply(amounts.cost, HUNDRED) : amounts.cost, size), first)],
          },
        ]),
    { path: joinPath(path, 'Weight'), figures: weight === null ? [] : [share('weight', weight)] },
    ...byAccount.map(([account, held]: [StoredAccount, HoldingFigures[]]) => {
      const ofAccount = addUp(held.map(({ own }) => own));
      return {
        path: joinPath(path, account.name),
        figures: [
          quantity(sum(held.map((holding) => holding.quantity))),
          ...(ofAccount.value === null ? [] : [money('value', ofAccount.value, currency)]),
          ...(byAccount.length > 1 ? withPercent('gain', computeGain(ofAccount), currency) : []),
        ],
      };
    }),
  ];
}

const sumBase = (position: readonly HoldingFigures[]): Amount | null =>
  position.some(({ base }) => base === null) ? null : sum(position.map(({ base }) => base!.value!));
