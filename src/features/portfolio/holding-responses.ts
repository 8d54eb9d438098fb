import type { Holding, HoldingTotals, Position, PositionPart, UnlistedHolding } from './contract.ts';
import {
  calculateChangeAmount,
  calculateGain,
  calculatePercent,
  calculateTotals,
  sumAmounts,
} from './holding-figures.ts';
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
    change_amount: calculateChangeAmount([row]),
    gain: calculateGain([row]),
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

export function toPositionPartResponse(row: PositionPartRow): PositionPart {
  return {
    account_id: row.account_id,
    account_name: row.account_name,
    quantity: toNumber(row.quantity),
    value: toNumberOrNull(row.value),
    cost_basis: toNumberOrNull(row.cost_basis),
    change_amount: calculateChangeAmount([row]),
    gain: calculateGain([row]),
    currency: row.currency,
  };
}

/** Groups parts by symbol into positions, and positions by currency into totals. The parts must be sorted by symbol. */
export function toPositionResponses(rows: readonly PositionPartRow[]): {
  positions: Position[];
  totals: HoldingTotals[];
} {
  const partsOfPositions = [...Map.groupBy(rows, (row) => row.symbol).values()];
  const totals = calculateTotals(partsOfPositions);
  return { positions: partsOfPositions.map((parts) => toPositionResponse(parts, totals)), totals };
}

function toPositionResponse(parts: readonly PositionPartRow[], totals: readonly HoldingTotals[]): Position {
  const [{ currency, change_1d }] = parts as [PositionPartRow];
  const value = sumAmounts(parts.map((part) => part.value));
  const total = totals.find((candidate) => candidate.currency === currency)?.value ?? null;
  return {
    ...toPricedFields(parts[0]!),
    change_1d,
    quantity: sumAmounts(parts.map(({ quantity }) => quantity))!,
    value,
    cost_basis: sumAmounts(parts.map(({ cost_basis }) => cost_basis)),
    change_amount: calculateChangeAmount(parts),
    gain: calculateGain(parts),
    weight: value === null || total === null ? null : calculatePercent(value, total),
    accounts: parts.map(toPositionPartResponse),
  };
}

/** Returns the totals of an account's holdings per currency. */
export const toAccountTotals = (rows: readonly PositionPartRow[]): HoldingTotals[] =>
  calculateTotals(rows.map((row) => [row]));
