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

/** A security with its amount in US dollars, its change of the day in percent, and a month of closes, oldest first. */
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
      291.2, 292.87, 294.68, 295.32, 295.25, 294.9, 295.51, 295.22, 294.58, 295.32, 296.02, 297.06, 296.86, 297.45,
      297.97, 297.27, 298.31, 299.16, 301.77, 302.52, 302.97, 304.6,
    ],
  },
  {
    symbol: 'MSFT',
    name: 'Microsoft',
    amount: 30241,
    change: 1.18,
    closes: [
      498.1, 504.5, 504.84, 507.31, 509.28, 512.65, 511.5, 512.34, 512.5, 512.01, 511.98, 512.62, 513.72, 513.57, 516.1,
      516.67, 511.89, 515.98, 516.86, 517.04, 519.26, 521.4,
    ],
  },
  {
    symbol: 'KO',
    name: 'Coca-Cola',
    amount: 9989,
    change: 0.21,
    closes: [
      69.9, 69.99, 70.25, 70.2, 70.42, 70.46, 70.5, 70.86, 70.96, 71.03, 71.22, 71.46, 71.53, 71.7, 71.63, 71.66, 71.67,
      71.56, 71.41, 71.25, 71.3, 71.35,
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
      968.0, 970.73, 977.74, 980.63, 983.03, 981.98, 984.95, 995.32, 1001.85, 1011.8, 1017.35, 1023.71, 1028.9, 1023.74,
      1032.68, 1039.67, 1046.61, 1041.31, 1035.72, 1034.9, 1036.44, 1042.3,
    ],
  },
  {
    symbol: 'COST',
    name: 'Costco',
    amount: 914.75,
    change: 0.38,
    closes: [
      902.0, 900.41, 901.93, 906.3, 911.32, 915.4, 916.45, 918.25, 918.52, 915.96, 915.64, 919.09, 920.67, 920.75,
      918.87, 919.54, 918.93, 919.94, 922.16, 917.03, 917.71, 914.75,
    ],
  },
  {
    symbol: 'BND',
    name: 'Vanguard Total Bond Market ETF',
    amount: 74.12,
    change: 0.05,
    closes: [
      73.4, 73.38, 73.36, 73.44, 73.35, 73.39, 73.31, 73.41, 73.47, 73.59, 73.6, 73.67, 73.7, 73.7, 73.75, 73.73, 73.75,
      73.84, 73.88, 73.9, 74.07, 74.12,
    ],
  },
  {
    symbol: 'INTC',
    name: 'Intel',
    amount: 24.85,
    change: -1.04,
    closes: [
      26.1, 26.02, 26.05, 25.84, 25.84, 25.99, 26.01, 26.34, 26.01, 25.94, 25.66, 25.36, 25.22, 25.18, 25.2, 25.25,
      25.75, 25.89, 25.37, 25.34, 25.08, 24.85,
    ],
  },
];
