import { toPlainText } from '../../../market-data/domain/normalize-symbol.ts';
import type { DecimalMark } from './parse-amount.ts';
import type { FileFormat } from './holdings-file.ts';

/** Columns that a table may have. `localAmount` is the amount beside a column of currencies. */
export interface Columns {
  accountNumber?: number;
  account?: number;
  symbol?: number;
  isin?: number;
  name?: number;
  quantity: number;
  cost?: number;
  unitCost?: number;
  price?: number;
  value?: number;
  localAmount?: number;
  currency?: number;
  assetType?: number;
}

/** Header of a table with holdings. */
export interface TableHeader {
  format: FileFormat;
  columns: Columns;
  /** Texts of the header, for messages. */
  names: readonly string[];
  /** Decimal mark of the format, or null if it depends on the language. */
  decimalMark: DecimalMark | null;
  /** Currency of all amounts, or null if it is in a column or unknown. */
  currency: string | null;
  /** Currency of the accounts, or null if only their cash shows it. */
  accountCurrency: string | null;
}

/** `toPlainText` removes a parenthesis at the end of a name, so names are compared without parentheses. */
const withoutParentheses = (name: string): string => name.replace(/[()]/g, '').trim();

const list = (names: string): readonly string[] => names.split('|').map(withoutParentheses);

const SYMBOL = list('symbol|ticker|ticker symbol|stock symbol|security symbol|symbool|symbole|símbolo|simbolo|kürzel');
const ISIN = list('isin|isin code|isin-code|code isin|código isin|codice isin|cusip|isin/cusip|security id');
const SYMBOL_OR_ISIN = list('symbol/isin|symbool/isin|symbole/isin|símbolo/isin|simbolo/isin|ticker/isin');
const QUANTITY = list(
  'quantity|qty|qty (quantity)|shares|units|position|number of shares|aantal|anzahl|stück|stückzahl|menge|nombre|' +
    'quantité|cantidad|títulos|quantità|quantidade|antal|ilość',
);
const QUANTITY_OR_AMOUNT = [...QUANTITY, 'amount'];
const NAME = list(
  'description|name|investment name|security name|company|product|produkt|produit|producto|prodotto|produto|' +
    'bezeichnung|naam|nom|nombre del valor|nome',
);
const COST = list(
  'cost basis|cost basis total|total cost|total cost basis|cost|costbasismoney|book value|kaufwert|einstandswert',
);
const UNIT_COST = list(
  'average cost basis|average cost|avg cost|average price|avg price|cost basis per share|cost/share|cost per share|' +
    'cost price|costbasisprice|purchase price|unit cost|einstandskurs|kaufkurs',
);
const PRICE = list('price|last price|share price|close price|closing|slotkoers|schlusskurs|schlußkurs|markprice');
const VALUE = list('mkt val (market value)|market value|current value|total value|value|positionvalue');
const CURRENCY = list('currency|currencyprimary|währung|devise|moneda|divisa|valuta|moeda');
const ASSET_TYPE = list('asset type|security type|assetclass|asset class|asset category');
const ACCOUNT_NUMBER = list('account number|clientaccountid');
const ACCOUNT = list('account|account name|konto|compte|cuenta|conto|rekening');
/** Degiro writes the currency of the local value in the named column and the amount in the next one. */
const LOCAL_VALUE = list(
  'local value|lokale waarde|wert|wert in lokalwährung|valeur locale|devise|valor local|valore locale',
);
const DEGIRO_VALUE = /^(?:value|waarde|wert|valeur|montant|valor|valore) (?:in|en|em) [a-z]{3}$/;

/** Names of columns that only lists of transactions have. */
const TRANSACTION_DATE = list(
  'date|trade date|run date|datum|fecha|data|date/time|tradedate|activity date|process date',
);
const TRANSACTION_DETAIL = list(
  'action|transaction type|order id|order-id|orderid|id orden|id ordre|id ordine|id da ordem|buy/sell|activity type|' +
    'trans code|settlement date|settle date|transactiontype',
);

