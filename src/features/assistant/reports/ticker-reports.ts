import type { Position } from '../../portfolio/holdings/contract.ts';
import type { Article } from '../../portfolio/dashboard/contract.ts';
import { findMemberSymbol, type MemberSymbol } from '../tools/member-symbol.ts';
import { toSourceLink } from '../tools/news-tool.ts';
import { INCOMPLETE_REMARK } from '../tools/remarks.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { type MoveFacts, readMove } from '../tools/why-moving-tool.ts';
import { type ReportDraft, publicLine, privateLine } from './draft.ts';
import { formatCount } from '../../../ui/kit/format-count.ts';
import { formatChange } from '../../../ui/kit/formats.ts';
import { formatCalendarDay } from '../../../ui/kit/new-york-time.ts';
import {
  formatAmount,
  formatPrice,
  formatQuantity,
  formatSignedAmount,
  formatVolume,
} from '../../../ui/kit/price-formats.ts';
import { formatCell } from './formats.ts';
import { formatList } from '../../../ui/kit/format-list.ts';
import { formatArticleLine, formatQuoteLine, formatReportLine } from './quote-lines.ts';

/** Drafts the report on why a symbol moves: the known facts, or the statement that no cause is known. */
export async function draftMoveReport(context: ToolContext, symbol: string): Promise<ReportDraft | undefined> {
  const facts = await readMove(context, symbol);
  if (!facts) return undefined;
  const { memberSymbol, articles, report, session } = facts;
  const { detail } = memberSymbol;
  const lines = [publicLine(formatQuoteLine(memberSymbol, context.now(), session))];
  if (detail) lines.push(...formatTradingLines(detail).map(publicLine));
  if (report) lines.push(publicLine(formatReportLine(report)));
  lines.push(...formatNewsLines(articles, context.now()).map(publicLine), publicLine(formatConclusion(facts)));
  if (memberSymbol.position) lines.push(...writePositionMove(memberSymbol.position));
  return createDraft(`Why is ${memberSymbol.symbol} moving?`, facts, lines);
}

/** Drafts the report on the news of a symbol: articles, the next earnings report, the price. */
export async function draftSymbolNewsReport(context: ToolContext, symbol: string): Promise<ReportDraft | undefined> {
  const facts = await readMove(context, symbol);
  if (!facts) return undefined;
  const { memberSymbol, articles, report, session } = facts;
  const lines =
    articles.length > 0
      ? formatNewsLines(articles, context.now())
      : [`No news about ${memberSymbol.symbol} in the last three days.`];
  if (report) lines.push(formatReportLine(report));
  else if (memberSymbol.detail?.next_report)
    lines.push(`Its next report is on ${formatCalendarDay(memberSymbol.detail.next_report.date)}.`);
  lines.push(formatQuoteLine(memberSymbol, context.now(), session));
  return createDraft(`What’s new with ${memberSymbol.symbol}?`, facts, lines.map(publicLine));
}

/** Drafts the report on the member's position in one symbol. */
export async function draftPositionReport(context: ToolContext, symbol: string): Promise<ReportDraft | undefined> {
  const memberSymbol = await findMemberSymbol(context, symbol);
  if (!memberSymbol) return undefined;
  const { position } = memberSymbol;
  const title = `Your position in ${memberSymbol.symbol}`;
  const { sample_data: sample } = await context.getPortfolio();
  const lines = [publicLine(formatQuoteLine(memberSymbol, context.now()))];
  if (!position)
    return {
      title,
      symbol: memberSymbol.symbol,
      lines: [publicLine(`You watch ${memberSymbol.symbol} and hold none.`), ...lines],
    };
  const accounts = formatCount(position.accounts.length, 'account');
  const quantity = formatQuantity(position.quantity);
  const value = position.value === null ? [] : [formatAmount(position.value, position.currency)];
  const worth = value.map((amount) => `, worth ${amount}`).join('');
  lines.unshift(
    privateLine(`You hold ${quantity} ${memberSymbol.symbol} in ${accounts}${worth}.`, [quantity, ...value]),
  );
  lines.push(writeGain(position), ...writePositionMove(position));
  return {
    title,
    symbol: memberSymbol.symbol,
    lines,
    sample_data: sample,
    table: {
      title: 'By account',
      private: true,
      columns: ['Account', 'Quantity', 'Value', 'Cost'],
      amount_columns: ['Quantity', 'Value', 'Cost'],
      rows: position.accounts.map((account) => [
        account.account_name,
        formatQuantity(account.quantity),
        formatCell(account.value, (value) => formatAmount(value, account.currency)),
        formatCell(account.cost_basis, (cost) => formatAmount(cost, account.currency)),
      ]),
      truncated: false,
    },
  };
}

