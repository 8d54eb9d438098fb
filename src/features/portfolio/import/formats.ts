import type { HeaderCell } from './column-names.ts';
import type { FileFormat } from './holdings-file.ts';
import type { DecimalMark } from './parse-amount.ts';

/** What the format of a broker says beyond its cells. */
export interface Format {
  format: FileFormat;
  /** Name of an account that the file does not name. */
  accountName: string;
  /** Decimal mark, or null if it depends on the language. */
  decimalMark: DecimalMark | null;
  /** Currency of amounts and accounts without one, or null if it is unknown. */
  currency: string | null;
  /** Whether the account of a table is named in the line above it. */
  hasAccountTitle: boolean;
}

const table: Format = {
  format: 'table',
  accountName: 'Imported holdings',
  decimalMark: null,
  currency: null,
  hasAccountTitle: false,
};

/** Names of columns by which a format is recognised. The first format with all names of a list wins. */
const FORMATS: readonly { format: Format; names: readonly (readonly string[])[] }[] = [
  {
    format: { ...table, format: 'degiro', accountName: 'Degiro' },
    names: ['symbol/isin', 'symbool/isin', 'symbole/isin', 'símbolo/isin', 'simbolo/isin', 'ticker/isin'].map(
      (name) => [name],
    ),
  },
  {
    format: { ...table, format: 'vanguard', accountName: 'Vanguard', decimalMark: '.', currency: 'USD' },
    names: [['account number', 'investment name', 'shares']],
  },
  {
    format: { ...table, format: 'fidelity', accountName: 'Fidelity', decimalMark: '.', currency: 'USD' },
    names: [
      ['account number', 'symbol', 'description', 'last price'],
      ['account number', 'symbol', 'description', 'current value'],
    ],
  },
  {
    format: {
      ...table,
      format: 'schwab',
      accountName: 'Schwab',
      decimalMark: '.',
      currency: 'USD',
      hasAccountTitle: true,
    },
    names: [
      ['symbol', 'description', 'mkt val market value'],
      ['symbol', 'description', 'market value'],
    ],
  },
  {
    format: { ...table, format: 'interactive_brokers', accountName: 'Interactive Brokers', decimalMark: '.' },
    names: [['client account id'], ['currency primary']],
  },
  { format: { ...table, format: 'template' }, names: [['account', 'symbol', 'quantity', 'cost basis', 'currency']] },
];

/** Returns the format of a header. */
export function findFormat(header: readonly HeaderCell[]): Format {
  const known = new Set(header.map(({ name }) => name));
  const found = FORMATS.find(({ names }) => names.some((list) => list.every((name) => known.has(name))));
  return found?.format ?? table;
}

/** Format of an activity statement of Interactive Brokers. */
export const ACTIVITY_STATEMENT_FORMAT: Format = FORMATS.find(
  ({ format }) => format.format === 'interactive_brokers',
)!.format;