const toHeaderNames = (cells: readonly string[]): string[] =>
  cells.map((cell) =>
    toPlainText(cell)
      .toLowerCase()
      .replace(/[:.#*]+$/, '')
      .trim(),
  );

/** Texts of which every header has one. The check is fast, because each line of a file is a possible header. */
const IDENTIFIER_HEADER = /symb|ticker|isin|cusip|kürzel|s[ií]mb|security id/i;
const DATE_HEADER = /date|datum|fecha|data/i;

/** Returns the header if the record names the columns of holdings. The first matching format wins. */
export function findHeader(cells: readonly string[]): TableHeader | undefined {
  if (!cells.some((cell) => IDENTIFIER_HEADER.test(cell))) return undefined;
  const names = toHeaderNames(cells).map(withoutParentheses);
  const find = (candidates: readonly string[]): number | undefined => {
    const candidate = candidates.find((name) => names.includes(name));
    return candidate === undefined ? undefined : names.indexOf(candidate);
  };
  if (isTransactions(names)) return undefined;
  const symbolOrIsin = find(SYMBOL_OR_ISIN);
  const quantity = find(symbolOrIsin === undefined ? QUANTITY : QUANTITY_OR_AMOUNT);
  const symbol = find(SYMBOL);
  const isin = symbolOrIsin ?? find(ISIN);
  if (quantity === undefined || (symbol === undefined && isin === undefined)) return undefined;
  const columns = omitMissing({
    accountNumber: find(ACCOUNT_NUMBER),
    account: find(ACCOUNT),
    symbol,
    isin,
    name: find(NAME),
    quantity,
    cost: find(COST),
    unitCost: find(UNIT_COST),
    price: find(PRICE),
    value: find(VALUE),
    currency: find(CURRENCY),
    assetType: find(ASSET_TYPE),
  });
  const has = (...required: readonly string[]): boolean => required.every((name) => names.includes(name));
  const shared = { names: cells.map((cell) => cell.trim()), columns };
  const unknown = { ...shared, decimalMark: null, currency: null, accountCurrency: null };
  const american = { ...shared, decimalMark: '.', currency: 'USD', accountCurrency: 'USD' } as const;
  if (symbolOrIsin !== undefined) return { ...unknown, format: 'degiro', ...findDegiroColumns(columns, names) };
  if (has('account number', 'investment name', 'shares')) return { ...american, format: 'vanguard' };
  if (has('account number', 'symbol') && (has('last price') || has('current value')))
    return { ...american, format: 'fidelity' };
  if (has('symbol', 'description') && (has('mkt val market value') || has('market value')))
    return { ...american, format: 'schwab' };
  if (has('clientaccountid') || has('currencyprimary'))
    return { ...unknown, format: 'interactive_brokers', decimalMark: '.' };
  return { ...unknown, format: has('account', 'symbol', 'quantity', 'cost basis', 'currency') ? 'template' : 'table' };
}

/** Returns the columns of Degiro's table. The header of the value names the currency of the account. */
function findDegiroColumns(
  columns: Columns,
  names: readonly string[],
): { columns: Columns; accountCurrency: string | null } {
  const currency = names.findIndex((name) => LOCAL_VALUE.includes(name));
  const value = names.findIndex((name) => DEGIRO_VALUE.test(name));
  return {
    columns: omitMissing({
      ...columns,
      name: 0,
      price: columns.quantity + 1,
      currency: currency === -1 ? undefined : currency,
      localAmount: currency !== -1 && names[currency + 1] === '' ? currency + 1 : undefined,
      value: value === -1 ? undefined : value,
    }),
    accountCurrency: value === -1 ? null : names[value]!.slice(-3).toUpperCase(),
  };
}

const omitMissing = (columns: { [Name in keyof Columns]: Columns[Name] | undefined }): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([, index]) => index !== undefined)) as unknown as Columns;

const isTransactions = (names: readonly string[]): boolean =>
  names.some((name) => TRANSACTION_DATE.includes(name)) && names.some((name) => TRANSACTION_DETAIL.includes(name));

/** Returns whether the record is the header of a list of transactions. */
export const isTransactionsHeader = (cells: readonly string[]): boolean =>
  cells.some((cell) => DATE_HEADER.test(cell)) && isTransactions(toHeaderNames(cells));
