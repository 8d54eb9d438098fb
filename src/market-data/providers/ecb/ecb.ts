import { DOMParser } from '@xmldom/xmldom';
import { unzipSync } from 'fflate';
import { readWithLimit } from '../../../platform/http/read-with-limit.ts';
import { addDays, isCalendarDay, toIsoDate } from '../../domain/dates.ts';
import type { DayRates, ExchangeRateSource, RatesResult } from '../../domain/exchange-rates.ts';

const DAILY_PATH = '/stats/eurofxref/eurofxref-daily.xml';
const HISTORY_PATH = '/stats/eurofxref/eurofxref-hist.zip';
const CUBE_NAMESPACE = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref';

/** Maximum sizes in bytes. In 2026 the daily file has 2 kB and the history 0.6 MB, unpacked 2 MB. */
const MAX_BODY_BYTES = 8_388_608;
const MAX_UNPACKED_BYTES = 33_554_432;

/** Marks a currency without a rate on a day. */
const NO_RATE = 'N/A';
/** Every published day has a rate of the dollar, so a file without it is incomplete. */
const ALWAYS_PUBLISHED = 'USD';

interface EcbOptions {
  /** Base URL without a trailing slash. Only tests replace it. */
  baseUrl?: string | undefined;
  /** Timeout of one call in ms, including the body. */
  timeoutMs?: number | undefined;
  now?: () => Date;
}

/**
 * Creates the source of the euro foreign exchange reference rates of the European Central Bank, which needs no key. The
 * daily file is XML, the history since 1999 a CSV file in a ZIP archive. Source:
 * https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/
 */
export function createEcbRates({
  baseUrl = 'https://www.ecb.europa.eu',
  timeoutMs = 30_000,
  now = () => new Date(),
}: EcbOptions = {}): ExchangeRateSource {
  const fetchDays = async (
    path: string,
    signal: AbortSignal,
    parse: (body: Buffer) => DayRates[],
  ): Promise<RatesResult> => {
    try {
      const response = await fetch(baseUrl + path, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        headers: { 'user-agent': 'tally' },
      });
      if (!response.ok) {
        await response.body?.cancel();
        return { ok: false, detail: `status ${response.status}` };
      }
      const days = parse(await readWithLimit(response, MAX_BODY_BYTES));
      const problem = findProblem(days, now());
      return problem === undefined ? { ok: true, days } : { ok: false, detail: problem };
    } catch (error) {
      return { ok: false, detail: describeError(error) };
    }
  };
  return {
    id: 'ecb',
    // The longest history that the API returns.
    historyDays: 1_845,
    fetchLatest: (signal) => fetchDays(DAILY_PATH, signal, parseDaily),
    fetchHistory: (from, signal) => fetchDays(HISTORY_PATH, signal, (body) => parseHistory(body, from)),
  };
}

function parseDaily(body: Buffer): DayRates[] {
  const parser = new DOMParser({
    onError(level, message) {
      if (level !== 'warning') throw new Error(`the response is not XML: ${message}`);
    },
  });
  const cubes = [
    ...parser.parseFromString(body.toString('utf8'), 'text/xml').getElementsByTagNameNS(CUBE_NAMESPACE, 'Cube'),
  ];
  return cubes
    .filter((cube) => cube.hasAttribute('time'))
    .map((day) => ({
      date: day.getAttribute('time')!,
      rates: Object.fromEntries(
        cubes
          .filter((cube) => cube.parentNode === day)
          .map((cube) => [cube.getAttribute('currency') ?? '', cube.getAttribute('rate') ?? '']),
      ),
    }));
}

/** Parses the CSV file of the archive: a column per currency, a row per day, and a comma at the end of each line. */
function parseHistory(body: Buffer, from: string): DayRates[] {
  const files = unzipSync(body, {
    filter: ({ name, originalSize }) => name.endsWith('.csv') && originalSize <= MAX_UNPACKED_BYTES,
  });
  const [csv] = Object.values(files);
  if (!csv) throw new Error('the archive has no CSV file');
  const [header = '', ...lines] = Buffer.from(csv).toString('utf8').split(/\r?\n/);
  const currencies = header
    .split(',')
    .slice(1)
    .map((name) => name.trim());
  return lines
    .map((line) => line.split(',').map((field) => field.trim()))
    .filter(([date = '']) => date >= from)
    .map(([date = '', ...fields]) => ({
      date,
      rates: Object.fromEntries(
        currencies
          .map((currency, index) => [currency, fields[index] ?? ''] as const)
          .filter(([currency, rate]) => currency !== '' && rate !== NO_RATE),
      ),
    }));
}

/** Returns why the days are not credible, or undefined. A file with one bad value is rejected whole. */
function findProblem(days: readonly DayRates[], now: Date): string | undefined {
  const tomorrow = addDays(toIsoDate(now.getTime()), 1);
  if (days.length === 0) return 'the response has no rates';
  for (const { date, rates } of days) {
    if (!isCalendarDay(date) || date > tomorrow) return 'a date is wrong';
    if (rates[ALWAYS_PUBLISHED] === undefined) return 'the response has no rates';
    if (!Object.entries(rates).every(([currency, rate]) => /^[A-Z]{3}$/.test(currency) && isRate(rate)))
      return 'a rate is wrong';
  }
  return undefined;
}

const isRate = (text: string): boolean => /^\d{1,9}(\.\d{1,9})?$/.test(text) && Number(text) > 0;

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'no response';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no response in time';
  const cause = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException).code : undefined;
  return cause ?? error.message;
}
