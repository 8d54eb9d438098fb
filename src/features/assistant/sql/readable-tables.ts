/** A table that the member's SQL may read: its columns with their types, and notes for the reader. */
interface ReadableTable {
  columns: Readonly<Record<string, string>>;
  about: string;
}

/** Readable views of the schema "assistant". A test compares them with the database. */
export const readableTables: Readonly<Record<string, ReadableTable>> = {
  watchlist_items: {
    columns: { symbol: 'text', position: 'int', created_at: 'timestamptz', updated_at: 'timestamptz' },
    about: "The member's watchlist in their order; rows past the plan's limit are there too.",
  },
  accounts: {
    columns: {
      id: 'uuid',
      name: 'text',
      kind: 'text',
      type: 'text',
      currency: 'text',
      balance: 'numeric',
      created_at: 'timestamptz',
    },
    about: 'Accounts; kind is manual, bank or brokerage. The balance is cash only; investments are in holdings.',
  },
  holdings: {
    columns: {
      account_id: 'uuid',
      symbol: 'text',
      name: 'text',
      asset_type: 'text',
      quantity: 'numeric',
      cost_basis: 'numeric',
      currency: 'text',
      price: 'float',
      value: 'numeric',
    },
    about:
      'Holdings, one row per account and holding (sum over accounts for a position). cost_basis and value are ' +
      'totals in currency; value is at the newest price, null without one. A bond: quantity is the face value, price ' +
      'a percentage of it.',
  },
  net_worth: {
    columns: { day: 'date', currency: 'text', cash: 'numeric', investments: 'numeric', total: 'numeric' },
    about:
      'Net worth at the end of each day, one row per currency. Weeks more than 400 days ago have only their last ' +
      'day. Today is included after the end of the day.',
  },
  securities: {
    columns: { symbol: 'text', name: 'text', asset_type: 'text', exchange: 'text', currency: 'text' },
    about: 'The catalog: asset_type is stock, etf, mutual_fund or bond.',
  },
  prices: {
    columns: {
      symbol: 'text',
      price: 'float',
      price_unit: 'text',
      currency: 'text',
      change_1d: 'float',
      change_amount: 'float',
      prev_close: 'float',
      open: 'float',
      day_low: 'float',
      day_high: 'float',
      volume: 'bigint',
      market_cap: 'float',
      price_at: 'timestamptz',
    },
    about:
      'Newest prices; change_1d is in percent. Funds and bonds have no day change. Symbols that the plan has locked ' +
      'on the watchlist are missing.',
  },
  closes: {
    columns: { symbol: 'text', day: 'date', close: 'float', currency: 'text' },
    about: 'Daily closes, about a year. Select named symbols or days, because the whole table is too large.',
  },
};
