import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { parseBlocks } from './parse-blocks.ts';
import type { Inline } from './parse-inline.ts';

const NEWS = 'https://news.example.com/apple?id=1';
const links = new Set([NEWS]);
const text = (words: string): Inline => ({ kind: 'text', text: words });
const read = (source: string) => parseBlocks(source, links);

/** Every address that would be a link. */
function linksOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linksOf);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'kind' in value && value.kind === 'link' ? [(value as unknown as { url: string }).url] : [];
  return [...own, ...Object.values(value).flatMap(linksOf)];
}

test('paragraphs, headings, lists, tables and code are read', () => {
  assert.deepEqual(read('One **bold** word\nand a second line.\n\n## Why'), [
    {
      kind: 'paragraph',
      lines: [[text('One '), { kind: 'strong', parts: [text('bold')] }, text(' word')], [text('and a second line.')]],
    },
    { kind: 'heading', lines: [[text('Why')]] },
  ]);
  assert.deepEqual(read('3. first\n   goes on\n4. *second*\n   - inner\n\nafter'), [
    {
      kind: 'list',
      ordered: true,
      start: 3,
      items: [
        { parts: [text('first'), text(' '), text('goes on')], items: [] },
        { parts: [{ kind: 'emphasis', parts: [text('second')] }], items: [[text('inner')]] },
      ],
    },
    { kind: 'paragraph', lines: [[text('after')]] },
  ]);
  assert.deepEqual(read('| Symbol | Day |\n|---|--:|\n| AAPL | `+1` |\n| MSFT |'), [
    {
      kind: 'table',
      head: [[text('Symbol')], [text('Day')]],
      rows: [
        [[text('AAPL')], [{ kind: 'code', text: '+1' }]],
        [[text('MSFT')], []],
      ],
    },
  ]);
  assert.deepEqual(read('```sql\nselect *\n  from holdings\n```\nend'), [
    { kind: 'code', text: 'select *\n  from holdings' },
    { kind: 'paragraph', lines: [[text('end')]] },
  ]);
});

test('a text that still grows reads as far as it goes', () => {
  assert.deepEqual(read('```sql\nselect'), [{ kind: 'code', text: 'select' }]);
  assert.deepEqual(read('**not yet'), [{ kind: 'paragraph', lines: [[text('**not yet')]] }]);
  assert.deepEqual(read(`[Apple](${NEWS.slice(0, 12)}`), [
    { kind: 'paragraph', lines: [[text(`[Apple](${NEWS.slice(0, 12)}`)]] },
  ]);
});

test('an address is a link only where a tool has given it; a picture never is one', () => {
  assert.deepEqual(read(`[Apple](${NEWS}) and ${NEWS}.`), [
    {
      kind: 'paragraph',
      lines: [
        [
          { kind: 'link', url: NEWS, parts: [text('Apple')] },
          text(' and '),
          { kind: 'link', url: NEWS, parts: [text(NEWS)] },
          text('.'),
        ],
      ],
    },
  ]);
  for (const source of [
    '[Apple](https://evil.example/?q=1)',
    '![Apple](https://evil.example/x.png)',
    `![Apple](${NEWS})`,
    '[Apple](javascript:alert(1))',
    '<a href="https://evil.example">Apple</a>',
    'https://evil.example/apple',
    `${NEWS}&more=1`,
  ])
    assert.deepEqual(linksOf(read(source)), [], source);
});

test('markup of another language stays text', () => {
  assert.deepEqual(read('<img src=x onerror=alert(1)>'), [
    { kind: 'paragraph', lines: [[text('<img src=x onerror=alert(1)>')]] },
  ]);
  assert.deepEqual(read('snake_case_name costs 2 * 3 * 4'), [
    { kind: 'paragraph', lines: [[text('snake_case_name costs 2 * 3 * 4')]] },
  ]);
});

test('whatever is written is read in time linear to it, loses no word and makes no link that was not given', () => {
  const piece = fc.constantFrom(
    '*',
    '**',
    '_',
    '`',
    '```',
    '[',
    '](',
    ')',
    '|',
    '---',
    '\n',
    '- ',
    '1. ',
    ' ',
    '#',
    NEWS,
    'https://e.example/',
    '\\',
    'word',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const source = pieces.join('');
      const blocks = read(source);
      assert.deepEqual(
        linksOf(blocks).filter((url) => !links.has(url)),
        [],
      );
      const words = JSON.stringify(blocks).split('word').length;
      // The line that opens code and names its language is no part of it, nor is the address behind a link's words.
      if (!source.includes('```') && !source.includes('](')) assert.equal(words, source.split('word').length);
    }),
    { numRuns: 2_000 },
  );
  for (const mark of ['[', '*', '**a', '_', '`', '|', '[](', '1. ', '> ', '\\'])
    assert.ok(read(mark.repeat(20_000)).length >= 0, mark);
});
