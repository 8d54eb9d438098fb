import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ProviderEntry } from './chain/provider-chain.ts';
import { type CallLimits, createCallQuota } from './quota/call-quota.ts';
import { createFinnhub } from './finnhub/finnhub.ts';
import { createFmp } from './fmp/fmp.ts';
import type { CreateProvider, MarketDataProvider, Spend } from '../domain/market-data-provider.ts';

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
const USUAL = { fmp: 300, finnhub: 60 } as const;

/**
 * The providers in the order in which they are asked: FMP, then Finnhub; the embedded one only where neither has a key.
 */
export function createSources(
  sql: ServiceSql,
  settings: ProviderSettings,
  createEmbedded: CreateProvider,
  now: () => Date,
): ProviderEntry[] {
  const { fmp, finnhub, simulator } = settings;
  const budgeted = (id: string, limits: CallLimits, create: (spend: Spend) => MarketDataProvider): ProviderEntry => {
    const { spend, markMinuteExhausted, secondsUntilDailyQuota } = createCallQuota(sql, id, limits, now);
    return { provider: create(spend), markMinuteExhausted, secondsUntilDailyQuota };
  };
  const sources: ProviderEntry[] = [];
  if (fmp) sources.push(budgeted('fmp', limitsOf(fmp, USUAL.fmp), (spend) => createFmp({ ...fmp, spend, now })));
  if (finnhub) {
    const limits = limitsOf(finnhub, USUAL.finnhub);
    sources.push(budgeted('finnhub', limits, (spend) => createFinnhub({ ...finnhub, spend, now })));
  }
  if (sources.length > 0) return sources;
  if (!simulator) return [{ provider: createEmbedded({ now }) }];
  return [budgeted('simulator', limitsOf(simulator), (spend) => createEmbedded({ now, spend }))];
}

const limitsOf = (
  { callsPerMinute, callsPerDay }: Pick<ProviderAccess, 'callsPerMinute' | 'callsPerDay'>,
  usual = UNLIMITED,
): CallLimits => ({ perMinute: callsPerMinute ?? usual, perDay: callsPerDay ?? UNLIMITED });
