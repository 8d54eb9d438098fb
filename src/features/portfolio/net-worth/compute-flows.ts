import { AMOUNT_DECIMALS, convertAmount } from './convert-net-worth.ts';
import { negate } from './amounts.ts';

/** Part of net worth: the cash of an account, or a holding. Amounts are decimal text. */
export interface Part {
  kind: 'cash' | 'manual' | 'connected';
  id: string;
  currency: string | null;
  symbol: string | null;
  quantity: string;
  /** Price of one unit of the quantity, in `currency`. Null if it is unknown. */
  price: string | null;
  cost_basis: string | null;
}

/** Returns the cash of an account as a part of net worth. */
export const toCashPart = ({ id, currency, balance }: { id: string; currency: string; balance: string }): Part => ({
  kind: 'cash',
  id,
  currency,
  symbol: null,
  quantity: balance,
  price: '1',
  cost_basis: null,
});

/** What was added to net worth, or withdrawn if negative: an amount, or a quantity without a price yet. */
export type Flow =
  | { currency: string; amount: string; symbol: null; quantity: null }
  | { currency: null; amount: null; symbol: string; quantity: string };

/**
 * Returns the flows of a change: the difference of each quantity at the price after the change, summed per currency.
 * What an institution values for the first time counts as added.
 */
export function computeFlows(before: readonly Part[], after: readonly Part[]): Flow[] {
  const previousParts = new Map(before.map((part) => [toKey(part), part]));
  const nextParts = new Map(after.map((part) => [toKey(part), part]));
  const unitsByCurrency = new Map<string, bigint>();
  const unvalued: Flow[] = [];
  for (const key of new Set([...previousParts.keys(), ...nextParts.keys()])) {
    const previous = previousParts.get(key);
    const next = nextParts.get(key);
    if (isSplit(previous, next)) continue;
    const { currency, price, symbol } = next && next.price !== null ? next : (previous ?? next!);
    const quantity = next?.quantity ?? '0';
    const wasCounted = previous !== undefined && (previous.price !== null || previous.symbol !== null);
    const previousQuantity = wasCounted ? previous.quantity : '0';
    if (price !== null && currency !== null) {
      const units = toUnits(quantity, price) - toUnits(previousQuantity, price);
      unitsByCurrency.set(currency, (unitsByCurrency.get(currency) ?? 0n) + units);
    } else if (symbol !== null && quantity !== previousQuantity)
      for (const added of [quantity, negate(previousQuantity)])
        if (Number(added) !== 0) unvalued.push({ currency: null, amount: null, symbol, quantity: added });
  }
  const valued = [...unitsByCurrency].filter(([, units]) => units !== 0n);
  return [
    ...valued.map(([currency, units]): Flow => {
      return { currency, amount: `${units}e-${AMOUNT_DECIMALS}`, symbol: null, quantity: null };
    }),
    ...unvalued,
  ];
}

const toKey = ({ kind, id }: Part): string => `${kind} ${id}`;

/** Returns whether a connected holding kept its cost. A purchase raises it, so another quantity is then a split. */
const isSplit = (previous: Part | undefined, next: Part | undefined): boolean =>
  next?.kind === 'connected' && next.cost_basis !== null && next.cost_basis === previous?.cost_basis;

const toUnits = (quantity: string, price: string): bigint => convertAmount(quantity, { base: price, other: '1' });
