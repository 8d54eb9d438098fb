import { generateSecret, generateURI } from 'otplib';
import type { SecondFactorReset } from '../../platform/identity/identity-provider.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { enqueueAccountMail } from './account-mail.ts';
import { type Device, NO_DEVICE, type ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { newId } from './ids.ts';
import { isReserved, lockSignedIn, type SignedIn } from './own-account.ts';
import { verifyCodeWithinLimits } from './limit-attempts.ts';
import { providerErrors } from './provider-error.ts';
import { generateRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';
import { toBackendUserResponse } from './responses.ts';
import { lockCredentials, revokeForEvent } from './revoke-credentials.ts';
import type { TotpRow } from './rows.ts';
import { enableTotp, findTotp, replaceRecoveryCodes, storeTotp } from './second-factor-queries.ts';
import { markNewSecondFactor } from './session-queries.ts';
import { findUser, touchUser } from './user-queries.ts';
import { verifyTotp } from './verify-second-factor.ts';

/**
 * Creates the secret of an authenticator app, in base32 and as the `otpauth:` URI of the QR code. The factor is off
 * until the user enters a code. Throws if it is already on.
 */
export async function createTotp(
  context: ProviderContext,
  signedIn: SignedIn,
): Promise<{ totp: TotpRow; secret: string; uri: string }> {
  const { user } = signedIn;
  const secret = generateSecret();
  const totp = await context.sql.transaction(async (sql) => {
    await lockSignedIn(sql, signedIn);
    return storeTotp(sql, { id: newId('totp'), user_id: user.id, secret });
  });
  if (!totp) throw providerErrors.totpExists();
  return { totp, secret, uri: generateURI({ issuer: 'Tally', label: user.email, secret }) };
}

/** Turns the factor on with a code of the app, and returns it with recovery codes. Throws the provider's errors. */
export async function turnTotpOn(
  context: ProviderContext,
  { user, session, ...browser }: SignedIn,
  code: string,
): Promise<{ totp: TotpRow; codes: string[] }> {
  const codes = generateRecoveryCodes();
  const totp = await verifyCodeWithinLimits(context, browser, user, () =>
    commitWithEvents(context, async (sql) => {
      await lockSignedIn(sql, { user, session });
      const pending = await findTotp(sql, user.id);
      if (!pending) throw providerErrors.totpMissing();
      if (pending.verified_at !== null) throw providerErrors.totpExists();
      if (!(await verifyTotp(sql, pending, code))) return undefined;
      const enabled = await enableTotp(sql, user.id);
      await replaceRecoveryCodes(sql, user.id, codes.map(hashRecoveryCode));
      await markNewSecondFactor(sql, session.id);
      // Whoever was signed in with the password alone must not stay.
      const except = { sessionId: session.id, clientId: browser.client.id };
      await revokeForEvent(sql, context, 'app_on', { userId: user.id, device: browser.device, except });
      await recordChange(sql, context, user.id, browser.device);
      await enqueueAccountMail(sql, context, { kind: 'second_factor_on', userId: user.id });
      return enabled;
    }),
  );
  if (!totp) throw providerErrors.codeIncorrect();
  return { totp, codes };
}

/** Turns the factor off, deletes its recovery codes, and returns it. Throws if it is off. */
export async function turnTotpOff(context: ProviderContext, signedIn: SignedIn): Promise<TotpRow> {
  const { user, device } = signedIn;
  const totp = await commitWithEvents(context, async (sql) => {
    await lockSignedIn(sql, signedIn);
    const removed = await findVerifiedTotp(sql, user.id);
    if (!removed) return undefined;
    await revokeForEvent(sql, context, 'app_off', { userId: user.id, device });
    await recordChange(sql, context, user.id, device);
    await enqueueAccountMail(sql, context, { kind: 'second_factor_off', userId: user.id });
    return removed;
  });
  if (!totp) throw providerErrors.totpMissing();
  return totp;
}

/** Replaces the recovery codes and returns the new ones. Throws if the factor is off. */
export async function renewRecoveryCodes(context: ProviderContext, signedIn: SignedIn): Promise<string[]> {
  const { user, device } = signedIn;
  return commitWithEvents(context, async (sql) => {
    const codes = generateRecoveryCodes();
    const locked = await lockSignedIn(sql, signedIn);
    if (locked.totp_enabled_at === null) throw providerErrors.totpMissing();
    await replaceRecoveryCodes(sql, user.id, codes.map(hashRecoveryCode));
    await recordChange(sql, context, user.id, device);
    return codes;
  });
}

/** Removes the second factor and the passkeys of a user who has lost them, and ends all sessions. For the operator. */
export async function resetSecondFactor(
  context: Pick<ProviderContext, 'sql' | 'keys' | 'accounts' | 'sendsMail'>,
  idpId: string,
): Promise<SecondFactorReset> {
  const user = await findUser(context.sql, idpId);
  if (!user) return 'external_provider';
  if (isReserved(context, user.id)) return 'no_second_factor';
  return context.sql.transaction(async (sql) => {
    const locked = await lockCredentials(sql, idpId);
    const hadApp = (await findVerifiedTotp(sql, idpId)) !== undefined;
    const hadPasskeys = locked !== undefined && locked.passkeys.length > 0;
    if (!hadApp && !hadPasskeys) return 'no_second_factor';
    await revokeForEvent(sql, context, 'app_reset', { userId: idpId, device: NO_DEVICE });
    if (hadApp) await recordChange(sql, context, idpId, NO_DEVICE);
    await enqueueAccountMail(sql, context, { kind: 'second_factor_reset', userId: idpId });
    return 'done';
  });
}

/** Returns the factor if it is on. */
async function findVerifiedTotp(sql: ServiceSql, userId: string): Promise<TotpRow | undefined> {
  const totp = await findTotp(sql, userId);
  return totp?.verified_at === null ? undefined : totp;
}

/** Updates the time of the user's last change and emits `user.updated`. */
async function recordChange(
  sql: ServiceSql,
  context: Pick<ProviderContext, 'keys'>,
  userId: string,
  device: Device,
): Promise<void> {
  const updated = await touchUser(sql, userId);
  if (updated) await emitEvent(sql, context, 'user.updated', toBackendUserResponse(updated), device);
}
