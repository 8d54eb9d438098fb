import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ReservedAccounts } from '../../platform/identity/member.ts';
import type { AddOptions } from '../../platform/jobs/task.ts';
import type { LookUpPerson } from './look-up-person.ts';
import type { Report, ReferralMetrics, ReferralOutcome } from './metrics.ts';

/** Dependencies of the referrals feature. */
export interface ReferralContext {
  sql: ServiceSql;
  logger: Logger;
  metrics: ReferralMetrics;
  /** Demo account and sample user, which neither refer nor are referred. */
  accounts: ReservedAccounts;
  /** Looks up a person at the identity provider. */
  lookUp: LookUpPerson;
}

export const isReservedAccount = ({ demoAccountId, sampleUserId }: ReservedAccounts, idpId: string): boolean =>
  idpId === demoAccountId || idpId === sampleUserId;

/**
 * Options of the open routes' jobs. One queue processes them sequentially, so that a flood occupies one worker slot.
 * Without a job key each is one insertion: replacing a pending job fails if a worker claims it concurrently.
 */
export const REPORT_JOB_OPTIONS: AddOptions = {
  queue: 'referral-calls',
  // Retries for about two days, while the person is recent.
  maxAttempts: 24,
  priority: 10,
};

/**
 * Records the outcome of a report. The log contains a digest of the person, which an operator with the id can search.
 */
export function recordOutcome(
  { logger, metrics }: ReferralContext,
  report: Report,
  outcome: ReferralOutcome,
  referred: string,
): void {
  metrics.countReport(report, outcome);
  logger.info({ report, outcome, referred: computeDigest(referred) }, 'referral reported');
}

const computeDigest = (idpId: string): string => createHash('sha256').update(idpId).digest('hex').slice(0, 16);
