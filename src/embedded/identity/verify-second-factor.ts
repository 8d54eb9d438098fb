import { verifySync } from 'otplib';
import { z } from 'zod';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import type { TotpRow } from './rows.ts';
import { consumeRecoveryCode, consumeTimeStep, findTotp } from './second-factor-queries.ts';

/** Accepted difference in seconds between the clocks of phone and server: one time step before and after. */
const CLOCK_TOLERANCE_SECONDS = 30;

export const codeField = z
  .string({ error: 'must be a string.' })
  .max(100, { error: 'must be at most 100 characters.' });

/** Fields with which a browser proves the second factor. */
export const secondFactorFields = z.strictObject({
  strategy: z.enum(['totp', 'backup_code'], { error: 'must be one of: totp, backup_code.' }),
  code: codeField,
});

export type SecondFactorProof = z.infer<typeof secondFactorFields>;

/**
 * Returns whether a code of the authenticator app or a recovery code is correct, and uses it up. Runs in a transaction
 * that has locked the user's row.
 */
export async function verifySecondFactor(
  sql: ServiceSql,
  userId: string,
  { strategy, code }: SecondFactorProof,
): Promise<boolean> {
  const totp = await findTotp(sql, userId);
  if (!totp || totp.verified_at === null) return false;
  return strategy === 'totp' ? verifyTotp(sql, totp, code) : consumeRecoveryCode(sql, userId, hashRecoveryCode(code));
}

/** Returns whether a code of the authenticator app is correct and was not used before, and uses it up. */
export async function verifyTotp(
  sql: ServiceSql,
  { user_id: userId, secret }: TotpRow,
  code: string,
): Promise<boolean> {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return false;
  const result = verifySync({ secret, token, epochTolerance: CLOCK_TOLERANCE_SECONDS });
  return result.valid && 'timeStep' in result && consumeTimeStep(sql, userId, result.timeStep);
}
