import { randomUUID } from 'node:crypto';

/** Deterministic sample data of the embedded brokerages. Amounts of positions are strings. */

export const BROKERAGES: Readonly<Record<string, string>> = {
  SANDBOX: 'Sandbox Brokerage',
  SANDBOX2: 'Sandbox Invest',
};

interface ScenarioOutcome {
  label: string;
  /** Error parameters of the redirect to the service. */
  error?: { status: number; code: string; result: string };
}

const scenarios = {
  self_directed: { label: 'Self-directed' },
  invalid_credentials: {
    label: 'Invalid credentials',
    error: { status: 403, code: '1066', result: 'INVALID_CREDENTIALS' },
  },
  rate_limited: { label: 'Rate limited', error: { status: 429, code: '0000', result: 'UNCAUGHT_ERROR' } },
} satisfies Record<string, ScenarioOutcome>;
export type Scenario = keyof typeof scenarios;
/** Results that a sign-in can be made to return. */
export const SCENARIOS: Readonly<Record<Scenario, ScenarioOutcome>> = scenarios;

/** Account of an authorization. */
export interface EmbeddedAccount {
  id: string;
  plan: keyof typeof ACCOUNT_TEMPLATES;
}

export const createAccounts = (user: string): EmbeddedAccount[] =>
  user === 'user_empty' ? [] : (['individual', 'retirement'] as const).map((plan) => ({ id: randomUUID(), plan }));

const position = (
  [kind, id, symbol, description]: readonly [kind: string, id: string, symbol: string, description: string],
  units: string,
  [price, cost]: readonly [price: string | null, cost: string | null],
  more: object = {},
) => ({
  instrument: { kind, id, symbol, raw_symbol: symbol, description, currency: 'USD', ...more },
  units,
  price,
  cost_basis: cost,
  currency: 'USD',
  tax_lots: [],
});

const FUND = ['mutualfund', 'ins_spaxx', 'SPAXX', 'Money Market Fund'] as const;
const OPTION = ['option', 'ins_option', 'MSFT  270115P00300000', 'MSFT put 300, January 2027'] as const;

export const ACCOUNT_TEMPLATES = {
  individual: {
    name: 'Sandbox Individual',
    number: '90015551',
    type: 'Margin',
    // No sum of what follows, since an aggregator's total may be of another time.
    total: 6_100,
    balances: [
      // Includes the 500.00 of the fund, as at the real aggregator.
      { currency: 'USD', cash: 1_250.75 },
      { currency: 'CAD', cash: 300 },
    ],
    positions: [
      position(['stock', 'ins_msft', 'MSFT', 'Microsoft Corporation'], '4.5', ['410.20', '250.10']),
      position(['etf', 'ins_voo', 'VOO', 'Vanguard S&P 500 ETF'], '3', ['520.00', '400.00']),
      // The price is per share, the cost per contract of 100.
      position(OPTION, '2', ['3.25', '410.00'], { multiplier: '100' }),
      position(['stock', 'ins_tsla', 'TSLA', 'Tesla, Inc.'], '-1', ['240.00', '260.00']),
      position(['crypto', 'ins_btc', 'BTC', 'Bitcoin'], '0.01', ['60000.00', null]),
      { ...position(FUND, '500', ['1.00', '1.00']), cash_equivalent: true },
    ],
  },
  retirement: {
    name: 'Sandbox Retirement',
    number: '90015552',
    type: 'IRA',
    total: 2_550,
    balances: [{ currency: 'USD', cash: 50 }],
    positions: [position(['stock', 'ins_aapl', 'AAPL', 'Apple Inc.'], '10', ['250.00', '175.00'])],
  },
} as const;
