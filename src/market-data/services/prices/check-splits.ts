import { marketCalendar } from '../../domain/market-calendar.ts';
import type { ProviderResult, Quote, Split } from '../../domain/market-data-provider.ts';
import type { MarketContext } from '../shared/market-context.ts';
import type { NewScale } from './detect-split.ts';
import { type StoredPrice, recordSplitCheck, wasSplitChecked } from './price-queries.ts';
import { type QuoteDecision, validateQuote } from './validate-quote.ts';

export interface SplitContext extends Pick<MarketContext, 'sql' | 'providers' | 'now'> {
  /** Ends a call in time, or with the refresh. */
  createSignal: () => AbortSignal;
  /** Told of symbols whose history no longer fits their price. */
  refetchHistory(symbol: string): Promise<void>;
}

export type AcceptedQuote = Extract<QuoteDecision, { verdict: 'take' }>;

/** Without a price to compare the next one with. */
export const withoutPreviousPrice = (stored: StoredPrice): StoredPrice => ({
  ...stored,
  current_price: null,
  last_close: null,
});

/** How far a price may be from what the split explains. */
const SPLIT_TOLERANCE = 0.2;

/** A split can look like a change of unit: the split feed decides, asked once a day; else the quote stays quarantined. */
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
  if (accepted.verdict !== 'take') return accepted;
  return { ...accepted, history: 'split', scale: accepted.scale && applySplits(accepted.scale, splits.value) };
}

/**
 * Has a history that no longer fits its price fetched anew; in doubt only where the split feed knows of a split. Once a
 * day for each listing, since every refresh would ask again. A provider may not have adjusted its candles yet: what
 * they should be is noted, and looked for.
 */
export async function repairHistory(
  context: SplitContext,
  { price: { symbol }, history, scale }: AcceptedQuote,
): Promise<void> {
  const { sql } = context;
  if (await wasSplitChecked(sql, symbol)) return;
  let splits: Split[] = [];
  if (history === 'doubtful') {
    const answer = await fetchSplits(context, symbol);
    if (!answer.ok) return;
    splits = answer.value.filter(({ date }) => !scale || date > scale.day);
    if (splits.length === 0) return recordSplitCheck(sql, symbol);
  }
  await recordSplitCheck(sql, symbol, scale && applySplits(scale, splits));
  await context.refetchHistory(symbol);
}

/** The scale with its close on the new side of the splits, where the quote has not told it. */
function applySplits(scale: NewScale, splits: readonly Split[]): NewScale {
  if (scale.close !== null) return scale;
  let close = scale.stored;
  for (const { date, numerator, denominator } of splits)
    if (date > scale.day) close = (close * denominator) / numerator;
  return { ...scale, close };
}

function fetchSplits({ providers, now, createSignal }: SplitContext, symbol: string): Promise<ProviderResult<Split[]>> {
  const to = marketCalendar.toNewYorkDate(now());
  const range = { from: marketCalendar.addMarketDays(to, -10), to };
  return providers.call('splits', (provider) => provider.splits(symbol, range, createSignal()));
}
