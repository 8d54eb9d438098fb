import type { ImportOutcome } from '../../contract.ts';

const skipReasons: readonly (readonly [ImportOutcome, string])[] = [
  ['duplicate', 'already on the list'],
  ['over_limit', 'over the limit of your plan'],
  ['unknown', 'not found'],
  ['unsupported', 'not supported'],
];

/** Returns the summary of an import in one sentence: the number of added tickers, and the reasons for the others. */
export function formatImportSummary(rows: readonly { outcome: ImportOutcome }[]): string {
  const countOutcome = (outcome: ImportOutcome): number => rows.filter((row) => row.outcome === outcome).length;
  if (countOutcome('duplicate') === rows.length) return 'All of these are already on your watchlist.';
  const added = countOutcome('added');
  const addedText =
    added === 0 ? 'Nothing was added' : `${added} ${added === 1 ? 'ticker' : 'tickers'} added to your watchlist`;
  const skippedTexts = skipReasons.flatMap(([outcome, label]) =>
    countOutcome(outcome) === 0 ? [] : [`${countOutcome(outcome)} ${label}`],
  );
  return `${[addedText, ...skippedTexts].join(', ')}.`;
}
