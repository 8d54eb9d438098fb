import type { BaseNetWorth } from './contract.ts';
import { addAmounts } from './amounts.ts';
import {
  AMOUNT_DECIMALS,
  computeCrossRate,
  type Conversion,
  convertAmount,
  type CrossRate,
  EXACT_DECIMALS,
  sumUnits,
} from './convert-net-worth.ts';
import { excludeUnconverted, explainChange, explainMarketDay } from './explain-net-worth-changes.ts';
import { getFirstDay } from './periods.ts';
import type { FlowRow, NetWorthRow, NetWorthStep } from './rows.ts';

/** Amounts of one currency, and their values in the base currency at the rate of their day. */
interface ConvertedRow extends NetWorthRow {
  rate: CrossRate;
  cashUnits: bigint;
  investmentUnits: bigint;
  /** Both before they are rounded, in units of the decimal `EXACT_DECIMALS`. */
  exactUnits: bigint;
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
  const pastPoints = points.filter(({ date }) => date < today);
  const now = toPoint(today, currentRows, conversion) ?? { date: today, rows: [], excluded: [] };
  const stepsByCurrency = computeSteps([...pastPoints, now], flows, conversion);
  const excluded = explainedDay === undefined ? [] : excludeUnconverted(currentRows, conversion);
  const changes = listPeriodChanges(
    stepsByCurrency,
    pastPoints.map(({ date }) => date),
    conversion,
  );
  const addedOn = new Map(addSteps(stepsByCurrency).map(({ date, flows: added }) => [date, added]));
  return {
    history: points.map((point) => toHistoryDay(point, addedOn.get(point.date))),
    changes: changes.map(({ change, steps }) => ({
      ...change,
      ...(explainedDay !== undefined && {
        ...explainChange(steps, excluded, conversion),
        ...(change.period === '1d' && {
          explain_market: explainMarketDay(change.market, explainedDay, excluded, conversion),
        }),
      }),
    })),
  };
}

/** Returns the steps between points by currency. Those of all currencies add up to the change of net worth. */
function computeSteps(
  points: readonly Point[],
  flows: readonly FlowRow[],
  conversion: Conversion,
): ReadonlyMap<string, readonly NetWorthStep[]> {
  const currencies = new Set([...points.flatMap(({ rows }) => rows), ...flows].map(({ currency }) => currency));
  return new Map(
    [...currencies].sort().map((currency): [string, NetWorthStep[]] => {
      const ofCurrency = points.map((point) => ({
        ...point,
        rows: point.rows.filter((row) => row.currency === currency),
      }));
      const flowsOfCurrency = flows.filter((flow) => flow.currency === currency);
      return [
        currency,
        ofCurrency.slice(1).map((point, index) => computeStep(ofCurrency[index]!, point, flowsOfCurrency, conversion)),
      ];
    }),
  );
}

/** Adds up the steps of all currencies, date by date. */
function addSteps(stepsByCurrency: ReadonlyMap<string, readonly NetWorthStep[]>): NetWorthStep[] {
  const [first = [], ...others] = stepsByCurrency.values();
  return first.map((step, index) =>
    others.reduce<NetWorthStep>((total, steps) => {
      const added = steps[index]!;
      return {
        date: total.date,
        start: total.start + added.start,
        market: total.market + added.market,
        flows: total.flows + added.flows,
        exchangeRates: total.exchangeRates + added.exchangeRates,
        exactStart: total.exactStart + added.exactStart,
        exactGain: total.exactGain + added.exactGain,
        exactFlows: total.exactFlows + added.exactFlows,
      };
    }, step),
  );
}

const findRateOn = (other: string, day: string, { currency, rates }: Conversion): CrossRate | undefined =>
  computeCrossRate(rates, { currency, other, day });

