import { addDays, isWeekend, toIsoDate } from '../../market-data/domain/dates.ts';
import type { DayRates, ExchangeRateSource } from '../../market-data/domain/exchange-rates.ts';
import { drawNormal, drawUniform, hashText } from './seeded-random.ts';

/** Typical units for one euro. */
const typicalRates: Readonly<Record<string, number>> = {
  USD: 1.16,
  JPY: 176,
  CZK: 24.3,
  DKK: 7.468,
  GBP: 0.871,
  HUF: 386,
  PLN: 4.25,
  RON: 5.09,
  SEK: 10.95,
  CHF: 0.932,
  ISK: 146,
  NOK: 11.7,
  TRY: 48.9,
  AUD: 1.78,
  BRL: 6.21,
  CAD: 1.62,
  CNY: 8.26,
  HKD: 9.03,
  IDR: 19_300,
  ILS: 3.82,
  INR: 102,
  KRW: 1_660,
  MXN: 21.4,
  MYR: 4.86,
  NZD: 2.03,
  PHP: 67.9,
  SGD: 1.51,
  THB: 37.6,
  ZAR: 20.1,
};

/** Days on which the European Central Bank publishes nothing, besides weekends and Easter. */
const HOLIDAYS = new Set(['01-01', '05-01', '12-25', '12-26']);

const DAY_MS = 86_400_000;
/** Hour of the day in UTC at which the rates of the day exist. */
const PUBLICATION_HOUR = 15;

/** Creates a source of sample rates that depend only on the date. */
export function createSimulatedRates(now: () => Date = () => new Date()): ExchangeRateSource {
  const lastDate = () => toIsoDate(now().getTime() - PUBLICATION_HOUR * 3_600_000);
  return {
    id: 'simulator',
    historyDays: 400,
    fetchLatest: async () => ({ ok: true, days: listDays(addDays(lastDate(), -7), lastDate()).slice(-1) }),
    fetchHistory: async (from) => ({ ok: true, days: listDays(from, lastDate()) }),
  };
}

function listDays(from: string, to: string): DayRates[] {
  const days: DayRates[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    if (!isWeekend(date) && !HOLIDAYS.has(date.slice(5))) days.push({ date, rates: simulateRates(date) });
  }
  return days;
}

const simulateRates = (date: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typicalRates).map(([currency, typical]) => [currency, simulateRate(currency, typical, date)]),
  );

/** Returns a rate within about four percent of the typical one: two slow waves and a little noise per day. */
function simulateRate(currency: string, typical: number, date: string): string {
  const seed = hashText(currency);
  const day = Date.parse(date) / DAY_MS;
  const wave = (length: number, index: number) => Math.sin(2 * Math.PI * (day / length + drawUniform(seed, index)));
  const deviation = 0.025 * wave(400, 1) + 0.01 * wave(83, 2) + 0.002 * drawNormal(seed, day);
  return String(Number((typical * Math.exp(deviation)).toPrecision(6)));
}
