import type { Device, ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { providerErrors } from './provider-error.ts';
import { isWithinMetadataLimit } from './read-body.ts';
import type { UserRow } from './rows.ts';
import { toBackendUserResponse } from './responses.ts';
import { lockUser, type Profile, updateProfile } from './user-queries.ts';

/** Applies `makeChange` to the user's locked row, so that concurrent changes run one after another. */
export async function changeProfile(
  context: ProviderContext,
  id: string,
  makeChange: (user: UserRow) => Profile,
  device: Device,
): Promise<UserRow> {
  const changed = await commitWithEvents(context, async (sql) => {
    const user = await lockUser(sql, id);
    if (!user) return undefined;
    const change = makeChange(user);
    if (change.unsafe_metadata && !isWithinMetadataLimit(change.unsafe_metadata))
      throw providerErrors.malformed('unsafe_metadata', 'must be at most 8 KB of JSON.');
    const row = await updateProfile(sql, id, change);
    if (row) await emitEvent(sql, context, 'user.updated', toBackendUserResponse(row), device);
    return row;
  });
  if (!changed) throw providerErrors.signedOut();
  return changed;
}
