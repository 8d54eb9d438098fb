import type { BaseNetWorth } from './contract.ts';
import { computeCrossRate, type Conversion, convertAmount, type CrossRate, sumUnits } from './convert-net-worth.ts';
import { excludeUnconverted, explainChange, explainMarketDay } from './explain-net-worth-changes.ts';
import type { Excluded } from './explanation-terms.ts';
import { getFirstDay } from './periods.ts';
import type { FlowRow, NetWorthRow, NetWorthStep } from './rows.ts';

/** Amounts of one currency, and their values in the base currency at the rate of their day. */
interface ConvertedRow extends NetWorthRow {
  rate: CrossRate;
  cashUnits: bigint;
  investmentUnits: bigint;
}

/** Net worth at one time, in the currencies that have a rate. */
interface Point {
  date: string;
  rows: readonly ConvertedRow[];
  /** Currencies with an amount that have no rate. */
  excluded: readonly string[];
}

type Period = BaseNetWorth['changes'][number]['period'];

/**
 * Returns the value of each day at its last published rates, and the change of each period split into market, flows and
 * exchange rates. A currency without any rate is excluded, and days before the first rate of another one are omitted.
 * @param days Snapshots of complete days, oldest first.
 * @param explainedDay Day change of all holdings in the base currency. With it the parts are explained.
 */
export function computeNetWorthChanges(
  currentRows: readonly NetWorthRow[],
  days: ReadonlyMap<string, readonly NetWorthRow[]>,
  flows: readonly FlowRow[],
  conversion: Conversion,
  explainedDay?: string,
): Pick<BaseNetWorth, 'history' | 'changes'> {
  const { today } = conversion;
  const points = [...days].flatMap(([date, rows]) => toPoint(date, rows, conversion) ?? []);
  const steps = points.slice(1).map((point, index) => computeStep(points[index]!, point, flows, conversion));
  const pastPoints = points.filter(({ date }) => date < today);
  const lastPoint = pastPoints.at(-1);
  const now = toPoint(today, currentRows, conversion) ?? { date: today, rows: [], excluded: [] };
  const changes = lastPoint
    ? listPeriodChanges(
        [...steps.slice(0, pastPoints.length - 1), computeStep(lastPoint, now, flows, conversion)],
        pastPoints.map(({ date }) => date),
        conversion,
      )
    : [];
  return {
    history: points.map((point, index) => toHistoryDay(point, steps[index - 1])),
    changes:
      explainedDay === undefined
        ? changes
        : explainChanges(changes, [...pastPoints, now], flows, conversion, {
            dayChange: explainedDay,
            excluded: excludeUnconverted(currentRows, conversion),
          }),
  };
}

/** Adds to each change how its parts came about. The steps of single currencies add up to those of all. */
function explainChanges(
  changes: BaseNetWorth['changes'],
  points: readonly Point[],
  flows: readonly FlowRow[],
  conversion: Conversion,
  { dayChange, excluded }: { dayChange: string; excluded: readonly Excluded[] },
): BaseNetWorth['changes'] {
  const currencies = new Set([...points.flatMap(({ rows }) => rows), ...flows].map(({ currency }) => currency));
  const stepsByCurrency = [...currencies].sort().map((currency): [string, NetWorthStep[]] => {
    const ofCurrency = points.map((point) => ({
      ...point,
      rows: point.rows.filter((row) => row.currency === currency),
    }));
    const flowsOfCurrency = flows.filter((flow) => flow.currency === currency);
    const steps = ofCurrency
      .slice(1)
      .map((point, index) => computeStep(ofCurrency[index]!, point, flowsOfCurrency, conversion));
    return [currency, steps];
  });
  return changes.map((change) => {
    const ofPeriod = stepsByCurrency.map(([currency, steps]): [string, NetWorthStep[]] => [
      currency,
      steps.filter(({ date }) => date > change.from),
    ]);
    return {
      ...change,
      ...explainChange(new Map(ofPeriod), excluded, conversion),
      ...(change.period === '1d' && {
        explain_market: explainMarketDay(change.market, dayChange, excluded, conversion),
      }),
    };
  });
}

const findRateOn = (other: string, day: string, { currency, rates }: Conversion): CrossRate | undefined =>
  computeCrossRate(rates, { currency, other, day });

