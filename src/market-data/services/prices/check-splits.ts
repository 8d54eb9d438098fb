import { marketCalendar } from '../../domain/market-calendar.ts';
import type { ProviderResult, Quote, Split } from '../../domain/market-data-provider.ts';
import type { MarketContext } from '../shared/market-context.ts';
import type { SplitAdjustment } from './detect-split.ts';
import { findPendingSplit, type StoredPrice, recordSplitCheck, wasSplitChecked } from './price-queries.ts';
import { type QuoteDecision, validateQuote } from './validate-quote.ts';

export interface SplitContext extends Pick<MarketContext, 'sql' | 'providers' | 'now'> {
  /** Returns a signal that ends a call after its timeout, or with the refresh. */
  createSignal: () => AbortSignal;
  /** Called for symbols whose history no longer matches their price. */
  refetchHistory(symbol: string): Promise<void>;
}

export type AcceptedQuote = Extract<QuoteDecision, { verdict: 'accept' }>;

/** Returns a copy without a price to compare the next one with. */
export const withoutPreviousPrice = (stored: StoredPrice): StoredPrice => ({
  ...stored,
  current_price: null,
  last_close: null,
});

/** Tolerated deviation of a price from the price that the split implies. */
const SPLIT_TOLERANCE = 0.2;

/**
 * Accepts a quarantined quote if a split explains the jump, which can look like a change of unit. The split feed is
 * called once a day. Without such a split the quote stays quarantined.
 */
export async function acceptIfSplit(
  context: SplitContext,
  quarantined: Extract<QuoteDecision, { verdict: 'quarantine' }>,
  { quote, stored, source }: { quote: Quote; stored: StoredPrice; source: string },
): Promise<QuoteDecision> {
  const { sql, now } = context;
  if (await wasSplitChecked(sql, stored.symbol)) return quarantined;
  const splits = await fetchSplits(context, stored.symbol);
  if (!splits.ok) return quarantined;
  const isExplainedBy = ({ numerator, denominator }: Split): boolean =>
    Math.abs((quarantined.factor * numerator) / denominator - 1) < SPLIT_TOLERANCE;
  if (!splits.value.some(isExplainedBy)) {
    await recordSplitCheck(sql, stored.symbol);
    return quarantined;
  }
  const accepted = validateQuote(quote, withoutPreviousPrice(stored), source, now());
  if (accepted.verdict !== 'accept') return accepted;
  return {
    ...accepted,
    historyGap: 'split',
    adjustment: accepted.adjustment && applySplits(accepted.adjustment, splits.value),
  };
}

/**
 * What the gap between a price and its history means. `isNew`: not checked in the last 20 hours, because every refresh
 * would repeat it. `unanswered`: only the split feed can tell, and it did not answer.
 */
export type GapFinding =
  | { kind: 'split'; adjustment: SplitAdjustment | undefined; isNew: boolean }
  | { kind: 'no-split'; isNew: boolean }
  | { kind: 'unanswered' };

/** Finds out whether a split explains a gap. An ambiguous one needs a split in the split feed, which is called once a day. */
export async function classifyGap(
  context: SplitContext,
  { price: { symbol }, historyGap, adjustment }: AcceptedQuote,
): Promise<GapFinding> {
  const isNew = !(await wasSplitChecked(context.sql, symbol));
  if (historyGap === 'split') return { kind: 'split', adjustment, isNew };
  if (!isNew) {
    const adjustedClose = adjustment ? await findPendingSplit(context.sql, symbol, adjustment.day) : null;
    if (!adjustment || adjustedClose === null) return { kind: 'no-split', isNew };
    return { kind: 'split', adjustment: { ...adjustment, adjustedClose }, isNew };
  }
  const answer = await fetchSplits(context, symbol);
  if (!answer.ok) return answer.reason === 'unsupported' ? { kind: 'no-split', isNew: false } : { kind: 'unanswered' };
  const splits = answer.value.filter(({ date }) => !adjustment || date > adjustment.day);
  if (splits.length === 0) return { kind: 'no-split', isNew };
  return { kind: 'split', adjustment: adjustment && applySplits(adjustment, splits), isNew };
}

/**
 * Schedules a refetch of a history that does not match the price. The provider may adjust its candles days later, so the
 * expected close is stored and checked again.
 */
export async function repairHistory(context: SplitContext, symbol: string, finding: GapFinding): Promise<void> {
  if (finding.kind === 'unanswered' || !finding.isNew) return;
  if (finding.kind === 'no-split') return recordSplitCheck(context.sql, symbol);
  await recordSplitCheck(context.sql, symbol, finding.adjustment);
  await context.refetchHistory(symbol);
}

/** Computes the adjusted close from the splits if the quote does not contain it. */
function applySplits(adjustment: SplitAdjustment, splits: readonly Split[]): SplitAdjustment {
  if (adjustment.adjustedClose !== null) return adjustment;
  let adjustedClose = adjustment.unadjustedClose;
  for (const { date, numerator, denominator } of splits)
    if (date > adjustment.day) adjustedClose = (adjustedClose * denominator) / numerator;
  return { ...adjustment, adjustedClose };
}

function fetchSplits({ providers, now, createSignal }: SplitContext, symbol: string): Promise<ProviderResult<Split[]>> {
  const to = marketCalendar.toNewYorkDate(now());
  const range = { from: marketCalendar.addMarketDays(to, -10), to };
  return providers.call('splits', (provider) => provider.splits(symbol, range, createSignal()));
}
