import type { ColumnRole, FileKind } from './contract.ts';
import type { Table } from './find-tables.ts';
import { parseDate } from './parse-date.ts';
import { findAction } from './transaction-actions.ts';

/** Names of dates on which something was bought or sold. Other dates may be those of a price. */
const TRADE_DATE =
  /\btrade\b|date\/time|transact|purchase|acqui|execut|\bdeal|handelst|handelsd|kaufdatum|ausführ|schlusstag|\bopen|opérat|transactie/;

/**
 * Decides by the rows whether a table lists positions or transactions. Returns null if they do not say it. Dates that
 * are equal in all rows are the date of the list.
 */
export function decideKind(
  { header, rows }: Pick<Table, 'header' | 'rows'>,
  roles: readonly ColumnRole[],
): FileKind | null {
  const listCells = (role: ColumnRole): string[] => {
    const indices = [...roles.keys()].filter((index) => roles[index] === role);
    return rows.map(({ cells }) => indices.map((index) => cells[index]).find(Boolean) ?? '');
  };
  const actions = listCells('action').filter((cell) => cell !== '');
  const known = actions.filter((cell) => ![undefined, 'other'].includes(findAction(cell)));
  if (known.length * 2 > actions.length) return 'transactions';
  if (!roles.includes('date')) return 'positions';

  const quantities = listCells('quantity');
  const securities = [listCells('symbol'), listCells('identifier'), listCells('name')];
  const isNegative = (index: number): boolean => /^\s*[-(\u2212].*\d|\d-\s*$/.test(quantities[index]!);
  const dated = listCells('date').flatMap((cell, index) => {
    const { dayFirst, monthFirst } = parseDate(cell);
    const day = (dayFirst ?? monthFirst)?.slice(0, 10);
    if (day === undefined || !/\d/.test(quantities[index]!)) return [];
    const security = securities.map((cells) => cells[index]).find(Boolean) ?? '';
    return [{ day, security, isNegative: isNegative(index) }];
  });
  const countDistinct = (texts: readonly string[]): number => new Set(texts).size;
  const hasSeveralDays = countDistinct(dated.map(({ day }) => day)) > 1;
  const repeated =
    countDistinct(dated.map(({ day, security }) => `${security}\n${day}`)) >
    countDistinct(dated.map(({ security }) => security));
  if (repeated || TRADE_DATE.test(header[roles.indexOf('date')]?.name ?? '')) return 'transactions';
  if (hasSeveralDays && dated.some((row) => row.isNegative)) return 'transactions';
  const hasCost = roles.includes('cost') || roles.includes('unit_cost');
  const isDateOfList = !hasSeveralDays && dated.length !== 1;
  return isDateOfList || (hasCost && roles.includes('value')) ? 'positions' : null;
}
