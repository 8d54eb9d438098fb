import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { AddOptions, TaskName, Tasks } from '../../platform/jobs/task.ts';
import { note, type ReferralContext } from './context.ts';
import { markCompleted } from './mark-completed.ts';
import type { Attribution } from './queries.ts';
import { trackPublicCall } from './track-signup.ts';

type SignupCall = Pick<Attribution, 'referred' | 'referrer'>;

const TRACK_SIGNUP = 'referrals-track-signup' as TaskName<SignupCall>;
const MARK_COMPLETED = 'referrals-mark-completed' as TaskName<{ referred: string }>;

/**
 * Jobs of one queue run one after another: a flood takes one hand of the worker, and asks the provider in turn. Tries
 * over about two days, as long as the person is recent.
 */
const OPTIONS: AddOptions = { queue: 'referral-calls', maxAttempts: 24, priority: 10 };

/**
 * Takes the calls of the open routes; their work is done later. Each is one insertion: a key that lets a repeated call
 * replace the waiting one would make it another statement, and it fails where a worker takes the job in between.
 */
export const createPublicCalls = (jobs: Pick<Jobs, 'add'>) => ({
  acceptSignup: (call: SignupCall) => jobs.add(TRACK_SIGNUP, call, OPTIONS),
  acceptCompletion: (referred: string) => jobs.add(MARK_COMPLETED, { referred }, OPTIONS),
});

export type PublicCalls = ReturnType<typeof createPublicCalls>;

/** Does what was accepted. While the provider is away a sign-up is tried again; the last try leaves no job behind. */
export const publicCallTasks = (context: ReferralContext): Tasks => ({
  async [TRACK_SIGNUP](call: SignupCall, { attempt, maxAttempts }) {
    const outcome = await trackPublicCall(context, call);
    const isAway = outcome === 'provider_away';
    const isLast = attempt >= maxAttempts;
    note(context, 'track_signup', isAway && isLast ? 'given_up' : outcome, call.referred);
    if (isAway && !isLast) throw new Error('The identity provider cannot be asked now.');
  },
  async [MARK_COMPLETED]({ referred }: { referred: string }) {
    note(context, 'mark_completed', await markCompleted(context, referred), referred);
  },
});
