import type { Holding, HoldingTotals, Position, PositionList, PositionPart, UnlistedHolding } from './contract.ts';
import {
  calculateChangeAmount,
  calculateGain,
  calculatePercent,
  calculateTotals,
  sumAmounts,
} from './holding-figures.ts';
import { explainHolding, explainPosition, explainTotals, explainUnlistedHolding } from './explain-holdings.ts';
import type { HoldingRow, PositionPartRow, PricedRow, UnlistedRow } from './queries.ts';

/** Converts `numeric`, which is a string because it may exceed the precision of JSON numbers. */
export const toNumber = (amount: string): number => Number(amount);
const toNumberOrNull = (amount: string | null): number | null => (amount === null ? null : toNumber(amount));

export function toPricedFields(row: PricedRow) {
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

/** Returns the holding as the API does. `isExplained` adds how its figures came about. */
export function toHoldingResponse(row: HoldingRow, isExplained = false): Holding {
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
    ...(isExplained && explainHolding(row)),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toUnlistedHoldingResponse(row: UnlistedRow, isExplained = false): UnlistedHolding {
  const { id, account_id, account_name, name, currency } = row;
  const quantity = toNumber(row.quantity);
  const value = toNumberOrNull(row.value);
  return {
    id,
    account_id,
    account_name,
    name,
    quantity,
    value,
    currency,
    as_of: row.as_of.toISOString(),
    ...(isExplained && { explain: explainUnlistedHolding(row) }),
  };
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

/**
 * Groups parts by symbol into positions, and positions by currency into totals. The parts must be sorted by symbol. Given
 * the unlisted holdings, which the totals omit, each figure has its explanation.
 */
export function toPositionResponses(
  rows: readonly PositionPartRow[],
  unlisted?: readonly UnlistedRow[],
): { positions: Position[]; totals: HoldingTotals[] } {
  const partsOfPositions = [...Map.groupBy(rows, (row) => row.symbol).values()];
  const totals = calculateTotals(partsOfPositions);
  const positions = partsOfPositions.map((parts) => toPositionResponse(parts, totals));
  if (!unlisted) return { positions, totals };
  return {
    positions: positions.map((position, index) => addExplanations(position, partsOfPositions[index]!)),
    totals: explainTotals(totals, partsOfPositions, unlisted),
  };
}

/** Adds to a position and to each of its parts how their figures came about. */
const addExplanations = (position: Position, parts: readonly PositionPartRow[]): Position => ({
  ...position,
  ...explainPosition(parts),
  accounts: position.accounts.map((account, index) => ({ ...account, ...explainPosition([parts[index]!]) })),
});

/** Returns the positions and their totals as the API does. */
export const toPositionList = (rows: readonly PositionPartRow[], unlisted?: readonly UnlistedRow[]): PositionList => ({
  ...toPositionResponses(rows, unlisted),
  sample_data: rows.some(({ sample }) => sample),
});

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

/** Returns the totals of an account's holdings per currency, explained if its unlisted holdings are given. */
export function toAccountTotals(rows: readonly PositionPartRow[], unlisted?: readonly UnlistedRow[]): HoldingTotals[] {
  const parts = rows.map((row) => [row]);
  const totals = calculateTotals(parts);
  return unlisted ? explainTotals(totals, parts, unlisted) : totals;
}
