import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Invitation, Invitations } from '../../platform/identity/identity-provider.ts';
import type { ProviderContext } from './context.ts';
import {
  closeInvitation,
  findInvitationById,
  insertInvitation,
  listInvitations,
  revokePendingInvitation,
} from './invitation-queries.ts';
import { providerErrors } from './provider-error.ts';
import { isId } from './read-body.ts';
import type { InvitationRow } from './rows.ts';
import { createSecretCode, readSecretCode } from './secret-code.ts';

/** Lifetime of an invitation in seconds. */
const LIFETIME_SECONDS = 7 * 86_400;

/** Returns the invitations of the operator. The database holds only the hash of a link's code. */
export const createInvitations = ({ sql, homeOrigin }: Pick<ProviderContext, 'sql' | 'homeOrigin'>): Invitations => ({
  async create(email) {
    const { id, code, hash } = createSecretCode('inv');
    const row = await insertInvitation(sql, { id, email, code_hash: hash }, LIFETIME_SECONDS);
    return { ...toInvitation(row), link: `${homeOrigin}/sign-up#invitation=${code}` };
  },
  list: async () => (await listInvitations(sql)).map(toInvitation),
  async revoke(id) {
    if (!isId(id)) return undefined;
    const row = (await revokePendingInvitation(sql, id)) ?? (await findInvitationById(sql, id));
    return row?.status;
  },
});

const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  email: row.email,
  status: row.status,
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
});

/**
 * Returns the pending invitation with which the address signs up, or undefined if the sign-up is open and there is no
 * code. Throws the provider's errors.
 */
export async function findInvitation(
  { sql, signUpMode }: Pick<ProviderContext, 'sql' | 'signUpMode'>,
  email: string,
  code: string | undefined,
): Promise<InvitationRow | undefined> {
  if (signUpMode === 'closed') throw providerErrors.signUpRestricted(signUpMode);
  if (code === undefined) {
    if (signUpMode === 'invite') throw providerErrors.signUpRestricted(signUpMode);
    return undefined;
  }
  const given = readSecretCode(code);
  const invitation = given && (await findInvitationById(sql, given.id));
  if (invitation?.status !== 'pending' || !given?.matches(invitation.code_hash))
    throw providerErrors.invitationInvalid();
  if (invitation.email !== null && invitation.email !== email) throw providerErrors.invitationForOther();
  return invitation;
}

/** Uses the invitation up, in the transaction of the sign-up. Throws if another sign-up was faster. */
export async function acceptInvitation(sql: ServiceSql, { id }: InvitationRow): Promise<void> {
  if (!(await closeInvitation(sql, id))) throw providerErrors.invitationInvalid();
}
