import type { ServiceSql } from '../../platform/database/roles.ts';
import { ensureMember, hasProviderEvent } from '../../platform/identity/queries.ts';
import type { UserCreated } from '../../platform/identity/webhook-events.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { TaskName, Tasks } from '../../platform/jobs/task.ts';
import { isReservedAccount, recordOutcome, type ReferralContext, REPORT_JOB_OPTIONS } from './context.ts';
import { referralLink } from './contract.ts';
import type { ReferralOutcome } from './metrics.ts';
import {
  type Attribution,
  findReferrer,
  hasFirstConnection,
  hasReferralCycle,
  lockReferralOfMember,
  selectReferralOfMember,
  upsertReferral,
  withdrawPublicReferral,
} from './queries.ts';

/** Maximum account age for the public call. The provider's own events arrive for 28 hours. */
const MAX_ACCOUNT_AGE_MS = 48 * 3_600_000;

/**
 * Tracks the provider's signed event of a new person in the transaction of its delivery. Only its `ref` determines the
 * referrer. Without a valid `ref`, an uncompleted referral by an open call is withdrawn.
 */
export async function trackUserCreated(context: ReferralContext, sql: ServiceSql, event: UserCreated): Promise<void> {
  const { idpId: referred, createdAt: signedUpAt } = event;
  const link = referralLink.safeParse(event.unsafeMetadata.ref);
  const referrer = link.success ? await findReferrer(sql, link.data) : undefined;
  const rejection = findRejection(context, referred, referrer);
  if (rejection) {
    await lockReferralOfMember(sql, referred);
    if (await withdrawPublicReferral(sql, referred)) recordOutcome(context, 'webhook', 'withdrawn', referred);
    else if (link.success) recordOutcome(context, 'webhook', rejection, referred);
    return;
  }
  const attribution = { referred, referrer: referrer!, source: 'webhook', signedUpAt } as const;
  recordOutcome(context, 'webhook', await attribute(context, sql, attribution), referred);
}

type SignupReport = Pick<Attribution, 'referred' | 'referrer'>;

const TRACK_SIGNUP = 'referrals-track-signup' as TaskName<SignupReport>;

/** Accepts a report from an open route. A job tracks the report. */
export const acceptSignup = (jobs: Pick<Jobs, 'add'>, report: SignupReport): Promise<string> =>
  jobs.add(TRACK_SIGNUP, report, REPORT_JOB_OPTIONS);

/** Creates the tasks. The job retries while the provider is unavailable and is deleted after its last attempt. */
export const trackSignupTask = (context: ReferralContext): Tasks => ({
  async [TRACK_SIGNUP](report: SignupReport, { attempt, maxAttempts }) {
    const outcome = await trackPublicCall(context, report);
    const isUnavailable = outcome === 'provider_unavailable';
    const isLast = attempt >= maxAttempts;
    recordOutcome(context, 'track_signup', isUnavailable && isLast ? 'given_up' : outcome, report.referred);
    if (isUnavailable && !isLast) throw new Error('Identity provider unavailable; the job retries.');
  },
});

/**
 * Tracks a report from an open route. It counts for a person whose account is at most 48 hours old, who has no
 * connection, and whose sign-up had the referrer's link. Unless the signed event has recorded these facts, they are
 * requested from the provider. `provider_unavailable` means that the job must retry.
 */
async function trackPublicCall(context: ReferralContext, report: SignupReport): Promise<ReferralOutcome> {
  const { sql } = context;
  const { referred } = report;
  const referrer = await findReferrer(sql, report.referrer);
  const rejection = findRejection(context, referred, referrer);
  if (rejection) return rejection;
  const storedOutcome = await findStoredOutcome(sql, referred);
  if (storedOutcome) return storedOutcome;
  const person = await context.lookUp(referred);
  if (person.found === 'unavailable') return 'provider_unavailable';
  if (person.found === 'no') return 'unknown_person';
  if (Date.now() - person.createdAt.getTime() > MAX_ACCOUNT_AGE_MS) return 'too_old';
  const link = referralLink.safeParse(person.ref);
  if (!link.success || (await findReferrer(sql, link.data)) !== referrer) return 'unconfirmed';
  // The provider may have the person before its event reaches us.
  if (!(await ensureMember(sql, referred))) return 'unknown_person';
  return sql.transaction(async (tx) => {
    await lockReferralOfMember(tx, referred);
    // The event may have arrived during the request to the provider.
    const concurrentOutcome = await findStoredOutcome(tx, referred);
    if (concurrentOutcome) return concurrentOutcome;
    return attribute(context, tx, { referred, referrer: referrer!, source: 'public', signedUpAt: person.createdAt });
  });
}

/** Returns the outcome that our own rows determine, or `undefined` if a request to the provider is needed. */
async function findStoredOutcome(sql: ServiceSql, referred: string): Promise<ReferralOutcome | undefined> {
  if (await selectReferralOfMember(sql, referred)) return 'already_recorded';
  return (await hasProviderEvent(sql, referred)) ? 'unconfirmed' : undefined;
}

/** Returns the rule that this referral violates. An unknown referrer is undefined. */
export function findRejection(
  { accounts }: ReferralContext,
  referred: string,
  referrer: string | undefined,
): 'special_account' | 'unknown_referrer' | 'self_referral' | undefined {
  if (isReservedAccount(accounts, referred)) return 'special_account';
  if (referrer === undefined) return 'unknown_referrer';
  if (isReservedAccount(accounts, referrer)) return 'special_account';
  return referrer === referred ? 'self_referral' : undefined;
}

/** Records the referral in the caller's transaction, completed if there is a first connection. */
export async function attribute(
  { metrics }: ReferralContext,
  sql: ServiceSql,
  attribution: Attribution,
): Promise<ReferralOutcome> {
  const { referred, source } = attribution;
  await lockReferralOfMember(sql, referred);
  if (source === 'public' && (await hasFirstConnection(sql, referred))) return 'has_connection';
  const stored = await upsertReferral(sql, attribution);
  if (!stored) return 'already_recorded';
  if (await hasReferralCycle(sql, referred)) metrics.countCycle();
  if (stored.status === 'completed') return 'completed';
  return stored.isNew ? 'recorded' : 'replaced';
}
