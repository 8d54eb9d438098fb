import type { ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import { lockSignedIn, type SignedIn } from './own-account.ts';
import { providerErrors } from './provider-error.ts';
import { isWithinMetadataLimit } from './read-body.ts';
import type { UserRow } from './rows.ts';
import { toBackendUserResponse } from './responses.ts';
import { type Profile, updateProfile } from './user-queries.ts';

/** Applies `makeChange` to the user's locked row, so that concurrent changes run one after another. */
export async function changeProfile(
  context: ProviderContext,
  signedIn: SignedIn,
  makeChange: (user: UserRow) => Profile,
): Promise<UserRow> {
  return commitWithEvents(context, async (sql) => {
    const user = await lockSignedIn(sql, signedIn);
    const change = makeChange(user);
    if (change.unsafe_metadata && !isWithinMetadataLimit(change.unsafe_metadata))
      throw providerErrors.malformed('unsafe_metadata', 'must be at most 8 KB of JSON.');
    const row = (await updateProfile(sql, user.id, change))!;
    await emitEvent(sql, context, 'user.updated', toBackendUserResponse(row), signedIn.device);
    return row;
  });
}
