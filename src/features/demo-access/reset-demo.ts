import type { ServiceSql } from '../../platform/database/roles.ts';
import { AppError } from '../../errors.ts';
import type { ReservedAccounts } from '../../platform/identity/member.ts';
import { isMember, lockMember } from '../../platform/identity/queries.ts';
import type { Slice } from '../../slice.ts';
import { markResettable, isResettable } from './reset-queries.ts';

export interface DemoResetDependencies {
  sql: ServiceSql;
  /** The slices that show something of the demo account, in the order of the list. */
  owners: readonly Pick<Slice, 'prepareDemo'>[];
  accounts: ReservedAccounts;
}

export interface ResetOptions {
  /** Whether somebody says that the account's own rows may go, which the first reset of an account needs. */
  replace?: boolean;
}

/** `message` says what to do. */
export type DemoReset = { ok: true; idpUserId: string } | { ok: false; message: string };

/**
 * Puts the demo account's data back: every owner makes ready outside, then all rows are replaced in one transaction.
 * Two at once follow one another; an edit under way comes before or after. An account that was never reset is refused
 * without `replace`, since a wrong setting would name a member. Throws `Failure` UNAVAILABLE where market data or the
 * database is away; nothing is changed then.
 */
export async function resetDemo(
  { sql, owners, accounts }: DemoResetDependencies,
  { replace = false }: ResetOptions = {},
): Promise<DemoReset> {
  const { demoAccountId: id, sampleUserId } = accounts;
  if (id === undefined) return { ok: false, message: 'There is no demo account: set DEMO_ACCOUNT_IDP_USER_ID.' };
  if (id === sampleUserId)
    return { ok: false, message: `${id} is the sample user: DEMO_ACCOUNT_IDP_USER_ID must name another account.` };
  if (!(await isMember(sql, id))) return createNotMember(id);
  if (!replace && !(await isResettable(sql, id))) return createUnconfirmed(id);
  const steps: (((sql: ServiceSql) => Promise<void>) | undefined)[] = [];
  for (const owner of owners) steps.push(await owner.prepareDemo?.(id));
  return sql.transaction(async (transaction) => {
    await lockMember(transaction, id);
    if (!(await isMember(transaction, id))) return createNotMember(id);
    for (const step of steps) await step?.(transaction);
    await markResettable(transaction, id);
    return { ok: true, idpUserId: id };
  });
}

const createNotMember = (id: string): DemoReset => ({
  ok: false,
  message: `${id} is not a member here: sign in to this deployment with the account once, and complete its onboarding.`,
});

const createUnconfirmed = (id: string): DemoReset => ({
  ok: false,
  message:
    `The account ${id} was never reset, and a reset deletes what it holds. Look whose it is; where it is the demo ` +
    'account, run "tally demo-account reset --replace" once.',
});

/** The same for callers that cannot do without. */
export async function resetDemoOrThrow(deps: DemoResetDependencies): Promise<void> {
  const reset = await resetDemo(deps);
  if (!reset.ok) throw new AppError('CONFLICT', { message: reset.message });
}
