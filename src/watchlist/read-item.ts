import type { Asked } from './context.ts';
import type { Close, ListState, WatchlistItem } from './contract.ts';
import { readReportsOf, stateOf } from './list-watchlist.ts';
import type { DayRow, ListHead, ListRow } from './queries.ts';
import { readList } from './queries.ts';
import { readClosesOf } from './read-closes.ts';
import { toItem } from './row-to-item.ts';

/** Where a list stands, with one symbol's row where it is on the list; `undefined` where the member's tier names no plan. */
export interface RowRead {
  head: ListHead;
  state: ListState;
  row: (ListRow & DayRow) | undefined;
}

export async function readRow({ member, sql }: Asked, symbol: string): Promise<RowRead | undefined> {
  const list = await readList(sql, member.idpId, symbol);
  return list && { head: list.head, state: stateOf(list.head), row: list.rows[0] };
}

/** A row as the list shows it. */
export async function completeItem(asked: Asked, row: ListRow): Promise<WatchlistItem> {
  const [closes, reports] = await Promise.all([readClosesOf(asked.deps, [row]), readReportsOf(asked, [row])]);
  const item = toItem(row, reports.get(row.symbol));
  return item.locked ? item : { ...item, closes: JSON.parse(closes.of(row) ?? 'null') as Close[] | null };
}
