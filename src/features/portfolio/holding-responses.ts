import type { Holding, Position, PositionPart, UnlistedHolding } from './contract.ts';
import type { HoldingRow, PositionPartRow, PricedRow, UnlistedRow } from './queries.ts';

/** Converts `numeric`, which is a string because it may exceed the precision of JSON numbers. */
export const toNumber = (amount: string): number => Number(amount);
const toNumberOrNull = (amount: string | null): number | null => (amount === null ? null : toNumber(amount));

function toPricedFields(row: PricedRow) {
  const { symbol, logo, logo_source, asset_type, currency, price } = row;
  return {
    symbol,
    name: row.name ?? symbol,
    logo,
    logo_source,
    asset_type,
    currency,
    price,
    price_unit: asset_type === 'bond' ? ('percent_of_par' as const) : ('currency' as const),
    price_at: row.price_at?.toISOString() ?? null,
  };
}

export function toHoldingResponse(row: HoldingRow): Holding {
  const { id, account_id, account_name } = row;
  return {
    id,
    account_id,
    account_name,
    ...toPricedFields(row),
    quantity: toNumber(row.quantity),
    cost_basis: toNumberOrNull(row.cost_basis),
    value: toNumberOrNull(row.value),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toUnlistedHoldingResponse(row: UnlistedRow): UnlistedHolding {
  const { id, account_id, account_name, name, currency } = row;
  const quantity = toNumber(row.quantity);
  const value = toNumberOrNull(row.value);
  return { id, account_id, account_name, name, quantity, value, currency, as_of: row.as_of.toISOString() };
}

export function toPositionPartResponse({ account_id, account_name, currency, ...row }: PositionPartRow): PositionPart {
  const quantity = toNumber(row.quantity);
  const value = toNumberOrNull(row.value);
  return { account_id, account_name, quantity, value, cost_basis: toNumberOrNull(row.cost_basis), currency };
}

/** Groups parts by symbol into positions. The parts must be sorted by symbol. */
export function toPositionResponses(rows: readonly PositionPartRow[]): Position[] {
  const partsBySymbol = Map.groupBy(rows, (row) => row.symbol);
  return [...partsBySymbol.values()].map((parts) => ({
    ...toPricedFields(parts[0]!),
    change_1d: parts[0]!.change_1d,
    quantity: sumAmounts(parts.map(({ quantity }) => quantity))!,
    value: sumAmounts(parts.map(({ value }) => value)),
    cost_basis: sumAmounts(parts.map(({ cost_basis }) => cost_basis)),
    accounts: parts.map(toPositionPartResponse),
  }));
}

/**
 * Returns the sum, or null if an amount is unknown. Amounts are added as integers of their last decimal, since floating
 * point would change digits: 0.1 + 0.2 is 0.3 here.
 */
function sumAmounts(amounts: readonly (string | null)[]): number | null {
  const decimals = Math.max(...amounts.map((amount) => amount?.split('.')[1]?.length ?? 0));
  let sum = 0n;
  for (const amount of amounts) {
    if (amount === null) return null;
    const [integerDigits, decimalDigits = ''] = amount.split('.');
    sum += BigInt(integerDigits + decimalDigits.padEnd(decimals, '0'));
  }
  return Number(`${sum}e-${decimals}`);
}
