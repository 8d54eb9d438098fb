/** Account of the demo portfolio, with amounts in its currency. */
export interface DemoAccount {
  name: string;
  kind: 'manual' | 'bank' | 'brokerage';
  currency: string;
  /** Cash at the reset. */
  balance: number;
  /** Amount saved on each payday of the last year. */
  savedPerPayday?: number;
  /** Amount received on each payday and spent before the next one. */
  spentPerPayday?: number;
  holdings: readonly DemoHolding[];
}

interface DemoHolding {
  symbol: string;
  /** Number of shares, or a bond's face value, at the reset. */
  quantity: number;
  /** Share of the quantity that was bought within the last year, a twelfth each month. */
  boughtShare?: number;
  /** Cost of the rest as a share of its value a year ago. */
  costRatio: number;
  /** ETF of one index whose closes replace the missing ones of a mutual fund. */
  proxySymbol?: string;
  /** Exists only in sample data: a bond by its CUSIP, a listing in London. */
  sampleOnly?: true;
}

/** Portfolio of a person in the middle of their working life, with each kind of account and each kind of holding. */
export const demoPortfolio: readonly DemoAccount[] = [
  { name: 'Everyday checking', kind: 'bank', currency: 'USD', balance: 5_870.15, spentPerPayday: 3_900, holdings: [] },
  { name: 'Rainy-day savings', kind: 'bank', currency: 'USD', balance: 22_400, savedPerPayday: 550, holdings: [] },
  {
    name: 'Brokerage',
    kind: 'manual',
    currency: 'USD',
    balance: 3_218.42,
    holdings: [
      { symbol: 'AAPL', quantity: 60, costRatio: 0.62 },
      { symbol: 'MSFT', quantity: 25, costRatio: 0.78 },
      { symbol: 'NVDA', quantity: 80, boughtShare: 0.25, costRatio: 0.55 },
      { symbol: 'COST', quantity: 12, costRatio: 0.84 },
      { symbol: 'KO', quantity: 90, costRatio: 1.06 },
      { symbol: 'SCHD', quantity: 150, boughtShare: 0.3, costRatio: 0.93 },
      { symbol: '912810TX6', quantity: 10_000, costRatio: 0.98, sampleOnly: true },
    ],
  },
  {
    name: 'Retirement',
    kind: 'brokerage',
    currency: 'USD',
    balance: 940.6,
    holdings: [
      { symbol: 'VTSAX', quantity: 310.482, boughtShare: 0.24, costRatio: 0.74, proxySymbol: 'VTI' },
      { symbol: 'FXAIX', quantity: 88.115, boughtShare: 0.24, costRatio: 0.79, proxySymbol: 'VOO' },
      { symbol: 'VTI', quantity: 72.6, boughtShare: 0.36, costRatio: 0.81 },
      { symbol: 'VXUS', quantity: 96.24, boughtShare: 0.36, costRatio: 0.97 },
      { symbol: '91282CHT1', quantity: 15_000, costRatio: 1.01, sampleOnly: true },
    ],
  },
  {
    name: 'Savings in pounds',
    kind: 'manual',
    currency: 'GBP',
    balance: 3_400,
    savedPerPayday: 80,
    holdings: [{ symbol: 'VOD.L', quantity: 1_500, boughtShare: 0.5, costRatio: 0.9, sampleOnly: true }],
  },
];
