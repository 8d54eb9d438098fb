import type { ServiceSql } from '../../platform/database/roles.ts';
import { NO_DEVICE, type ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { forgetInvitedEmail } from './invitation-queries.ts';
import { lockSignedIn, type SignedIn } from './own-account.ts';
import { lockCredentials, revokeForEvent } from './revoke-credentials.ts';
import type { UserRow } from './rows.ts';
import { deleteUser } from './user-queries.ts';
import { deleteMessagesOfUser } from './webhook-queries.ts';

/** Deletes a user for the operator. Returns `undefined` if there is no such user. */
export const removeUser = (context: ProviderContext, id: string) =>
  commitWithEvents(context, async (sql) => {
    const user = await lockCredentials(sql, id);
    return user && removeLockedUser(sql, context, user);
  });

/** Deletes the signed-in user. Throws if the session has ended. */
export const removeSignedIn = (context: ProviderContext, signedIn: SignedIn) =>
  commitWithEvents(context, async (sql) => removeLockedUser(sql, context, await lockSignedIn(sql, signedIn)));

/**
 * Deletes a user with the pending events and invitations that hold personal data, in a transaction that holds the lock
 * of `lockCredentials`. Emits `user.deleted`, which holds only the id.
 */
async function removeLockedUser(sql: ServiceSql, context: ProviderContext, { id, email }: UserRow) {
  // API keys and MCP tokens are not deleted with the user's row, only when the event is delivered.
  await revokeForEvent(sql, context, 'deletion', { userId: id, device: NO_DEVICE });
  await deleteUser(sql, id);
  await forgetInvitedEmail(sql, email);
  // After the user's rows, because a concurrent change holds one of them locked until its event is stored.
  await deleteMessagesOfUser(sql, id);
  const deletedUser = { id, object: 'user', deleted: true };
  await emitEvent(sql, context, 'user.deleted', deletedUser, NO_DEVICE);
  return deletedUser;
}
