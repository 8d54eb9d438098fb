import type { ServiceSql } from '../../platform/database/roles.ts';
import { enqueueAccountMail } from './account-mail.ts';
import type { ProviderContext } from './context.ts';
import { enforceRateLimit } from './limit-attempts.ts';
import { isReserved, lockSignedIn, type SignedIn } from './own-account.ts';
import type { AssertionCredential, RegistrationCredential } from './passkey-credentials.ts';
import {
  deletePasskey,
  findCredential,
  insertPasskey,
  listCredentials,
  renamePasskey,
  storeChallenge,
  takeChallenge,
  updatePasskeyUse,
} from './passkey-queries.ts';
import { requirePasskeySite } from './passkey-site.ts';
import { providerErrors } from './provider-error.ts';
import type { PasskeyChallengeRow, PasskeyCredentialRow, PasskeyRow, SessionRow } from './rows.ts';

/** The library takes 25 MB of memory and 0.2 s to load, so it is loaded at the first use. */
const loadLibrary = () => import('@simplewebauthn/server');

/** Lifetime of a challenge in seconds. */
export const CHALLENGE_SECONDS = 300;

/** Maximum number of passkeys of a user. */
const MAX_PASSKEYS = 10;

/** EdDSA, ES256 and RS256 by their COSE numbers, which together cover every authenticator in use. */
const ALGORITHMS = [-8, -7, -257];

/** A challenge that an authenticator signs. `expireAt` is in ms since 1970. */
export interface PasskeyChallenge {
  /** JSON of the options with which the browser calls the authenticator. */
  nonce: string;
  expireAt: number;
}

type SessionUser = Pick<SignedIn, 'user' | 'session'>;

/** What a challenge is bound to: one purpose, in one session or browser. */
type ChallengeScope = Omit<PasskeyChallengeRow, 'challenge'>;

/** Returns the scope of the challenge that creates the passkey with this id. */
export const toRegistrationScope = (id: string, session: SessionRow): ChallengeScope => ({
  id,
  purpose: 'registration',
  session_id: session.id,
  browser_hash: null,
});

/** Returns the scope of the challenge of the sign-in with this id. */
export const toSignInScope = (id: string, browserHash: Buffer): ChallengeScope => ({
  id,
  purpose: 'sign_in',
  session_id: null,
  browser_hash: browserHash,
});

/** Returns the scope in which the user of a session proves again who they are. A new challenge replaces the last. */
export const toReverificationScope = (session: SessionRow): ChallengeScope => ({
  id: session.id,
  purpose: 'reverification',
  session_id: session.id,
  browser_hash: null,
});

/** Counts one attempt of the user. Throws if the site has no passkeys or the user has no attempt left. */
export async function countPasskeyAttempt(context: ProviderContext, userId: string): Promise<void> {
  requirePasskeySite(context);
  await enforceRateLimit(context.limits.signIn.consume(`passkey ${userId}`));
}

/** Creates the challenge with which a user adds a passkey. Throws if the user has the maximum number of passkeys. */
export async function createRegistration(
  context: ProviderContext,
  signedIn: SessionUser,
  scope: ChallengeScope,
): Promise<PasskeyChallenge> {
  const { user } = signedIn;
  const { domain } = requirePasskeySite(context);
  const registered = await listCredentials(context.sql, user.id);
  if (registered.length >= MAX_PASSKEYS) throw providerErrors.passkeyLimit(MAX_PASSKEYS);
  const { generateRegistrationOptions } = await loadLibrary();
  const options = await generateRegistrationOptions({
    rpName: 'Tally',
    rpID: domain,
    userName: user.email,
    userDisplayName: user.email,
    userID: new TextEncoder().encode(user.id),
    timeout: CHALLENGE_SECONDS * 1_000,
    attestationType: 'none',
    excludeCredentials: registered.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return storeOptions(context, scope, options, signedIn);
}

/** Creates the challenge of a sign-in, or of a reverification of `signedIn` with one of the `allowed` passkeys. */
export async function createAuthentication(
  context: ProviderContext,
  scope: ChallengeScope,
  { signedIn, allowed }: { signedIn?: SessionUser; allowed?: readonly PasskeyCredentialRow[] } = {},
): Promise<PasskeyChallenge> {
  const { domain } = requirePasskeySite(context);
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID: domain,
    timeout: CHALLENGE_SECONDS * 1_000,
    userVerification: 'required',
    ...(allowed && { allowCredentials: allowed.map(({ credential_id: id, transports }) => ({ id, transports })) }),
  });
  return storeOptions(context, scope, options, signedIn);
}

/** Stores the challenge of these options and returns it for the browser. Throws if the session has ended in between. */
async function storeOptions(
  context: ProviderContext,
  scope: ChallengeScope,
  options: { challenge: string },
  signedIn: SessionUser | undefined,
): Promise<PasskeyChallenge> {
  const expireAt = await context.sql.transaction(async (sql) => {
    if (signedIn) await lockSignedIn(sql, signedIn);
    return storeChallenge(sql, { ...scope, challenge: options.challenge }, CHALLENGE_SECONDS);
  });
  return { nonce: JSON.stringify(options), expireAt };
}

/** Deletes the challenge of this scope and returns it. Throws if it has expired, was used, or has another scope. */
async function consumeChallenge(sql: ServiceSql, scope: ChallengeScope): Promise<string> {
  const row = await takeChallenge(sql, scope);
  if (!row) throw providerErrors.passkeyChallengeExpired();
  return row.challenge;
}

/**
 * Verifies a new passkey, stores it under this name and returns it. Throws the provider's errors. The challenge is used
 * up even if this fails, unless the session has ended, which ends the challenge too.
 */