/** Returns the converted amounts of a day, or undefined before the first rate of a currency or if none has a rate. */
function toPoint(date: string, rows: readonly NetWorthRow[], conversion: Conversion): Point | undefined {
  const convertible = rows.filter(({ currency }) => findRateOn(currency, conversion.today, conversion));
  const converted = convertible.flatMap((row): ConvertedRow[] => {
    const rate = findRateOn(row.currency, date, conversion);
    if (!rate) return [];
    const cashUnits = convertAmount(row.cash, rate);
    return [{ ...row, rate, cashUnits, investmentUnits: convertAmount(row.investments, rate) }];
  });
  if (converted.length === 0 || converted.length < convertible.length) return undefined;
  const excluded = rows.filter(
    (row) => !convertible.includes(row) && (Number(row.cash) !== 0 || Number(row.investments) !== 0),
  );
  return { date, rows: converted, excluded: excluded.map(({ currency }) => currency) };
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const getTotal = ({ rows }: Point): bigint => sum(rows.flatMap((row) => [row.cashUnits, row.investmentUnits]));

function toHistoryDay(point: Point, step: NetWorthStep | undefined): BaseNetWorth['history'][number] {
  const { date, rows, excluded } = point;
  return {
    date,
    cash: sumUnits(rows.map(({ cashUnits }) => cashUnits)),
    investments: sumUnits(rows.map(({ investmentUnits }) => investmentUnits)),
    total: sumUnits([getTotal(point)]),
    ...(step && step.flows !== 0n && { flows: sumUnits([step.flows]) }),
    ...(excluded.length > 0 && { excluded: [...excluded] }),
  };
}

/** Splits the change between two points. The earlier amounts at the later rates separate market and exchange rates. */
function computeStep(previous: Point, point: Point, flows: readonly FlowRow[], conversion: Conversion): NetWorthStep {
  const start = getTotal(previous);
  const startAtNewRates = sum(previous.rows.map((row) => convertAgain(row, point.date, conversion)));
  const added = sumFlows(flows, previous.date, point.date, conversion);
  return {
    date: point.date,
    start,
    market: getTotal(point) - startAtNewRates - added,
    flows: added,
    exchangeRates: startAtNewRates - start,
  };
}

/** Converts the amounts of an earlier day at the rate of a later one. */
function convertAgain(row: ConvertedRow, day: string, conversion: Conversion): bigint {
  const rate = findRateOn(row.currency, day, conversion)!;
  return rate.base === row.rate.base && rate.other === row.rate.other
    ? row.cashUnits + row.investmentUnits
    : convertAmount(row.cash, rate) + convertAmount(row.investments, rate);
}

/** Sums the flows after one day up to another, at the rates of the latter. Those after the last snapshot are of today. */
function sumFlows(flows: readonly FlowRow[], after: string, until: string, conversion: Conversion): bigint {
  return sum(
    flows.flatMap(({ date, currency, amount }) => {
      const day = date ?? conversion.today;
      const rate = day > after && day <= until && findRateOn(currency, until, conversion);
      return rate ? [convertAmount(amount, rate)] : [];
    }),
  );
}

/** Returns the change of each period up to today, from its first day that has a value. `dates` are the starts of steps. */
function listPeriodChanges(
  steps: readonly NetWorthStep[],
  dates: readonly string[],
  { today, sessionDay }: Conversion,
): BaseNetWorth['changes'] {
  const firstDays: Readonly<Record<Period, string>> = {
    // The session of the day changes. Later days without a session are part of it.
    '1d': dates.findLast((date) => date < sessionDay) ?? dates[0]!,
    '1w': getFirstDay('1w', today),
    '1m': getFirstDay('1m', today),
    '3m': getFirstDay('3m', today),
    ytd: getFirstDay('ytd', today),
    '1y': getFirstDay('1y', today),
    all: dates[0]!,
  };
  return Object.entries(firstDays).flatMap(([period, firstDay]) => {
    const index = dates.findIndex((date) => date >= firstDay);
    return index === -1 ? [] : [toPeriodChange(period as Period, dates[index]!, steps.slice(index))];
  });
}

function toPeriodChange(period: Period, from: string, steps: readonly NetWorthStep[]): BaseNetWorth['changes'][number] {
  const market = steps.map((step) => step.market);
  const flows = steps.map((step) => step.flows);
  const exchangeRates = steps.map((step) => step.exchangeRates);
  return {
    period,
    from,
    amount: sumUnits([...market, ...flows, ...exchangeRates]),
    market: sumUnits(market),
    flows: sumUnits(flows),
    exchange_rates: sumUnits(exchangeRates),
    gain: sumUnits([...market, ...exchangeRates]),
    percent: computeReturn(steps),
  };
}

/**
 * Returns the time-weighted return in percent: the product of the returns of all steps. The return of a step is its gain
 * divided by the value at its start plus money added in it. Null if that is not positive in a step with a gain or loss.
 */
function computeReturn(steps: readonly NetWorthStep[]): number | null {
  let growth = 1;
  for (const { start, market, flows, exchangeRates } of steps) {
    const gain = market + exchangeRates;
    const invested = flows > 0n ? start + flows : start;
    if (gain === 0n) continue;
    if (invested <= 0n) return null;
    growth *= 1 + Number(gain) / Number(invested);
  }
  return Number((100 * (growth - 1)).toFixed(4));
}
