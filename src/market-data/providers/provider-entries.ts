import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ProviderEntry } from './chain/provider-chain.ts';
import { type CallLimits, createCallQuota } from './quota/call-quota.ts';
import { createFinnhub } from './finnhub/finnhub.ts';
import { createFmp } from './fmp/fmp.ts';
import type { CreateProvider, MarketDataProvider, TryAcquire } from '../domain/market-data-provider.ts';

/** A provider's key and plan. */
interface ProviderAccess {
  key: string;
  /** Where the provider answers, without a slash at the end; only tests name another than the provider's own. */
  baseUrl?: string | undefined;
  callsPerMinute?: number | undefined;
  callsPerDay?: number | undefined;
}

/** Keys and limits of the providers; without a key the embedded one answers with sample data. */
export interface ProviderSettings {
  fmp?: ProviderAccess | undefined;
  finnhub?: ProviderAccess | undefined;
  /** A budget for the embedded provider, so that a spent one can be seen without a key; without it its calls are free. */
  simulator?: { callsPerMinute: number; callsPerDay: number } | undefined;
}

const UNLIMITED = 2_000_000_000;

/** Calls a minute of the plans that the defaults assume: Starter with FMP, the free one with Finnhub. */
const DEFAULT_CALLS_PER_MINUTE = { fmp: 300, finnhub: 60 } as const;

/**
 * The providers in the order in which they are asked: FMP, then Finnhub; the embedded one only where neither has a key.
 */
export function createProviderEntries(
  sql: ServiceSql,
  settings: ProviderSettings,
  createEmbedded: CreateProvider,
  now: () => Date,
): ProviderEntry[] {
  const { fmp, finnhub, simulator } = settings;
  const withQuota = (
    id: string,
    limits: CallLimits,
    create: (tryAcquire: TryAcquire) => MarketDataProvider,
  ): ProviderEntry => {
    const { tryAcquire, markMinuteExhausted, secondsUntilDailyQuota } = createCallQuota(sql, id, limits, now);
    return { provider: create(tryAcquire), markMinuteExhausted, secondsUntilDailyQuota };
  };
  const sources: ProviderEntry[] = [];
  if (fmp)
    sources.push(
      withQuota('fmp', toCallLimits(fmp, DEFAULT_CALLS_PER_MINUTE.fmp), (tryAcquire) =>
        createFmp({ ...fmp, tryAcquire, now }),
      ),
    );
  if (finnhub) {
    const limits = toCallLimits(finnhub, DEFAULT_CALLS_PER_MINUTE.finnhub);
    sources.push(withQuota('finnhub', limits, (tryAcquire) => createFinnhub({ ...finnhub, tryAcquire, now })));
  }
  if (sources.length > 0) return sources;
  if (!simulator) return [{ provider: createEmbedded({ now }) }];
  return [withQuota('simulator', toCallLimits(simulator), (tryAcquire) => createEmbedded({ now, tryAcquire }))];
}

const toCallLimits = (
  { callsPerMinute, callsPerDay }: Pick<ProviderAccess, 'callsPerMinute' | 'callsPerDay'>,
  defaultPerMinute = UNLIMITED,
): CallLimits => ({ perMinute: callsPerMinute ?? defaultPerMinute, perDay: callsPerDay ?? UNLIMITED });
