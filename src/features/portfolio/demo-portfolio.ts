/** An account of the demo portfolio; amounts are in its currency. */
export interface DemoAccount {
  name: string;
  kind: 'manual' | 'bank' | 'brokerage';
  currency: string;
  /** Cash at the reset. */
  balance: number;
  /** Put aside on each payday of the last year. */
  saved?: number;
  /** Comes in on each payday and is spent until the next. */
  spent?: number;
  holdings: readonly DemoHolding[];
}

interface DemoHolding {
  symbol: string;
  /** Shares, or a bond's face value, at the reset. */
  quantity: number;
  /** The share of them that was bought within the last year, a twelfth each month. */
  bought?: number;
  /** What the rest had cost, as a share of what it was worth a year ago. */
  paid: number;
  /** An ETF of the same index, whose closes stand for those that a mutual fund lacks. */
  follows?: string;
  /** Exists in sample data alone: a bond by its CUSIP, a listing in London. */
  sampleOnly?: true;
}

/** What a person in the middle of their saving years may own: each kind of account, each kind of holding. */
export const demoPortfolio: readonly DemoAccount[] = [
  { name: 'Everyday checking', kind: 'bank', currency: 'USD', balance: 5_870.15, spent: 3_900, holdings: [] },
  { name: 'Rainy-day savings', kind: 'bank', currency: 'USD', balance: 22_400, saved: 550, holdings: [] },
  {
    name: 'Brokerage',
    kind: 'manual',
    currency: 'USD',
    balance: 3_218.42,
    holdings: [
      { symbol: 'AAPL', quantity: 60, paid: 0.62 },
      { symbol: 'MSFT', quantity: 25, paid: 0.78 },
      { symbol: 'NVDA', quantity: 80, bought: 0.25, paid: 0.55 },
      { symbol: 'COST', quantity: 12, paid: 0.84 },
      { symbol: 'KO', quantity: 90, paid: 1.06 },
      { symbol: 'SCHD', quantity: 150, bought: 0.3, paid: 0.93 },
      { symbol: '912810TX6', quantity: 10_000, paid: 0.98, sampleOnly: true },
    ],
  },
  {
    name: 'Retirement',
    kind: 'brokerage',
    currency: 'USD',
    balance: 940.6,
    holdings: [
      { symbol: 'VTSAX', quantity: 310.482, bought: 0.24, paid: 0.74, follows: 'VTI' },
      { symbol: 'FXAIX', quantity: 88.115, bought: 0.24, paid: 0.79, follows: 'VOO' },
      { symbol: 'VTI', quantity: 72.6, bought: 0.36, paid: 0.81 },
      { symbol: 'VXUS', quantity: 96.24, bought: 0.36, paid: 0.97 },
      { symbol: '91282CHT1', quantity: 15_000, paid: 1.01, sampleOnly: true },
    ],
  },
  {
    name: 'Savings in pounds',
    kind: 'manual',
    currency: 'GBP',
    balance: 3_400,
    saved: 80,
    holdings: [{ symbol: 'VOD.L', quantity: 1_500, bought: 0.5, paid: 0.9, sampleOnly: true }],
  },
];
