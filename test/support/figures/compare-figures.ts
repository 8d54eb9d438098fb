import { type Amount, absolute, getUnit, multiply, round, sum, toAmount } from './fixed-point.ts';
import type { ShownRow } from './read-figures.ts';

/** What a figure on screen must be. */
export interface ExpectedFigure {
  /** Name of the figure in messages. */
  what: string;
  /**
   * `change` has a sign unless it is zero. `count` and `quantity` are exact. `price` has at least the decimals of its
   * currency, and `rate` any number.
   */
  kind: 'money' | 'change' | 'percent' | 'share' | 'price' | 'rate' | 'quantity' | 'count';
  value: Amount;
  /** Whether a price is a change, which has a sign. */
  isSigned?: boolean;
  /** ISO code. Null for an amount without currency. */
  currency: string | null;
  /** What a price is multiplied by on screen. The digits that are shown must give the product, in this currency. */
  product?: { of: Amount; currency: string };
  /** Name of the sum that it is a part of. Parts may be rounded either way, so that they add up to their total. */
  partOf?: string;
  /** Names of the sums that it is the total of. */
  totalOf?: readonly string[];
}

export interface ExpectedRow {
  path: string;
  figures: readonly ExpectedFigure[];
}

const symbols = new Map<string, { symbol: string; decimals: number }>();

function describeCurrency(currency: string): { symbol: string; decimals: number } {
  const known = symbols.get(currency);
  if (known) return known;
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const symbol = format.formatToParts(1).find(({ type }) => type === 'currency')!.value;
  const described = { symbol, decimals: format.resolvedOptions().maximumFractionDigits! };
  symbols.set(currency, described);
  return described;
}

/** A figure as it is on screen. */
interface ParsedFigure {
  sign: '' | '+' | '−';
  symbol: string;
  value: Amount;
  decimals: number;
  isPercent: boolean;
}

function parseFigure(text: string): ParsedFigure {
  const [, sign = '', symbol = '', digits = '', percent = ''] = /^([+−]?)([^\d]*?)([\d,.]+)(%?)$/.exec(text) ?? [];
  const plain = digits.replaceAll(',', '');
  return {
    sign: sign as ParsedFigure['sign'],
    symbol: symbol.trim(),
    value: sign === '−' ? -toAmount(plain) : toAmount(plain),
    decimals: plain.split('.')[1]?.length ?? 0,
    isPercent: percent === '%',
  };
}

/** Returns what is wrong with a figure on screen, or undefined. */
export function findFault(text: string, expected: ExpectedFigure): string | undefined {
  const { kind, currency, value } = expected;
  const shown = parseFigure(text);
  const describe = (problem: string): string => `${expected.what}: ${problem}, ${text} for ${formatAmount(value)}`;
  const money = currency === null || currency === '%' ? { symbol: '', decimals: 2 } : describeCurrency(currency);
  const isPercent = kind === 'percent' || kind === 'share' || (kind === 'price' && currency === '%');
  if (shown.isPercent !== isPercent) return describe('another unit');
  const hasSymbol = kind === 'money' || kind === 'change' || (kind === 'price' && currency !== '%');
  if (shown.symbol !== (hasSymbol ? money.symbol : '')) return describe('another currency');
  if (kind === 'count' || kind === 'quantity') return shown.value === value ? undefined : describe('another number');
  const unit = getUnit(shown.decimals);
  // Rounding in several steps moves a tie by up to two hundredths of a unit.
  const tolerance = expected.partOf !== undefined ? (unit * 102n) / 100n : (unit * 52n) / 100n;
  if (absolute(shown.value - value) > tolerance) return describe('another amount');
  const isSigned = kind === 'change' || kind === 'percent' || expected.isSigned === true;
  if (isSigned && shown.value > 0n && shown.sign !== '+') return describe('no sign');
  if (!isSigned && shown.sign === '+') return describe('a sign');
  if (expected.product && !isReproduced(shown.value, value, expected.product)) return describe('too few digits');
  if (hasSymbol && kind !== 'price' && shown.decimals !== money.decimals && absolute(value) >= getUnit(money.decimals))
    return describe(`${shown.decimals} decimals`);
  return undefined;
}

