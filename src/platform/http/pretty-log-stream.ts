import type { DestinationStream } from 'pino';

/** Fields of every line. All other fields are details. */
interface LogLine {
  time: string;
  level: string;
  msg?: string;
  err?: { message?: string; stack?: string };
  [context: string]: unknown;
}

/**
 * Creates a stream that writes JSON log lines for people: `06:21:18 Applied 20260901_01_roles.sql.`. The level is shown
 * unless it is `info`, fields of the process are omitted, details follow, and the stack of an error is below. Control characters are escaped, because they
 * could control the terminal.
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
  const { time, level, msg = '', err, pid: _pid, host: _host, version: _version, ...context } = logLine;
  const head = [time.slice(11, 19), ...(level === 'info' ? [] : [level]), ...(msg ? [msg] : [])];
  const contextFields = Object.entries(context).map(([name, value]) => `${name}=${formatValue(value)}`);
  const stackLines =
    (err?.stack ?? err?.message)?.split('\n').map((stackLine) => `  ${escapeControlCharacters(stackLine)}\n`) ?? [];
  return `${escapeControlCharacters([...head, ...contextFields].join(' '))}\n${stackLines.join('')}`;
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Escapes control characters and characters that change the writing direction. */
const escapeControlCharacters = (text: string): string =>
  text.replace(
    /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
