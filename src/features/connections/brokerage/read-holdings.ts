import { Big } from 'big.js';
import type { ConnectedHolding } from '../../portfolio/accounts/contract.ts';
import type { Position, Positions } from './schemas.ts';

/** Kinds that the shared ticker catalog can contain. */
const LISTED_KINDS: ReadonlySet<string> = new Set(['stock', 'adr', 'etf', 'cef', 'mutualfund']);
/** Instruments whose price × units is notional value, not market value. */
const MARGIN_KINDS: ReadonlySet<string> = new Set(['future', 'cfd']);

/**
 * Returns all holdings of an account except cash. The balance already includes `cash_equivalent` positions. Positions
 * in one instrument and currency are merged. Returns null if a position lacks its instrument or quantity.
 */
export function readHoldings(
  accountId: string,
  { results, data_freshness: freshness }: Positions,
): ConnectedHolding[] | null {
  const asOf = freshness && !Number.isNaN(Date.parse(freshness.as_of)) ? new Date(freshness.as_of) : new Date();
  const nonCashPositions = results.filter(({ cash_equivalent: isCash }) => !isCash);
  const groups = Map.groupBy(
    nonCashPositions,
    (position) => `${position.instrument.id} ${getCurrency(position) ?? ''}`,
  );
  const groupsByInstrument = Map.groupBy(groups.values(), ([position]) => position!.instrument.id);
  const holdings: ConnectedHolding[] = [];
  for (const group of groups.values()) {
    const [{ instrument }] = group as [Position];
    const quantity = sumNullable(group.map(({ units }) => units));
    const currency = getCurrency(group[0]!);
    if (quantity === null || currency === null) return null;
    const isListed = LISTED_KINDS.has(instrument.kind) && !!instrument.symbol && Number(quantity) > 0;
    const isInSeveralCurrencies = groupsByInstrument.get(instrument.id)!.length > 1;
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

/** Returns the market value. The price of an option is per share, and a contract usually covers 100 shares. */
function computeValue({ instrument, units, price }: Position): string | null {
  if (MARGIN_KINDS.has(instrument.kind)) return null;
  return multiplyNullable(
    multiplyNullable(units, price),
    instrument.kind === 'option' ? (instrument.multiplier ?? '100') : '1',
  );
}

const multiplyNullable = (a: string | null | undefined, b: string | null | undefined): string | null =>
  a == null || b == null ? null : Big(a).times(b).toFixed();

/** Returns the sum, or null if an amount is unknown. */
const sumNullable = (amounts: readonly (string | null | undefined)[]): string | null =>
  amounts.reduce<string | null>(
    (total, amount) => (total === null || amount == null ? null : Big(total).plus(amount).toFixed()),
    '0',
  );

/** Returns null for an amount beyond the range of the database columns. */
const nullIfTooLarge = (amount: string | null): string | null => (Math.abs(Number(amount)) < 1e15 ? amount : null);
