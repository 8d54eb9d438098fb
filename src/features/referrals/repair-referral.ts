import { isSpecial, note, type ReferralContext } from './context.ts';
import { findReferrer, insertAudit, selectMemberSince, selectReferralOf } from './queries.ts';
import { attribute } from './track-signup.ts';

interface Repair {
  referred: string;
  /** Identifier or link. */
  referrer: string;
  /** Kept for good; it names nobody. */
  reason: string;
  /** Whether an uncompleted referral by somebody else may be replaced. */
  replace: boolean;
}

type Repaired =
  | { ok: true; change: 'attributed' | 'replaced' | 'none'; completed: boolean }
  | {
      ok: false;
      reason: 'unknown_member' | 'unknown_referrer' | 'self_referral' | 'special_account' | 'taken' | 'completed';
    };

/**
 * Attributes a sign-up late, by an operator's hand, with an audit entry: completed at once where the member has a first
 * connection. A completed referral stays as it is. The same repair again changes nothing.
 */
export async function repairReferral(context: ReferralContext, repair: Repair): Promise<Repaired> {
  const { sql, accounts } = context;
  const { referred, replace } = repair;
  const signedUpAt = await selectMemberSince(sql, referred);
  if (!signedUpAt) return { ok: false, reason: 'unknown_member' };
  const referrer = await findReferrer(sql, repair.referrer);
  if (referrer === undefined) return { ok: false, reason: 'unknown_referrer' };
  if (isSpecial(accounts, referred) || isSpecial(accounts, referrer)) return { ok: false, reason: 'special_account' };
  if (referrer === referred) return { ok: false, reason: 'self_referral' };
  return sql.transaction(async (tx): Promise<Repaired> => {
    const before = await selectReferralOf(tx, referred);
    if (before?.referrer_idp_id === referrer)
      return { ok: true, change: 'none', completed: before.status === 'completed' };
    if (before?.status === 'completed') return { ok: false, reason: 'completed' };
    if (before && !replace) return { ok: false, reason: 'taken' };
    const outcome = await attribute(context, tx, { referred, referrer, source: 'operator', signedUpAt });
    note(context, 'operator', outcome, referred);
    // Another hand was faster since the look above.
    if (outcome === 'already_recorded') return { ok: false, reason: 'taken' };
    const { id, status } = (await selectReferralOf(tx, referred))!;
    const action = before ? 'replaced' : 'attributed';
    const previous = before?.referrer_idp_id ?? null;
    await insertAudit(tx, { referralId: id, action, reason: repair.reason, referrer, previous });
    return { ok: true, change: action, completed: status === 'completed' };
  });
}
