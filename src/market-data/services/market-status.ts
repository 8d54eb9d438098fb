import { marketCalendar } from '../domain/market-calendar.ts';
import type { MarketSession } from '../domain/market-data-provider.ts';
import type { MarketContext } from './shared/market-context.ts';

const STATUS_TTL_MS = 60_000;
const CALL_TIMEOUT_MS = 3_000;

export interface MarketStatus {
  session: MarketSession;
  next_change_at: string;
}

/**
 * Returns the current session from the calendar. In the background it calls a provider with status support at most once
 * a minute, and later calls return an unexpected closure. No call waits for a provider, and none throws.
 */
export function createMarketStatus({
  providers,
  now,
}: Pick<MarketContext, 'providers' | 'now'>): () => Promise<MarketStatus | null> {
  let providerStatus: { session: MarketSession; at: number } | undefined;
  let requestedAt = Number.NEGATIVE_INFINITY;

  const refreshStatus = async (at: number): Promise<void> => {
    const answer = await providers.call('status', (provider) => provider.status(AbortSignal.timeout(CALL_TIMEOUT_MS)));
    if (answer.ok) providerStatus = { session: answer.value, at };
  };

  return async () => {
    try {
      const instant = now();
      const time = instant.getTime();
      if (Math.abs(time - requestedAt) >= STATUS_TTL_MS && providers.available('status').length > 0) {
        requestedAt = time;
        void refreshStatus(time).catch(() => {});
      }
      const calendarSession = marketCalendar.getMarketSession(instant);
      const next = marketCalendar.getNextChange(instant);
      // A provider's session is valid for two minutes, and never beyond the next change of the calendar.
      const isValid =
        providerStatus !== undefined &&
        time - providerStatus.at < 2 * STATUS_TTL_MS &&
        marketCalendar.getNextChange(new Date(providerStatus.at)) > instant;
      return { session: isValid ? providerStatus!.session : calendarSession, next_change_at: next.toISOString() };
    } catch {
      return null;
    }
  };
}
