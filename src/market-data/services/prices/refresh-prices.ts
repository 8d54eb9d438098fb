import type { CallPriority, Quote, ProviderError } from '../../domain/market-data-provider.ts';
import type { ChainResult } from '../../providers/chain/provider-chain.ts';
import type { MarketContext } from '../shared/market-context.ts';
import {
  acceptIfSplit,
  classifyGap,
  type GapFinding,
  withoutPreviousPrice,
  repairHistory,
  type SplitContext,
} from './check-splits.ts';
import { fetchUnit, getDeclaredUnit } from './declared-units.ts';
import { type StoredPrice, quarantinePrices, recordQuoteRequests, writePrices } from './price-queries.ts';
import { validateQuote } from './validate-quote.ts';
import { type EvaluatePrices, listSplits, selectEvaluated, type WrittenQuote } from './written-prices.ts';

interface RefreshDependencies extends MarketContext, Pick<SplitContext, 'refetchHistory'> {
  /** Called for symbols whose sample history was deleted, because they have a real price now. */
  replaceSamples(symbols: readonly string[]): Promise<void>;
  /** Evaluates alerts by the stored prices (default: there are none). */
  evaluatePrices?: EvaluatePrices | undefined;
}

export interface RefreshResult {
  written: number;
  quarantined: number;
  rejected: number;
  /** No provider had a price for these. */
  missing: number;
  /** The request failed: the provider is unavailable or returned an error. */
  noResponse: number;
  /** Not requested: quota or rate limit allow no more calls now, or the provider failed twice in a row. */
  notRequested: number;
}

const NO_COUNTS: RefreshResult = {
  written: 0,
  quarantined: 0,
  rejected: 0,
  missing: 0,
  noResponse: 0,
  notRequested: 0,
};

const CALL_TIMEOUT_MS = 10_000;
/** Consecutive failed batches after which the rest waits for the next refresh. Each may take up to the call timeout. */
const MAX_CONSECUTIVE_FAILURES = 2;

export interface RefreshOptions {
  signal?: AbortSignal | undefined;
  /** Accepts prices that would be quarantined for a jump, after an operator has checked them. */
  accept?: boolean | undefined;
}

/** Dependencies and options of one refresh. */
interface RefreshRun extends RefreshDependencies, SplitContext {
  /** Purpose of the calls. */
  priority: CallPriority;
}

/**
 * Fetches and writes the prices of listings in batches, with one call and one statement per batch if the provider
 * supports it. `priority` is the purpose of the calls. It defaults to 'quotes', which are paced over the day.
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
      return addCounts(total, { ...NO_COUNTS, notRequested: listings.length - processed });
  }
  return total;
}

const addCounts = (a: RefreshResult, b: RefreshResult): RefreshResult => ({
  written: a.written + b.written,
  quarantined: a.quarantined + b.quarantined,
  rejected: a.rejected + b.rejected,
  missing: a.missing + b.missing,
  noResponse: a.noResponse + b.noResponse,
  notRequested: a.notRequested + b.notRequested,
});

/**
 * `rate-limited`: quota or rate limit ended the calls, possibly within the batch. `no-response`: the provider is
 * unavailable.
 */
interface BatchResult {
  end: 'completed' | 'rate-limited' | 'no-response';
  counts: RefreshResult;
}

/** Requests the quotes of a batch, validates them and stores the accepted ones. */
async function refreshBatch(run: RefreshRun, batch: readonly StoredPrice[]): Promise<BatchResult> {
  const answer = await run.providers.call('quotes', (provider) =>
    provider.quotes(getSymbols(batch), run.createSignal(), run.priority),
  );
  if (!answer.ok && isRateLimit(answer))
    return { end: 'rate-limited', counts: { ...NO_COUNTS, notRequested: batch.length } };
  const isPartial = answer.ok && answer.stoppedBy !== undefined && isRateLimit(answer.stoppedBy);
  const requested = answer.ok && isPartial ? batch.filter(({ symbol }) => answer.value.has(symbol)) : batch;
  const answered = run.simulated ? [] : requested.filter((storedPrice) => wasAnswered(answer, storedPrice));
  await recordQuoteRequests(run.sql, { requested: getSymbols(requested), answered: getSymbols(answered) }, new Date());
  if (!answer.ok)
    return answer.reason === 'upstream'
      ? { end: 'no-response', counts: { ...NO_COUNTS, noResponse: batch.length } }
      : { end: 'completed', counts: { ...NO_COUNTS, missing: batch.length } };
  const validated = await validateBatch(run, requested, answer);
  const stored = await storeBatch(run, validated);
  return {
    end: isPartial ? 'rate-limited' : 'completed',
    counts: {
      ...stored,
      rejected: validated.rejected,
      missing: validated.missing,
      noResponse: validated.noResponse,
      notRequested: batch.length - requested.length,
    },
  };
}