function formatTradingLines(detail: NonNullable<MemberSymbol['detail']>): string[] {
  const { volume, day_low: low, day_high: high, low_52w: lowest, high_52w: highest } = detail;
  const sentences: string[] = [];
  if (volume !== null) sentences.push(`${formatVolume(volume)} have traded`);
  if (low !== null && high !== null)
    sentences.push(`the day’s range is ${formatPrice(low, detail)} to ${formatPrice(high, detail)}`);
  const lines = sentences.length > 0 ? [`${capitalize(formatList(sentences))}.`] : [];
  // The range of the year includes the day.
  if (high !== null && highest !== null && high >= highest)
    lines.push('The day’s high is the highest in 52 weeks of closes.');
  if (low !== null && lowest !== null && low <= lowest)
    lines.push('The day’s low is the lowest in 52 weeks of closes.');
  return lines;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Formats at most three articles by title. The sources list all of them. */
function formatNewsLines(articles: readonly Article[], now: Date): string[] {
  const lines = articles.slice(0, 3).map((article) => formatArticleLine(article, now));
  const hiddenCount = articles.length - lines.length;
  return hiddenCount > 0 ? [...lines, `And ${formatCount(hiddenCount, 'more article')} below.`] : lines;
}

/** Returns the conclusion. The figures are coincident, and none of them proves a cause. */
function formatConclusion({ articles, report, memberSymbol, newsComplete }: MoveFacts): string {
  const { change_1d: change } = memberSymbol.quote;
  if (change !== null && Math.abs(change) < 1 && articles.length === 0) return 'A small move, and no related news.';
  if (articles.length > 0)
    return 'These articles were published around the move; the figures do not show whether one of them caused it.';
  if (report) return 'No related news in the last three days; only the upcoming earnings report is known.';
  if (!newsComplete) return 'No cause was found, and a source was unavailable.';
  return 'No cause was found: no news in the last three days, and no earnings report within a week.';
}

function writePositionMove({ change_amount: change, currency }: Position): ReportDraft['lines'] {
  if (change === null) return [];
  const move = formatSignedAmount(change, currency);
  return [privateLine(`The move is ${move} on what you hold.`, [move])];
}

function writeGain({ value, cost_basis: cost, gain, currency }: Position): ReportDraft['lines'][number] {
  if (cost === null) return privateLine('Gain unknown: no cost basis entered.');
  if (value === null || gain === null) return privateLine('Gain unknown: no price yet.');
  const percent = gain.percent === null ? '' : ` (${formatChange(gain.percent)})`;
  const paid = formatAmount(cost, currency);
  const gained = formatSignedAmount(gain.amount, currency);
  return privateLine(`You paid ${paid}: ${gained}${percent} so far.`, [paid, gained]);
}

const createDraft = (title: string, facts: MoveFacts, lines: ReportDraft['lines']): ReportDraft => ({
  title,
  symbol: facts.memberSymbol.symbol,
  lines,
  sources: facts.articles.map(toSourceLink),
  incomplete: facts.newsComplete ? [] : [INCOMPLETE_REMARK],
  sample_data: facts.sample,
});
