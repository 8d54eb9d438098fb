import { createRateLimiter, type RateLimiter } from '../../../platform/http/rate-limit.ts';
import { isNeverListed } from '../../domain/normalise-symbol.ts';

/** Unknown symbols that one member may have looked up in a minute: all members share the calls that they cost. */
export const LOOK_UPS_A_MINUTE = 60;
/** Repeating an answered look-up costs no call; a little less than the ten minutes of the registration's cache. */
const KEPT_MS = 9 * 60_000;
const KEPT_MOST = 2_000;

export interface OverLookUps {
  ok: false;
  reason: 'rate_limited';
  /** Seconds after which the member may have one more. */
  retryAfter: number;
}

/** Looks an unknown symbol up, unless the member has reached the limit of this minute. */
export type LookUp = <A extends { ok: true } | { ok: false; reason: string }>(
  idpId: string,
  symbol: string,
  ask: (symbol: string) => Promise<A>,
) => Promise<A | OverLookUps>;

/**
 * Limits look-ups per member, of this process where no `limiter` says otherwise.
 * Only those that may call a provider count: not what was answered lately, so
 * that an import may use what its dry run has looked up, and not what no provider is asked about.
 */
export function limitLookUps(
  clock: () => number = () => performance.now(),
  limiter: RateLimiter = createRateLimiter({ limit: LOOK_UPS_A_MINUTE, now: clock }),
): LookUp {
  const answeredUntil = new Map<string, number>();

  return async (idpId, symbol, ask) => {
    if (isNeverListed(symbol) || (answeredUntil.get(symbol) ?? 0) > clock()) return ask(symbol);
    const taken = await limiter.take(idpId);
    if (!taken.ok) return { ok: false, reason: 'rate_limited', retryAfter: taken.retryAfter };
    const answer = await ask(symbol);
    if (answer.ok || answer.reason !== 'unavailable') {
      if (answeredUntil.size >= KEPT_MOST) answeredUntil.delete(answeredUntil.keys().next().value!);
      answeredUntil.set(symbol, clock() + KEPT_MS);
    }
    return answer;
  };
}
