import { madeOnce } from '../../web/lib/made-once.ts';

const shares = madeOnce(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 }));

/** Shares or face value as they are owned: `120.348`, `5,000`. */
export function formatQuantity(quantity: number): string {
  return Math.abs(quantity) < 0.0001 ? String(quantity) : shares().format(quantity).replace('-', '\u2212');
}

/** Reads a number as people type it: `1,250.5`, `$ 40`, ` 24 `. NaN for what is none. */
export function readNumber(text: string): number {
  const plain = text.replace(/[\s,$€£]/g, '');
  return /^(\d+(\.\d*)?|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
}

/** The same where an amount may be below zero: `-12.50`, also with a true minus sign. */
export function readSigned(text: string): number {
  const [, sign, rest = ''] = /^\s*([-−]?)(.*)$/s.exec(text) ?? [];
  const amount = readNumber(rest);
  return sign && amount !== 0 ? -amount : amount;
}