/** Returns the converted amounts of a day, or undefined before the first rate of a currency or if none has a rate. */
function toPoint(date: string, rows: readonly NetWorthRow[], conversion: Conversion): Point | undefined {
  const convertible = rows.filter(({ currency }) => findRateOn(currency, conversion.today, conversion));
  const converted = convertible.flatMap((row): ConvertedRow[] => {
    const rate = findRateOn(row.currency, date, conversion);
    if (!rate) return [];
    return [
      {
        ...row,
        rate,
        cashUnits: convertAmount(row.cash, rate),
        investmentUnits: convertAmount(row.investments, rate),
        exactUnits: convertAmount(addAmounts([row.cash, row.investments])!, rate, EXACT_DECIMALS),
      },
    ];
  });
  if (converted.length === 0 || converted.length < convertible.length) return undefined;
  const excluded = rows.filter(
    (row) => !convertible.includes(row) && (Number(row.cash) !== 0 || Number(row.investments) !== 0),
  );
  return { date, rows: converted, excluded: excluded.map(({ currency }) => currency) };
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const getExactTotal = ({ rows }: Point): bigint => sum(rows.map(({ exactUnits }) => exactUnits));
const getTotal = ({ rows }: Point): bigint => sum(rows.flatMap((row) => [row.cashUnits, row.investmentUnits]));

function toHistoryDay(point: Point, added = 0n): BaseNetWorth['history'][number] {
  const { date, rows, excluded } = point;
  return {
    date,
    cash: sumUnits(rows.map(({ cashUnits }) => cashUnits)),
    investments: sumUnits(rows.map(({ investmentUnits }) => investmentUnits)),
    total: sumUnits([getTotal(point)]),
    ...(added !== 0n && { flows: sumUnits([added]) }),
    ...(excluded.length > 0 && { excluded: [...excluded] }),
  };
}

/** Splits the change between two points. The earlier amounts at the later rates separate market and exchange rates. */
function computeStep(previous: Point, point: Point, flows: readonly FlowRow[], conversion: Conversion): NetWorthStep {
  const start = getTotal(previous);
  const startAtNewRates = sum(previous.rows.map((row) => convertAgain(row, point.date, conversion)));
  const added = sumFlows(flows, previous.date, point.date, conversion);
  const exactStart = getExactTotal(previous);
  const exactFlows = sumFlows(flows, previous.date, point.date, conversion, EXACT_DECIMALS);
  return {
    date: point.date,
    start,
    market: getTotal(point) - startAtNewRates - added,
    flows: added,
    exchangeRates: startAtNewRates - start,
    exactStart,
    exactFlows,
    exactGain: getExactTotal(point) - exactStart - exactFlows,
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
function sumFlows(
  flows: readonly FlowRow[],
  after: string,
  until: string,
  conversion: Conversion,
  decimals = AMOUNT_DECIMALS,
): bigint {
  return sum(
    flows.flatMap(({ date, currency, amount }) => {
      const day = date ?? conversion.today;
      const rate = day > after && day <= until && findRateOn(currency, until, conversion);
      return rate ? [convertAmount(amount, rate, decimals)] : [];
    }),
  );
}

/** Change of a period, and its steps by currency. */
interface PeriodChange {
  change: BaseNetWorth['changes'][number];
  steps: ReadonlyMap<string, readonly NetWorthStep[]>;
}

/** Returns the change of each period up to today, from its first day that has a value. `dates` are the starts of steps. */
function listPeriodChanges(
  stepsByCurrency: ReadonlyMap<string, readonly NetWorthStep[]>,
  dates: readonly string[],
  { today, sessionDay }: Conversion,
): PeriodChange[] {
  const steps = addSteps(stepsByCurrency);
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
    if (index === -1) return [];
    const ofPeriod = [...stepsByCurrency].map(([currency, ofCurrency]) => [currency, ofCurrency.slice(index)] as const);
    return [{ change: toPeriodChange(period as Period, dates[index]!, steps.slice(index)), steps: new Map(ofPeriod) }];
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

/** Decimals of a return, more than any screen shows and fewer than floating point has. */
const RETURN_DECIMALS = 10;

/**
 * Returns the time-weighted return in percent: the product of the returns of all steps. The return of a step is its gain
 * divided by the value at its start plus money added in it. Null if that is not positive in a step with a gain or loss.
 */
function computeReturn(steps: readonly NetWorthStep[]): number | null {
  let growth = 1;
  for (const { exactStart: start, exactGain: gain, exactFlows: flows } of steps) {
    const invested = flows > 0n ? start + flows : start;
    if (gain === 0n) continue;
    if (invested <= 0n) return null;
    growth *= 1 + Number(gain) / Number(invested);
  }
  return Number((100 * (growth - 1)).toFixed(RETURN_DECIMALS));
}
