import type { CallPriority, Quote, ProviderError } from '../../domain/market-data-provider.ts';
import type { ChainResult } from '../../providers/chain/provider-chain.ts';
import type { MarketContext } from '../shared/market-context.ts';
import {
  acceptIfSplit,
  withoutPreviousPrice,
  repairHistory,
  type SplitContext,
  type AcceptedQuote,
} from './check-splits.ts';
import { fetchUnit, getDeclaredUnit } from './declared-units.ts';
import { type StoredPrice, quarantinePrices, recordQuoteRequests, writePrices } from './price-queries.ts';
import { validateQuote } from './validate-quote.ts';

interface RefreshDependencies extends MarketContext, Pick<SplitContext, 'refetchHistory'> {
  /** Told of symbols whose sample history went, since they have a real price now. */
  replaceSamples(symbols: readonly string[]): Promise<void>;
}

export interface RefreshResult {
  written: number;
  quarantined: number;
  refused: number;
  /** No provider had a price for these. */
  missing: number;
  /** Requested in vain: the provider is unavailable or at fault. */
  unanswered: number;
  /** Not requested: budget or rate allow no more calls now, or the provider has failed twice in a row. */
  unasked: number;
}

const NO_COUNTS: RefreshResult = { written: 0, quarantined: 0, refused: 0, missing: 0, unanswered: 0, unasked: 0 };

const CALL_TIMEOUT_MS = 10_000;
/** Failed batches in a row before the rest waits for the next refresh: each may take as long as a call can. */
const MAX_CONSECUTIVE_FAILURES = 2;

export interface RefreshOptions {
  signal?: AbortSignal | undefined;
  /** Takes prices that would be quarantined for their jump: an operator has checked them. */
  accept?: boolean | undefined;
}

/** One refresh, as its steps need it. */
interface RefreshRun extends RefreshDependencies, SplitContext {
  /** What the calls are for. */
  priority: CallPriority;
}

/**
 * Fetches and writes the prices of these listings, batch by batch: one call and one statement each where the provider
 * takes many at once. `use`: what the calls are for (default 'quotes', which are paced over the day).
 */
export async function refreshPrices(
  deps: RefreshDependencies,
  listings: readonly StoredPrice[],
  options: RefreshOptions & { priority?: CallPriority } = {},
): Promise<RefreshResult> {
  const { signal, accept = false, priority = 'quotes' } = options;
  const createSignal = (): AbortSignal =>
    AbortSignal.any([AbortSignal.timeout(CALL_TIMEOUT_MS), ...(signal ? [signal] : [])]);
  const run: RefreshRun = { ...deps, priority, createSignal };
  let total = NO_COUNTS;
  let failures = 0;
  let processed = 0;
  while (processed < listings.length && !signal?.aborted) {
    const [provider] = deps.providers.available('quotes');
    const batchSize = provider ? Math.max(1, provider.maxQuotesPerCall) : listings.length;
    const batch = listings.slice(processed, processed + batchSize);
    const { end, counts } = await refreshBatch(run, accept ? batch.map(withoutPreviousPrice) : batch);
    total = addCounts(total, counts);
    processed += batch.length;
    failures = end === 'no-response' ? failures + 1 : 0;
    if (end === 'rate-limited' || failures === MAX_CONSECUTIVE_FAILURES)
      return addCounts(total, { ...NO_COUNTS, unasked: listings.length - processed });
  }
  return total;
}

const addCounts = (a: RefreshResult, b: RefreshResult): RefreshResult => ({
  written: a.written + b.written,
  quarantined: a.quarantined + b.quarantined,
  refused: a.refused + b.refused,
  missing: a.missing + b.missing,
  unanswered: a.unanswered + b.unanswered,
  unasked: a.unasked + b.unasked,
});

/** `rate-limited`: budget or rate ended the calls, maybe midway; `no-response`: the provider is unavailable. */
interface BatchResult {
  end: 'completed' | 'rate-limited' | 'no-response';
  counts: RefreshResult;
}

