import type { ReferenceCurrency } from '../../../../market-data/contract.ts';

/** Base currencies with the regions that use them, as ISO 3166 codes. */
const regionsByCurrency: Readonly<Record<ReferenceCurrency, string>> = {
  AUD: 'AU CC CX HM KI NF NR TV',
  BRL: 'BR',
  CAD: 'CA',
  CHF: 'CH LI',
  CNY: 'CN',
  CZK: 'CZ',
  DKK: 'DK FO GL',
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM VA XK YT',
  GBP: 'GB GG IM JE',
  HKD: 'HK',
  HUF: 'HU',
  IDR: 'ID',
  ILS: 'IL PS',
  INR: 'IN',
  ISK: 'IS',
  JPY: 'JP',
  KRW: 'KR',
  MXN: 'MX',
  MYR: 'MY',
  NOK: 'BV NO SJ',
  NZD: 'CK NU NZ PN TK',
  PHP: 'PH',
  PLN: 'PL',
  RON: 'RO',
  SEK: 'SE',
  SGD: 'SG',
  THB: 'TH',
  TRY: 'TR',
  USD: 'AS EC FM GU MH MP PR PW SV TC TL UM US VG VI',
  ZAR: 'LS NA ZA',
};

const currencies = Object.keys(regionsByCurrency) as ReferenceCurrency[];

/** Returns the currency of a locale's region, such as GBP for `en-GB`. Other regions have US dollars. */
export function getLocaleCurrency(locale: string): ReferenceCurrency {
  const region = getRegion(locale);
  return currencies.find((currency) => regionsByCurrency[currency].split(' ').includes(region)) ?? 'USD';
}

/** Returns the region of a locale. A language without a region has its most likely one: `de` → `DE`. */
function getRegion(locale: string): string {
  try {
    return new Intl.Locale(locale).maximize().region ?? '';
  } catch {
    return '';
  }
}
