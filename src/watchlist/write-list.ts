import { foldCloses } from './fold-closes.ts';
import type { ListedWatchlist } from './list-watchlist.ts';

/**
 * The list as JSON text, its closes in pairs or in steps. They go in as the text that the database keeps: parsing 250 × 30 of them to
 * write them again took longer than the three statements.
 */
export function writeList({ rows, ...head }: ListedWatchlist, closesAs: 'pairs' | 'steps' = 'pairs'): string {
  const texts = rows.map(({ closes }) => closes);
  const folded = closesAs === 'steps' ? foldCloses(texts) : undefined;
  const closes = folded?.rows ?? texts;
  const items = rows.map(({ item }, index) => {
    const text = JSON.stringify(item);
    return item.locked ? text : `${text.slice(0, -1)},"closes":${closes[index] ?? 'null'}}`;
  });
  const shared = folded ? { ...head, close_dates: folded.dates } : head;
  return `${JSON.stringify(shared).slice(0, -1)},"items":[${items.join(',')}]}`;
}
