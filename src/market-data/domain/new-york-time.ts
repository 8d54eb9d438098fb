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

/** Minutes that were read: requests ask for the same few again and again, and formatting takes 0.03 ms. */
const known = new Map<number, ClockReading>();
const MOST_KNOWN = 256;

/** What a clock in New York shows: the date (YYYY-MM-DD) and the minutes after midnight. */
export function newYorkClock(instant: Date): ClockReading {
  const minute = Math.floor(instant.getTime() / 60_000);
  let reading = known.get(minute);
  if (!reading) {
    reading = read(instant);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(minute, reading);
  }
  return { ...reading };
}

function read(instant: Date): ClockReading {
  const part: Record<string, string> = {};
  for (const { type, value } of clock.formatToParts(instant)) part[type] = value;
  return {
    date: `${part['year']!.padStart(4, '0')}-${part['month']}-${part['day']}`,
    minutes: Number(part['hour']) * 60 + Number(part['minute']),
  };
}

const STANDARD_OFFSET = 5 * 60;

/** The instant at which New York's clock shows `minutes` after midnight; trading hours exist once on every day. */
export function instantOf(date: string, minutes: number): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const guess = new Date(midnight + (minutes + STANDARD_OFFSET) * 60_000);
  const shown = newYorkClock(guess);
  const ahead = (Date.parse(`${shown.date}T00:00:00Z`) - midnight) / 60_000 + shown.minutes - minutes;
  return new Date(guess.getTime() - ahead * 60_000);
}
