import type { FormProblem } from '../../web/ui/form-errors.tsx';
import { readSigned } from './quantity.ts';
import { readAmounts } from './read-investment.ts';

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
export function readHoldingChanges(typed: { quantity: string; cost: string }, hidden: boolean): Read<HoldingChanges> {
  const keeps = (text: string): boolean => hidden && text.trim() === '';
  const { quantity, cost, problems } = readAmounts(typed, keeps(typed.quantity));
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    changes: { ...(!keeps(typed.quantity) && { quantity }), ...(!keeps(typed.cost) && { cost_basis: cost }) },
  };
}

/** Reads what was typed over an account; `balance` is null where it is not the member's to change. */
export function readAccountChanges(
  typed: { name: string; balance: string | null },
  hidden: boolean,
): Read<AccountChanges> {
  const problems: FormProblem[] = [];
  const name = typed.name.trim();
  const keeps = typed.balance === null || (hidden && typed.balance.trim() === '');
  const balance = readSigned(typed.balance ?? '');
  if (name === '') problems.push({ field: 'account_name', message: 'Give the account a name.' });
  if (!keeps && !(Math.abs(balance) <= 1e15))
    problems.push({ field: 'account_balance', message: 'Say how much cash is in it as a number, 0 for none.' });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, changes: { name, ...(!keeps && { balance }) } };
}
