import { withTimeout } from '../../platform/http/with-timeout.ts';
import { marketCalendar } from '../domain/market-calendar.ts';
import type { MarketSession } from '../domain/market-data-provider.ts';
import type { MarketContext } from './shared/market-context.ts';

/** Time in ms for which a provider's session is used. */
const STATUS_TTL_MS = 60_000;
const CALL_TIMEOUT_MS = 3_000;
/** Time in ms that a request waits for a provider. */
const MAX_WAIT_MS = 500;

export interface MarketStatus {
  session: MarketSession;
  next_change_at: string;
  /** Seconds until the session must be read again. */
  session_valid_seconds: number;
}

/**
 * Returns the current session: that of a provider with status support, or the calendar's. A provider is called at most
 * once a minute, because its session is used for a minute. Only the first half second of its call delays a request, and
 * an error never reaches the caller.
 */
export function createMarketStatus({
  providers,
  now,
}: Pick<MarketContext, 'providers' | 'now'>): () => Promise<MarketStatus | null> {
  let providerStatus: { session: MarketSession; at: number } | undefined;
  let requestedAt = Number.NEGATIVE_INFINITY;
  let refresh: Promise<void> | undefined;

  const refreshStatus = async (at: number): Promise<void> => {
    const answer = await providers.call('status', (provider) => provider.status(AbortSignal.timeout(CALL_TIMEOUT_MS)));
    if (answer.ok) providerStatus = { session: answer.value, at };
  };

  return async () => {
    try {
      const instant = now();
      const time = instant.getTime();
      const next = marketCalendar.getNextChange(instant);
      const hasProvider = providers.available('status').length > 0;
      if (Math.abs(time - requestedAt) >= STATUS_TTL_MS && hasProvider) {
        requestedAt = time;
        refresh = withTimeout(MAX_WAIT_MS, refreshStatus(time), () => {}).catch(() => {});
      }
      await refresh;
      // A provider's session is never used beyond the next change of the calendar.
      const isValid =
        providerStatus !== undefined &&
        time - providerStatus.at < STATUS_TTL_MS &&
        marketCalendar.getNextChange(new Date(providerStatus.at)) > instant;
      const validUntil = Math.min(next.getTime(), hasProvider ? requestedAt + STATUS_TTL_MS : Infinity);
      return {
        session: isValid ? providerStatus!.session : marketCalendar.getMarketSession(instant),
        next_change_at: next.toISOString(),
        session_valid_seconds: Math.ceil((validUntil - time) / 1_000),
      };
    } catch {
      return null;
    }
  };
}
