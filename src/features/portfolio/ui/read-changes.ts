import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { type AmountContext, judge, readAmount, readAmounts } from './read-investment.ts';

type Read<Changes> = { ok: true; changes: Changes } | { ok: false; problems: FormProblem[] };

/** What is left out stays as it is. */
export interface HoldingChanges {
  quantity?: number;
  cost_basis?: number | null;
}

export interface AccountChanges {
  name: string;
  balance?: number;
}

/**
 * Reads what was typed over a holding. With `hidden` the fields began empty, and one that is still empty keeps what it
 * hides.
 */
export function readHoldingChanges(
  typed: { quantity: string; cost: string },
  context: AmountContext,
  hidden: boolean,
): Read<HoldingChanges> {
  const keeps = (text: string): boolean => hidden && text.trim() === '';
  const { quantity, cost, problems } = readAmounts(typed, context, keeps(typed.quantity));
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    changes: { ...(!keeps(typed.quantity) && { quantity }), ...(!keeps(typed.cost) && { cost_basis: cost }) },
  };
}

/** Reads what was typed over an account; `balance` is null where it is not the member's to change. */
export function readAccountChanges(
  typed: { name: string; balance: string | null },
  context: { locale: string; currency: string },
  hidden: boolean,
): Read<AccountChanges> {
  const problems: FormProblem[] = [];
  const name = typed.name.trim();
  const keeps = typed.balance === null || (hidden && typed.balance.trim() === '');
  const balance = judge(
    readAmount(typed.balance ?? '', context),
    {
      isValid: (value) => Math.abs(value) <= 1e15,
      message: 'Say how much cash is in it as a number, 0 for none.',
    },
    typed.balance ?? '',
  );
  if (name === '') problems.push({ field: 'account_name', message: 'Give the account a name.' });
  if (!keeps && balance.problem !== null) problems.push({ field: 'account_balance', message: balance.problem });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, changes: { name, ...(!keeps && { balance: balance.value }) } };
}
