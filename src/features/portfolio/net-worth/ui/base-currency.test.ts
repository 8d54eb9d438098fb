import assert from 'node:assert/strict';
import { test } from 'vitest';
import { referenceCurrency } from '../../../../market-data/contract.ts';
import { baseCurrencies } from './base-currency.ts';
import { getLocaleCurrency } from './locale-currency.ts';

test.for([
  ['en-US', 'USD'],
  ['en-GB', 'GBP'],
  ['de', 'EUR'],
  ['de-CH', 'CHF'],
  ['pt-BR', 'BRL'],
  ['zh-Hant-HK', 'HKD'],
  ['bg-BG', 'EUR'],
  ['es-AR', 'USD'],
  ['not a locale', 'USD'],
] as const)('takes the currency of the locale’s region when it is %s', ([locale, currency]) => {
  assert.equal(getLocaleCurrency(locale), currency);
});

test('offers the currencies that the API accepts', () => {
  assert.deepEqual(baseCurrencies, referenceCurrency.options);
});