/** Requests the quotes of a batch, validates them and stores what was taken. */
async function refreshBatch(run: RefreshRun, batch: readonly StoredPrice[]): Promise<BatchResult> {
  const answer = await run.providers.call('quotes', (provider) =>
    provider.quotes(getSymbols(batch), run.createSignal(), run.priority),
  );
  if (!answer.ok && isRateLimit(answer))
    return { end: 'rate-limited', counts: { ...NO_COUNTS, unasked: batch.length } };
  const isPartial = answer.ok && answer.stoppedBy !== undefined && isRateLimit(answer.stoppedBy);
  const requested = answer.ok && isPartial ? batch.filter(({ symbol }) => answer.value.has(symbol)) : batch;
  const answered = run.simulated ? [] : requested.filter((storedPrice) => wasAnswered(answer, storedPrice));
  await recordQuoteRequests(run.sql, { requested: getSymbols(requested), answered: getSymbols(answered) }, new Date());
  if (!answer.ok)
    return answer.reason === 'upstream'
      ? { end: 'no-response', counts: { ...NO_COUNTS, unanswered: batch.length } }
      : { end: 'completed', counts: { ...NO_COUNTS, missing: batch.length } };
  const validated = await validateBatch(run, requested, answer);
  const stored = await storeBatch(run, validated);
  return {
    end: isPartial ? 'rate-limited' : 'completed',
    counts: {
      ...stored,
      refused: validated.refused,
      missing: validated.missing,
      unanswered: validated.unanswered,
      unasked: batch.length - requested.length,
    },
  };
}

const getSymbols = (listed: readonly { symbol: string }[]): string[] => listed.map(({ symbol }) => symbol);

const isRateLimit = ({ reason }: ProviderError): boolean => reason === 'budget' || reason === 'rate_limited';

type QuotesResult = ChainResult<ReadonlyMap<string, Quote | null>>;

/** Whether a provider answered for a listing, with a price or none; listings behind a cut-off have no answer. */
function wasAnswered(answer: QuotesResult, { symbol }: StoredPrice): boolean {
  if (!answer.ok) return answer.reason === 'unknown' || answer.reason === 'unsupported';
  return answer.stoppedBy === undefined || answer.value.has(symbol);
}

interface ValidatedBatch extends Pick<RefreshResult, 'refused' | 'missing' | 'unanswered'> {
  accepted: AcceptedQuote[];
  quarantined: { symbol: string; reason: string }[];
}

async function validateBatch(
  run: RefreshRun,
  requested: readonly StoredPrice[],
  answer: Extract<QuotesResult, { ok: true }>,
): Promise<ValidatedBatch> {
  const source = answer.from;
  const batch: ValidatedBatch = { accepted: [], quarantined: [], refused: 0, missing: 0, unanswered: 0 };
  for (const storedPrice of await resolveQuoteUnits(run, requested, answer.value, source)) {
    const { symbol } = storedPrice;
    const quote = answer.value.get(symbol);
    if (!quote) {
      batch[wasAnswered(answer, storedPrice) ? 'missing' : 'unanswered'] += 1;
      continue;
    }
    const first = validateQuote(quote, storedPrice, source, run.now());
    const decision =
      first.verdict === 'quarantine' ? await acceptIfSplit(run, first, { quote, stored: storedPrice, source }) : first;
    switch (decision.verdict) {
      case 'take':
        batch.accepted.push(decision);
        break;
      case 'quarantine':
        batch.quarantined.push({ symbol, reason: decision.reason });
        run.logger.warn({ symbol, source, reason: decision.reason }, 'a price was quarantined');
        break;
      case 'refuse':
        batch.refused += 1;
        run.logger.warn({ symbol, source, reason: decision.reason }, 'a price was refused');
    }
  }
  return batch;
}

/** Asks the provider once for the unit of each listing that has a minor one; after one failed call the rest waits. */
async function resolveQuoteUnits(
  run: RefreshRun,
  batch: readonly StoredPrice[],
  quotes: ReadonlyMap<string, Quote | null>,
  source: string,
): Promise<StoredPrice[]> {
  const result: StoredPrice[] = [];
  let hasFailed = false;
  for (const storedPrice of batch) {
    const isUnitUnknown =
      quotes.get(storedPrice.symbol)?.currency === null && getDeclaredUnit(storedPrice, source) === undefined;
    const unit: string | null | undefined =
      isUnitUnknown && !hasFailed ? await fetchUnit(run, storedPrice, source, run.createSignal()) : undefined;
    hasFailed ||= isUnitUnknown && unit === undefined;
    result.push(unit === undefined ? storedPrice : { ...storedPrice, units: { ...storedPrice.units, [source]: unit } });
  }
  return result;
}

/** Writes what was taken and quarantined, then has histories repaired that no longer fit, or were samples. */
async function storeBatch(run: RefreshRun, { accepted, quarantined }: ValidatedBatch): Promise<RefreshResult> {
  const prices = accepted.map(({ price }) => price);
  const written = prices.length > 0 ? await writePrices(run.sql, prices) : [];
  if (quarantined.length > 0) await quarantinePrices(run.sql, quarantined);
  for (const quote of accepted) if (quote.history !== 'fits') await repairHistory(run, quote);
  await run.replaceSamples(getSymbols(written.filter(({ lacks_history: lacksHistory }) => lacksHistory)));
  return { ...NO_COUNTS, written: written.length, quarantined: quarantined.length };
}
