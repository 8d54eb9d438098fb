import type { Holding, Position, PositionPart } from './contract.ts';
import type { HoldingRow, PositionPartRow, PricedRow } from './queries.ts';

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
    const accounts = parts.map(presentPart);
    return {
      ...presentPriced(parts[0]!),
      change_1d: parts[0]!.change_1d,
      quantity: sumOf(accounts.map(({ quantity }) => quantity))!,
      value: sumOf(accounts.map(({ value }) => value)),
      cost_basis: sumOf(accounts.map(({ cost_basis }) => cost_basis)),
      accounts,
    };
  });
}

/** Null where one of them is not known. Ten decimals are what the parts are kept to: 0.1 + 0.2 is 0.3 here. */
function sumOf(amounts: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const amount of amounts) {
    if (amount === null) return null;
    sum += amount;
  }
  return Number(sum.toPrecision(15));
}
