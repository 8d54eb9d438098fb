import type { ActiveItem, NextReport, WatchlistItem } from './contract.ts';
import type { ListRow } from './queries.ts';

/** An item whose closes are not added yet. */
export type ItemWithoutCloses = Exclude<WatchlistItem, ActiveItem> | Omit<ActiveItem, 'closes'>;

/** Returns a row as the API responds. A locked item has no market fields and no report. */
export function toWatchlistItem(row: ListRow, report: NextReport | undefined): ItemWithoutCloses {
  const identity = {
    id: row.id,
    symbol: row.symbol,
    position: row.position,
    asset_type: row.asset_type,
    name: row.name,
    exchange: row.exchange,
    logo: row.logo,
    currency: row.currency,
    price_unit: row.asset_type === 'bond' ? ('percent_of_par' as const) : ('currency' as const),
    held: row.held,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
  if (row.locked) return { ...identity, locked: true, next_report: null };
  return {
    ...identity,
    locked: false,
    next_report: report ? { date: report.date, when: report.when } : null,
    price: row.price,
    change_1d: row.change_1d,
    change_amount: row.change_amount,
    prev_close: row.prev_close,
    market_cap: row.market_cap,
    volume: row.volume,
    price_at: row.price_at?.toISOString() ?? null,
    delayed_minutes: row.delayed_minutes,
    sample: row.sample,
  };
}

/** Returns whether an asset type has daily candles. Stocks and ETFs do. Funds and bonds have no chart. */
export const hasPriceHistory = (row: Pick<ListRow, 'asset_type'>): boolean =>
  row.asset_type === 'stock' || row.asset_type === 'etf';
