import { linkOf } from '../tools/news-tool.ts';
import { INCOMPLETE, TIER_UNKNOWN } from '../tools/remarks.ts';
import type { ToolContext, WatchedItem } from '../tools/tool-context.ts';
import { type Draft, open, own } from './draft.ts';
import { count, day, listed, moment, money, percent, signedMoney } from './phrases.ts';
import { articleLine, move, reportLine } from './quote-lines.ts';

type Moved = WatchedItem & { change_1d: number };

/** The watchlist's day. */
export async function listToday(context: ToolContext): Promise<Draft> {
  const [title, symbol] = ['Your list today', null];
  const [list, session] = await Promise.all([context.list(), context.session()]);
  if (list.state === 'tier_unavailable')
    return { title, symbol, lines: [open(TIER_UNKNOWN)], incomplete: [TIER_UNKNOWN] };
  if (list.state === 'not_in_rollout' || list.rows.length === 0)
    return { title, symbol, lines: [open('Your watchlist is empty.')] };
  const items = list.rows.flatMap(({ item }) => (item.locked ? [] : [item]));
  const locked = list.rows.length - items.length;
  const moved = items.filter((item): item is Moved => item.change_1d !== null);
  const byMove = moved.toSorted((a, b) => b.change_1d - a.change_1d);
  const [up, down] = [byMove.filter((item) => item.change_1d > 0), byMove.filter((item) => item.change_1d < 0)];
  const newest = items.map(({ price_at: at }) => at ?? '').reduce((a, b) => (a > b ? a : b), '');
  const lines = [
    open(
      `Of ${count(items.length, 'ticker')}, ${up.length} ${are(up.length)} up and ${down.length} ` +
        `${are(down.length)} down` +
        `${newest && `, as of ${moment(newest)}`}${session ? ` (US market: ${SESSION[session.session]})` : ''}.`,
    ),
  ];
  if (up.length > 0) lines.push(open(`Up most: ${listed(up.slice(0, 3).map(move))}.`));
  if (down.length > 0) lines.push(open(`Down most: ${listed(down.slice(-3).toReversed().map(move))}.`));
  const held = items.filter((item) => item.held).length;
  if (held > 0) lines.push(own(`You hold ${held} of them.`));
  if (locked > 0)
    lines.push(open(`${count(locked, 'saved ticker')} beyond your plan ${are(locked)} locked and left out.`));
  return {
    ...{ title, symbol, lines, sample_data: items.some(({ sample }) => sample) },
    table: {
      title: 'By the day’s move',
      private: false,
      columns: ['Symbol', 'Name', 'Price', 'Currency', 'Day %'],
      rows: [...byMove, ...items.filter((item) => item.change_1d === null)].map((item) => [
        ...[item.symbol, item.name, item.price, item.currency, item.change_1d],
      ]),
      truncated: false,
    },
  };
}

const SESSION = { pre: 'before the opening', open: 'open', post: 'after the close', closed: 'closed' };
const are = (found: number): string => (found === 1 ? 'is' : 'are');

/** Who reports next. */
export async function reportsAhead(context: ToolContext, days: number): Promise<Draft> {
  const { earnings, complete, sample_data: sample } = await context.reportsAhead();
  const last = new Date(context.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const coming = earnings.filter(({ date }) => date <= last);
  const within = `in the next ${count(days, 'day')}`;
  const draft = { title: 'Reports ahead', symbol: null, incomplete: complete ? [] : [INCOMPLETE] };
  if (coming.length === 0)
    return { ...draft, lines: [open(`No company that you hold or watch is known to report ${within}.`)] };
  const reports = count(coming.length, 'report');
  return {
    ...draft,
    sample_data: sample,
    lines: [
      open(`${reports} of companies that you hold or watch ${are(coming.length)} due ${within}.`),
      ...coming.slice(0, 5).map((report) => open(reportLine(report))),
    ],
    table: {
      ...{ title: 'By date', private: true, columns: ['Symbol', 'Name', 'Date', 'When', 'Expected', 'Held'] },
      rows: coming
        .slice(0, 50)
        .map((next) => [next.symbol, next.name, next.date, next.when, next.eps_estimate, next.held]),
      truncated: coming.length > 50,
    },
  };
}

/** How net worth has changed; currencies stand beside each other. */
export async function netWorthChange(context: ToolContext, days: number): Promise<Draft> {
  const { currencies, unpriced, sample_data: sample } = await context.netWorth(days);
  const lines = currencies.flatMap(({ currency, cash, investments, total, history }) => {
    const first = history[0];
    if (!first) return [own(`You have ${money(total, currency)} now; there is no earlier day to compare it with.`)];
    const change = total - first.total;
    const share = first.total === 0 ? '' : ` (${percent((100 * change) / Math.abs(first.total))})`;
    return [
      own(`${money(total, currency)} now, ${signedMoney(change, currency)}${share} since ${day(first.date)}.`),
      own(
        `Cash ${signedMoney(cash - first.cash, currency)}, investments ` +
          `${signedMoney(investments - first.investments, currency)}.`,
      ),
    ];
  });
  if (lines.length === 0) lines.push(open('There is no account yet, so no net worth either.'));
  else lines.push(open('Deposits and withdrawals count as change; currencies are never converted into one another.'));
  if (unpriced.length > 0) lines.push(own(`Without a price, and in no figure: ${listed(unpriced)}.`));
  return {
    ...{ title: 'Change of your net worth', symbol: null, lines, sample_data: sample },
    table: {
      ...{ title: 'Now and then', private: true, columns: ['Currency', 'Now', 'Since', 'Then'], truncated: false },
      rows: currencies.map(({ currency, total, history: [first] }) => [
        ...[currency, total, first?.date ?? null, first?.total ?? null],
      ]),
    },
  };
}

/** The newest articles about everything that is held or watched. */
export async function allNews(context: ToolContext): Promise<Draft> {
  const { articles, complete, sample_data: sample } = await context.news({ limit: 10 });
  const draft = { title: 'What’s new?', symbol: null, incomplete: complete ? [] : [INCOMPLETE] };
  if (articles.length === 0) return { ...draft, lines: [open('There is no news about what you hold or watch.')] };
  const lines = articles.slice(0, 5).map((article) => open(articleLine(article)));
  return { ...draft, lines, sources: articles.map(linkOf), sample_data: sample };
}
