import { addDays } from '../../domain/dates.ts';
import { toInstant, toNewYorkClock } from '../../domain/new-york-time.ts';

/**
 * Time of day in UTC at which a day of the markets outside New York begins, in ms: after the close in Toronto and São
 * Paulo, and before the open in Sydney, whose session spans midnight in UTC. In New Zealand's summer the first half hour
 * counts as the day before.
 */
const FOREIGN_DAY_START_MS = 21.5 * 3_600_000;

/** Returns the trading day of a price. A session has one day, whatever its time zone. */
export const toTradingDay = (time: Date, newYorkDays: boolean): string =>
  newYorkDays
    ? toNewYorkClock(time).date
    : new Date(time.getTime() + 86_400_000 - FOREIGN_DAY_START_MS).toISOString().slice(0, 10);

/** Returns the time at which a trading day ends and the next one begins. */
export const getDayEnd = (day: string, newYorkDays: boolean): Date =>
  newYorkDays ? toInstant(addDays(day, 1), 0) : new Date(Date.parse(day) + FOREIGN_DAY_START_MS);
