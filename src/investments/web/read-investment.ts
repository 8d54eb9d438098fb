import type { FormProblem } from '../../web/ui/form-errors.tsx';
import { readNumber } from './quantity.ts';

/** What the form holds, as it was typed. */
interface TypedInvestment {
  symbol: string | null;
  /** Null where an account is to be made. */
  accountId: string | null;
  accountName: string;
  accountCurrency: string;
  quantity: string;
  cost: string;
}

export interface ReadInvestment {
  symbol: string;
  account: { id: string } | { name: string; currency: string };
  quantity: number;
  costBasis: number | null;
}

/** Reads the form: either what to send, or every problem at once. The service has the last word. */
export function readInvestment(
  typed: TypedInvestment,
): { ok: true; investment: ReadInvestment } | { ok: false; problems: FormProblem[] } {
  const problems: FormProblem[] = [];
  const name = typed.accountName.trim();
  const currency = typed.accountCurrency.trim().toUpperCase();
  const { quantity, cost: costBasis, problems: ofAmounts } = readAmounts(typed);
  if (typed.symbol === null) problems.push({ field: 'security', message: 'Choose a security from the list.' });
  if (typed.accountId === null && name === '')
    problems.push({ field: 'account_name', message: 'Give the account a name.' });
  if (typed.accountId === null) problems.push(...currencyProblems(currency));
  problems.push(...ofAmounts);
  if (problems.length > 0 || typed.symbol === null) return { ok: false, problems };
  return {
    ok: true,
    investment: {
      symbol: typed.symbol,
      account: typed.accountId === null ? { name, currency } : { id: typed.accountId },
      quantity,
      costBasis,
    },
  };
}

/** What is wrong with the code of a new account's currency. */
export const currencyProblems = (code: string): FormProblem[] =>
  /^[A-Z]{3}$/.test(code) ? [] : [{ field: 'account_currency', message: 'Three letters, such as USD.' }];

/** Reads how much is owned and what it cost; `kept` where the quantity is not judged, being one that stays. */
export function readAmounts(typed: { quantity: string; cost: string }, kept = false) {
  const problems: FormProblem[] = [];
  const quantity = readNumber(typed.quantity);
  const cost = typed.cost.trim() === '' ? null : readNumber(typed.cost);
  if (!kept && !(quantity > 0 && quantity <= 1e12))
    problems.push({ field: 'quantity', message: 'Say how much you own, as a number above 0.' });
  if (cost !== null && !(cost <= 1e15))
    problems.push({ field: 'cost', message: 'Say what you paid in all as a number, or leave it empty.' });
  return { quantity, cost, problems };
}
