import type { ServiceSql } from '../../platform/database/roles.ts';
import { enqueueAccountMail } from './account-mail.ts';
import type { ProviderContext } from './context.ts';
import { isReserved } from './own-account.ts';
import type { AssertionCredential, RegistrationCredential } from './passkey-credentials.ts';
import {
  deletePasskey,
  findCredential,
  insertPasskey,
  listCredentials,
  recordPasskeyUse,
  storeChallenge,
  takeChallenge,
} from './passkey-queries.ts';
import { requirePasskeySite } from './passkey-site.ts';
import { providerErrors } from './provider-error.ts';
import type { PasskeyChallengeRow, PasskeyCredentialRow, PasskeyRow, UserRow } from './rows.ts';
import { lockUser } from './user-queries.ts';

/** The library takes 25 MB and 0.2 s, so it is loaded at the first use. */
const loadLibrary = () => import('@simplewebauthn/server');

/** Lifetime of a challenge in seconds. */
export const CHALLENGE_SECONDS = 300;

/** Limit of passkeys of a user. */
const MAX_PASSKEYS = 10;

/** EdDSA, ES256 and RS256 by their COSE numbers, which together cover every authenticator in use. */
const ALGORITHMS = [-8, -7, -257];

/** A challenge that an authenticator signs. `nonce` is the JSON of the browser's options, `expireAt` in ms. */
export interface PasskeyChallenge {
  nonce: string;
  expireAt: number;
}

type ChallengeUse = Omit<PasskeyChallengeRow, 'challenge'>;

/** Creates the challenge with which a user adds a passkey. Throws if the user has the most passkeys allowed. */
export async function createRegistration(
  context: ProviderContext,
  user: UserRow,
  use: ChallengeUse,
): Promise<PasskeyChallenge> {
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
  return storeOptions(context.sql, use, options);
}

/** Creates the challenge of a sign-in, or of a confirmation with one of these passkeys. */
export async function createAuthentication(
  context: ProviderContext,
  use: ChallengeUse,
  allowed?: readonly PasskeyCredentialRow[],
): Promise<PasskeyChallenge> {
  const { domain } = requirePasskeySite(context);
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID: domain,
    timeout: CHALLENGE_SECONDS * 1_000,
    userVerification: 'required',
    ...(allowed && { allowCredentials: allowed.map(({ credential_id: id, transports }) => ({ id, transports })) }),
  });
  return storeOptions(context.sql, use, options);
}

async function storeOptions(
  sql: ServiceSql,
  use: ChallengeUse,
  options: { challenge: string },
): Promise<PasskeyChallenge> {
  const expireAt = await storeChallenge(sql, { ...use, challenge: options.challenge }, CHALLENGE_SECONDS);
  return { nonce: JSON.stringify(options), expireAt };
}

/** Takes the challenge of this browser. Throws if it has expired, was used, or belongs to another browser. */
async function consumeChallenge(sql: ServiceSql, use: ChallengeUse): Promise<string> {
  const row = await takeChallenge(sql, use);
  if (!row) throw providerErrors.passkeyChallengeExpired();
  return row.challenge;
}

/** Verifies a new passkey and stores it under this name. The challenge is used up even if this fails. */
export async function registerPasskey(
  context: ProviderContext,
  user: UserRow,
  use: ChallengeUse,
  credential: RegistrationCredential,
  name: string,
): Promise<PasskeyRow> {
  const challenge = await consumeChallenge(context.sql, use);
  const verified = await verifyRegistration(context, challenge, credential);
  return context.sql.transaction(async (sql) => {
    // Concurrent registrations of a user run one after another, so that none exceeds the limit.
    if (!(await lockUser(sql, user.id))) throw providerErrors.signedOut();
    if ((await listCredentials(sql, user.id)).length >= MAX_PASSKEYS) throw providerErrors.passkeyLimit(MAX_PASSKEYS);
    const passkey = await insertPasskey(sql, { ...verified, id: use.id, user_id: user.id, name });
    if (!passkey) throw providerErrors.passkeyExists();
    await enqueueAccountMail(sql, context, { kind: 'passkey_added', userId: user.id });
    return passkey;
  });
}

/** Removes a passkey of the user. Returns whether there was one. */
export const removePasskey = (context: ProviderContext, userId: string, id: string): Promise<boolean> =>
  context.sql.transaction(async (sql) => {
    const isRemoved = await deletePasskey(sql, userId, id);
    if (isRemoved) await enqueueAccountMail(sql, context, { kind: 'passkey_removed', userId });
    return isRemoved;
  });

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
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(credential.response.attestationObject));
    // No certificate is requested, and the check of one could contact an address that it names.
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

/** A verified signature whose use is not recorded yet. */
export interface VerifiedPasskey {
  id: string;
  userId: string;
  counter: number;
  backedUp: boolean;
}

/** Verifies the signature of a challenge. The challenge is used up even if this fails. */
export async function verifyPasskey(
  context: ProviderContext,
  use: ChallengeUse,
  credential: AssertionCredential,
): Promise<VerifiedPasskey> {
  const { domain, origin } = requirePasskeySite(context);
  const challenge = await consumeChallenge(context.sql, use);
  const stored = await findCredential(context.sql, credential.id);
  const { userHandle, ...signed } = credential.response;
  const isOwners = userHandle ? Buffer.from(userHandle, 'base64url').toString() === stored?.user_id : true;
  if (!stored || !isOwners || isReserved(context, stored.user_id)) throw providerErrors.passkeyRejected();
  const { verifyAuthenticationResponse } = await loadLibrary();
  try {
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

/** Records a verified use in the transaction of its effect. Throws if a copy of the passkey was used in between. */
export async function recordUse(sql: ServiceSql, { id, counter, backedUp }: VerifiedPasskey): Promise<void> {
  if (!(await recordPasskeyUse(sql, id, counter, backedUp))) throw providerErrors.passkeyRejected();
}
