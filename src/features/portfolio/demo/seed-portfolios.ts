import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { AssetType } from '../../../market-data/contract.ts';
import { insertSeededHistory, insertSeededHoldings, type SeededHolding } from './seed-queries.ts';

type SeedLine = [kind: AssetType, preferred: string, nth: number, quantity: number, costRatio: number];

/** Four kinds of holdings for every member, in two dollar accounts and one in pounds. */
const seedAccounts: readonly { name: string; currency: string; balance: number; lines: SeedLine[] }[] = [
  {
    name: 'Brokerage',
    currency: 'USD',
    balance: 4_210.55,
    lines: [
      ['stock', 'AAPL', 0, 24, 0.62],
      ['stock', 'MSFT', 1, 11, 0.78],
      ['stock', 'NVDA', 2, 40, 0.35],
      ['etf', 'VOO', 0, 15.5, 0.81],
      ['bond', '912810TX6', 0, 5_000, 0.97],
    ],
  },
  {
    name: 'Retirement',
    currency: 'USD',
    balance: 1_250,
    lines: [
      ['mutual_fund', 'VTSAX', 0, 120.348, 0.74],
      ['mutual_fund', 'FXAIX', 1, 42.1, 0.88],
      ['etf', 'VTI', 1, 30, 0.7],
      ['bond', '91282CHT1', 1, 10_000, 1.01],
    ],
  },
  { name: 'Savings in pounds', currency: 'GBP', balance: 3_400, lines: [['stock', 'HSBA.L', 0, 150, 0.9]] },
];

/** Symbols that the accounts hold if the catalog has them. */
export const seededListings: readonly string[] = seedAccounts.flatMap(({ lines }) => lines.map(([, symbol]) => symbol));

/**
 * Creates accounts, four kinds of holdings and a year of net worth for the seeded members. The catalog must be filled
 * first. Members who have an account are unchanged.
 * @param today New York's date, YYYY-MM-DD.
 */
export async function seedPortfolios(sql: ServiceSql, members: readonly string[], today: string): Promise<void> {
  const seededHoldings = members.flatMap((idp_id, index) =>
    seedAccounts.flatMap(({ name: account, currency, balance, lines: accountLines }) =>
      accountLines.map(([kind, preferred, nth, quantity, cost_ratio]): SeededHolding => {
        // Every member owns equal kinds in different amounts.
        const memberFactor = 1 + index * 0.35;
        const amounts = { balance: round(balance * memberFactor, 2), quantity: round(quantity * memberFactor, 3) };
        return { idp_id, account, currency, kind, preferred, nth, cost_ratio, ...amounts };
      }),
    ),
  );
  await insertSeededHoldings(sql, seededHoldings);
  await insertSeededHistory(sql, members, today);
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
