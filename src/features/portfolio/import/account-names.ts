import type { Format } from './formats.ts';

const MAX_NAME_LENGTH = 120;

/** Removes control and bidirectional characters and lone surrogates, which are not stored in names. */
export const toPlainName = (text: string): string =>
  PLAIN_NAME.test(text)
    ? text
    : text
        .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim();
/** Most names are plain, and a file may have thousands. */
const PLAIN_NAME = /^[!-~]*(?: [!-~]+)*$/;

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
export function toAccountName(format: Format, { number, label, title }: AccountTexts): string {
  const titleName = format.hasAccountTitle
    ? (SCHWAB_TITLE.exec(title)?.[1] ?? title).replace(/^all[- ]accounts$/i, '')
    : '';
  const name =
    toPlainName(label || titleName)
      .replace(/\s*(?:\.{3}|…)\s*(?=\w+$)/, ' …')
      .replace(/ -(?=\d+$)/, ' …') || format.accountName;
  const digits = number.replace(/[^A-Za-z0-9]/g, '').slice(-4);
  const suffix = digits === '' ? '' : ` …${digits}`;
  return addSuffix(name, suffix);
}

/** Returns the name of the account for cash in a further currency: `Degiro USD`. */
export const toCashAccountName = (name: string, currency: string): string => addSuffix(name, ` ${currency}`);

/** Shortens the name so that it fits the maximum length with its suffix. */
const addSuffix = (name: string, suffix: string): string =>
  [...name].slice(0, MAX_NAME_LENGTH - suffix.length).join('') + suffix;
