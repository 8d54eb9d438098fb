import { marketCalendar } from '../domain/market-calendar.ts';
import type { MarketSession } from '../domain/market-data-provider.ts';
import type { MarketContext } from './shared/market-context.ts';

const KEEP_MS = 60_000;
const CALL_MS = 3_000;

export interface MarketStatus {
  session: MarketSession;
  next_change_at: string;
}

/**
 * The session now. The calendar answers at once; a provider that knows (an unforeseen closure) is asked beside it at
 * most once a minute and corrects later answers. No call waits for a provider and none throws.
 */
export function createMarketStatus({
  providers,
  now,
}: Pick<MarketContext, 'providers' | 'now'>): () => Promise<MarketStatus | null> {
  let heard: { session: MarketSession; at: number } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  const listen = async (at: number): Promise<void> => {
    const answer = await providers.call('status', (provider) => provider.status(AbortSignal.timeout(CALL_MS)));
    if (answer.ok) heard = { session: answer.value, at };
  };

  return async () => {
    try {
      const instant = now();
      const time = instant.getTime();
      if (Math.abs(time - askedAt) >= KEEP_MS && providers.available('status').length > 0) {
        askedAt = time;
        void listen(time).catch(() => {});
      }
      const planned = marketCalendar.marketSessionAt(instant);
      const next = marketCalendar.nextChange(instant);
      // A provider's word holds for two minutes, and never across a change that the calendar knows of.
      const valid =
        heard !== undefined && time - heard.at < 2 * KEEP_MS && marketCalendar.nextChange(new Date(heard.at)) > instant;
      return { session: valid ? heard!.session : planned, next_change_at: next.toISOString() };
    } catch {
      return null;
    }
  };
}
