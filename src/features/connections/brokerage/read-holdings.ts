import type { ProviderHolding } from '../aggregator.ts';
import type { Position, Positions } from './schemas.ts';
import { add, multiply } from './decimal.ts';

/** Kinds that a catalog of stocks, funds and ETFs prices by the share. */
const LISTED_KINDS: ReadonlySet<string> = new Set(['stock', 'adr', 'etf', 'cef', 'mutualfund']);
/** Kinds whose price times units is what they stand for, and not what they are worth. */
const MARGIN_KINDS: ReadonlySet<string> = new Set(['future', 'cfd']);

/**
 * Everything of an account but cash: a position that is `cash_equivalent` stands in its balance already. Positions in
 * the same instrument and currency are one. Null where a position does not say what it is of how much.
 */
export function readHoldings(
  accountId: string,
  { results, data_freshness: freshness }: Positions,
): ProviderHolding[] | null {
  const asOf = freshness && !Number.isNaN(Date.parse(freshness.as_of)) ? new Date(freshness.as_of) : new Date();
  const lines = results.filter(({ cash_equivalent: isCash }) => !isCash);
  const groups = Map.groupBy(lines, (line) => `${line.instrument.id} ${getCurrency(line) ?? ''}`);
  const byInstrument = Map.groupBy(groups.values(), ([line]) => line!.instrument.id);
  const holdings: ProviderHolding[] = [];
  for (const group of groups.values()) {
    const [{ instrument }] = group as [Position];
    const [quantity, currency] = [sumNullable(group.map(({ units }) => units)), getCurrency(group[0]!)];
    if (quantity === null || currency === null) return null;
    const isListed = LISTED_KINDS.has(instrument.kind) && !!instrument.symbol && Number(quantity) > 0;
    const isInSeveralCurrencies = byInstrument.get(instrument.id)!.length > 1;
    const name = instrument.description || instrument.symbol || 'Unnamed holding';
    holdings.push({
      accountId,
      externalId: isInSeveralCurrencies ? `${instrument.id} ${currency}` : instrument.id,
      symbol: isListed ? instrument.symbol! : null,
      name: name.slice(0, 300),
      quantity,
      costBasis: nullIfTooLarge(sumNullable(group.map(({ units, cost_basis: cost }) => multiplyNullable(units, cost)))),
      currency,
      value: nullIfTooLarge(sumNullable(group.map(computeValue))),
      asOf,
    });
  }
  return holdings.filter(({ quantity }) => Number(quantity) !== 0);
}

const getCurrency = ({ currency, instrument }: Position): string | null => currency ?? instrument.currency ?? null;

/** The price of an option is a share's, of which a contract has a hundred or so; its cost is the contract's. */
function computeValue({ instrument, units, price }: Position): string | null {
  if (MARGIN_KINDS.has(instrument.kind)) return null;
  return multiplyNullable(
    multiplyNullable(units, price),
    instrument.kind === 'option' ? (instrument.multiplier ?? '100') : '1',
  );
}

const multiplyNullable = (a: string | null | undefined, b: string | null | undefined): string | null =>
  a == null || b == null ? null : multiply(a, b);

/** Null where one is not known. */
const sumNullable = (amounts: readonly (string | null | undefined)[]): string | null =>
  amounts.reduce<string | null>((total, amount) => (total === null || amount == null ? null : add(total, amount)), '0');

/** What is larger than any column that keeps it is not known. */
const nullIfTooLarge = (amount: string | null): string | null => (Math.abs(Number(amount)) < 1e15 ? amount : null);
