import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatShortName } from './security-labels.ts';

test('removes only the legal form from a short name', () => {
  const cases: [name: string | null, short: string][] = [
    ['Apple Inc.', 'Apple'],
    ['Amazon.com, Inc.', 'Amazon.com'],
    ['Microsoft Corporation', 'Microsoft'],
    ['JPMorgan Chase & Co.', 'JPMorgan Chase & Co.'],
    ['Wells Fargo & Company', 'Wells Fargo & Company'],
    ['Eli Lilly and Company', 'Eli Lilly and Company'],
    ['Merck & Co., Inc.', 'Merck & Co.'],
    ['Smith & Limited', 'Smith & Limited'],
    ['The Coca-Cola Company', 'The Coca-Cola Company'],
    ["Lowe's Companies, Inc.", "Lowe's Companies"],
    ['HSBC Holdings plc', 'HSBC Holdings'],
    ['ASML Holding N.V.', 'ASML Holding'],
    ['Spotify Technology S.A.', 'Spotify Technology'],
    ['', 'X'],
    [null, 'X'],
  ];
  for (const [name, short] of cases) assert.equal(formatShortName({ name, symbol: 'X' }), short);
});
