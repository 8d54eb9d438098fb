// @module-tag alone
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { countContent } from './index.ts';
import { countContent as referenceCount } from './reference.ts';

// The test runs in its own process, because it measures the CPU time of the process.

const families = ['v3', 'v4.7', 'v5', 'v5-sonnet'] as const;

test('counts special tokens, role markers and prototype names as plain text', () => {
  const texts = [
    '<|endoftext|>',
    '<EOT><META>',
    '\n\nHuman: hi\n\nAssistant:',
    '<|im_start|>system',
    '\ud800',
    '\udc00\ud800',
    'a\ud83d',
    '\ude00b',
    '__proto__',
    'constructor',
    'valueOf toString hasOwnProperty',
    'isPrototypeOf',
    '\u0000',
    '\ufffe\uffff',
    '\u0002\u0003\u0004\u0005',
  ];
  for (const text of texts)
    for (const family of families)
      assert.equal(countContent(text, family), referenceCount(text, family), JSON.stringify(text));
});

const blocks: Readonly<Record<string, (length: number) => string>> = {
  'one letter': (length) => 'a'.repeat(length),
  capitals: (length) => 'AB'.repeat(length / 2),
  letters: (length) => letters(length, 'abcdefghijklmnopqrstuvwxyz'),
  base64: (length) => letters(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
  blanks: (length) => ' '.repeat(length),
  'line feeds': (length) => '\n'.repeat(length),
  equals: (length) => '='.repeat(length),
  digits: (length) => '7'.repeat(length),
  Chinese: (length) => '\u4e2d\u6587\uff0c'.repeat(length / 3),
  Thai: (length) => '\u0e01\u0e34\u0e19'.repeat(length / 3),
  emoji: (length) => '\u{1f600}'.repeat(length / 2),
  'joined emoji': (length) => '\u{1f468}\u200d'.repeat(length / 3),
  accents: (length) => 'e\u0301\u0327'.repeat(length / 3),
  'lone surrogates': (length) => '\ud800'.repeat(length),
  numbers: (length) => '\u00b2\u0967'.repeat(length / 2),
  controls: (length) => '\r\u0001'.repeat(length / 2),
};

function letters(length: number, alphabet: string): string {
  let state = 12345;
  let text = '';
  for (let k = 0; k < length; k++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    text += alphabet[(state >>> 16) % alphabet.length];
  }
  return text;
}

/**
 * Returns the CPU time of this process in ms, the minimum of several tries, so that the load of the machine has no
 * effect.
 */
function effort(make: (length: number) => string, length: number, tries: number): number {
  let minTime = Infinity;
  for (let round = 0; round < tries; round++) {
    // Use another first character in each try, so that the whole text is never cached.
    const text = `${round % 10}${make(length)}`;
    const before = process.cpuUsage();
    countContent(text, 'v3');
    const { user, system } = process.cpuUsage(before);
    minTime = Math.min(minTime, (user + system) / 1000);
  }
  return minTime;
}

// JIT compilation, garbage collection or evicted CPU caches may spoil a measurement, but not every try. A step with
// quadratic time would make the ratio 100 in all tries.
for (const [name, make] of Object.entries(blocks)) {
  test(`takes linear time when ${name} grows tenfold`, () => {
    effort(make, 30_000, 3);
    const measured: string[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      // Minimum in ms, because shorter times are below the clock resolution. A quadratic step over 90,000 units takes
      // seconds.
      const small = Math.max(effort(make, 90_000, 3), 4);
      const large = effort(make, 900_000, 2);
      if (large / small < 25) return;
      measured.push(`${small.toFixed(1)} ms, ten times as much ${large.toFixed(1)} ms`);
    }
    assert.fail(`${name}: ${measured.join('; ')}`);
  });
}
