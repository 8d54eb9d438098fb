import { askUnit, unitOf } from './declared-units.ts';
import { type Judgement, judgeQuote, type NewScale } from './validate-quote.ts';
import { marketCalendar } from '../../domain/market-calendar.ts';
import type { Answer, CallClass, Quote, Split } from '../../domain/market-data-provider.ts';
import {
  type KnownPrice,
  noteAsked,
  noteSplitCheck,
  type PriceRow,
  quarantinePrices,
  splitChecked,
  writePrices,
} from './price-queries.ts';
import type { MarketContext } from '../shared/market-context.ts';

interface RefreshDependencies extends MarketContext {
  /** Told of symbols whose history no longer fits their price. */
  refetchHistory(symbol: string): Promise<void>;
  /** Told of symbols whose sample history went, since they have a real price now. */
  replaceSamples(symbols: readonly string[]): Promise<void>;
}

export interface RefreshResult {
  written: number;
  quarantined: number;
  refused: number;
  /** No provider had a price for these. */
  missing: number;
  /** Asked for in vain: the provider is away or at fault. */
  unanswered: number;
  /** Not asked for: the budget or the provider's rate allows no more calls now, or it has been away twice in a row. */
  unasked: number;
}

const CALL_MS = 10_000;
/** Batches in a row that get no answer before the rest waits for better times: each may take as long as a call can. */
const MOST_SILENT = 2;

export interface RefreshOptions {
  signal?: AbortSignal | undefined;
  /** Takes prices that would be quarantined for their jump: an operator has checked them. */
  accept?: boolean | undefined;
}

/** One refresh, as its steps need it. */
interface Round extends RefreshDependencies {
  /** What the calls are for. */
  use: CallClass;
  /** Ends a call in time, or with the refresh. */
  limit: () => AbortSignal;
  /** What came of the batches so far. */
  total: RefreshResult;
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
  const total: RefreshResult = { written: 0, quarantined: 0, refused: 0, missing: 0, unanswered: 0, unasked: 0 };
  const limit = (): AbortSignal => AbortSignal.any([AbortSignal.timeout(CALL_MS), ...(signal ? [signal] : [])]);
  const round: Round = { ...deps, use, limit, total };
  let silent = 0;
  for (let at = 0; at < listings.length && !signal?.aborted;) {
    const [provider] = deps.providers.available('quotes');
    const size = provider ? Math.max(1, provider.quotesPerCall) : listings.length;
    const batch = listings.slice(at, at + size);
    const came = await refreshBatch(round, accept ? batch.map(asIfNew) : batch);
    if (came !== 'limited') at += batch.length;
    silent = came === 'silence' ? silent + 1 : 0;
    if (came !== 'limited' && came !== 'cut short' && silent < MOST_SILENT) continue;
    total.unasked += listings.length - at;
    break;
  }
  return total;
}

const symbolsOf = (listed: readonly { symbol: string }[]): string[] => listed.map(({ symbol }) => symbol);

/** Without a price to compare the next one with. */
const asIfNew = (known: KnownPrice): KnownPrice => ({ ...known, current_price: null, last_close: null });

/** `limited`: budget or rate allowed no call; `cut short`: that came midway; `silence`: the provider is away. */
async function refreshBatch(
  round: Round,
  batch: readonly KnownPrice[],
): Promise<'answer' | 'cut short' | 'silence' | 'limited'> {
  const { sql, providers, logger, use, limit, total } = round;
  const symbols = symbolsOf(batch);
  const answer = await providers.call('quotes', (provider) => provider.quotes(symbols, limit(), use));
  if (!answer.ok && (answer.reason === 'budget' || answer.reason === 'rate_limited')) return 'limited';
  const cutShort = answer.ok && (answer.rest?.reason === 'budget' || answer.rest?.reason === 'rate_limited');
  const asked = answer.ok && cutShort ? batch.filter(({ symbol }) => answer.value.has(symbol)) : batch;
  total.unasked += batch.length - asked.length;
  const answered = round.simulated ? [] : asked.filter((known) => wasAnswered(answer, known));
  await noteAsked(sql, { asked: symbolsOf(asked), answered: symbolsOf(answered) }, new Date());
  if (!answer.ok) {
    const silence = answer.reason === 'upstream';
    total[silence ? 'unanswered' : 'missing'] += batch.length;
    return silence ? 'silence' : 'answer';
  }
  const source = answer.from ?? 'unknown';
  const good: PriceRow[] = [];
  const quarantined: { symbol: string; reason: string }[] = [];
  const unfit: Taken[] = [];
  for (const known of await withUnits(round, asked, answer.value, source)) {
    const quote = answer.value.get(known.symbol);
    if (!quote) {
      total[wasAnswered(answer, known) ? 'missing' : 'unanswered'] += 1;
      continue;
    }
    const judged = await judgeWithSplits(round, quote, known, source);
    if (judged.verdict === 'take') {
      good.push(judged.price);
      if (judged.history !== 'fits') unfit.push(judged);
    } else if (judged.verdict === 'quarantine') {
      quarantined.push({ symbol: known.symbol, reason: judged.reason });
      logger.warn({ symbol: known.symbol, source, reason: judged.reason }, 'a price was quarantined');
    } else {
      total.refused += 1;
    }
  }
  const written = good.length > 0 ? await writePrices(sql, good) : [];
  total.written += written.length;
  if (quarantined.length > 0) await quarantinePrices(sql, quarantined);
  total.quarantined += quarantined.length;
  for (const taken of unfit) await mendHistory(round, taken);
  await round.replaceSamples(symbolsOf(written.filter(({ lacks_history: lacksHistory }) => lacksHistory)));
  return cutShort ? 'cut short' : 'answer';
}

