import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { ImportOutcome } from '../../contract.ts';
import { formatImportSummary } from './import-summary.ts';

const formatOutcomes = (...outcomes: ImportOutcome[]): string =>
  formatImportSummary(outcomes.map((outcome) => ({ outcome })));

test('states how many tickers were added and why the others were not', () => {
  assert.equal(formatOutcomes('added'), '1 ticker added to your watchlist.');
  assert.equal(
    formatOutcomes('added', 'added', 'duplicate', 'unsupported'),
    '2 tickers added to your watchlist, 1 already on the list, 1 not supported.',
  );
  assert.equal(
    formatOutcomes('over_limit', 'unknown', 'over_limit', 'duplicate'),
    'Nothing was added, 1 already on the list, 2 over the limit of your plan, 1 not found.',
  );
});

test('reports that all tickers are on the list only when each one is', () => {
  assert.equal(formatOutcomes('duplicate', 'duplicate'), 'All of these are already on your watchlist.');
  assert.equal(formatOutcomes('over_limit'), 'Nothing was added, 1 over the limit of your plan.');
});
