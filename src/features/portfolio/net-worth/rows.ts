/** Net worth in one currency with amounts as strings (`numeric`). */
export interface NetWorthRow {
  currency: string;
  /** Sum of all balances, so liabilities are subtracted. */
  cash: string;
  investments: string;
}

/** Current net worth in one currency. */
export interface CurrentNetWorthRow extends NetWorthRow {
  /** Sum of the negative balances, a part of `cash`. */
  liabilities: string;
}

/** Net worth in one currency at the end of a day. */
export interface SnapshotRow extends NetWorthRow {
  /** YYYY-MM-DD. */
  date: string;
  /** True if the value contains a price of the simulator. */
  sample: boolean;
}

/** Sum of the flows of a day in one currency. Negative: withdrawn. */
export interface FlowRow {
  /** Date of the first snapshot that includes them, YYYY-MM-DD. Null after the last snapshot. */
  date: string | null;
  currency: string;
  amount: string;
}

/** Total at the first of two points and the parts of the change to the second, in units of the base currency's fourth decimal. */
export interface NetWorthStep {
  /** Day of the second point. */
  date: string;
  start: bigint;
  market: bigint;
  flows: bigint;
  exchangeRates: bigint;
  /** The same before amounts are rounded, in units of the decimal `EXACT_DECIMALS`, for the percentage. */
  exactStart: bigint;
  exactFlows: bigint;
  /** Market and exchange rates. */
  exactGain: bigint;
}
