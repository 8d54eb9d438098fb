import type { CallClass, Quote, Refusal } from '../../domain/market-data-provider.ts';
import type { ChainAnswer } from '../../providers/chain/provider-chain.ts';
import type { MarketContext } from '../shared/market-context.ts';
import { acceptIfSplit, asIfNew, repairHistory, type SplitContext, type TakenQuote } from './check-splits.ts';
import { askUnit, unitOf } from './declared-units.ts';
import { type KnownPrice, quarantinePrices, recordQuoteRequests, writePrices } from './price-queries.ts';
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

const NONE: RefreshResult = { written: 0, quarantined: 0, refused: 0, missing: 0, unanswered: 0, unasked: 0 };

const CALL_MS = 10_000;
/** Failed batches in a row before the rest waits for the next refresh: each may take as long as a call can. */
const MAX_CONSECUTIVE_FAILURES = 2;

export interface RefreshOptions {
  signal?: AbortSignal | undefined;
  /** Takes prices that would be quarantined for their jump: an operator has checked them. */
  accept?: boolean | undefined;
}

/** One refresh, as its steps need it. */
interface Round extends RefreshDependencies, SplitContext {
  /** What the calls are for. */
  use: CallClass;
}

/**
 * Fetches and writes the prices of these listings, batch by batch: one call and one statement each where the provider
 * takes many at once. `use`: what the calls are for (default 'quotes', which are paced over the day).
 */
export async function refreshPrices(
  deps: RefreshDependencies,
  listings: readonly KnownPrice[],
  options: RefreshOptions & { use?: CallClass } = {},
): Promise<RefreshResult> {
  const { signal, accept = false, use = 'quotes' } = options;
  const limit = (): AbortSignal => AbortSignal.any([AbortSignal.timeout(CALL_MS), ...(signal ? [signal] : [])]);
  const round: Round = { ...deps, use, limit };
  let total = NONE;
  let failures = 0;
  let at = 0;
  while (at < listings.length && !signal?.aborted) {
    const [provider] = deps.providers.available('quotes');
    const size = provider ? Math.max(1, provider.quotesPerCall) : listings.length;
    const batch = listings.slice(at, at + size);
    const { end, counts } = await refreshBatch(round, accept ? batch.map(asIfNew) : batch);
    total = sumOf(total, counts);
    at += batch.length;
    failures = end === 'no-response' ? failures + 1 : 0;
    if (end === 'rate-limited' || failures === MAX_CONSECUTIVE_FAILURES)
      return sumOf(total, { ...NONE, unasked: listings.length - at });
  }
  return total;
}

const sumOf = (a: RefreshResult, b: RefreshResult): RefreshResult => ({
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
async function refreshBatch(round: Round, batch: readonly KnownPrice[]): Promise<BatchResult> {
  const answer = await round.providers.call('quotes', (provider) =>
    provider.quotes(symbolsOf(batch), round.limit(), round.use),
  );
  if (!answer.ok && isRateLimit(answer)) return { end: 'rate-limited', counts: { ...NONE, unasked: batch.length } };
  const isCut = answer.ok && answer.rest !== undefined && isRateLimit(answer.rest);
  const requested = answer.ok && isCut ? batch.filter(({ symbol }) => answer.value.has(symbol)) : batch;
  const answered = round.simulated ? [] : requested.filter((known) => wasAnswered(answer, known));
  await recordQuoteRequests(round.sql, { asked: symbolsOf(requested), answered: symbolsOf(answered) }, new Date());
  if (!answer.ok)
    return answer.reason === 'upstream'
      ? { end: 'no-response', counts: { ...NONE, unanswered: batch.length } }
      : { end: 'completed', counts: { ...NONE, missing: batch.length } };
  const validated = await validateBatch(round, requested, answer);
  const stored = await storeBatch(round, validated);
  return {
    end: isCut ? 'rate-limited' : 'completed',
    counts: {
      ...stored,
      refused: validated.refused,
      missing: validated.missing,
      unanswered: validated.unanswered,
      unasked: batch.length - requested.length,
    },
  };
}

const symbolsOf = (listed: readonly { symbol: string }[]): string[] => listed.map(({ symbol }) => symbol);

const isRateLimit = ({ reason }: Refusal): boolean => reason === 'budget' || reason === 'rate_limited';

type QuotesAnswer = ChainAnswer<ReadonlyMap<string, Quote | null>>;

/** Whether a provider answered for a listing, with a price or none; listings behind a cut-off have no answer. */
function wasAnswered(answer: QuotesAnswer, { symbol }: KnownPrice): boolean {
  if (!answer.ok) return answer.reason === 'unknown' || answer.reason === 'unsupported';
  return answer.rest === undefined || answer.value.has(symbol);
}

interface ValidatedBatch extends Pick<RefreshResult, 'refused' | 'missing' | 'unanswered'> {
  taken: TakenQuote[];
  quarantined: { symbol: string; reason: string }[];
}

async function validateBatch(
  round: Round,
  requested: readonly KnownPrice[],
  answer: Extract<QuotesAnswer, { ok: true }>,
): Promise<ValidatedBatch> {
  const source = answer.from;
  const batch: ValidatedBatch = { taken: [], quarantined: [], refused: 0, missing: 0, unanswered: 0 };
  for (const known of await withUnits(round, requested, answer.value, source)) {
    const { symbol } = known;
    const quote = answer.value.get(symbol);
    if (!quote) {
      batch[wasAnswered(answer, known) ? 'missing' : 'unanswered'] += 1;
      continue;
    }
    const first = validateQuote(quote, known, source, round.now());
    const decision =
      first.verdict === 'quarantine' ? await acceptIfSplit(round, first, { quote, known, source }) : first;
    switch (decision.verdict) {
      case 'take':
        batch.taken.push(decision);
        break;
      case 'quarantine':
        batch.quarantined.push({ symbol, reason: decision.reason });
        round.logger.warn({ symbol, source, reason: decision.reason }, 'a price was quarantined');
        break;
      case 'refuse':
        batch.refused += 1;
        round.logger.warn({ symbol, source, reason: decision.reason }, 'a price was refused');
    }
  }
  return batch;
}

/** Asks the provider once for the unit of each listing that has a minor one; after one failed call the rest waits. */
async function withUnits(
  round: Round,
  batch: readonly KnownPrice[],
  quotes: ReadonlyMap<string, Quote | null>,
  source: string,
): Promise<KnownPrice[]> {
  const result: KnownPrice[] = [];
  let hasFailed = false;
  for (const known of batch) {
    const isUnknown = quotes.get(known.symbol)?.currency === null && unitOf(known, source) === undefined;
    const unit: string | null | undefined =
      isUnknown && !hasFailed ? await askUnit(round, known, source, round.limit()) : undefined;
    hasFailed ||= isUnknown && unit === undefined;
    result.push(unit === undefined ? known : { ...known, units: { ...known.units, [source]: unit } });
  }
  return result;
}

/** Writes what was taken and quarantined, then has histories repaired that no longer fit, or were samples. */
async function storeBatch(round: Round, { taken, quarantined }: ValidatedBatch): Promise<RefreshResult> {
  const prices = taken.map(({ price }) => price);
  const written = prices.length > 0 ? await writePrices(round.sql, prices) : [];
  if (quarantined.length > 0) await quarantinePrices(round.sql, quarantined);
  for (const quote of taken) if (quote.history !== 'fits') await repairHistory(round, quote);
  await round.replaceSamples(symbolsOf(written.filter(({ lacks_history: lacksHistory }) => lacksHistory)));
  return { ...NONE, written: written.length, quarantined: quarantined.length };
}
