/** Deterministic sample data of the embedded banks. */

export interface EmbeddedAccount {
  account_id: string;
  name: string;
  official_name: string;
  mask: string;
  type: 'depository' | 'credit' | 'investment';
  subtype: string;
  balances: { available: number | null; current: number; limit: number | null; iso_currency_code: string };
}

export const BANKS: Readonly<Record<string, string>> = {
  ins_sandbox_1: 'Sandbox Bank',
  ins_sandbox_2: 'Sandbox Credit Union',
  ins_sandbox_3: 'Sandbox Single-Access Bank',
};

/** Bank at which a sign-in revokes earlier access of the same person. */
export const SINGLE_ACCESS_BANK = 'ins_sandbox_3';

interface AccountTemplate extends Omit<EmbeddedAccount, 'account_id' | 'balances'> {
  available: number | null;
  current: number;
  limit?: number;
}

const CHECKING: AccountTemplate = {
  name: 'Sandbox Checking',
  official_name: 'Sandbox Everyday Checking',
  mask: '0000',
  type: 'depository',
  subtype: 'checking',
  available: 1_200.5,
  current: 1_250.5,
};
const CARD: AccountTemplate = {
  name: 'Sandbox Card',
  official_name: 'Sandbox Platinum Card',
  mask: '3333',
  type: 'credit',
  subtype: 'credit card',
  available: 4_589.8,
  current: 410.2,
  limit: 5_000,
};
const BROKERAGE: AccountTemplate = {
  name: 'Sandbox Brokerage',
  official_name: 'Sandbox Self-Directed Brokerage',
  mask: '4444',
  type: 'investment',
  subtype: 'brokerage',
  available: 1_500,
  current: 11_480,
};

/** Returns a person's accounts at a bank, with ids derived from their item. */
export const createAccounts = (user: string, seed: string): EmbeddedAccount[] =>
  (user === 'user_empty' ? [] : [CHECKING, CARD, BROKERAGE]).map(({ available, current, limit, ...plan }) => ({
    account_id: `${seed}_${plan.mask}`,
    ...plan,
    balances: { available, current, limit: limit ?? null, iso_currency_code: 'USD' },
  }));

/** Holdings that match the brokerage account's balance: 1,500 in cash and 9,980 invested. */
const SAMPLE_HOLDINGS = [
  { id: 'sec_cash', type: 'cash', ticker: 'CUR:USD', name: 'U S Dollar', quantity: 1_500, value: 1_500, cost: 1_500 },
  { id: 'sec_aapl', type: 'equity', ticker: 'AAPL', name: 'Apple Inc.', quantity: 12, value: 3_120, cost: 2_100 },
  { id: 'sec_voo', type: 'etf', ticker: 'VOO', name: 'Vanguard S&P 500 ETF', quantity: 9.5, value: 5_700, cost: 4_180 },
  {
    id: 'sec_option',
    type: 'derivative',
    ticker: 'AAPL270115C00300000',
    name: 'AAPL call 300, January 2027',
    quantity: 2,
    value: 1_160,
    cost: 900,
  },
] as const;

/** Returns holdings and securities of an item's investment accounts in the aggregator's format. */
export function createHoldings(accounts: readonly EmbeddedAccount[], today: string) {
  const investmentAccounts = accounts.filter(({ type }) => type === 'investment');
  return {
    holdings: investmentAccounts.flatMap(({ account_id }) =>
      SAMPLE_HOLDINGS.map(({ id, quantity, value, cost }) => ({
        account_id,
        security_id: id,
        quantity,
        cost_basis: cost,
        institution_value: value,
        institution_price: value / quantity,
        institution_price_as_of: today,
        institution_price_datetime: null,
        iso_currency_code: 'USD',
        unofficial_currency_code: null,
      })),
    ),
    securities:
      investmentAccounts.length === 0
        ? []
        : SAMPLE_HOLDINGS.map(({ id, type, ticker, name }) => ({
            security_id: id,
            type,
            ticker_symbol: ticker,
            name,
            iso_currency_code: 'USD',
            is_cash_equivalent: type === 'cash',
            close_price: null,
            close_price_as_of: null,
            isin: null,
            cusip: null,
            sedol: null,
            unofficial_currency_code: null,
          })),
  };
}
