/** A call that several callers make concurrently. */
export interface SharedCall<T> {
  /** Key of equal calls, such as `lookup:AAPL`. */
  key: string;
  call(): Promise<T>;
  /** Returns how long a result is valid for all callers, in ms. 0 means that it is not stored. Default 0. */
  ttlMs?(result: T): number;
  /** Reads a result that the leader stores outside the lease table. Returns undefined until it exists. */
  readStored?(): Promise<T | undefined>;
  /** Lease time in ms after which the leader counts as dead (default 10,000). */
  leaseTtlMs?: number;
}

/** Makes a call once for all callers and rejects if `call` does. */
export type SingleFlight = <T>(shared: SharedCall<T>) => Promise<T>;

/** Shares running calls among the callers of this process. `inner` makes the call (default: immediately). */
export function createSingleFlight(inner: SingleFlight = ({ call }) => call()): SingleFlight {
  const inFlight = new Map<string, Promise<unknown>>();
  return <T>(shared: SharedCall<T>) => {
    const { key } = shared;
    const flight = inFlight.get(key) ?? inner(shared).finally(() => inFlight.delete(key));
    inFlight.set(key, flight);
    return flight as Promise<T>;
  };
}
