/** Compares reports by date, then by symbol. */
export function compareByDate(a: { date: string; symbol: string }, b: { date: string; symbol: string }): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1;
  return a.symbol < b.symbol ? -1 : 1;
}

/** Compares articles, newest first. */
export const compareNewestFirst = (a: { published_at: string }, b: { published_at: string }): number =>
  a.published_at < b.published_at ? 1 : -1;
