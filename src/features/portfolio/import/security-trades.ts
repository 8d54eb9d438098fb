import { addUpTrades, type Holding, type Trade } from './average-cost.ts';
import type { FileBuilder } from './file-builder.ts';
import type { DateReadings } from './parse-date.ts';
import { isTooLarge, MAX_MONEY, MAX_QUANTITY, roundMoney, roundQuantity, type RowSecurity } from './read-row.ts';

/** Trade with its place in time. */
export type DatedTrade = Trade & {
  /** Both readings are equal unless day and month of the column can be exchanged. */
  date: { dayFirst: string; monthFirst: string };
  /** Order within a day. */
  place: number;
};

/** All trades of a security in one account. */
export interface SecurityTrades {
  accountKey: string;
  security: RowSecurity;
  /** Lines in the order of the file, those with errors included. */
  lines: number[];
  trades: DatedTrade[];
  /** Lines with cells that cannot be read. */
  errorLines: number[];
  currencies: Set<string>;
  isCostPerUnit: boolean;
  /** Header of the dates, or null if the file has none. */
  dateColumn: string | null;
  /** Whether the dates show if the file begins with the newest trade. */
  hasDirection: boolean;
  addAccount: () => void;
}

/** Returns whether the newest date is first, or null if all dates are equal or not sorted by either reading alone. */
export function findDirection(dates: readonly DateReadings[], order: keyof DateReadings | null): boolean | null {
  const directions = (order === null ? (['dayFirst', 'monthFirst'] as const) : [order]).map((reading) => {
    const days = dates.flatMap((date) => date[reading]?.slice(0, 10) ?? []);
    let rising = 0;
    for (const [index, day] of days.entries()) {
      const previous = days[index - 1] ?? day;
      if (day !== previous) rising += day > previous ? 1 : -1;
    }
    return rising;
  });
  if (directions.every((rising) => rising < 0)) return true;
  return directions.every((rising) => rising > 0) ? false : null;
}

/** Returns a security with what another row says about it. */
export function mergeSecurities(first: RowSecurity, second: RowSecurity): RowSecurity {
  const isKnown =
    second.identifiers.every((text) => first.identifiers.includes(text)) &&
    (first.name !== null || second.name === null);
  if (isKnown) return first;
  const symbol = first.symbol || second.symbol;
  const name = first.name ?? second.name;
  const identifiers = [symbol, ...first.identifiers, ...second.identifiers].filter((text) => text !== '');
  return {
    symbol,
    isin: first.isin ?? second.isin,
    identifiers: [...new Set(identifiers)],
    name,
    search: name ?? first.search,
    exchange: first.exchange ?? second.exchange,
    skipReason: first.skipReason ?? second.skipReason,
  };
}

/** Adds the holding that the trades of a security make, or the reason why there is none. */
export function addHolding(builder: FileBuilder, group: SecurityTrades): void {
  const { accountKey, security, lines, trades, errorLines } = group;
  const { symbol, identifiers, search, name, exchange, skipReason } = security;
  const skip = (reason: NonNullable<typeof skipReason>, line: number): void => {
    builder.addSkipped({ line, lines, accountKey, symbol: symbol || (identifiers[0] ?? search), name, reason });
    group.addAccount();
  };
  if (errorLines.length > 0) return rejectOtherLines(builder, lines, errorLines);
  if (skipReason) return skip(skipReason, lines[0]!);
  const holding = addUpInOrder(group);
  if (!holding) {
    const message = group.dateColumn
      ? 'Day and month of this date can be exchanged, which changes the holding. Write dates like 2026-11-27.'
      : 'The file has no dates, so the order of purchases and sales is not known. Add a column of dates.';
    for (const line of lines) builder.addError(line, group.dateColumn, message);
    return;
  }
  if (holding.oversoldLine !== null) return skip('oversold', holding.oversoldLine);
  const quantity = roundQuantity(holding.quantity);
  if (quantity === '0') return skip('zero', holding.lastSaleLine ?? lines.at(-1)!);
  // Costs in two currencies have no sum.
  const isOneCurrency = group.currencies.size < 2;
  const cost = holding.cost === null || !isOneCurrency ? null : roundMoney(holding.cost);
  if (isTooLarge(quantity, MAX_QUANTITY) || (cost !== null && isTooLarge(cost, MAX_MONEY))) {
    const last = trades.at(-1)!.line;
    builder.addError(last, null, 'The trades add up to more than can be stored. Correct their quantities and costs.');
    return rejectOtherLines(builder, lines, [last]);
  }
  const [currency = null] = isOneCurrency ? group.currencies : [];
  builder.addPosition({
    lines,
    accountKey,
    identifiers,
    search,
    exchange,
    name,
    quantity,
    costBasis: cost,
    isCostPerUnit: group.isCostPerUnit,
    currency,
  });
  group.addAccount();
}

/** A holding without one of its trades would be wrong, so that an error in one line is one in all of them. */
function rejectOtherLines(builder: FileBuilder, lines: readonly number[], errorLines: readonly number[]): void {
  const message = `Line ${errorLines[0]!} of the same security has an error. Correct it to import the security.`;
  const known = new Set(errorLines);
  for (const line of lines) if (!known.has(line)) builder.addError(line, null, message);
}

/** Adds up the trades in the order of their dates. Undefined if different orders are possible and change the holding. */
function addUpInOrder({ trades, hasDirection, dateColumn }: SecurityTrades): Holding | undefined {
  const addUp = (reading: keyof DateReadings, isReversed: boolean): Holding => {
    const sorted = trades.toSorted((a, b) => {
      const byDate = compareTexts(a.date[reading], b.date[reading]);
      return byDate || (isReversed ? b.place - a.place : a.place - b.place);
    });
    return addUpTrades(sorted);
  };
  const forward = addUp('dayFirst', false);
  const monthFirst = trades.some(({ date }) => date.dayFirst !== date.monthFirst)
    ? addUp('monthFirst', false)
    : forward;
  if (!isSame(forward, monthFirst)) return undefined;
  if (hasDirection) return forward;
  const backward = addUp('dayFirst', true);
  if (backward.oversoldLine === null && forward.oversoldLine !== null) return backward;
  const isAmbiguous = dateColumn === null && backward.oversoldLine === null && !isSame(forward, backward);
  return isAmbiguous ? undefined : forward;
}

const compareTexts = (first: string, second: string): number => (first < second ? -1 : Number(first > second));

const isSame = (first: Holding, second: Holding): boolean =>
  (first.oversoldLine === null) === (second.oversoldLine === null) &&
  first.quantity === second.quantity &&
  (first.cost === null || second.cost === null
    ? first.cost === second.cost
    : roundMoney(first.cost) === roundMoney(second.cost));
