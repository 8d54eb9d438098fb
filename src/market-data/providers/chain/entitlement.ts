import type { Capability } from '../../domain/market-data-provider.ts';
import { ENTITLEMENT_RETRY_MS } from '../http/provider-http-client.ts';

/** Remembers for an hour which capabilities the plan of a key does not cover. */
export interface Entitlement {
  /** Records that the plan does not cover a capability. */
  deny(capability: Capability): void;
  /** Returns the seconds until the next attempt, or undefined if the capability is not denied. */
  remainingSeconds(capability: Capability): number | undefined;
}

export function createEntitlement(clock: () => number): Entitlement {
  const deniedUntil = new Map<Capability, number>();
  return {
    deny(capability) {
      deniedUntil.set(capability, clock() + ENTITLEMENT_RETRY_MS);
    },
    remainingSeconds(capability) {
      const remainingMs = (deniedUntil.get(capability) ?? 0) - clock();
      return remainingMs > 0 ? Math.ceil(remainingMs / 1_000) : undefined;
    },
  };
}
