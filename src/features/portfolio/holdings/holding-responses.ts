import type { Holding, HoldingTotals, Position, PositionList, PositionPart, UnlistedHolding } from './contract.ts';
import { convertToBase, EXACT_DECIMALS } from '../net-worth/convert-net-worth.ts';
import { calculateChangeAmount, calculateGain, calculateTotals } from './holding-figures.ts';
import { addAmounts, calculatePercent, sumAmounts, toNumberOrNull } from '../net-worth/amounts.ts';
import { explainHolding, explainPosition, explainTotals } from './explain-holdings.ts';
import {
  type AnyHoldingRow,
  type HoldingRow,
  type PositionPartRow,
  type PricedRow,
  splitHoldings,
  sumPositionParts,
  type UnlistedRow,
} from './queries.ts';
import { type BaseConversion, hasSampleRates } from '../net-worth/read-conversion.ts';

/** Returns listing and price of a holding. One that the catalog does not list has neither. */
export function toPricedFields<Row extends PricedRow | UnlistedRow>(row: Row) {
  const { symbol, logo, logo_source, asset_type, currency, price }: Pick<Row, keyof PricedRow & keyof UnlistedRow> =
    row;
  return {
    symbol,
    name: (row.name ?? symbol)!,
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
    quantity: Number(row.quantity),
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
  const quantity = Number(row.quantity);
  const value = toNumberOrNull(row.value);
  return {
    id,
    account_id,
    account_name,
    name,
    quantity,
    value,
    cost_basis: toNumberOrNull(row.cost_basis),
    gain: calculateGain([row]),
    currency,
    as_of: row.as_of.toISOString(),
    ...(isExplained && explainHolding(row)),
  };
}

export function toPositionPartResponse(row: PositionPartRow): PositionPart {
  return {
    account_id: row.account_id,
    account_name: row.account_name,
    quantity: Number(row.quantity),
    value: toNumberOrNull(row.value),
    cost_basis: toNumberOrNull(row.cost_basis),
    change_amount: calculateChangeAmount([row]),
    gain: calculateGain([row]),
    currency: row.currency,
  };
}

/**
 * Groups holdings by symbol into positions, and positions with all other holdings by currency into totals. `isExplained`
 * adds how each figure came about.
 */
export function toPositionList(
  rows: readonly AnyHoldingRow[],
  conversion: BaseConversion,
  isExplained = false,
): PositionList {
  const { listed, unlisted } = splitHoldings(rows);
  const partsOfPositions = [...Map.groupBy(sumPositionParts(listed), (row) => row.symbol).values()];
  const allPositions = [...partsOfPositions, ...unlisted.map((row) => [row])];
  const totals = calculateTotals(allPositions);
  const wholeValue = sumConverted(rows, conversion);
  const positions = partsOfPositions.map((parts) => toPositionResponse(parts, wholeValue, conversion));
  return {
    currency: conversion.currency,
    positions: isExplained
      ? positions.map((position, index) => addExplanations(position, partsOfPositions[index]!))
      : positions,
    ...(unlisted.length > 0 && { unlisted: unlisted.map((row) => toUnlistedHoldingResponse(row, isExplained)) }),
    session_day: conversion.sessionDay,
    totals: isExplained ? explainTotals(totals, allPositions) : totals,
    sample_data: listed.some(({ sample }) => sample) || hasSampleRates(conversion, rows),
  };
}

/** Returns the value of holdings in the base currency for percentages. Null if none has a value and a rate. */
function sumConverted(
  rows: readonly { currency: string | null; value: string | null }[],
  conversion: BaseConversion,
): string | null {
  const values = rows
    .map(({ currency, value }) => convertToBase(value, currency, conversion, EXACT_DECIMALS))
    .filter((value) => value !== null);
  return values.length === 0 ? null : addAmounts(values);
}

/** Adds to a position and to each of its parts how their figures came about. */
const addExplanations = (position: Position, parts: readonly PositionPartRow[]): Position => ({
  ...position,
  ...explainPosition(parts),
  accounts: position.accounts.map((account, index) => ({ ...account, ...explainPosition([parts[index]!]) })),
});

function toPositionResponse(
  parts: readonly PositionPartRow[],
  wholeValue: string | null,
  conversion: BaseConversion,
): Position {
  const [{ change_1d }] = parts as [PositionPartRow];
  const value = sumAmounts(parts.map((part) => part.value));
  return {
    ...toPricedFields(parts[0]!),
    change_1d,
    quantity: sumAmounts(parts.map(({ quantity }) => quantity))!,
    value,
    cost_basis: sumAmounts(parts.map(({ cost_basis }) => cost_basis)),
    change_amount: calculateChangeAmount(parts),
    gain: calculateGain(parts),
    weight: value === null ? null : calculatePercent(sumConverted(parts, conversion), wholeValue),
    accounts: parts.map(toPositionPartResponse),
  };
}

/** Returns the totals of an account's holdings per currency. `isExplained` adds how each figure came about. */
export function toAccountTotals(rows: readonly AnyHoldingRow[], isExplained = false): HoldingTotals[] {
  const { listed, unlisted } = splitHoldings(rows);
  const positions = [...sumPositionParts(listed), ...unlisted].map((row) => [row]);
  const totals = calculateTotals(positions);
  return isExplained ? explainTotals(totals, positions) : totals;
}
