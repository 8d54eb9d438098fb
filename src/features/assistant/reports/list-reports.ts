import { getChangeOfRequestedDays, listHeldCurrencies } from '../tools/net-worth-change-tool.ts';
import { toSourceLink } from '../tools/news-tool.ts';
import { INCOMPLETE_REMARK, TIER_UNAVAILABLE_REMARK } from '../tools/remarks.ts';
import type { ToolContext, WatchedItem } from '../tools/tool-context.ts';
import { type ReportDraft, publicLine, privateLine } from './draft.ts';
import { formatCount } from '../../../ui/kit/format-count.ts';
import { formatChange, formatMoney } from '../../../ui/kit/formats.ts';
import { formatCalendarDay, formatEastern } from '../../../ui/kit/new-york-time.ts';
import { formatPrice, formatSignedAmount } from '../../../ui/kit/price-formats.ts';
import { roundChange } from '../../../ui/kit/round-change.ts';
import { formatCell, formatEstimate } from './formats.ts';
import { formatList } from '../../../ui/kit/format-list.ts';
import { formatArticleLine, formatMove, formatReportLine } from './quote-lines.ts';

type MovedItem = WatchedItem & { change_1d: number };

/** Drafts the report on the watchlist of the day. */
export async function draftWatchlistReport(context: ToolContext): Promise<ReportDraft> {
  const title = 'Your list today';
  const symbol = null;
  const [list, session] = await Promise.all([context.getWatchlist(), context.getMarketSession()]);
  if (list.state === 'tier_unavailable')
    return { title, symbol, lines: [publicLine(TIER_UNAVAILABLE_REMARK)], incomplete: [TIER_UNAVAILABLE_REMARK] };
  if (list.state === 'not_in_rollout' || list.rows.length === 0)
    return { title, symbol, lines: [publicLine('Your watchlist is empty.')] };
  const items = list.rows.flatMap(({ item }) => (item.locked ? [] : [item]));
  const locked = list.rows.length - items.length;
  const movedItems = items.filter((item): item is MovedItem => item.change_1d !== null);
  const itemsByMove = movedItems.toSorted((a, b) => b.change_1d - a.change_1d);
  const risers = itemsByMove.filter((item) => item.change_1d > 0);
  const fallers = itemsByMove.filter((item) => item.change_1d < 0);
  const newestPriceAt = items.map(({ price_at: at }) => at ?? '').reduce((a, b) => (a > b ? a : b), '');
  const lines = [
    publicLine(
      `Of ${formatCount(items.length, 'ticker')}, ${risers.length} ${formatIsAre(risers.length)} up and ${fallers.length} ` +
        `${formatIsAre(fallers.length)} down` +
        `${newestPriceAt && `, as of ${formatEastern(new Date(newestPriceAt), context.now())}`}${session ? ` (US market: ${SESSION_LABELS[session.session]})` : ''}.`,
    ),
  ];
  if (risers.length > 0) lines.push(publicLine(`Top gainers: ${formatList(risers.slice(0, 3).map(formatMove))}.`));
  if (fallers.length > 0)
    lines.push(publicLine(`Top losers: ${formatList(fallers.slice(-3).toReversed().map(formatMove))}.`));
  const held = items.filter((item) => item.held).length;
  if (held > 0) lines.push(privateLine(`You hold ${held} of them.`));
  if (locked > 0)
    lines.push(
      publicLine(
        `${formatCount(locked, 'saved ticker')} beyond your plan ${formatIsAre(locked)} locked and not included.`,
      ),
    );
  return {
    title,
    symbol,
    lines,
    sample_data: items.some(({ sample }) => sample),
    table: {
      title: 'By day change',
      private: false,
      columns: ['Symbol', 'Name', 'Price', 'Day'],
      amount_columns: [],
      rows: [...itemsByMove, ...items.filter((item) => item.change_1d === null)].map((item) => [
        item.symbol,
        item.name,
        formatCell(item.price, (price) => formatPrice(price, item)),
        formatCell(item.change_1d, formatChange),
      ]),
      truncated: false,
    },
  };
}

const SESSION_LABELS = { pre: 'pre-market', open: 'open', post: 'after hours', closed: 'closed' };
const formatIsAre = (number: number): string => (number === 1 ? 'is' : 'are');

