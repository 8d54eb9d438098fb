import type { Device, ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { deleteUser } from './user-queries.ts';

/** Deletes a user and emits `user.deleted`. Returns `undefined` if there is no such user. */
export const removeUser = (context: ProviderContext, id: string, device: Device) =>
  commitWithEvents(context, async (sql) => {
    if (!(await deleteUser(sql, id))) return undefined;
    const deletedUser = { id, object: 'user', deleted: true };
    await emitEvent(sql, context, 'user.deleted', deletedUser, device);
    return deletedUser;
  });