export async function registerPasskey(
  context: ProviderContext,
  signedIn: SessionUser,
  { scope, credential, name }: { scope: ChallengeScope; credential: RegistrationCredential; name: string },
): Promise<PasskeyRow> {
  const { user } = signedIn;
  // Before the transaction, so that nothing waits for the lock while the library is loaded.
  await loadLibrary();
  const store = async (sql: ServiceSql, challenge: string): Promise<PasskeyRow> => {
    const verified = await verifyRegistration(context, challenge, credential);
    if ((await listCredentials(sql, user.id)).length >= MAX_PASSKEYS) throw providerErrors.passkeyLimit(MAX_PASSKEYS);
    const passkey = await insertPasskey(sql, { ...verified, id: scope.id, user_id: user.id, name });
    if (!passkey) throw providerErrors.passkeyExists();
    await enqueueAccountMail(sql, context, { kind: 'passkey_added', userId: user.id });
    return passkey;
  };
  const stored = await context.sql.transaction(async (sql) => {
    // Under one lock, so that an event that ends the user's passkeys finds either the challenge or the passkey.
    await lockSignedIn(sql, signedIn);
    const challenge = await consumeChallenge(sql, scope);
    try {
      return { passkey: await sql.transaction((nested) => store(nested, challenge)) };
    } catch (error) {
      // Returned, so that the challenge stays used up.
      return { error };
    }
  });
  if ('error' in stored) throw stored.error;
  return stored.passkey;
}

/** Renames a passkey of the user and returns it. Throws if there is none. */
export async function renameOwnPasskey(
  context: ProviderContext,
  signedIn: SessionUser,
  { id, name }: { id: string; name: string },
): Promise<PasskeyRow> {
  const passkey = await context.sql.transaction(async (sql) => {
    await lockSignedIn(sql, signedIn);
    return renamePasskey(sql, signedIn.user.id, id, name);
  });
  if (!passkey) throw providerErrors.notFound('passkey', id);
  return passkey;
}

/** Removes a passkey of the user. Throws if there is none. */
export async function removePasskey(context: ProviderContext, signedIn: SessionUser, id: string): Promise<void> {
  const { id: userId } = signedIn.user;
  await context.sql.transaction(async (sql) => {
    await lockSignedIn(sql, signedIn);
    if (!(await deletePasskey(sql, userId, id))) throw providerErrors.notFound('passkey', id);
    await enqueueAccountMail(sql, context, { kind: 'passkey_removed', userId });
  });
}

/** Throws if the page was in a frame of another site. The library checks this only if the browser names that site. */
async function assertOwnPage(clientDataJSON: string): Promise<void> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  if (decodeClientDataJSON(clientDataJSON).crossOrigin) throw new Error('The page was in a frame of another site.');
}

/** Returns the passkey that the authenticator created for this challenge. Throws if its response is not valid. */
async function verifyRegistration(
  context: ProviderContext,
  challenge: string,
  credential: RegistrationCredential,
): Promise<Omit<PasskeyCredentialRow, 'id' | 'user_id'>> {
  const { domain, origin } = requirePasskeySite(context);
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await Promise.all([
    loadLibrary(),
    import('@simplewebauthn/server/helpers'),
  ]);
  try {
    await assertOwnPage(credential.response.clientDataJSON);
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(credential.response.attestationObject));
    // The options request no certificate, and verifying one could fetch a URL that it names.
    if (attestation.get('attStmt').get('x5c') !== undefined) throw new Error('The attestation has certificates.');
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: domain,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) throw new Error('The signature is invalid.');
    return {
      credential_id: registrationInfo.credential.id,
      public_key: Buffer.from(registrationInfo.credential.publicKey),
      counter: registrationInfo.credential.counter,
      transports: credential.response.transports,
      backed_up: registrationInfo.credentialBackedUp,
    };
  } catch (error) {
    throw providerErrors.passkeyNotRegistered(error);
  }
}

/** A passkey after a verified signature, before `recordPasskeyUse`. */
export interface VerifiedPasskey {
  id: string;
  userId: string;
  counter: number;
  backedUp: boolean;
}

/**
 * Verifies the signature of a challenge and returns the passkey that signed it. Throws the provider's errors. The
 * challenge is used up even if this fails.
 */
export async function verifyPasskey(
  context: ProviderContext,
  scope: ChallengeScope,
  credential: AssertionCredential,
): Promise<VerifiedPasskey> {
  const { domain, origin } = requirePasskeySite(context);
  const challenge = await consumeChallenge(context.sql, scope);
  const stored = await findCredential(context.sql, credential.id);
  const { userHandle, ...signed } = credential.response;
  const namesOwner = !userHandle || Buffer.from(userHandle, 'base64url').toString() === stored?.user_id;
  if (!stored || !namesOwner || isReserved(context, stored.user_id)) throw providerErrors.passkeyRejected();
  const { verifyAuthenticationResponse } = await loadLibrary();
  try {
    await assertOwnPage(signed.clientDataJSON);
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, response: signed, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: domain,
      credential: { id: stored.credential_id, publicKey: new Uint8Array(stored.public_key), counter: stored.counter },
    });
    if (!verified) throw new Error('The signature is invalid.');
    const { newCounter: counter, credentialBackedUp: backedUp } = authenticationInfo;
    return { id: stored.id, userId: stored.user_id, counter, backedUp };
  } catch (error) {
    throw providerErrors.passkeyRejected(error);
  }
}

/** Records the use of a passkey in the caller's transaction. Throws if the passkey was used or removed in between. */
export async function recordPasskeyUse(sql: ServiceSql, passkey: VerifiedPasskey): Promise<void> {
  if (!(await updatePasskeyUse(sql, passkey))) throw providerErrors.passkeyRejected();
}
