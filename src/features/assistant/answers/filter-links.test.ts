import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { createLinkFilter } from './filter-links.ts';

const ALLOWED_URL = 'https://news.example.com/apple-outlook?x=1';
const createFilter = () => createLinkFilter((url) => url === ALLOWED_URL);

/** Returns the text that the filter emits for these chunks. */
function filterChunks(chunks: readonly string[]): { text: string; removed: number } {
  const filter = createFilter();
  const text = chunks.map((chunk) => filter.push(chunk)).join('') + filter.end();
  return { text, removed: filter.removed };
}

test.each([
  ['a Markdown link', `See [Apple](${ALLOWED_URL}).`],
  ['a bare URL before a full stop', `See ${ALLOWED_URL}.`],
  ['a bare URL before a comma', `See ${ALLOWED_URL}, and more`],
  ['a bare URL in brackets', `(${ALLOWED_URL})`],
])('keeps %s when a tool returned its URL', (_description, text) => {
  assert.deepEqual(filterChunks([text]), { text, removed: 0 });
});

test.each([
  ['a Markdown link', 'See [Apple](https://evil.example/?q=1).', 'See Apple (link removed).'],
  ['a bare URL', 'See https://evil.example/x.', 'See (link removed).'],
  ['a longer URL than the allowed one', `See ${ALLOWED_URL}&leak=1 now`, 'See (link removed) now'],
  ['an image', '![x](https://evil.example/p.png)', 'x (link removed)'],
  ['an image of an allowed URL', `![x](${ALLOWED_URL})`, 'x (link removed)'],
  ['a script', '[x](javascript:alert(1))', 'x (link removed))'],
  ['a URL without a scheme', '[x](//evil.example/a)', 'x (link removed)'],
  ['a path', '[x](/api/accounts)', 'x (link removed)'],
  ['a URL in angle brackets with a title', '[x]( <https://evil.example> "title")', 'x (link removed)'],
  ['a data URL', 'data:text/html,boo', '(link removed)'],
  ['an allowed URL continued by an angle bracket', `[x](${ALLOWED_URL}>leak)`, 'x (link removed)'],
  ['an allowed URL continued by a round bracket', `[x](<${ALLOWED_URL})leak>)`, 'x (link removed)leak>)'],
  ['a definition', '[1]: https://evil.example', '(link removed)'],
  ['a scheme in capitals', 'HTTPS://EVIL.example', '(link removed)'],
])('removes and counts %s', (_description, text, expected) => {
  assert.deepEqual(filterChunks([text]), { text: expected, removed: 1 });
});

test('emits plain text at once except for possible beginnings of links', () => {
  const text = 'AAPL is up 2.2% (as of 10:15), NASDAQ:AAPL. Note: [sic] a_b * c, 3 < 4 | 5\n- one\n- **two**\n';
  assert.deepEqual(filterChunks([text]), { text, removed: 0 });
  const filter = createFilter();
  assert.equal(filter.push('You hold 12 sha'), 'You hold 12 sha');
  assert.equal(filter.push('res, see htt'), 'res, see ');
});

const fragment = fc.constantFrom(
  `[Apple](${ALLOWED_URL})`,
  ALLOWED_URL,
  'https://evil.example/a',
  '[x](https://evil.example)',
  'javascript:alert',
  '//evil.example/b',
  '](\n//evil.example/b',
  '[x]:\n//evil.example/b',
  ' ',
  '\n',
  'h',
  '![',
  '](',
  ')',
  '[',
  ']',
  'https:',
  '//',
  'word ',
  ': ',
  '**b**',
  '| a | b |',
);

/** Cuts a text into chunks of these lengths (plus one), and the rest. */
function cutText(text: string, lengths: readonly number[]): string[] {
  const chunks: string[] = [];
  let start = 0;
  for (const length of lengths) {
    chunks.push(text.slice(start, start + length + 1));
    start += length + 1;
  }
  return [...chunks, text.slice(start)];
}

