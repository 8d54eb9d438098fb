import type { Position } from '../../portfolio/contract.ts';
import type { Article } from '../../portfolio/dashboard/contract.ts';
import { findKnown, type KnownSymbol } from '../tools/known-symbol.ts';
import { linkOf } from '../tools/news-tool.ts';
import { INCOMPLETE } from '../tools/remarks.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { type MoveFacts, readMove } from '../tools/why-moving-tool.ts';
import { type Draft, open, own } from './draft.ts';
import { amount, count, listed, money, percent, price, roughly, signedMoney } from './phrases.ts';
import { articleLine, quoteLine, reportLine } from './quote-lines.ts';

/** Why a symbol is moving: what is known around the move, and that no cause is where none is. */
export async function whyMoving(context: ToolContext, symbol: string): Promise<Draft | undefined> {
  const facts = await readMove(context, symbol);
  if (!facts) return undefined;
  const { known, articles, report, session } = facts;
  const { detail } = known;
  const lines = [open(quoteLine(known, context.now(), session))];
  if (detail) lines.push(...tradingLines(detail).map(open));
  if (report) lines.push(open(reportLine(report)));
  lines.push(...newsLines(articles).map(open), open(endOf(facts)));
  if (known.position) lines.push(own(shareOfMove(known.position)));
  return draftOf(`Why is ${known.symbol} moving?`, facts, lines);
}

/** What is new with a symbol: news, the next report, the price. */
export async function whatsNew(context: ToolContext, symbol: string): Promise<Draft | undefined> {
  const facts = await readMove(context, symbol);
  if (!facts) return undefined;
  const { known, articles, report, session } = facts;
  const lines =
    articles.length > 0 ? newsLines(articles) : [`No article of the last three days names ${known.symbol}.`];
  if (report) lines.push(reportLine(report));
  else if (known.detail?.next_report) lines.push(`Its next report is on ${known.detail.next_report.date}.`);
  lines.push(quoteLine(known, context.now(), session));
  return draftOf(`What’s new with ${known.symbol}?`, facts, lines.map(open));
}

/** What the member has in one symbol. */
export async function positionReport(context: ToolContext, symbol: string): Promise<Draft | undefined> {
  const known = await findKnown(context, symbol);
  if (!known) return undefined;
  const { position } = known;
  const title = `Your position in ${known.symbol}`;
  const { sample_data: sample } = await context.portfolio();
  const lines = [open(quoteLine(known, context.now()))];
  if (!position)
    return { title, symbol: known.symbol, lines: [open(`You watch ${known.symbol} and hold none.`), ...lines] };
  const accounts = count(position.accounts.length, 'account');
  lines.unshift(own(`You hold ${amount(position.quantity)} ${known.symbol} in ${accounts}${valueOf(position)}.`));
  lines.push(own(gainOf(position)), own(shareOfMove(position)));
  return {
    ...{ title, symbol: known.symbol, lines: lines.filter(({ text }) => text !== ''), sample_data: sample },
    table: {
      title: 'By account',
      private: true,
      columns: ['Account', 'Quantity', 'Value', 'Cost'],
      rows: position.accounts.map((part) => [part.account_name, part.quantity, part.value, part.cost_basis]),
      truncated: false,
    },
  };
}

const valueOf = ({ value, currency }: Position): string => (value === null ? '' : `, worth ${money(value, currency)}`);

function tradingLines(detail: NonNullable<KnownSymbol['detail']>): string[] {
  const { volume, day_low: low, day_high: high, price: last, currency, low_52w: lowest, high_52w: highest } = detail;
  const parts: string[] = [];
  if (volume !== null) parts.push(`${roughly(volume)} have traded`);
  if (low !== null && high !== null)
    parts.push(`the day’s range is ${price(low, currency)} to ${price(high, currency)}`);
  const lines = parts.length > 0 ? [`${capital(listed(parts))}.`] : [];
  if (last !== null && highest !== null && last >= highest) lines.push('That is its highest in 52 weeks of closes.');
  if (last !== null && lowest !== null && last <= lowest) lines.push('That is its lowest in 52 weeks of closes.');
  return lines;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** At most three articles by title; all of them are among the sources. */
function newsLines(articles: readonly Article[]): string[] {
  const said = articles.slice(0, 3).map(articleLine);
  const more = articles.length - said.length;
  return more > 0 ? [...said, `And ${count(more, 'more article')} below.`] : said;
}

/** The honest end: figures lie beside each other; none of them proves a cause. */
function endOf({ articles, report, known, newsComplete }: MoveFacts): string {
  const { change_1d: change } = known.quote;
  if (change !== null && Math.abs(change) < 1 && articles.length === 0)
    return 'That is a small move, with no news to it.';
  if (articles.length > 0)
    return 'These articles came out around the move; whether one of them caused it cannot be told from the figures.';
  if (report) return 'No article of the last three days names it; the coming report is what is known.';
  if (!newsComplete) return 'No cause was found, and not every source could be asked.';
  return 'No cause was found: no article of the last three days, and no report within a week.';
}

function shareOfMove({ value, change_1d: change, currency }: Position): string {
  if (value === null || change === null) return '';
  return `The move is ${signedMoney((value * change) / (100 + change), currency)} on what you hold.`;
}

function gainOf({ value, cost_basis: cost, currency }: Position): string {
  if (value === null || cost === null || cost === 0) return 'What it cost in all is not known, so no gain is either.';
  const gain = value - cost;
  return `You paid ${money(cost, currency)}: ${signedMoney(gain, currency)} (${percent((100 * gain) / cost)}) so far.`;
}

const draftOf = (title: string, facts: MoveFacts, lines: Draft['lines']): Draft => ({
  ...{ title, symbol: facts.known.symbol, lines: lines.filter(({ text }) => text !== '') },
  sources: facts.articles.map(linkOf),
  incomplete: facts.newsComplete ? [] : [INCOMPLETE],
  sample_data: facts.sample,
});
