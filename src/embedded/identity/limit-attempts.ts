import type { FastifyRequest } from 'fastify';
import { limitedAddress } from '../../platform/http/limited-address.ts';
import type { RateLimiter, Taken } from '../../platform/http/rate-limit.ts';
import type { Browser } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { verifyPassword } from './passwords.ts';
import { refusals } from './provider-error.ts';
import { isKnownDevice } from './session-queries.ts';

/** Throws 429 with the time to wait where a limit has no attempt left. */
async function refuseTooMany(attempt: Taken | Promise<Taken>): Promise<void> {
  const taken = await attempt;
  if (!taken.ok) throw refusals.tooMany(taken.retryAfter);
}

/** A hook that takes one of the address's attempts before the body is read. */
export const limitAddress =
  (limiter: RateLimiter) =>
  (request: FastifyRequest): Promise<void> =>
    refuseTooMany(limiter.take(limitedAddress(request)));

/** One password that a browser tries on the account of an address (in lower case). */
interface Attempt {
  browser: Browser;
  email: string;
  password: string;
  /** What it is compared with; `null` where no password fits. */
  hash: string | null;
}

/**
 * Whether the password is right, within the limits of attempts: 429 past them. Failures lock an account for browsers
 * that never signed in to it. A browser that did counts alone, so that guesses from elsewhere do not lock it out.
 */
export async function tryPassword(
  { limits, sql }: Pick<ProviderContext, 'limits' | 'sql'>,
  { browser, email, password, hash }: Attempt,
): Promise<boolean> {
  const { client, address } = browser;
  const device = client && (await isKnownDevice(sql, client.id, email)) ? `device ${client.id} ${email}` : undefined;
  const failureKey = device ?? email;
  await refuseTooMany(limits.signIn.take(device ?? `${address} ${email}`));
  await refuseTooMany(limits.failures.look(failureKey));
  const isRight = await verifyPassword(password, hash);
  await (isRight ? limits.failures.forget(failureKey) : limits.failures.take(failureKey));
  return isRight;
}
