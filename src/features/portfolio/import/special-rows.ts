import { isNumber } from './parse-amount.ts';
import { isDate } from './parse-date.ts';
import type { Row } from './table-rows.ts';

/** Money-market funds in which brokers keep cash. Their shares are always worth one dollar. */
const CASH_FUNDS: ReadonlySet<string> = new Set(
  'SPAXX FDRXX FCASH FZFXX FDLXX SPRXX FZDXX VMFXX VMRXX VUSXX SWVXX SNVXX SNSXX SNOXX SNAXX TTTXX MMDA1 QACDS'.split(
    ' ',
  ),
);
/** Symbols of cash: `CASH`, `$CASH-EUR`, `Cash (USD)`, and the position in which Fidelity keeps cash, `SPAXX**`. */
const CASH_SYMBOL = /^\$?cash(?:[-_ .(]+[a-z]{3}\)?)?$|\*\*$|^cash (?:& cash investments|balance|and equivalents)$/i;
const CASH_NAME =
  /^cash(?: (?!converters)|$)|\bcash (?:account|balance|position|fund)|(?:available|uninvested) cash|bankaccount|money accounts?$|^money market|settlement fund|sweep|kontostand|barbestand|bargeld|verrechnungskonto|liquide mittel|liquidit|guthaben|^espèces|trésorerie|^efectivo|^contanti|^kontanter|^likvid|gotówka|^saldo/i;
const HELD_AS_CASH = /^held in (?:money market|fcash|cash)/i;
const CASH_TYPE = /^(?:cash\b|cash$|money market|bargeld|liquidit)/i;
const CURRENCY_OF_CASH = /^\$?cash[-_ .(]+([a-z]{3})\)?$/i;

/** Returns whether a row is the cash of an account. A company whose symbol is CASH has a name of its own. */
export function isCashRow(row: Row, symbol: string): boolean {
  const name = row.get('name').text;
  const type = row.get('asset_type').text;
  if (isCashFund(symbol) || (CASH_TYPE.test(type) && !/[A-Z]{3}\.[A-Z]{3}/.test(symbol))) return true;
  if (CASH_SYMBOL.test(symbol)) return !/^cash$/i.test(symbol) || name === '' || /\bcash\b/i.test(name);
  return (symbol === '' && row.get('identifier').text === '' && CASH_NAME.test(name)) || HELD_AS_CASH.test(name);
}

/** Returns whether a symbol is a fund that a broker shows as cash. */
export const isCashFund = (symbol: string): boolean => CASH_FUNDS.has(symbol.replace(/\*+$/, '').toUpperCase());

/** Returns the currency in the symbol of cash, such as `$CASH-EUR`, or an empty text. */
export const findCashCurrency = (symbol: string): string => CURRENCY_OF_CASH.exec(symbol)?.[1]?.toUpperCase() ?? '';

const TOTAL =
  /^\**(?:(?:account|positions?|transactions?|grand|sub|overall|portfolio|depot|net) ?-?)?(?:totals?|totaal|totale|summen?|gesamt(?:summe|wert)?|insgesamt|somme|suma|summa|razem|i alt)(?: (?:value|portfolio|account|in [a-z]{3}|[a-z]{3}|\([a-z]{3}\)))?:?\**$/i;

/** Returns whether the row is a sum of others. An account may be named “Total”, so a symbol beside it is a holding. */
export function isTotalRow(row: Row): boolean {
  const { cells } = row.record;
  const label = cells.find((cell) => cell !== '') ?? '';
  const symbol = row.get('symbol').text;
  const hasSecurity = Boolean(symbol || row.get('identifier').text);
  const isAccountOfHolding = label === row.get('account').text && hasSecurity;
  return (
    TOTAL.test(symbol) ||
    (!isAccountOfHolding && TOTAL.test(label)) ||
    (!hasSecurity && TOTAL.test(row.get('name').text))
  );
}

/** Returns whether the row is a notice that contains separators, such as a disclaimer without quotes. */
export function isNoticeRow(row: Row): boolean {
  const { cells } = row.record;
  const symbol = row.get('symbol').text || row.get('identifier').text;
  const isSecurity = symbol !== '' && !symbol.includes(' ');
  const hasSentence = !isSecurity && cells.some((cell) => cell.split(' ').length >= 5);
  return hasSentence && !cells.some((cell) => isNumber(cell) || isDate(cell));
}
