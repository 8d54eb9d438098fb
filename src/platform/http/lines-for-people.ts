import type { DestinationStream } from 'pino';

/** What each line has; the rest is what it is about. */
interface LogLine {
  time: string;
  level: string;
  msg?: string;
  err?: { message?: string; stack?: string };
  [about: string]: unknown;
}

/**
 * Writes JSON log lines as a person reads them: `06:21:18 Applied 20260901_01_roles.sql.`, the level where it is not
 * `info`, what a line is about behind it, and an error's stack below it. Control characters, which could steer the
 * terminal, are shown and not written.
 */
export function linesForPeople(write: (text: string) => void): DestinationStream {
  return { write: (line) => write(readable(line)) };
}

function readable(line: string): string {
  let read: LogLine;
  try {
    read = JSON.parse(line) as LogLine;
  } catch {
    return `${shown(line.trimEnd())}\n`;
  }
  const { time, level, msg = '', err, ...about } = read;
  const head = [time.slice(11, 19), ...(level === 'info' ? [] : [level]), ...(msg ? [msg] : [])];
  const rest = Object.entries(about).map(([name, value]) => `${name}=${wordOf(value)}`);
  const below = (err?.stack ?? err?.message)?.split('\n').map((each) => `  ${shown(each)}\n`) ?? [];
  return `${shown([...head, ...rest].join(' '))}\n${below.join('')}`;
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Control characters and those that turn the direction of writing, as escapes. */
const shown = (text: string): string =>
  text.replace(
    /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
