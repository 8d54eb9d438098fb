import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Device, ProviderContext } from './context.ts';
import { emitEvent } from './emit-event.ts';
import { newId } from './ids.ts';
import type { UserRow } from './rows.ts';
import { backendUserShape } from './shapes.ts';
import { insertUser, type NewUser } from './user-queries.ts';

/** Makes a person and emits `user.created`; `undefined` where the address is taken. */
export async function createUser(
  sql: ServiceSql,
  context: Pick<ProviderContext, 'keys'>,
  person: Omit<NewUser, 'id' | 'email_address_id'>,
  device: Device,
): Promise<UserRow | undefined> {
  const user = await insertUser(sql, { ...person, id: newId('user'), email_address_id: newId('idn') });
  if (user) await emitEvent(sql, context, 'user.created', backendUserShape(user), device);
  return user;
}
