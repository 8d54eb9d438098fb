import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Device, ProviderContext } from './context.ts';
import { emitEvent } from './emit-event.ts';
import { newId } from './ids.ts';
import type { UserRow } from './rows.ts';
import { toBackendUserResponse } from './responses.ts';
import { insertUser, type NewUser } from './user-queries.ts';

/** Creates a user and emits `user.created`. Returns `undefined` if the address is taken. */
export async function createUser(
  sql: ServiceSql,
  context: Pick<ProviderContext, 'keys'>,
  person: Omit<NewUser, 'id' | 'email_address_id'>,
  device: Device,
): Promise<UserRow | undefined> {
  const user = await insertUser(sql, { ...person, id: newId('user'), email_address_id: newId('idn') });
  if (user) await emitEvent(sql, context, 'user.created', toBackendUserResponse(user), device);
  return user;
}
