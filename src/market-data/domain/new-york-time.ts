const clock = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  calendar: 'iso8601',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

interface ClockReading {
  date: string;
  minutes: number;
}

/** Cache of readings by minute. Requests repeat a few minutes, and formatting takes 0.03 ms. */
const readingByMinute = new Map<number, ClockReading>();
const MAX_CACHED_MINUTES = 256;

/** Returns the date (YYYY-MM-DD) and the minutes after midnight in New York. */
export function toNewYorkClock(instant: Date): ClockReading {
  const minute = Math.floor(instant.getTime() / 60_000);
  let reading = readingByMinute.get(minute);
  if (!reading) {
    reading = formatClock(instant);
    if (readingByMinute.size >= MAX_CACHED_MINUTES) readingByMinute.clear();
    readingByMinute.set(minute, reading);
  }
  return { ...reading };
}

function formatClock(instant: Date): ClockReading {
  const parts: Record<string, string> = {};
  for (const { type, value } of clock.formatToParts(instant)) parts[type] = value;
  return {
    date: `${parts['year']!.padStart(4, '0')}-${parts['month']}-${parts['day']}`,
    minutes: Number(parts['hour']) * 60 + Number(parts['minute']),
  };
}

const STANDARD_OFFSET_MINUTES = 5 * 60;

/**
 * Returns the instant at which it is `minutes` after midnight in New York. Trading hours exist exactly once on every
 * day.
 */
export function toInstant(date: string, minutes: number): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const guess = new Date(midnight + (minutes + STANDARD_OFFSET_MINUTES) * 60_000);
  const shown = toNewYorkClock(guess);
  const offsetMinutes = (Date.parse(`${shown.date}T00:00:00Z`) - midnight) / 60_000 + shown.minutes - minutes;
  return new Date(guess.getTime() - offsetMinutes * 60_000);
}
