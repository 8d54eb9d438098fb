import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { QueueFullError } from '../../platform/fairness/fair-queue.ts';
import { createFairSlots } from '../../platform/fairness/fair-slots.ts';
import { isCommonPassword } from './common-passwords.ts';
import { providerErrors } from './provider-error.ts';

/** Cost of an argon2id hash: memory in KiB, and passes. */
export interface PasswordCost {
  memory: number;
  passes: number;
}

/** OWASP's parameters of argon2id: 19 MiB, 2 passes, 1 lane. A hash takes about 25 ms on one core. */
const DEFAULT_COST: PasswordCost = { memory: 19_456, passes: 2 };
const LANES = 1;
const HASH_BYTES = 32;

/** Who waits for a hash: a browser that signed in to the account before, or an address of unknown browsers. */
export interface HashOwner {
  owner: string;
  /** Lower ranks go first. */
  rank: (typeof HASH_RANKS)[keyof typeof HASH_RANKS];
}

/** Known browsers go first, and addresses with many hashes lately, as of those who guess passwords, go last. */
export const HASH_RANKS = { known: 0, unknown: 1, frequent: 2 } as const;

/** The operator, at the first run and through the API with the secret key. */
export const OPERATOR: HashOwner = { owner: 'operator', rank: HASH_RANKS.known };

/**
 * Slots of concurrent hashes, each with a thread and 19 MiB. One slot and 50 places in the queue are only for known
 * browsers, so that unknown ones at many addresses cannot keep members from signing in.
 */
export const HASH_SLOTS = { slots: 2, reservedSlots: 1, maxWaitingPerOwner: 25, maxWaiting: 50, maxWaitMs: 30_000 };

const runInTurn = createFairSlots(HASH_SLOTS);

const derive = promisify(argon2);
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

async function computeHash(
  password: string,
  parameters: Omit<Argon2Parameters, 'message'>,
  hashOwner: HashOwner,
): Promise<Buffer> {
  try {
    return await runInTurn(hashOwner, () => derive('argon2id', { message: password.normalize('NFKC'), ...parameters }));
  } catch (error) {
    throw error instanceof QueueFullError ? providerErrors.busy() : error;
  }
}

const toUnpaddedBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

interface NewPassword {
  /** Whether to reject passwords that are easily guessed (default true). */
  checksStrength?: boolean;
  /** The user's email address, which may not be the password. */
  email?: string;
  cost?: PasswordCost | undefined;
}

/**
 * Returns the PHC string of a new password. Throws the documented error below 8 or above 255 characters. With
 * `checksStrength` it also throws for a common password, a blank one, one repeated character, or the user's own email
 * address.
 */
export async function hashPassword(
  password: string,
  hashOwner: HashOwner,
  { checksStrength = true, email, cost = DEFAULT_COST }: NewPassword = {},
): Promise<string> {
  const length = [...password].length;
  if (length < 8) throw providerErrors.passwordTooShort();
  if (length > 255) throw providerErrors.passwordTooLong();
  if (checksStrength) assertNotWeak(password, email);
  const salt = randomBytes(16);
  const parameters = { ...cost, nonce: salt, parallelism: LANES, tagLength: HASH_BYTES };
  const tag = await computeHash(password, parameters, hashOwner);
  return formatPhc(salt, tag, cost);
}

/** Matches only white space, invisible characters and control characters. */
const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}]*$/u;

function assertNotWeak(password: string, email: string | undefined): void {
  const text = password.normalize('NFKC').toLowerCase();
  if (BLANK.test(text) || new Set(text).size === 1) throw providerErrors.passwordRepeats();
  const address = email?.toLowerCase() ?? '';
  const [localPart] = address.split(/@[^@]*$/);
  const addressForms = [address, localPart, localPart?.split('+')[0]];
  if (addressForms.includes(text.trim())) throw providerErrors.passwordIsAddress();
  if (isCommonPassword(password)) throw providerErrors.passwordCommon();
}

const formatPhc = (salt: Buffer, tag: Buffer, { memory, passes }: PasswordCost): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${LANES}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`;

/** Hash for accounts without a password, so that the check takes equal time. */
const DUMMY_HASH = formatPhc(randomBytes(16), randomBytes(HASH_BYTES), DEFAULT_COST);

/** Returns whether the password matches the PHC string. With `null` it returns false after equal work. */
export async function verifyPassword(password: string, phc: string | null, hashOwner: HashOwner): Promise<boolean> {
  // A password above the limit never matches. Hashing megabytes would only serve an attacker.
  const message = Array.from(password.slice(0, 1024)).length > 255 ? '' : password;
  const [, memory, passes, lanes, salt, tag] = PHC.exec(phc ?? DUMMY_HASH) ?? PHC.exec(DUMMY_HASH)!;
  const expected = Buffer.from(tag!, 'base64');
  const parameters = {
    nonce: Buffer.from(salt!, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(lanes),
    tagLength: expected.length,
  };
  const actual = await computeHash(message, parameters, hashOwner);
  return timingSafeEqual(actual, expected) && phc !== null && message !== '';
}
