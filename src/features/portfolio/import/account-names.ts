import type { FileFormat } from './holdings-file.ts';

const MAX_NAME_LENGTH = 120;

/** Removes control and bidirectional characters and lone surrogates, which are not stored in names. */
export const toPlainName = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const brokerNames: Readonly<Record<Exclude<FileFormat, 'template' | 'table'>, string>> = {
  schwab: 'Schwab',
  fidelity: 'Fidelity',
  vanguard: 'Vanguard',
  interactive_brokers: 'Interactive Brokers',
  degiro: 'Degiro',
};
const DEFAULT_NAME = 'Imported holdings';

/** Schwab's title: `Positions for account Individual ...123 as of 09:30 AM ET, 2026/11/20`. */
const SCHWAB_TITLE = /^positions for (?:account )?(.*?)(?: as of .*)?$/i;

interface AccountTexts {
  /** Account number, of which the name shows four digits at most. */
  number: string;
  label: string;
  /** Line of text above the table. */
  title: string;
}

/** Returns the name of a file's account: `Individual …6789`. A later import of the same name finds the account again. */
export function toAccountName(format: FileFormat, { number, label, title }: AccountTexts): string {
  const broker = format === 'template' || format === 'table' ? DEFAULT_NAME : brokerNames[format];
  const schwabName =
    format === 'schwab' ? (SCHWAB_TITLE.exec(title)?.[1] ?? title).replace(/^all[- ]accounts$/i, '') : '';
  const name = toPlainName(label || schwabName).replace(/\s*(?:\.{3}|…)\s*(?=\w+$)/, ' …') || broker;
  const digits = number.replace(/[^A-Za-z0-9]/g, '').slice(-4);
  const suffix = digits === '' ? '' : ` …${digits}`;
  return addSuffix(name, suffix);
}

/** Returns the name of the account for cash in a further currency: `Degiro USD`. */
export const toCashAccountName = (name: string, currency: string): string => addSuffix(name, ` ${currency}`);

/** Shortens the name so that it fits the maximum length with its suffix. */
const addSuffix = (name: string, suffix: string): string =>
  [...name].slice(0, MAX_NAME_LENGTH - suffix.length).join('') + suffix;
