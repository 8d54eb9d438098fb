import { NO_DEVICE, type ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { forgetInvitedEmail } from './invitation-queries.ts';
import { lockCredentials, revokeForEvent } from './revoke-credentials.ts';
import { deleteUser } from './user-queries.ts';
import { deleteMessagesOfUser } from './webhook-queries.ts';

/**
 * Deletes a user with the pending events and invitations that hold personal data. Emits `user.deleted`, which holds only
 * the id. Returns `undefined` if there is no such user.
 */
export const removeUser = (context: ProviderContext, id: string) =>
  commitWithEvents(context, async (sql) => {
    if (!(await lockCredentials(sql, id))) return undefined;
    // API keys and MCP tokens are not deleted with the user's row, only when the event is delivered.
    await revokeForEvent(sql, context, 'deletion', { userId: id, device: NO_DEVICE });
    const email = await deleteUser(sql, id);
    if (email === undefined) return undefined;
    await forgetInvitedEmail(sql, email);
    // After the user's rows, because a concurrent change holds one of them locked until its event is stored.
    await deleteMessagesOfUser(sql, id);
    const deletedUser = { id, object: 'user', deleted: true };
    await emitEvent(sql, context, 'user.deleted', deletedUser, NO_DEVICE);
    return deletedUser;
  });
