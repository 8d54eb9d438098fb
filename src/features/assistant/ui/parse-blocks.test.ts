import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { parseBlocks } from './parse-blocks.ts';
import type { Inline } from './parse-inline.ts';

const NEWS = 'https://news.example.com/apple?id=1';
const links = new Set([NEWS]);
const createText = (content: string): Inline => ({ kind: 'text', text: content });
const parse = (source: string) => parseBlocks(source, links);

/** Returns every URL that would be a link. */
function collectLinks(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(collectLinks);
  if (typeof value !== 'object' || value === null) return [];
  const ownLinks = 'kind' in value && value.kind === 'link' ? [(value as unknown as { url: string }).url] : [];
  return [...ownLinks, ...Object.values(value).flatMap(collectLinks)];
}

test('parses paragraphs, headings, lists, tables and code', () => {
  assert.deepEqual(parse('One **bold** word\nand a second line.\n\n## Why'), [
    {
      kind: 'paragraph',
      lines: [
        [createText('One '), { kind: 'strong', parts: [createText('bold')] }, createText(' word')],
        [createText('and a second line.')],
      ],
    },
    { kind: 'heading', lines: [[createText('Why')]] },
  ]);
  assert.deepEqual(parse('3. first\n   goes on\n4. *second*\n   - inner\n\nafter'), [
    {
      kind: 'list',
      ordered: true,
      start: 3,
      items: [
        { parts: [createText('first'), createText(' '), createText('goes on')], items: [] },
        { parts: [{ kind: 'emphasis', parts: [createText('second')] }], items: [[createText('inner')]] },
      ],
    },
    { kind: 'paragraph', lines: [[createText('after')]] },
  ]);
  assert.deepEqual(parse('| Symbol | Day |\n|---|--:|\n| AAPL | `+1` |\n| MSFT |'), [
    {
      kind: 'table',
      head: [[createText('Symbol')], [createText('Day')]],
      rows: [
        [[createText('AAPL')], [{ kind: 'code', text: '+1' }]],
        [[createText('MSFT')], []],
      ],
    },
  ]);
  assert.deepEqual(parse('```sql\nselect *\n  from holdings\n```\nend'), [
    { kind: 'code', text: 'select *\n  from holdings' },
    { kind: 'paragraph', lines: [[createText('end')]] },
  ]);
});

test('parses the beginning of an unfinished text', () => {
  assert.deepEqual(parse('```sql\nselect'), [{ kind: 'code', text: 'select' }]);
  assert.deepEqual(parse('**not yet'), [{ kind: 'paragraph', lines: [[createText('**not yet')]] }]);
  assert.deepEqual(parse(`[Apple](${NEWS.slice(0, 12)}`), [
    { kind: 'paragraph', lines: [[createText(`[Apple](${NEWS.slice(0, 12)}`)]] },
  ]);
});

test('links a URL only when a tool returned it and never links an image', () => {
  assert.deepEqual(parse(`[Apple](${NEWS}) and ${NEWS}.`), [
    {
      kind: 'paragraph',
      lines: [
        [
          { kind: 'link', url: NEWS, parts: [createText('Apple')] },
          createText(' and '),
          { kind: 'link', url: NEWS, parts: [createText(NEWS)] },
          createText('.'),
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
    assert.deepEqual(collectLinks(parse(source)), [], source);
});

test('keeps HTML as plain text', () => {
  assert.deepEqual(parse('<img src=x onerror=alert(1)>'), [
    { kind: 'paragraph', lines: [[createText('<img src=x onerror=alert(1)>')]] },
  ]);
  assert.deepEqual(parse('snake_case_name costs 2 * 3 * 4'), [
    { kind: 'paragraph', lines: [[createText('snake_case_name costs 2 * 3 * 4')]] },
  ]);
});

test('parses any text in linear time without losing words or adding links', () => {
  const fragment = fc.constantFrom(
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
    fc.property(fc.array(fragment, { maxLength: 60 }), (fragments) => {
      const source = fragments.join('');
      const blocks = parse(source);
      assert.deepEqual(
        collectLinks(blocks).filter((url) => !links.has(url)),
        [],
      );
      const wordCount = JSON.stringify(blocks).split('word').length;
      // The text of a code fence's info string and the URL of a link are not displayed.
      if (!source.includes('```') && !source.includes('](')) assert.equal(wordCount, source.split('word').length);
    }),
    { numRuns: 2_000 },
  );
  for (const mark of ['[', '*', '**a', '_', '`', '|', '[](', '1. ', '> ', '\\'])
    assert.ok(parse(mark.repeat(20_000)).length >= 0, mark);
});
