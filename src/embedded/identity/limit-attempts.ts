import type { FastifyRequest } from 'fastify';
import { toRateLimitAddress } from '../../platform/http/rate-limit-address.ts';
import type { RateLimiter, RateLimitResult } from '../../platform/http/rate-limit.ts';
import type { ProviderContext } from './context.ts';
import { HASH_RANKS, type HashOwner, verifyPassword } from './passwords.ts';
import { providerErrors } from './provider-error.ts';
import type { ClientRow, UserRow } from './rows.ts';
import { isKnownDevice } from './session-queries.ts';

/** The parts of a browser by which attempts are counted. */
interface Browser {
  client: ClientRow | undefined;
  address: string;
}

/** Throws 429 with the time to wait if a limit has no attempt left. */
export async function enforceRateLimit(attempt: RateLimitResult | Promise<RateLimitResult>): Promise<void> {
  const limitResult = await attempt;
  if (!limitResult.ok) throw providerErrors.tooManyRequests(limitResult.retryAfter);
}

/** Returns the options of a route that consumes one attempt of the address before the body is read. */
export const limitAddress = (...limiters: readonly RateLimiter[]) => ({
  config: { limit: { per: 'address' as const, rates: limiters.map(({ rate }) => rate) } },
  async onRequest(request: FastifyRequest): Promise<void> {
    for (const limiter of limiters) await enforceRateLimit(limiter.consume(toRateLimitAddress(request)));
  },
});

/** Counts a request of a signed-in user. Visitors share the sample user, so they count by address. */
export const limitMember = (
  { limits, accounts }: Pick<ProviderContext, 'limits' | 'accounts'>,
  request: FastifyRequest,
  userId: string,
): Promise<void> =>
  enforceRateLimit(
    limits.member.consume(userId === accounts.sampleUserId ? `sample ${toRateLimitAddress(request)}` : userId),
  );

/** Counts a password hash for an unknown browser at this address. Returns who waits for the hash, with the rank. */
export async function countPasswordHash(
  { limits }: Pick<ProviderContext, 'limits'>,
  address: string,
): Promise<HashOwner> {
  const counted = await limits.passwordHashes.consume(address);
  return { owner: address, rank: counted.ok ? HASH_RANKS.unknown : HASH_RANKS.frequent };
}

type ChangeKind = keyof ProviderContext['limits']['changesDay'];

/** Returns the options of a route whose handler calls `limitChanges`. */
export const describeChangeLimit = ({ limits }: Pick<ProviderContext, 'limits'>, kind: ChangeKind) => ({
  config: { limit: { per: 'member' as const, rates: [limits.member.rate, limits.changesDay[kind].rate] } },
});

/** Counts a change of the signed-in user for the day. A new password counts once the current one was right. */
export const limitChanges = (
  { limits }: Pick<ProviderContext, 'limits'>,
  kind: ChangeKind,
  userId: string,
): Promise<void> => enforceRateLimit(limits.changesDay[kind].consume(userId));

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
 * it out. Each attempt counts as a failure before it is compared, so that concurrent guesses are limited too.
 */
export async function verifyPasswordWithinLimits(
  { limits, sql }: Pick<ProviderContext, 'limits' | 'sql'>,
  { browser, email, password, hash }: PasswordAttempt,
): Promise<boolean> {
  const device = await findDeviceKey(sql, browser, email);
  const failureKey = device ?? email;
  await enforceRateLimit(limits.signIn.consume(device ?? `${browser.address} ${email}`));
  await enforceRateLimit(limits.failures.consume(failureKey));
  const hashOwner = device
    ? { owner: device, rank: HASH_RANKS.known }
    : await countPasswordHash({ limits }, browser.address);
  const isCorrect = await verifyPassword(password, hash, hashOwner);
  if (isCorrect) await limits.failures.reset(failureKey);
  return isCorrect;
}

/**
 * Returns the result of `verify`, undefined for a wrong code of the second factor. Throws 429 if an attempt limit is
 * exceeded. Codes are counted for the account, whatever the browser, since anybody can prepare many browsers. Only
 * whoever has passed the first factor can use the codes up, so a new password ends guesses by others. Each code counts
 * before it is compared, so that concurrent guesses are limited too.
 */
export async function verifyCodeWithinLimits<Verified>(
  { limits, sql }: Pick<ProviderContext, 'limits' | 'sql'>,
  browser: Browser,
  user: Pick<UserRow, 'id' | 'email'>,
  verify: () => Promise<Verified | undefined>,
): Promise<Verified | undefined> {
  const email = user.email.toLowerCase();
  const device = await findDeviceKey(sql, browser, email);
  await enforceRateLimit(limits.signIn.consume(`code ${device ?? `${browser.address} ${email}`}`));
  await enforceRateLimit(limits.codes.consume(user.id));
  const verified = await verify();
  if (verified !== undefined) await limits.codes.reset(user.id);
  return verified;
}

/** Returns the key of a browser that signed in to the account before, or undefined for another one. */
async function findDeviceKey(
  sql: ProviderContext['sql'],
  { client }: Browser,
  email: string,
): Promise<string | undefined> {
  return client && (await isKnownDevice(sql, client.id, email)) ? `device ${client.id} ${email}` : undefined;
}
