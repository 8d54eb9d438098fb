import type { DestinationStream } from 'pino';

/** What each line has; the rest is what it is about. */
interface LogLine {
  time: string;
  level: string;
  msg?: string;
  err?: { message?: string; stack?: string };
  [context: string]: unknown;
}

/**
 * Writes JSON log lines as a person reads them: `06:21:18 Applied 20260901_01_roles.sql.`, the level where it is not
 * `info`, what a line is about behind it, and an error's stack below it. Control characters, which could steer the
 * terminal, are shown and not written.
 */
export function createPrettyLogStream(write: (text: string) => void): DestinationStream {
  return { write: (line) => write(formatLine(line)) };
}

function formatLine(line: string): string {
  let logLine: LogLine;
  try {
    logLine = JSON.parse(line) as LogLine;
  } catch {
    return `${escapeControlCharacters(line.trimEnd())}\n`;
  }
  const { time, level, msg = '', err, ...context } = logLine;
  const head = [time.slice(11, 19), ...(level === 'info' ? [] : [level]), ...(msg ? [msg] : [])];
  const contextFields = Object.entries(context).map(([name, value]) => `${name}=${formatValue(value)}`);
  const stackLines =
    (err?.stack ?? err?.message)?.split('\n').map((stackLine) => `  ${escapeControlCharacters(stackLine)}\n`) ?? [];
  return `${escapeControlCharacters([...head, ...contextFields].join(' '))}\n${stackLines.join('')}`;
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Control characters and those that turn the direction of writing, as escapes. */
const escapeControlCharacters = (text: string): string =>
  text.replace(
    /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
