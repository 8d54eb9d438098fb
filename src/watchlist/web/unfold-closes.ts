import type { Close, Watchlist, WatchlistInSteps } from '../contract.ts';

type Closes = Extract<WatchlistInSteps['items'][number], { locked: false }>['closes'];

/** The list with its closes in pairs, however they came. */
export function unfoldCloses(list: WatchlistInSteps | Watchlist): Watchlist {
  if (!('close_dates' in list)) return list;
  const { close_dates: dates, items, ...head } = list;
  return {
    ...head,
    items: items.map((item) => (item.locked ? item : { ...item, closes: toPairs(item.closes, dates) })),
  };
}

/** Whole numbers add up without error, and the one division gives the number that was written. */
function toPairs(closes: Closes, dates: readonly string[]): Close[] | null {
  if (closes === null || Array.isArray(closes)) return closes;
  const unit = 10 ** closes.decimals;
  let sum = 0;
  return closes.steps.flatMap((step, day): Close[] => (step === null ? [] : [[dates[day]!, (sum += step) / unit]]));
}
