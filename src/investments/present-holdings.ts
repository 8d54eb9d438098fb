import type { Holding, Position, PositionPart, UnlistedHolding } from './contract.ts';
import type { HoldingRow, PositionPartRow, PricedRow, UnlistedRow } from './queries.ts';

/** `numeric` arrives as text, since it may be longer than a number of JSON is exact. */
export const toNumber = (amount: string): number => Number(amount);
const orNull = (amount: string | null): number | null => (amount === null ? null : toNumber(amount));

function presentPriced(row: PricedRow) {
  return {
    symbol: row.symbol,
    name: row.name ?? row.symbol,
    logo: row.logo,
    logo_source: row.logo_source,
    asset_type: row.asset_type,
    currency: row.currency,
    price: row.price,
    price_unit: row.asset_type === 'bond' ? ('percent_of_par' as const) : ('currency' as const),
    price_at: row.price_at?.toISOString() ?? null,
  };
}

export function presentHolding(row: HoldingRow): Holding {
  return {
    id: row.id,
    account_id: row.account_id,
    account_name: row.account_name,
    ...presentPriced(row),
    quantity: toNumber(row.quantity),
    cost_basis: orNull(row.cost_basis),
    value: orNull(row.value),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentUnlisted(row: UnlistedRow): UnlistedHolding {
  return {
    id: row.id,
    account_id: row.account_id,
    account_name: row.account_name,
    name: row.name,
    quantity: toNumber(row.quantity),
    value: orNull(row.value),
    currency: row.currency,
    as_of: row.as_of.toISOString(),
  };
}

export function presentPart(row: PositionPartRow): PositionPart {
  return {
    account_id: row.account_id,
    account_name: row.account_name,
    quantity: toNumber(row.quantity),
    value: orNull(row.value),
    cost_basis: orNull(row.cost_basis),
    currency: row.currency,
  };
}

/** One position per symbol out of its parts, which come ordered by symbol. */
export function presentPositions(rows: readonly PositionPartRow[]): Position[] {
  const bySymbol = Map.groupBy(rows, (row) => row.symbol);
  return [...bySymbol.values()].map((parts) => {
    return {
      ...presentPriced(parts[0]!),
      change_1d: parts[0]!.change_1d,
      quantity: sumOf(parts.map(({ quantity }) => quantity))!,
      value: sumOf(parts.map(({ value }) => value)),
      cost_basis: sumOf(parts.map(({ cost_basis }) => cost_basis)),
      accounts: parts.map(presentPart),
    };
  });
}

/**
 * Null where one of them is not known. Added as whole numbers of their last decimal, since numbers of JSON would lose
 * digits or make some up: 0.1 + 0.2 is 0.3 here.
 */
function sumOf(amounts: readonly (string | null)[]): number | null {
  const decimals = Math.max(...amounts.map((amount) => amount?.split('.')[1]?.length ?? 0));
  let sum = 0n;
  for (const amount of amounts) {
    if (amount === null) return null;
    const [whole, part = ''] = amount.split('.');
    sum += BigInt(whole + part.padEnd(decimals, '0'));
  }
  return Number(`${sum}e-${decimals}`);
}
