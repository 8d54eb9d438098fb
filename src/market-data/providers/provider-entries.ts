import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ProviderEntry } from './chain/provider-chain.ts';
import { type CallLimits, createCallQuota } from './quota/call-quota.ts';
import { listCurrentCounts } from './quota/quota-queries.ts';
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

/** Calls of a provider by all processes in the current minute and day (UTC). A limit is null if there is none. */
export interface CallBudget {
  provider: string;
  used_today: number;
  /** Part of `used_today` that prices used. */
  quotes_today: number;
  per_day: number | null;
  used_this_minute: number;
  per_minute: number | null;
}

/** Returns the calls and limits of each provider. Providers whose calls are free are left out. */
export async function readCallBudgets(sql: ServiceSql, entries: readonly ProviderEntry[]): Promise<CallBudget[]> {
  const counts = await listCurrentCounts(sql);
  const toLimit = (limit: number): number | null => (limit >= UNLIMITED ? null : limit);
  return entries.flatMap(({ provider: { id }, limits }) => {
    if (!limits) return [];
    const find = (period: 'minute' | 'day') => counts.find((count) => count.provider === id && count.period === period);
    return {
      provider: id,
      used_today: find('day')?.used ?? 0,
      quotes_today: find('day')?.quotes ?? 0,
      per_day: toLimit(limits.perDay),
      used_this_minute: find('minute')?.used ?? 0,
      per_minute: toLimit(limits.perMinute),
    };
  });
}

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
    return { provider: create(tryAcquire), limits, markMinuteExhausted, secondsUntilDailyQuota };
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