const LINK = /[a-z]+:\/\/[^\s<>"'`|)\]]+|\]\([ \t]*\n?[ \t]*\/\/evil[^\s)]*[ \t]*\n?[ \t]*\)/gi;

test('emits no other link for any text, cut at any place', () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 12 }), fc.array(fc.nat(7), { maxLength: 40 }), (fragments, lengths) => {
      const text = fragments.join('');
      for (const result of [filterChunks([text]), filterChunks(cutText(text, lengths))])
        for (const [url] of result.text.matchAll(LINK))
          assert.ok(url.startsWith(ALLOWED_URL) || !url.includes('evil'), result.text);
    }),
  );
});

test('recognizes a scheme after punctuation or inside a word, wherever the text is cut', () => {
  for (const text of ['**b**https://evil.example/a', 'xhttps://evil.example/a', 'x.https://evil.example/a'])
    for (let cut = 0; cut <= text.length; cut += 1)
      for (let second = cut; second <= text.length; second += 1) {
        const result = filterChunks([text.slice(0, cut), text.slice(cut, second), text.slice(second)]);
        assert.ok(!result.text.includes('evil'), `${text}, cut at ${cut} and ${second}: ${result.text}`);
      }
});

test('removes a URL that the removal of an image completes, wherever the text is cut', () => {
  for (const text of ['x![://[a](https://evil.example)', 'https:![//evil.example/b[a](https://evil.example)'])
    for (let cut = 0; cut <= text.length; cut += 1)
      for (let second = cut; second <= text.length; second += 1) {
        const result = filterChunks([text.slice(0, cut), text.slice(cut, second), text.slice(second)]);
        assert.doesNotMatch(result.text, /[a-z]:\/\//, `${text}, cut at ${cut} and ${second}`);
      }
});

const DISALLOWED = [
  '![a](\n//evil.example/x)',
  '[a](//evil.example/x\n"title")',
  '[a\nb](//evil.example/x)',
  '[a](//evil.example/x>y)',
  '[a [b] c](//evil.example/x)',
  '[a\\]b](//evil.example/x)',
  '[x]:\n//evil.example/x\n',
  '[x\ny]: //evil.example/x\n',
  '> [x]: //evil.example/x\n',
  '- [x]: //evil.example/x\n',
];

test('removes a link with line breaks, brackets or a container, wherever it is cut', () => {
  for (const text of DISALLOWED)
    for (let cut = 0; cut <= text.length; cut += 1)
      for (let second = cut; second <= text.length; second += 1) {
        const result = filterChunks([text.slice(0, cut), text.slice(cut, second), text.slice(second)]);
        assert.ok(!result.text.includes('evil'), `${text}, cut at ${cut} and ${second}: ${result.text}`);
        assert.equal(result.removed, 1, text);
      }
});

test('removes an image of an allowed page when it follows its exclamation mark', () => {
  assert.deepEqual(filterChunks(['Look!', `[x](${ALLOWED_URL})`]), { text: 'Lookx (link removed)', removed: 1 });
});

test('leaves text in brackets and exclamation marks as they are when no link follows', () => {
  for (const text of ['Hm [sic] (see below), yes!', '[a\nb] c\n\n[d', 'a] b ](c', '- [ ] todo\n- [x] done!\n'])
    assert.equal(filterChunks([...text]).text, text === 'a] b ](c' ? 'a] b ] (link removed)' : text);
});

test('breaks a link when it is longer than the buffer', () => {
  const path = 'x'.repeat(3_000);
  for (const chunks of [
    [`[a](//evil.example/${path}`, '/y)'],
    [`[a](//evil.example/${path}/y)`],
    [`[a](\n//evil.example/${path}`, '/y)'],
    [`[${path}`, '](//evil.example/y)'],
    [`[${path}`, ']', '(', '//evil.example/y)'],
    ['[x]:', '\n', `//evil.example/${path}`, '/y\n'],
  ]) {
    const result = filterChunks(chunks);
    assert.ok(!result.text.includes('evil') && result.removed === 1, result.text.slice(0, 100));
  }
});

test('breaks a link when the text ends inside of it', () => {
  const filter = createFilter();
  assert.equal(filter.push('[a](//evil.exam') + filter.end() + filter.push('ple/x)'), '[a] (link removed)ple/x)');
});

test('does not hold back the answer when a link has no end', () => {
  const filter = createFilter();
  const output = filter.push(`[${'a'.repeat(5000)}`);
  assert.equal(output.length, 5001);
});