/** Returns whether a shown price gives the same product, as it is shown, as the exact price. */
function isReproduced(shown: Amount, exact: Amount, { of, currency }: { of: Amount; currency: string }): boolean {
  const { decimals } = describeCurrency(currency);
  const difference = round(multiply(shown, of), decimals) - round(multiply(exact, of), decimals);
  // A product of half a unit is rounded either way in floating point.
  const isTie = absolute(multiply(exact, of) - round(multiply(exact, of), decimals)) > (getUnit(decimals) * 49n) / 100n;
  return difference === 0n || isTie;
}

const formatAmount = (value: Amount): string => (Number(value) / 1e20).toFixed(6);

/**
 * Returns how the rows on screen differ from the expected ones: other figures, missing rows, and rows or figures that
 * nothing expects. Several rows with one path are compared in any order.
 */
export function compareRows(shown: readonly ShownRow[], expected: readonly ExpectedRow[]): string[] {
  const wanted = expected.filter(({ figures }) => figures.length > 0);
  const shownByPath = Map.groupBy(shown, ({ path }) => path);
  const wantedByPath = Map.groupBy(wanted, ({ path }) => path);
  const pairs: [ShownRow, ExpectedRow][] = [];
  const faults = [...new Set([...shownByPath.keys(), ...wantedByPath.keys()])].flatMap((path) =>
    comparePath(path, shownByPath.get(path) ?? [], wantedByPath.get(path) ?? [], pairs),
  );
  return [...faults, ...findWrongSums(pairs)];
}

/** Returns the sums whose parts, as they are shown, do not add up to the total that is shown. */
function findWrongSums(pairs: readonly [ShownRow, ExpectedRow][]): string[] {
  const sums = new Map<string, Sum>();
  const getSum = (name: string): Sum => {
    const entry = sums.get(name) ?? { parts: [] };
    sums.set(name, entry);
    return entry;
  };
  for (const [{ figures }, expected] of pairs)
    expected.figures.forEach(({ partOf, totalOf = [], currency }, index) => {
      const shown = figures[index] === undefined ? undefined : parseFigure(figures[index]);
      if (!shown) return;
      // An amount below the smallest coin is shown with more digits.
      const decimals = currency === null || currency === '%' ? undefined : describeCurrency(currency).decimals;
      const isSmall = decimals !== undefined && shown.decimals > decimals;
      if (partOf !== undefined) getSum(partOf).parts.push(isSmall ? 0n : shown.value);
      for (const name of totalOf) getSum(name).total = isSmall ? 0n : shown.value;
    });
  return [...sums].flatMap(([name, { parts, total }]) => {
    const isRight = total === undefined || parts.length === 0 || sum(parts) === total;
    return isRight ? [] : [`${name}: parts add up to ${formatAmount(sum(parts))}, not to ${formatAmount(total)}`];
  });
}

/** Amounts of a sum as they are shown. */
interface Sum {
  parts: Amount[];
  total?: Amount;
}

function comparePath(
  path: string,
  shown: readonly ShownRow[],
  wanted: readonly ExpectedRow[],
  pairs: [ShownRow, ExpectedRow][],
): string[] {
  const open = [...wanted];
  const faults: string[] = [];
  for (const row of shown) {
    const results = open.map((candidate) => compareRow(row, candidate));
    const best = results.reduce((least, result, index) => (result.length < results[least]!.length ? index : least), 0);
    if (open.length === 0) faults.push(`${path}: unexpected ${row.figures.join(' ')}`);
    else {
      faults.push(...results[best]!.map((fault) => `${path}: ${fault}`));
      pairs.push([row, open[best]!]);
      open.splice(best, 1);
    }
  }
  return [...faults, ...open.map(({ figures }) => `${path}: missing ${figures.map(({ what }) => what).join(', ')}`)];
}

function compareRow({ figures }: ShownRow, expected: ExpectedRow): string[] {
  const faults = expected.figures.flatMap((figure, index) => {
    const text = figures[index];
    return text === undefined ? [`${figure.what} is missing`] : (findFault(text, figure) ?? []);
  });
  const extra = figures.slice(expected.figures.length);
  return extra.length === 0 ? faults : [...faults, `unexpected ${extra.join(' ')}`];
}
