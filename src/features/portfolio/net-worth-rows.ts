/** Net worth in one currency with amounts as strings (`numeric`). */
export interface NetWorthRow {
  currency: string;
  cash: string;
  investments: string;
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
