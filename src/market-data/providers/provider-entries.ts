import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ProviderEntry } from './chain/provider-chain.ts';
import { type CallLimits, createCallQuota } from './quota/call-quota.ts';
import { createFinnhub } from './finnhub/finnhub.ts';
import { createFmp } from './fmp/fmp.ts';
import type { CreateProvider, MarketDataProvider, TryAcquire } from '../domain/market-data-provider.ts';

/** Key and limits of a provider. */
interface ProviderAccess {
  key: string;
  /** Base URL without a trailing slash. Only tests replace the provider's default. */
  baseUrl?: string | undefined;
  callsPerMinute?: number | undefined;
  callsPerDay?: number | undefined;
}

/** Keys and limits of the providers. Without a key the embedded provider serves sample data. */
export interface ProviderSettings {
  fmp?: ProviderAccess | undefined;
  finnhub?: ProviderAccess | undefined;
  /** Quota of the embedded provider, for tests of an exhausted quota without a key. By default its calls are free. */
  simulator?: { callsPerMinute: number; callsPerDay: number } | undefined;
}

const UNLIMITED = 2_000_000_000;

/** Calls per minute of the assumed plans: Starter for FMP, free for Finnhub. */
const DEFAULT_CALLS_PER_MINUTE = { fmp: 300, finnhub: 60 } as const;

/** Creates the providers in failover order: FMP, then Finnhub. The embedded one is used only if neither has a key. */
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
