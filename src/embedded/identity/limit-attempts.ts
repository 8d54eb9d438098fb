import type { FastifyRequest } from 'fastify';
import { toRateLimitAddress } from '../../platform/http/rate-limit-address.ts';
import type { RateLimiter, RateLimitResult } from '../../platform/http/rate-limit.ts';
import type { Browser } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { verifyPassword } from './passwords.ts';
import { providerErrors } from './provider-error.ts';
import { isKnownDevice } from './session-queries.ts';

/** Throws 429 with the time to wait if a limit has no attempt left. */
export async function enforceRateLimit(attempt: RateLimitResult | Promise<RateLimitResult>): Promise<void> {
  const limitResult = await attempt;
  if (!limitResult.ok) throw providerErrors.tooManyRequests(limitResult.retryAfter);
}

/** Returns a hook that consumes one attempt of the address before the body is read. */
export const limitAddress =
  (limiter: RateLimiter) =>
  (request: FastifyRequest): Promise<void> =>
    enforceRateLimit(limiter.consume(toRateLimitAddress(request)));

/** One password that a browser tries on the account with this address (in lower case). */
interface PasswordAttempt {
  browser: Browser;
  email: string;
  password: string;
  /** Hash that the password is compared with. If it is `null`, no password matches. */
  hash: string | null;
}

/**
 * Returns whether the password is right. Throws 429 if an attempt limit is exceeded. Failures lock an account for
 * browsers that never signed in to it. A browser that did has a count of its own, so guesses from elsewhere cannot lock
 * it out.
 */
export async function verifyPasswordWithinLimits(
  { limits, sql }: Pick<ProviderContext, 'limits' | 'sql'>,
  { browser, email, password, hash }: PasswordAttempt,
): Promise<boolean> {
  const { client, address } = browser;
  const device = client && (await isKnownDevice(sql, client.id, email)) ? `device ${client.id} ${email}` : undefined;
  const failureKey = device ?? email;
  await enforceRateLimit(limits.signIn.consume(device ?? `${address} ${email}`));
  await enforceRateLimit(limits.failures.peek(failureKey));
  const isCorrect = await verifyPassword(password, hash);
  await (isCorrect ? limits.failures.reset(failureKey) : limits.failures.consume(failureKey));
  return isCorrect;
}
