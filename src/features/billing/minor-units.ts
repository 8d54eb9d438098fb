import { formatMoneyExactly } from '../../ui/kit/formats.ts';

/** Currencies by the decimals of their minor unit (ISO 4217). All other currencies have two. */
const currenciesByDecimals: readonly (readonly [decimals: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

const decimalsByCurrency: ReadonlyMap<string, number> = new Map(
  currenciesByDecimals.flatMap(([decimals, currencies]) =>
    currencies.split(' ').map((currency) => [currency, decimals] as const),
  ),
);

/**
 * Formats an amount in minor units for display: `999, USD` → `$9.99`, `1200, JPY` → `¥1,200`. The decimals follow ISO
 * 4217. Intl uses those of everyday prices: none for HUF, which is charged in hundredths.
 */
export function formatMinorUnits(amount: number, currency: string): string {
  const code = currency.toUpperCase();
  const decimals = decimalsByCurrency.get(code) ?? 2;
  return formatMoneyExactly(amount / 10 ** decimals, code, decimals);
}