const getSymbols = (listed: readonly { symbol: string }[]): string[] => listed.map(({ symbol }) => symbol);

const isRateLimit = ({ reason }: ProviderError): boolean => reason === 'quota_exhausted' || reason === 'rate_limited';

type QuotesResult = ChainResult<ReadonlyMap<string, Quote | null>>;

/**
 * Returns whether a provider responded for a listing, with or without a price. Listings after an early stop have no
 * response.
 */
function wasAnswered(answer: QuotesResult, { symbol }: StoredPrice): boolean {
  if (!answer.ok) return answer.reason === 'unknown' || answer.reason === 'unsupported';
  return answer.stoppedBy === undefined || answer.value.has(symbol);
}

interface ValidatedBatch extends Pick<RefreshResult, 'rejected' | 'missing' | 'noResponse'> {
  accepted: WrittenQuote[];
  quarantined: { symbol: string; reason: string }[];
}

async function validateBatch(
  run: RefreshRun,
  requested: readonly StoredPrice[],
  answer: Extract<QuotesResult, { ok: true }>,
): Promise<ValidatedBatch> {
  const source = answer.from;
  const batch: ValidatedBatch = { accepted: [], quarantined: [], rejected: 0, missing: 0, noResponse: 0 };
  for (const storedPrice of await resolveQuoteUnits(run, requested, answer.value, source)) {
    const { symbol } = storedPrice;
    const quote = answer.value.get(symbol);
    if (!quote) {
      batch[wasAnswered(answer, storedPrice) ? 'missing' : 'noResponse'] += 1;
      continue;
    }
    const first = validateQuote(quote, storedPrice, source, run.now());
    const decision =
      first.verdict === 'quarantine' ? await acceptIfSplit(run, first, { quote, stored: storedPrice, source }) : first;
    switch (decision.verdict) {
      case 'accept':
        batch.accepted.push({ ...decision, newYorkDays: storedPrice.new_york_days });
        break;
      case 'quarantine':
        batch.quarantined.push({ symbol, reason: decision.reason });
        run.logger.warn({ symbol, source, reason: decision.reason }, 'price quarantined');
        break;
      case 'reject':
        batch.rejected += 1;
        run.logger.warn({ symbol, source, reason: decision.reason }, 'price rejected');
    }
  }
  return batch;
}

/**
 * Fetches the undeclared unit of each listing with a minor unit. After one failed call the rest waits for the next
 * refresh.
 */
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

/**
 * Writes accepted and quarantined prices, and evaluates alerts by the accepted ones in the same transaction. Then requests
 * repairs of histories that no longer match or were samples.
 */
async function storeBatch(run: RefreshRun, { accepted, quarantined }: ValidatedBatch): Promise<RefreshResult> {
  const findings = new Map<string, GapFinding>();
  for (const quote of accepted)
    if (quote.historyGap !== 'none') findings.set(quote.price.symbol, await classifyGap(run, quote));
  const written = accepted.length > 0 ? await writeAndEvaluate(run, accepted, findings) : [];
  if (quarantined.length > 0) await quarantinePrices(run.sql, quarantined);
  for (const [symbol, finding] of findings) await repairHistory(run, symbol, finding);
  await run.replaceSamples(getSymbols(written.filter(({ lacks_history: lacksHistory }) => lacksHistory)));
  return { ...NO_COUNTS, written: written.length, quarantined: quarantined.length };
}

async function writeAndEvaluate(
  { sql, evaluatePrices }: RefreshRun,
  accepted: readonly WrittenQuote[],
  findings: ReadonlyMap<string, GapFinding>,
): ReturnType<typeof writePrices> {
  const prices = accepted.map(({ price }) => price);
  if (!evaluatePrices) return writePrices(sql, prices);
  const { written, afterCommit } = await sql.transaction(async (tx) => {
    const rows = await writePrices(tx, prices);
    const newSymbols = new Set(getSymbols(rows.filter(({ is_newer: isNewer }) => isNewer)));
    const newQuotes = accepted.filter(({ price }) => newSymbols.has(price.symbol));
    const evaluated = { prices: selectEvaluated(newQuotes, findings), splits: listSplits(accepted, findings) };
    return { written: rows, afterCommit: await evaluatePrices(tx, evaluated) };
  });
  afterCommit();
  return written;
}
