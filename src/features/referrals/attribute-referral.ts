import { selectMemberCreatedAt } from '../../platform/identity/queries.ts';
import { recordOutcome, type ReferralContext } from './context.ts';
import { findReferrer, insertAuditEntry, selectReferralOfMember } from './queries.ts';
import { attribute, findRejection } from './track-signup.ts';

interface AttributionRequest {
  referred: string;
  /** Identifier or link. */
  referrer: string;
  /** Stored permanently. Must not name a person. */
  reason: string;
  /** Whether an uncompleted referral by another member may be replaced. */
  replace: boolean;
}

type AttributionResult =
  | { ok: true; change: 'attributed' | 'replaced' | 'none'; completed: boolean }
  | {
      ok: false;
      reason:
        | 'unknown_member'
        | 'unknown_referrer'
        | 'self_referral'
        | 'special_account'
        | 'already_attributed'
        | 'completed';
    };

/**
 * Attributes a sign-up manually with an audit entry, and completes it if the member has a first connection. A completed
 * referral is unchanged. A repeated attribution has no effect.
 */
export async function attributeReferral(
  context: ReferralContext,
  request: AttributionRequest,
): Promise<AttributionResult> {
  const { sql } = context;
  const { referred, replace } = request;
  const signedUpAt = await selectMemberCreatedAt(sql, referred);
  if (!signedUpAt) return { ok: false, reason: 'unknown_member' };
  const referrer = await findReferrer(sql, request.referrer);
  const rejection = findRejection(context, referred, referrer);
  if (rejection || referrer === undefined) return { ok: false, reason: rejection ?? 'unknown_referrer' };
  return sql.transaction(async (tx): Promise<AttributionResult> => {
    const existing = await selectReferralOfMember(tx, referred);
    if (existing?.referrer_idp_id === referrer)
      return { ok: true, change: 'none', completed: existing.status === 'completed' };
    if (existing?.status === 'completed') return { ok: false, reason: 'completed' };
    if (existing && !replace) return { ok: false, reason: 'already_attributed' };
    const outcome = await attribute(context, tx, { referred, referrer, source: 'operator', signedUpAt });
    recordOutcome(context, 'operator', outcome, referred);
    // A concurrent request recorded a referral after the read above.
    if (outcome === 'already_recorded') return { ok: false, reason: 'already_attributed' };
    const { id, status } = (await selectReferralOfMember(tx, referred))!;
    const action = existing ? 'replaced' : 'attributed';
    const previous = existing?.referrer_idp_id ?? null;
    await insertAuditEntry(tx, { referralId: id, action, reason: request.reason, referrer, previous });
    return { ok: true, change: action, completed: status === 'completed' };
  });
}
