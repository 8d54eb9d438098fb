import type { ServiceSql } from '../../platform/database/roles.ts';
import { AppError } from '../../errors.ts';
import type { ReservedAccounts } from '../../platform/identity/member.ts';
import { isMember, lockMember } from '../../platform/identity/queries.ts';
import type { Feature } from '../../feature.ts';
import { markResettable, isResettable } from './reset-queries.ts';

export interface DemoResetDependencies {
  sql: ServiceSql;
  /** The features that show data of the demo account, in the order of the list. */
  owners: readonly Pick<Feature, 'prepareDemo'>[];
  accounts: ReservedAccounts;
}

export interface ResetOptions {
  /** Whether the account's own rows may be replaced, which the first reset of an account requires. */
  replace?: boolean;
}

/** `message` states the missing step. */
export type DemoReset = { ok: true; idpUserId: string } | { ok: false; message: string };

/**
 * Resets the demo account's data. Every owner prepares its rows first, and then one transaction replaces all rows.
 * Concurrent resets run one after the other, and a concurrent edit is applied before or after. An account without an
 * earlier reset is rejected without `replace`, because a wrong setting could name a member. Throws `AppError`
 * UNAVAILABLE without a change if market data or the database is unavailable.
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
    `The account ${id} was never reset, and a reset deletes its data. Check whose account it is. If it is the demo ` +
    'account, run "tally demo-account reset --replace" once.',
});

/** Resets the data like `resetDemo` and throws if the reset is rejected. */
export async function resetDemoOrThrow(deps: DemoResetDependencies): Promise<void> {
  const reset = await resetDemo(deps);
  if (!reset.ok) throw new AppError('CONFLICT', { message: reset.message });
}
