import assert from 'node:assert/strict';
import { test } from 'vitest';
import { findStaleReferences } from './stale-references.ts';

const code = [
  {
    path: 'src/a/read-list.ts',
    text: '/** Reads as `sortList` does, see sort-list.ts. */\nexport const readList = sortList;\n',
  },
];
const paths = ['src/a/read-list.ts', 'src/a/sort-list.ts', 'docs/page.md'];
const find = (text: string): string[] => findStaleReferences([{ path: 'docs/page.md', text }], code, paths);

test('accepts files and names that exist when a page mentions them', () => {
  assert.deepEqual(find('Call `readList` of src/a/read-list.ts, `a/sort-list.ts`, [here](../src/a/read-list.ts).'), []);
});

test('reports a file that does not exist when a page names its path', () => {
  assert.deepEqual(find('First.\nOpen `src/b/read-list.ts`.'), ['docs/page.md:2: src/b/read-list.ts is no file']);
});

test('reports a file that does not exist when a page names it without a folder', () => {
  assert.deepEqual(find('See reed-list.ts.'), ['docs/page.md:1: reed-list.ts is no file']);
});

test('reports a name when the code has it in no statement', () => {
  assert.deepEqual(find('Call `readLists()`.'), ['docs/page.md:1: readLists is no name in the code']);
});

test('reports a comment that names what was renamed', () => {
  const renamed = [{ ...code[0]!, text: code[0]!.text.replace('= sortList', '= orderList') }];
  assert.deepEqual(findStaleReferences([], renamed, paths), ['src/a/read-list.ts:1: sortList is no name in the code']);
});

test('skips suffixes, absolute paths and escapes when a page mentions them', () => {
  assert.deepEqual(find('Files end in `-app.ts` or `.test.ts`; /etc/tally/terms.md; printf "\\nReadWritePaths".'), []);
});
