/** An invented portfolio for the pictures of the landing page. Every amount adds up. */

/** Day of the last net worth. */
export const LAST_DAY = '2026-11-27';

/** Net worth in US dollars at the end of each week of a year, oldest first. */
export const netWorthByWeek: readonly number[] = [
  148_200, 147_470, 148_580, 150_400, 150_480, 149_630, 150_230, 151_460, 153_400, 152_680, 151_870, 153_350, 154_570,
  157_010, 158_820, 159_370, 159_740, 163_360, 163_710, 163_480, 162_850, 163_640, 164_480, 164_760, 165_360, 166_350,
  167_820, 169_760, 170_680, 169_300, 170_780, 169_820, 170_300, 169_290, 169_960, 169_750, 170_670, 175_130, 175_750,
  177_400, 176_550, 176_900, 178_330, 178_900, 180_000, 180_800, 180_320, 181_640, 181_390, 184_210, 184_310, 185_320,
  186_450,
];

/** Parts of the last net worth. */
export const accounts = [
  { name: 'Brokerage', value: 121_340 },
  { name: 'Pension', value: 41_900 },
  { name: 'Savings', value: 23_210 },
] as const;

/** Where the change of the year comes from. */
export const changes = [
  { name: 'Added', value: 14_400 },
  { name: 'Price changes', value: 22_610 },
  { name: 'Dividends', value: 1_240 },
] as const;

/** A security with its amount in US dollars, its change of the day in percent, and a month of closes, rounded, oldest first. */
export interface SampleSecurity {
  symbol: string;
  name: string;
  amount: number;
  change: number;
  closes: readonly number[];
}

/** Holdings of the brokerage account by their value. */
export const holdings: readonly SampleSecurity[] = [
  {
    symbol: 'VTI',
    name: 'Vanguard Total Stock Market ETF',
    amount: 54828,
    change: 0.62,
    closes: [
      291, 293, 295, 295, 295, 295, 296, 295, 295, 295, 296, 297, 297, 297, 298, 297, 298, 299, 302, 303, 303, 305,
    ],
  },
  {
    symbol: 'MSFT',
    name: 'Microsoft',
    amount: 30241,
    change: 1.18,
    closes: [
      498, 504, 505, 507, 509, 513, 512, 512, 512, 512, 512, 513, 514, 514, 516, 517, 512, 516, 517, 517, 519, 521,
    ],
  },
  {
    symbol: 'KO',
    name: 'Coca-Cola',
    amount: 9989,
    change: 0.21,
    closes: [
      69.9, 70, 70.2, 70.2, 70.4, 70.5, 70.5, 70.9, 71, 71, 71.2, 71.5, 71.5, 71.7, 71.6, 71.7, 71.7, 71.6, 71.4, 71.2,
      71.3, 71.3,
    ],
  },
];

/** Tickers of the watchlist by their price. */
export const tickers: readonly SampleSecurity[] = [
  {
    symbol: 'ASML',
    name: 'ASML Holding',
    amount: 1042.3,
    change: 1.46,
    closes: [
      968, 971, 978, 981, 983, 982, 985, 995, 1002, 1012, 1017, 1024, 1029, 1024, 1033, 1040, 1047, 1041, 1036, 1035,
      1036, 1042,
    ],
  },
  {
    symbol: 'BND',
    name: 'Vanguard Total Bond Market ETF',
    amount: 74.12,
    change: 0.05,
    closes: [
      73.4, 73.4, 73.4, 73.4, 73.3, 73.4, 73.3, 73.4, 73.5, 73.6, 73.6, 73.7, 73.7, 73.7, 73.8, 73.7, 73.8, 73.8, 73.9,
      73.9, 74.1, 74.1,
    ],
  },
  {
    symbol: 'INTC',
    name: 'Intel',
    amount: 24.85,
    change: -1.04,
    closes: [
      26.1, 26, 26.1, 25.8, 25.8, 26, 26, 26.3, 26, 25.9, 25.7, 25.4, 25.2, 25.2, 25.2, 25.2, 25.8, 25.9, 25.4, 25.3,
      25.1, 24.9,
    ],
  },
];
