import { marketCalendar } from '../../domain/market-calendar.ts';
import type { DividendPayment } from '../../domain/dividends.ts';
import { type Dividend, mapResult } from '../../domain/market-data-provider.ts';
import { getUpcomingRange } from '../earnings/list-reports.ts';
import type { MarketContext } from '../shared/market-context.ts';
import { cleanDividends, type DividendFault } from './clean-dividends.ts';
import {
  type DividendState,
  listDividendStates,
  readDividends,
  storeDividends,
  type StoredDividends,
} from './dividend-queries.ts';

/** Hours after which dividends are fetched again. The daily job may start a little earlier than the day before. */
const FRESH_HOURS = 20;
/** Hours after which dividends are fetched again although the calendar shows no new one. */
const FRESH_HOURS_WITH_CALENDAR = 7 * 24 - 4;
/** Number of securities that are fetched one by one without the calendar, whose weeks are as many calls. */
const MAX_WITHOUT_CALENDAR = 13;
/** Consecutive failures that end a refresh. */
const MAX_CONSECUTIVE_FAILURES = 3;

type DividendContext = Pick<MarketContext, 'sql' | 'providers' | 'logger' | 'now' | 'simulated'>;

/** Creates the service of dividends: the daily refresh and the read of stored ones. */
export function createDividends({ sql, providers, logger, now, simulated }: DividendContext) {
  const loggedFaults = new Set<string>();

  /** Logs each fault of a security once in this process, since providers repeat their rows every day. */
  function logFaults(provider: string, symbol: string, faults: readonly DividendFault[]): void {
    for (const fault of faults) {
      const key = `${provider} ${symbol} ${fault}`;
      if (loggedFaults.has(key)) continue;
      loggedFaults.add(key);
      logger.warn({ provider, symbol, fault }, 'dividend of a market-data provider left out or corrected');
    }
  }

  /** Returns the dividends that are declared for the next 90 days, or undefined without a calendar. */
  async function readCalendar(signal: AbortSignal): Promise<Map<string, Dividend[]> | undefined> {
    const range = getUpcomingRange(marketCalendar.toNewYorkDate(now()));
    const answer = await providers.call<Dividend[] | undefined>(
      'dividends',
      async (provider) => {
        const calendar = await provider.dividendCalendar!(range, signal);
        // A plan without the calendar may still cover the dividends of single securities.
        return !calendar.ok && calendar.reason === 'not_entitled' ? { ok: true, value: undefined } : calendar;
      },
      { supports: ({ dividendCalendar }) => dividendCalendar !== undefined },
    );
    return answer.ok && answer.value ? Map.groupBy(answer.value, ({ symbol }) => symbol) : undefined;
  }

  /** Returns the securities whose dividends must be fetched. */
  async function listDue(signal: AbortSignal): Promise<DividendState[]> {
    const stale = (await listDividendStates(sql, simulated)).filter(
      ({ age_hours: age }) => age === null || age >= FRESH_HOURS,
    );
    if (stale.length <= MAX_WITHOUT_CALENDAR || simulated) return stale;
    const calendar = await readCalendar(signal);
    if (!calendar) return stale;
    return stale.filter(
      ({ symbol, age_hours: age, payments }) =>
        age === null ||
        age >= FRESH_HOURS_WITH_CALENDAR ||
        (calendar.get(symbol) ?? []).some((dividend) => !payments?.some((payment) => isSame(payment, dividend))),
    );
  }

  /** Fetches and stores the dividends of one security. Returns the reason if the fetch failed. */
  async function refreshOne(state: DividendState, signal: AbortSignal) {
    const today = marketCalendar.toNewYorkDate(now());
    const answer = await providers.call(
      'dividends',
      async (provider) =>
        mapResult(await provider.dividends(state.symbol, signal), (dividends) => {
          const { payments, faults } = cleanDividends(dividends, state, today);
          logFaults(provider.id, state.symbol, faults);
          return payments;
        }),
      { isEmpty: (payments) => payments.length === 0 },
    );
    // If only one provider's plan omits it, the others have answered.
    const hasNone =
      !answer.ok &&
      (answer.reason === 'unknown' ||
        (answer.reason === 'not_entitled' && providers.available('dividends').length > 0));
    if (!answer.ok && !hasNone) return answer.reason;
    await storeDividends(sql, { symbol: state.symbol, payments: answer.ok ? answer.value : [] }, simulated);
    return undefined;
  }

  return {
    /**
     * Fetches the dividends of held and watched securities that are older than a day. If a provider fails, the stored
     * ones stay until the next refresh.
     */
    async refresh(signal: AbortSignal): Promise<void> {
      let failures = 0;
      for (const state of await listDue(signal)) {
        const reason = await refreshOne(state, signal);
        failures = reason === undefined ? 0 : failures + 1;
        if (failures === MAX_CONSECUTIVE_FAILURES || (reason !== undefined && reason !== 'upstream')) return;
      }
    },

    read: async (symbols: readonly string[]): Promise<StoredDividends[]> =>
      symbols.length === 0 ? [] : readDividends(sql, [...new Set(symbols)], simulated),
  };
}

const isSame = (payment: DividendPayment, { ex_date: exDate, payment_date: paymentDate, amount }: Dividend): boolean =>
  payment.ex_date === exDate && payment.payment_date === paymentDate && payment.amount === amount;
