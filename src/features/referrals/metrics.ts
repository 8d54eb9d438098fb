import { Counter, type Registry } from 'prom-client';

/** Outcome of a reported sign-up or completion. */
export type ReferralOutcome =
  | 'recorded'
  | 'replaced'
  | 'completed'
  | 'already_recorded'
  | 'unknown_referrer'
  | 'unknown_person'
  | 'unconfirmed'
  | 'withdrawn'
  | 'self_referral'
  | 'special_account'
  | 'too_old'
  | 'has_connection'
  | 'no_change'
  | 'provider_unavailable'
  | 'given_up';

export type Report = 'webhook' | 'track_signup' | 'mark_completed' | 'first_connection' | 'operator';

export interface ReferralMetrics {
  countReport(report: Report, outcome: ReferralOutcome): void;
  countRateLimited(limit: 'address' | 'identifier' | 'process'): void;
  countCycle(): void;
}

/** Creates counters of reports and rejections. A suspicious report is one without effect. No counter names a person. */
export function createReferralMetrics(registry: Registry): ReferralMetrics {
  const outcomes = new Counter({
    name: 'tally_referral_reports_total',
    help: 'Reports of sign-ups and completions, by source and outcome.',
    labelNames: ['report', 'outcome'] as const,
    registers: [registry],
  });
  const rateLimited = new Counter({
    name: 'tally_referral_rejections_total',
    help: 'Calls of the open referral routes over a limit, by the limit.',
    labelNames: ['limit'] as const,
    registers: [registry],
  });
  const cycles = new Counter({
    name: 'tally_referral_cycles_total',
    help: 'Referrals that closed a cycle of members who referred each other when they were recorded.',
    registers: [registry],
  });
  return {
    countReport: (report, outcome) => outcomes.inc({ report, outcome }),
    countRateLimited: (limit) => rateLimited.inc({ limit }),
    countCycle: () => cycles.inc(),
  };
}