/** Drafts the report on upcoming earnings. */
export async function draftUpcomingReports(context: ToolContext, days: number): Promise<ReportDraft> {
  const { earnings, complete, sample_data: sample } = await context.getUpcomingReports();
  const lastDate = new Date(context.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const upcoming = earnings.filter(({ date }) => date <= lastDate);
  const period = `in the next ${formatCount(days, 'day')}`;
  const draft = { title: 'Upcoming earnings', symbol: null, incomplete: complete ? [] : [INCOMPLETE_REMARK] };
  if (upcoming.length === 0)
    return { ...draft, lines: [publicLine(`No company that you hold or watch is known to report ${period}.`)] };
  const reports = formatCount(upcoming.length, 'report');
  return {
    ...draft,
    sample_data: sample,
    lines: [
      publicLine(`${reports} of companies that you hold or watch ${formatIsAre(upcoming.length)} due ${period}.`),
      ...upcoming.slice(0, 5).map((report) => publicLine(formatReportLine(report))),
    ],
    table: {
      title: 'By date',
      private: true,
      columns: ['Symbol', 'Name', 'Date', 'When', 'Expected', 'Held'],
      amount_columns: [],
      rows: upcoming
        .slice(0, 50)
        .map((next) => [
          next.symbol,
          next.name,
          formatCalendarDay(next.date),
          formatCell(next.when, (when) => TIME_LABELS[when]),
          formatEstimate(next),
          next.held,
        ]),
      truncated: upcoming.length > 50,
    },
  };
}

const TIME_LABELS = { bmo: 'Before open', amc: 'After close' };

/** Drafts the report on the change of net worth in the base currency, with balances per currency. */
export async function draftNetWorthReport(context: ToolContext, days: number): Promise<ReportDraft> {
  const { base, currencies, unpriced, sample_data: sample } = await context.getNetWorth(days);
  const { total, currency, excluded } = base;
  const change = getChangeOfRequestedDays(base);
  const now = formatMoney(total, currency);
  const lines = currencies.length === 0 ? [publicLine('Add an account to see your net worth.')] : [];
  if (currencies.length > 0 && !change)
    lines.push(privateLine(`You have ${now} now; there is no earlier day to compare it with.`, [now]));
  if (change) {
    const percent = change.percent === null ? '' : ` (${formatChange(change.percent)})`;
    const gain = formatSignedAmount(change.gain, currency);
    const [marketChange, rateChange] = roundChange(change, currency);
    const market = formatSignedAmount(marketChange, currency);
    const exchangeRates = formatSignedAmount(rateChange, currency);
    const flows = formatSignedAmount(change.flows, currency);
    lines.push(
      privateLine(`${now} now. Gain ${gain}${percent} since ${formatCalendarDay(change.from)}.`, [now, gain]),
      privateLine(`Market ${market}, exchange rates ${exchangeRates}, added or withdrawn ${flows}.`, [
        market,
        exchangeRates,
        flows,
      ]),
      publicLine('The percentage is time-weighted: money added or withdrawn does not change it.'),
    );
  }
  if (excluded.length > 0) {
    const amounts = excluded.map((part) => formatMoney(part.amount, part.currency));
    lines.push(privateLine(`Not included (no exchange rate): ${formatList(amounts)}.`, amounts));
  }
  if (unpriced.length > 0) lines.push(privateLine(`Not included (no price): ${formatList(unpriced)}.`));
  return {
    title: 'Net worth change',
    symbol: null,
    lines,
    sample_data: sample,
    table: {
      title: 'Now and then',
      private: true,
      columns: ['Currency', 'Now', 'Since', 'Then'],
      amount_columns: ['Now', 'Then'],
      truncated: false,
      rows: listHeldCurrencies(currencies).map(({ currency, total, history: [first] }) => [
        currency,
        formatMoney(total, currency),
        formatCell(first?.date ?? null, formatCalendarDay),
        formatCell(first?.total ?? null, (amount) => formatMoney(amount, currency)),
      ]),
    },
  };
}

/** Drafts the report on the newest articles about all held and watched symbols. */
export async function draftNewsReport(context: ToolContext): Promise<ReportDraft> {
  const { articles, complete, sample_data: sample } = await context.getNews({ limit: 10 });
  const draft = { title: 'What’s new?', symbol: null, incomplete: complete ? [] : [INCOMPLETE_REMARK] };
  if (articles.length === 0) return { ...draft, lines: [publicLine('There is no news about what you hold or watch.')] };
  const lines = articles.slice(0, 5).map((article) => publicLine(formatArticleLine(article, context.now())));
  return { ...draft, lines, sources: articles.map(toSourceLink), sample_data: sample };
}
