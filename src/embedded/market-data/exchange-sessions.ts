import { addDays, getWeekday, isWeekend } from '../../market-data/domain/dates.ts';
import { marketCalendar } from '../../market-data/domain/market-calendar.ts';
import { toInstant, toNewYorkClock } from '../../market-data/domain/new-york-time.ts';
import { createZoneClock, type ZoneClock } from '../../market-data/domain/zone-clock.ts';
import { isHolidayIn, type Country } from './foreign-holidays.ts';

/** Sessions of an exchange. Dates are its own, YYYY-MM-DD. */
export interface Sessions {
  clock: ZoneClock;
  /** Returns opening and closing in minutes after midnight, or undefined on a day without a session. */
  getMinutes(date: string): { open: number; close: number } | undefined;
}

interface ForeignExchange {
  clock: ZoneClock;
  country: Country;
  /** Opening and closing in minutes after midnight. */
  open: number;
  close: number;
}

/** Returns minutes after midnight. */
const toMinutes = (hours: number, minutes = 0): number => hours * 60 + minutes;

/** Regular hours of the simulated exchanges outside the United States. Half days are simulated as whole ones. */
const foreignExchanges: Readonly<Record<string, ForeignExchange>> = {
  LSE: { clock: createZoneClock('Europe/London', 0), country: 'GB', open: toMinutes(8), close: toMinutes(16, 30) },
  JSE: { clock: createZoneClock('Africa/Johannesburg', -120), country: 'ZA', open: toMinutes(9), close: toMinutes(17) },
  TASE: {
    clock: createZoneClock('Asia/Jerusalem', -120),
    country: 'IL',
    open: toMinutes(10),
    close: toMinutes(17, 15),
  },
};

const newYorkSessions: Sessions = {
  clock: { toClock: toNewYorkClock, toInstant },
  getMinutes(date) {
    if (!marketCalendar.isMarketDay(date)) return undefined;
    return { open: toMinutes(9, 30), close: marketCalendar.isHalfDay(date) ? toMinutes(13) : toMinutes(16) };
  },
};

const THURSDAY = 4;
const FRIDAY = 5;

/** Closing of Tel Aviv on Fridays. */
const TEL_AVIV_FRIDAY_CLOSE = toMinutes(14);

/** From this Monday on Tel Aviv trades from Monday to Friday. Before, it traded from Sunday to Thursday. */
const TEL_AVIV_FIRST_MONDAY = '2026-01-05';

const createForeignSessions = ({ clock, country, open, close }: ForeignExchange): Sessions => ({
  clock,
  getMinutes(date) {
    if (!isTradingWeekday(date, country) || isHolidayIn(country, date)) return undefined;
    return { open, close: country === 'IL' && getWeekday(date) === FRIDAY ? TEL_AVIV_FRIDAY_CLOSE : close };
  },
});

const isTradingWeekday = (date: string, country: Country): boolean =>
  country === 'IL' && date < TEL_AVIV_FIRST_MONDAY ? getWeekday(date) <= THURSDAY : !isWeekend(date);

const sessionsByExchange = new Map(
  Object.entries(foreignExchanges).map(([exchange, foreign]) => [exchange, createForeignSessions(foreign)]),
);

/** Returns the sessions of an exchange. American exchanges, and listings without one, have those of New York. */
export const getSessions = (exchange: string | null): Sessions =>
  sessionsByExchange.get(exchange ?? '') ?? newYorkSessions;

/** Returns the last day with a session before a date. */
export function getPreviousSessionDay({ getMinutes }: Sessions, date: string): string {
  let day = addDays(date, -1);
  while (!getMinutes(day)) day = addDays(day, -1);
  return day;
}

interface SessionTimes {
  date: string;
  open: Date;
  close: Date;
}

/** Returns the session that is open at an instant, or else the last one that has ended. */
export function getCurrentSession(sessions: Sessions, now: Date): SessionTimes & { isOpen: boolean } {
  const { date: today } = sessions.clock.toClock(now);
  const todaysSession = getTimes(sessions, today);
  if (todaysSession && todaysSession.open <= now) return { ...todaysSession, isOpen: now < todaysSession.close };
  return { ...getTimes(sessions, getPreviousSessionDay(sessions, today))!, isOpen: false };
}

/** Returns the instants of a day's session, or undefined on a day without one. */
function getTimes({ clock, getMinutes }: Sessions, date: string): SessionTimes | undefined {
  const hours = getMinutes(date);
  return hours && { date, open: clock.toInstant(date, hours.open), close: clock.toInstant(date, hours.close) };
}
