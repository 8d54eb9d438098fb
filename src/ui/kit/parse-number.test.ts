import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { parseNumber, formatNumberInput } from './parse-number.ts';

/** Returns the number, or the message of the error. */
function read(typed: string, locale: string, currency: string | undefined = 'USD'): number | string {
  const result = parseNumber(typed, { locale, currency, maxDecimals: 10 });
  return result.ok ? result.value : result.message;
}

const notANumber = /is not a number\. Use digits, such as 1[^0-9]?234[.,]56\.$/;

const LOCALES = ['en-US', 'de-DE', 'fr-FR', 'de-CH'];

/** Compares the result of a text in each locale: a number, `rejected`, or `unclear` with both choices. */
function assertReadings(typed: string, readings: readonly string[]): void {
  for (const [column, locale] of LOCALES.entries()) {
    const wanted = readings[column]!;
    const found = read(typed, locale);
    const where = `${typed} in ${locale}`;
    if (wanted === 'rejected') assert.match(String(found), notANumber, where);
    else if (wanted.startsWith('unclear: '))
      assert.equal(found, `“${typed}” can be two numbers. Type ${wanted.slice('unclear: '.length)}.`, where);
    else assert.equal(found, Number(wanted), where);
  }
}

test('parses the numbers in docs/explanation/web-app.md as its table states', () => {
  const page = readFileSync(new URL('../../../docs/explanation/web-app.md', import.meta.url), 'utf8');
  const lines = page.slice(page.indexOf('| typed |')).split('\n');
  const cells = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1));
  const [head, , ...rows] = cells.map((row) => row.map((cell) => cell.trim()));
  assert.deepEqual(head!.slice(1), LOCALES);
  assert.ok(rows.length >= 5);
  for (const [typed, ...readings] of rows) assertReadings(typed!.slice(1, -1), readings);
});

test.each([
  ['0,01525217', '0.01525217', '0.01525217', '0.01525217', '0.01525217'],
  ['1,234.56', '1234.56', '1234.56', '1234.56', '1234.56'],
  ['1.234,56', '1234.56', '1234.56', '1234.56', '1234.56'],
  ['1.234', '1.234', 'unclear: 1234 or 1,2340', 'unclear: 1234 or 1,2340', '1.234'],
  ['1.5', '1.5', '1.5', '1.5', '1.5'],
  ['0.500', '0.5', '0.5', '0.5', '0.5'],
  ['1,234,567', '1234567', '1234567', '1234567', '1234567'],
  ['1.234.567', '1234567', '1234567', '1234567', '1234567'],
  ["1'250.50", '1250.5', '1250.5', '1250.5', '1250.5'],
  ['−12,50', '-12.5', '-12.5', '-12.5', '-12.5'],
  ['1,23', '1.23', '1.23', '1.23', '1.23'],
  ['1,2345', '1.2345', '1.2345', '1.2345', '1.2345'],
  ['1,250', '1250', 'unclear: 1250 or 1,25', 'unclear: 1250 or 1,25', 'unclear: 1250 or 1.25'],
])('parses %s in each language', (typed, ...readings) => assertReadings(typed, readings));

for (const [typed, locale, value] of [
  ['-12.50', 'en-US', -12.5],
  ['−1,000', 'en-US', -1000],
  ['– 12.5', 'en-US', -12.5],
  ['-$12.50', 'en-US', -12.5],
  ['$ -12.50', 'en-US', -12.5],
  ['+3', 'en-US', 3],
  ['-0', 'en-US', 0],
  ['007', 'en-US', 7],
  ['.5', 'en-US', 0.5],
  ['5.', 'en-US', 5],
  [',5', 'de-DE', 0.5],
  ['1\u00a0250,5', 'fr-FR', 1250.5],
  ['1\u202f250,5', 'fr-FR', 1250.5],
  ['1\u2009250.5', 'en-US', 1250.5],
  ['1’250.50', 'de-CH', 1250.5],
  ['1,23,456.5', 'en-IN', 123_456.5],
  ['١٬٢٣٤٫٥', 'ar-EG', 1234.5],
  ['\u061c-١٢٫٥', 'ar-EG', -12.5],
  ['۱٬۲۳۴٫۵', 'fa-IR', 1234.5],
  ['१,२३,४५६.५', 'mr-IN', 123_456.5],
  ['１２３４．５', 'ja-JP', 1234.5],
  ['12\u200b.5', 'en-US', 12.5],
  ['US$ 40', 'en-US', 40],
  ['40 USD', 'en-US', 40],
  ['0.0000000001', 'en-US', 1e-10],
  ['1.50000000000000', 'en-US', 1.5],
  ['1,234.5', 'no such tag', 1234.5],
] as const) {
  test(`parses ${JSON.stringify(typed)} in ${locale}`, () => assert.equal(read(typed, locale), value));
}

test('accepts the field’s currency in the notation of the language', () => {
  assert.equal(read('1.234,56 €', 'de-DE', 'EUR'), 1234.56);
  assert.equal(read('CHF 1’250.50', 'de-CH', 'CHF'), 1250.5);
  assert.equal(read('￥1200', 'ja-JP', 'JPY'), 1200);
  assert.equal(read('40 €', 'en-US'), '“40 €” is not in USD. Type the amount in USD.');
  assert.equal(read('EUR 40', 'en-US'), '“EUR 40” is not in USD. Type the amount in USD.');
  const none = parseNumber('$40', { locale: 'en-US', maxDecimals: 10 });
  assert.equal(!none.ok && none.message, 'Type only the number of “$40”, without “$”.');
});

test('rejects a text that is not a plain number, with a message', () => {
  const texts = ['', 'three', '5%', '1e5', '1.2e-7', '(12)', '12-', '--1', '1 2', '12 50', '1.2.3', '½', '5²', '1/2'];
  for (const typed of [...texts, 'NaN', 'Infinity', '0x10', '$40$', '1$2', '1,2.3', "1'23", '1,234 567', '1_000'])
    for (const locale of ['en-US', 'de-DE']) assert.match(String(read(typed, locale)), notANumber, typed);
});

test('rejects a number whose digits storage would change', () => {
  assert.match(String(read('0.12345678901', 'en-US')), /has more than 10 decimals\. Round it to 10\.$/);
  assert.match(String(read('123456789012345678', 'en-US')), /has more digits than can be stored/);
  assert.match(String(read('123456789012.1234567', 'en-US')), /has more digits than can be stored/);
});

test('parses formatted input back to its number in each language', () => {
  const values = [0, 1234, 1.234, 1234.567, 0.123, 0.5, -12.5, 1e-10, 0.0000001234, 0.01525217, 1e12, 123_456.789];
  for (const locale of ['en-US', 'de-DE', 'de-CH', 'fr-FR', 'en-IN', 'ar-EG', 'fa-IR', 'mr-IN'])
    for (const value of values)
      assert.equal(read(formatNumberInput(value, locale), locale), value, `${value} in ${locale}`);
  assert.equal(formatNumberInput(0.0000001234, 'en-US'), '0.0000001234');
  assert.equal(formatNumberInput(1.234, 'de-DE'), '1,2340');
});
