import type { Taken } from '../../http/rate-limit.ts';
import { refusals } from './provider-error.ts';

/** Throws 429 with the time to wait where a limit has no attempt left. */
export async function refuseTooMany(attempt: Taken | Promise<Taken>): Promise<void> {
  const taken = await attempt;
  if (!taken.ok) throw refusals.tooMany(taken.retryAfter);
}
