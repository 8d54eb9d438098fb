import type { Logger } from 'pino';
import type {
  Answer,
  CallClass,
  Capability,
  Listing,
  MarketDataProvider,
  Refusal,
} from '../../domain/market-data-provider.ts';
import { NO_ANSWER_IN_TIME, PLAN_MS, upstream } from '../http/provider-http-client.ts';

/** How long a provider is left out that refuses for the rate of calls and does not say for how long. */
export const RATE_LIMITED_MS = 15_000;

/** So many answers in a row that did not come in time, and the provider is not waited for during the pause. */
const HANGING = 3;
const PAUSE_MS = 30_000;

export interface Source {
  provider: MarketDataProvider;
  /** Told when the provider refuses calls for their rate. */
  exhaust?: (() => Promise<void>) | undefined;
  /** In how many seconds the day has calls of a class again, where they are spent. */
  dayWait?: ((use: CallClass) => Promise<number | undefined>) | undefined;
}

export interface Asking {
  /** Asks one provider after the other, those of `first` before the others; the first answer counts. Never throws. */
  ask<T>(
    what: Capability,
    call: (provider: MarketDataProvider) => Promise<Answer<T>>,
    first?: (provider: MarketDataProvider) => boolean,
  ): Promise<Answer<T> & { from?: string }>;
  /** Those that offer it and have not refused it lately. */
  able(what: Capability): MarketDataProvider[];
  /** Seconds until the first provider has calls of a class again, where all have spent the day's. */
  dayWait(what: Capability, use: CallClass): Promise<number | undefined>;
}

/** Resolves each capability by itself: a key may bring quotes, and the next provider the candles. */
export function createAsking(
  sources: readonly Source[],
  logger: Pick<Logger, 'warn'>,
  clock: () => number = Date.now,
): Asking {
  const refusedUntil = new Map<string, number>();
  /** Answers in a row that did not come in time, and until when the provider is therefore not waited for. */
  const hanging = new Map<string, { count: number; until: number }>();
  const able = (what: Capability): Source[] =>
    sources.filter(
      ({ provider }) =>
        provider.capabilities.has(what) &&
        (refusedUntil.get(`${provider.id} ${what}`) ?? 0) <= clock() &&
        (refusedUntil.get(provider.id) ?? 0) <= clock() &&
        (hanging.get(provider.id)?.until ?? 0) <= clock(),
    );

  /** Once the pause is over the next question tries it; one more that hangs begins the pause anew. */
  function noteTime({ provider: { id } }: Source, answer: Answer<unknown>): void {
    if (answer.ok || answer.reason !== 'upstream' || answer.detail !== NO_ANSWER_IN_TIME)
      return void hanging.delete(id);
    const count = (hanging.get(id)?.count ?? 0) + 1;
    hanging.set(id, { count, until: count >= HANGING ? clock() + PAUSE_MS : 0 });
    if (count >= HANGING)
      logger.warn({ provider: id }, 'the market-data provider hangs; it is left out for 30 seconds');
  }

  async function heed({ provider, exhaust }: Source, what: Capability, refusal: Refusal): Promise<void> {
    if (refusal.reason === 'not_entitled') {
      refusedUntil.set(`${provider.id} ${what}`, clock() + PLAN_MS);
      logger.warn(
        { provider: provider.id, capability: what },
        'the plan of the market-data key does not cover this; it is left out for an hour',
      );
    }
    if (refusal.reason === 'rate_limited') {
      refusedUntil.set(
        provider.id,
        clock() + (refusal.retryAfter === null ? RATE_LIMITED_MS : Math.min(refusal.retryAfter, 3_600) * 1_000),
      );
      logger.warn(
        { provider: provider.id, retryAfter: refusal.retryAfter },
        'the market-data provider refuses more calls for now',
      );
      await exhaust?.();
    }
    if (refusal.reason === 'upstream')
      logger.warn(
        { provider: provider.id, capability: what, detail: refusal.detail },
        'the market-data provider gave no answer',
      );
  }

  return {
    able: (what) => able(what).map(({ provider }) => provider),
    async dayWait(what, use) {
      const waits = await Promise.all(able(what).map(async (source) => (await source.dayWait?.(use)) ?? 0));
      const wait = Math.min(...waits);
      return wait > 0 && wait < Infinity ? wait : undefined;
    },
    async ask(what, call, first = () => true) {
      let refusal = refusalOfTheUnasked(what);
      const isFirst = ({ provider }: Source): number => Number(first(provider));
      for (const source of able(what).toSorted((a, b) => isFirst(b) - isFirst(a))) {
        const answer = await call(source.provider).catch((error: unknown) => upstream(String(error)));
        noteTime(source, answer);
        if (answer.ok && answer.rest) await heed(source, what, answer.rest);
        if (answer.ok) return { ...answer, from: source.provider.id };
        await heed(source, what, answer);
        refusal = graver(refusal, answer);
      }
      return refusal ?? { ok: false, reason: 'not_entitled' };
    },
  };

  /** The refusal of providers that are left out now, and for how long: they might know what the others do not. */
  function refusalOfTheUnasked(what: Capability): Refusal | undefined {
    const ids = sources.filter(({ provider }) => provider.capabilities.has(what)).map(({ provider }) => provider.id);
    const [forRate, forPlan] = [secondsLeft(ids), secondsLeft(ids.map((id) => `${id} ${what}`))];
    if (forRate !== undefined) return { ok: false, reason: 'rate_limited', retryAfter: forRate };
    if (ids.some((id) => (hanging.get(id)?.until ?? 0) > clock())) return upstream('left out, since it hangs');
    return forPlan === undefined ? undefined : { ok: false, reason: 'not_entitled', retryAfter: forPlan };
  }

  function secondsLeft(keys: readonly string[]): number | undefined {
    const waits = keys.map((key) => (refusedUntil.get(key) ?? 0) - clock()).filter((wait) => wait > 0);
    return waits.length > 0 ? Math.ceil(Math.min(...waits) / 1_000) : undefined;
  }
}

/** What one provider alone says of a listing; `undefined` where it is left out now. */
export async function lookUpWith(
  asking: Asking,
  id: string,
  ...question: Parameters<MarketDataProvider['lookup']>
): Promise<Answer<Listing> | undefined> {
  let said: Answer<Listing> | undefined;
  await asking.ask('lookup', async (provider) =>
    provider.id === id ? (said = await provider.lookup(...question)) : { ok: false, reason: 'unsupported' },
  );
  return said;
}

const gravity: readonly Refusal['reason'][] = [
  'unsupported',
  'upstream',
  'rate_limited',
  'budget',
  'unknown',
  'not_entitled',
];

/** Of two refusals the one that says more: "unknown" counts only where no provider failed. */
function graver(a: Refusal | undefined, b: Refusal): Refusal {
  return a !== undefined && gravity.indexOf(a.reason) <= gravity.indexOf(b.reason) ? a : b;
}
