import type { Jobs } from '../jobs/jobs.ts';
import type { AddOptions, TaskName, Tasks } from '../jobs/task.ts';
import { note, type ReferralContext } from './context.ts';
import { markCompleted } from './mark-completed.ts';
import { trackPublicCall } from './track-signup.ts';

interface SignupCall {
  referred: string;
  referrer: string;
}

const TRACK_SIGNUP = 'referrals-track-signup' as TaskName<SignupCall>;
const MARK_COMPLETED = 'referrals-mark-completed' as TaskName<{ referred: string }>;

/** Tries over about two days, as long as the person is recent. */
const TRIES = 24;

export interface PublicCalls {
  acceptSignup(call: SignupCall): Promise<void>;
  acceptCompletion(referred: string): Promise<void>;
}

/** Jobs of one queue run one after another: a flood takes one hand of the worker, and asks the provider in turn. */
const OPTIONS: AddOptions = { queue: 'referral-calls', maxAttempts: TRIES, priority: 10 };

/**
 * Takes the calls of the open routes; their work is done later. Each is one insertion: a key that lets a repeated call
 * replace the waiting one would make it another statement, and it fails where a worker takes the job in between.
 */
export const createPublicCalls = (jobs: Pick<Jobs, 'add'>): PublicCalls => ({
  async acceptSignup(call) {
    await jobs.add(TRACK_SIGNUP, call, OPTIONS);
  },
  async acceptCompletion(referred) {
    await jobs.add(MARK_COMPLETED, { referred }, OPTIONS);
  },
});

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
