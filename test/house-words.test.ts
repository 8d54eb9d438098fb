import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectWith } from './support/house-tree.ts';

/** Written in pieces, so that this file itself holds none of them. */
const of = (...pieces: string[]): string => pieces.join('');

/** What is planted → the file, the line and the word that must be named. */
const planted: [what: string, changes: Record<string, string>, expected: string][] = [
  [
    'in a comment',
    { 'test/a.test.ts': `// One ${of('wi', 'sh')} at a time.\n` },
    `test/a.test.ts:1 [words] says "${of('wi', 'sh')}". The standard term is: job request`,
  ],
  [
    'inside a name',
    { 'scripts/a.ts': `export const report${of('Pat', 'ience')} = 5;\n` },
    `scripts/a.ts:1 [words] says "${of('Pat', 'ience')}". The standard term is: timeout`,
  ],
  [
    'in the name of a constant',
    { 'bench/a.ts': `export const MOST_${of('PAT', 'IENCE')} = 5;\n` },
    `bench/a.ts:1 [words] says "${of('PAT', 'IENCE')}". The standard term is: timeout`,
  ],
  [
    'in the name of a file',
    { [`src/web/lib/use-${of('unhur', 'ried')}.ts`]: 'export const a = 1;\n' },
    `src/web/lib/use-${of('unhur', 'ried')}.ts [words] says "${of('unhur', 'ried')}". The standard term is: deferred`,
  ],
  [
    'as a phrase on a page',
    { 'docs/setup.md': `One\ntwo ${of('came ', 'due')}.\n` },
    `docs/setup.md:2 [words] says "${of('came ', 'due')}". The standard term is: overdue`,
  ],
  [
    'as a phrase inside a name',
    { 'src/watchlist/routes.ts': `export const is${of('Held', 'Back')} = 1;\n` },
    `src/watchlist/routes.ts:1 [words] says "${of('Held', ' Back')}". The standard term is: quarantined`,
  ],
  [
    "as the type of a request's context",
    { 'cli/a.ts': `export type List = (context: ${of('As', 'ked')}) => void;\n` },
    `cli/a.ts:1 [words] says ": ${of('As', 'ked')}". The standard term is: RequestContext`,
  ],
];

for (const [where, changes, expected] of planted) {
  test(`the house reports a retired word ${where}`, () => {
    const found = inspectWith(changes).filter((problem) => problem.includes('[words]'));
    assert.equal(found.length, 1, found.join('\n'));
    assert.ok(found[0]!.startsWith(expected), found[0]);
  });
}

test('words that hold a retired one, a plain question and the name of a metric are no retired words', () => {
  const text =
    'This impatiens is outpatient; the history of a wishbone. Asked for again, it answers.\n' +
    'The metric market_data_prices_held_back keeps its name.\n';
  assert.deepEqual(inspectWith({ 'docs/garden.md': text }), []);
});
