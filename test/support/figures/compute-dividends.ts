import type { TestDatabase } from '../database.ts';
import { computeHoldings, computePercent, findRate } from './compute-figures.ts';
import { type Amount, multiply, sum, toAmount } from './fixed-point.ts';
import { readPortfolioRows } from './portfolio-rows.ts';

/** Dividend income of a member's holdings, computed from the stored rows without any code of the product. */
export interface DividendFigures {
  next90Days: Amount;
  next12Months: Amount;
  yieldOnValue: Amount | null;
  yieldOnCost: Amount | null;
  /** Declared and expected income by month, YYYY-MM. */
  months: Map<string, Amount>;
}

interface StoredPayment {
  ex_date: string;
  payment_date: string | null;
  amount: number;
  currency: string;
  per_year: number | null;
}

const DAY_MS = 86_400_000;
const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Returns the figures of a member with the id `idpId`. */
export async function computeDividends(database: TestDatabase, idpId: string): Promise<DividendFigures> {
  const rows = await readPortfolioRows(database, idpId);
  const stored = await database.owner<{ symbol: string; payments: StoredPayment[] }>(
    'select symbol, payments from market.dividends',
  );
  const holdings = computeHoldings(rows);
  const end = toDay(Date.parse(addMonths(rows.today, 12)) - DAY_MS);
  const soonEnd = toDay(Date.parse(rows.today) + 90 * DAY_MS);
  const incomes = holdings.flatMap(({ id, symbol, quantity }) =>
    listAhead(stored.find((each) => each.symbol === symbol)?.payments ?? [], rows.today)
      .filter(({ day }) => day <= end)
      .flatMap(({ day, amount, currency }) => {
        const rate = findRate(rows, currency, rows.today);
        return rate === null ? [] : [{ id, day, income: multiply(multiply(quantity, toAmount(amount)), rate) }];
      }),
  );
  const sumOf = (isCounted: (entry: (typeof incomes)[number]) => boolean): Amount =>
    sum(incomes.filter(isCounted).map(({ income }) => income));
  const valued = holdings.filter(({ base }) => base !== null && base.value !== null);
  const costed = valued.filter(({ base }) => base!.cost !== null);
  const idsWith = (some: typeof holdings): Set<string> => new Set(some.map(({ id }) => id));
  const ofValued = sumOf(({ id }) => idsWith(valued).has(id));
  const ofCosted = sumOf(({ id }) => idsWith(costed).has(id));
  return {
    next90Days: sumOf(({ day }) => day <= soonEnd),
    next12Months: sumOf(() => true),
    yieldOnValue: computePercent(ofValued, sum(valued.map(({ base }) => base!.value!))),
    yieldOnCost: computePercent(ofCosted, sum(costed.map(({ base }) => base!.cost!))),
    months: new Map(
      [...new Set(incomes.map(({ day }) => day.slice(0, 7)))].map((month) => [
        month,
        sumOf(({ day }) => day.startsWith(month)),
      ]),
    ),
  };
}

/** Returns the declared payments and the estimates of more than a year, by the rules of docs/explanation/portfolio.md. */
function listAhead(payments: readonly StoredPayment[], today: string): (StoredPayment & { day: string })[] {
  const declared = payments
    .map((payment) => ({ ...payment, day: payment.payment_date ?? payment.ex_date }))
    .filter(({ day }) => day >= today);
  const regular = payments.filter(({ per_year: perYear }) => perYear !== null);
  if (regular.length === 0) return declared;
  const last = regular.reduce((latest, each) => (each.ex_date > latest.ex_date ? each : latest));
  const perYear = last.per_year!;
  const lateFrom = Date.parse(last.ex_date) + Math.ceil((365 / perYear) * 1.5) * DAY_MS;
  if (lateFrom < Date.parse(today)) return declared;
  const from = last.payment_date ?? last.ex_date;
  const estimates = Array.from({ length: 2 * perYear + 2 }, (_, index) => ({
    ...last,
    day: toWeekday(addMonths(from, (12 / perYear) * (index + 1))),
  }));
  return [...declared, ...estimates.filter(({ day }) => day >= today)];
}

function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const index = year * 12 + month - 1 + months;
  const newYear = Math.floor(index / 12);
  const newMonth = index % 12;
  const length = new Date(Date.UTC(newYear, newMonth + 1, 0)).getUTCDate();
  return toDay(Date.UTC(newYear, newMonth, Math.min(date, length)));
}

function toWeekday(day: string): string {
  const weekday = new Date(day).getUTCDay();
  const daysLater = { 0: 1, 6: 2 }[weekday] ?? 0;
  return toDay(Date.parse(day) + daysLater * DAY_MS);
}
