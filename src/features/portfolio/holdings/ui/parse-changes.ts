import type { FormProblem } from '../../../../ui/kit/form-errors.tsx';
import { type AmountContext, validateNumber, parseAmount, parseAmounts } from './parse-investment.ts';

type ParseResult<Changes> = { ok: true; changes: Changes } | { ok: false; problems: FormProblem[] };

/** Changes of a holding. Missing fields stay unchanged. */
export interface HoldingChanges {
  quantity?: number;
  cost_basis?: number | null;
  /** The new quantity is the result of a stock split. */
  split?: true;
}

export interface AccountChanges {
  name: string;
  balance?: number;
}

/** Parses the form of a holding. With `hidden` the fields started empty, and an empty field keeps its hidden value. */
export function parseHoldingChanges(
  typed: { quantity: string; cost: string; isSplit?: boolean },
  context: AmountContext,
  isHidden: boolean,
): ParseResult<HoldingChanges> {
  const isUnchanged = (text: string): boolean => isHidden && text.trim() === '';
  const { quantity, cost, problems } = parseAmounts(typed, context, isUnchanged(typed.quantity));
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    changes: {
      ...(!isUnchanged(typed.quantity) && { quantity, ...(typed.isSplit && { split: true }) }),
      ...(!isUnchanged(typed.cost) && { cost_basis: cost }),
    },
  };
}

/** Parses the form of an account. `balance` is null if the member cannot change it. */
export function parseAccountChanges(
  typed: { name: string; balance: string | null },
  context: { locale: string; currency: string },
  isHidden: boolean,
): ParseResult<AccountChanges> {
  const problems: FormProblem[] = [];
  const name = typed.name.trim();
  const isBalanceUnchanged = typed.balance === null || (isHidden && typed.balance.trim() === '');
  const balance = validateNumber(
    parseAmount(typed.balance ?? '', context),
    {
      isValid: (value) => Math.abs(value) <= 1e15,
      message: 'Enter the cash balance (0 if none).',
    },
    typed.balance ?? '',
  );
  if (name === '') problems.push({ field: 'account_name', message: 'Enter a name for the account.' });
  if (!isBalanceUnchanged && balance.problem !== null)
    problems.push({ field: 'account_balance', message: balance.problem });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, changes: { name, ...(!isBalanceUnchanged && { balance: balance.value }) } };
}
