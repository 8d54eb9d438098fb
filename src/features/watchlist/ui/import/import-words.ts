import type { ImportOutcome } from '../../contract.ts';

const reasons: readonly (readonly [ImportOutcome, string])[] = [
  ['duplicate', 'on the list already'],
  ['over_limit', 'over the limit of your plan'],
  ['unknown', 'not found'],
  ['unsupported', 'not supported'],
];

/** What became of an import, in one sentence: how many tickers were added, and why the others were not. */
export function importWords(rows: readonly { outcome: ImportOutcome }[]): string {
  const count = (outcome: ImportOutcome): number => rows.filter((row) => row.outcome === outcome).length;
  if (count('duplicate') === rows.length) return 'All of these are on your watchlist.';
  const added = count('added');
  const done =
    added === 0 ? 'Nothing was added' : `${added} ${added === 1 ? 'ticker' : 'tickers'} added to your watchlist`;
  const rest = reasons.flatMap(([outcome, words]) => (count(outcome) === 0 ? [] : [`${count(outcome)} ${words}`]));
  return `${[done, ...rest].join(', ')}.`;
}
