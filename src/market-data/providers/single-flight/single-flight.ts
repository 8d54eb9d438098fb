/** A call that several callers make at the same time. */
export interface SharedCall<T> {
  /** The same for the same call, such as `lookup:AAPL`. */
  key: string;
  call(): Promise<T>;
  /** Milliseconds for which a result is good for all callers; 0 for one that must not be kept. Default 0. */
  ttlMs?(result: T): number;
  /** What the process that calls keeps elsewhere, for those that wait; `undefined` as long as it has not. */
  readStored?(): Promise<T | undefined>;
  /** Milliseconds after which the process that calls counts as gone (default 10,000). */
  leaseTtlMs?: number;
}

/** Makes a call once for all who want its result. Rejects as `call` does. */
export type SingleFlight = <T>(shared: SharedCall<T>) => Promise<T>;

/** Has the callers of this process share what is under way; `next` makes the call (default: at once). */
export function createSingleFlight(inner: SingleFlight = ({ call }) => call()): SingleFlight {
  const inFlight = new Map<string, Promise<unknown>>();
  return <T>(shared: SharedCall<T>) => {
    const { key } = shared;
    const flight = inFlight.get(key) ?? inner(shared).finally(() => inFlight.delete(key));
    inFlight.set(key, flight);
    return flight as Promise<T>;
  };
}
