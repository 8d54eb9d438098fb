import { BYTE_ORDER_MARK, formatCsvLine } from '../../../platform/http/csv.ts';
import type { BaseNetWorth } from './contract.ts';

const COLUMNS = 'date currency cash investments net_worth added_or_withdrawn'.split(' ');

/** Returns the daily history of net worth as CSV (RFC 4180), oldest day first, with a byte order mark for spreadsheets. */
export function writeNetWorthCsv({ currency, history }: Pick<BaseNetWorth, 'currency' | 'history'>): string {
  const lines = history.map(({ date, cash, investments, total, flows = 0 }) => [
    date,
    currency,
    cash,
    investments,
    total,
    flows,
  ]);
  return BYTE_ORDER_MARK + [COLUMNS, ...lines].map(formatCsvLine).join('');
}