/** Whether a provider answered for a listing, with a price or none; listings behind a cut-off have no answer. */
function wasAnswered(answer: Answer<ReadonlyMap<string, Quote | null>>, { symbol }: KnownPrice): boolean {
  if (!answer.ok) return answer.reason === 'unknown' || answer.reason === 'unsupported';
  return answer.rest === undefined || answer.value.has(symbol);
}

/** Asks the provider once for the unit of each listing that has a minor one; after one failed call the rest waits. */
async function withUnits(
  round: Round,
  batch: readonly KnownPrice[],
  quotes: ReadonlyMap<string, Quote | null>,
  source: string,
): Promise<KnownPrice[]> {
  const result: KnownPrice[] = [];
  let silent = false;
  for (const known of batch) {
    const unknown = quotes.get(known.symbol)?.currency === null && unitOf(known, source) === undefined;
    const unit: string | null | undefined =
      unknown && !silent ? await askUnit(round, known, source, round.limit()) : undefined;
    silent ||= unknown && unit === undefined;
    result.push(unit === undefined ? known : { ...known, units: { ...known.units, [source]: unit } });
  }
  return result;
}

type Taken = Extract<Judgement, { verdict: 'take' }>;

/** A split can look like a change of unit: the split feed decides, asked once a day; else it stays quarantined. */
async function judgeWithSplits(round: Round, quote: Quote, known: KnownPrice, source: string): Promise<Judgement> {
  const { sql, now } = round;
  const judged = judgeQuote(quote, known, source, now());
  if (judged.verdict !== 'quarantine' || (await splitChecked(sql, known.symbol))) return judged;
  const splits = await askSplits(round, known.symbol);
  const explained =
    splits.ok &&
    splits.value.some(({ numerator, denominator }) => Math.abs((judged.factor * numerator) / denominator - 1) < 0.2);
  if (splits.ok && !explained) await noteSplitCheck(sql, known.symbol);
  if (!explained) return judged;
  const taken = judgeQuote(quote, asIfNew(known), source, now());
  return taken.verdict === 'take'
    ? { ...taken, history: 'split', scale: taken.scale && scaleAfter(taken.scale, splits.value) }
    : taken;
}

/**
 * Has a history that no longer fits its price fetched anew; in doubt only where the split feed knows of a split. Once a
 * day for each listing, since every refresh would ask again. A provider may not have adjusted its candles yet: what
 * they should be is noted, and looked for.
 */
async function mendHistory(round: Round, { price: { symbol }, history, scale }: Taken): Promise<void> {
  if (await splitChecked(round.sql, symbol)) return;
  const splits = history === 'split' ? undefined : await askSplits(round, symbol);
  if (splits && !splits.ok) return;
  const recent = splits?.value.filter(({ date }) => !scale || date > scale.day);
  if (recent?.length === 0) return noteSplitCheck(round.sql, symbol);
  await noteSplitCheck(round.sql, symbol, scale && scaleAfter(scale, recent ?? []));
  await round.refetchHistory(symbol);
}

function scaleAfter(scale: NewScale, splits: readonly Split[]): NewScale {
  const since = splits.filter(({ date }) => date > scale.day);
  return {
    ...scale,
    close:
      scale.close ??
      since.reduce((close, { numerator, denominator }) => (close * denominator) / numerator, scale.stored),
  };
}

function askSplits({ providers, now, limit }: Round, symbol: string): Promise<Answer<Split[]>> {
  const to = marketCalendar.newYorkDate(now());
  const range = { from: marketCalendar.addMarketDays(to, -10), to };
  return providers.call('splits', (provider) => provider.splits(symbol, range, limit()));
}
