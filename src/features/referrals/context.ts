import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ReservedAccounts } from '../../platform/identity/member.ts';
import type { AddOptions } from '../../platform/jobs/task.ts';
import type { LookUpPerson } from './look-up-person.ts';
import type { Report, ReferralMetrics, ReferralOutcome } from './metrics.ts';

/** What everything about referrals stands on. */
export interface ReferralContext {
  sql: ServiceSql;
  logger: Logger;
  metrics: ReferralMetrics;
  /** The demo account and the sample user, who neither refer nor are referred. */
  accounts: ReservedAccounts;
  /** Asks the identity provider for a person. */
  lookUp: LookUpPerson;
}

export const isReservedAccount = ({ demoAccountId, sampleUserId }: ReservedAccounts, idpId: string): boolean =>
  idpId === demoAccountId || idpId === sampleUserId;

/**
 * How the open routes add their jobs. One queue runs them one after another, so that a flood takes one slot of the
 * worker. Without a key each is one insertion: replacing a waiting job fails where a worker takes it in between.
 */
export const REPORT_JOB_OPTIONS: AddOptions = {
  queue: 'referral-calls',
  // Over about two days, as long as the person is recent.
  maxAttempts: 24,
  priority: 10,
};

/** Notes what became of a report; the log has a digest of the person, by which an operator who has the id finds it. */
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
