import type { Device, ProviderContext } from './context.ts';
import { emitEvent } from './emit-event.ts';
import { refusals } from './provider-error.ts';
import { isWithinMetadataLimit } from './read-body.ts';
import type { UserRow } from './rows.ts';
import { backendUserShape } from './shapes.ts';
import { lockUser, updateProfile } from './user-queries.ts';

/** What a person changes about themselves; `null` leaves a field as it is. */
export interface ProfileChange {
  firstName: string | null;
  lastName: string | null;
  unsafeMetadata: Record<string, unknown> | null;
}

/** Applies `makeChange` to the person's locked row, so that concurrent changes follow one another. */
export async function changeProfile(
  context: ProviderContext,
  id: string,
  makeChange: (user: UserRow) => ProfileChange,
  device: Device,
): Promise<UserRow> {
  const changed = await context.sql.transaction(async (sql) => {
    const user = await lockUser(sql, id);
    if (!user) return undefined;
    const change = makeChange(user);
    if (change.unsafeMetadata && !isWithinMetadataLimit(change.unsafeMetadata))
      throw refusals.malformed('unsafe_metadata', 'must be at most 8 KB of JSON.');
    const row = await updateProfile(sql, id, change);
    if (row) await emitEvent(sql, context, 'user.updated', backendUserShape(row), device);
    return row;
  });
  if (!changed) throw refusals.signedOut();
  context.wake();
  return changed;
}
