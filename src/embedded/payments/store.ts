import type { ServiceSql } from '../../platform/database/roles.ts';
import { randomAlphanumeric } from '../../platform/http/random-alphanumeric.ts';
import { insertMessage } from '../shared/outbox-queries.ts';
import { resourceMissing } from './payments-error.ts';
import type { Customer, Kind, Objects, StoredObject } from './objects.ts';
import { findObject, listObjects, lockPayments, OUTBOX, putObject } from './queries.ts';

/** Destination of events. Deliveries are sent to the service's own address, whatever its host name. */
const WEBHOOK_URL = 'http://service/api/webhooks/payments';

export const newId = (prefix: string): string => `${prefix}_${randomAlphanumeric(24)}`;

/** Transaction of the embedded provider with its reads, writes and events. */
export interface Store {
  readonly sql: ServiceSql;
  /** Returns seconds since 1970, on the customer's own clock if it is ahead of ours. */
  now(customer?: Customer): number;
  get<K extends Kind>(id: string, kind: K, param?: string): Promise<Objects[K]>;
  list<K extends Kind>(kind: K, customer?: string): Promise<Objects[K][]>;
  /** Writes the object. With `event` it also adds an event of that type. */
  put<Value extends StoredObject>(object: Value, event?: string): Promise<Value>;
  emit(type: string, object: object): Promise<void>;
}

/** Returns the object without the fields that exist only in the embedded provider. */
export const toPublicObject = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !name.startsWith('_')));

/** Runs one serialized transaction. */
export function withStoreTransaction<Value>(
  { sql, now }: { sql: ServiceSql; now: () => Date },
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  return sql.transaction(async (transaction) => {
    await lockPayments(transaction);
    const seconds = Math.floor(now().getTime() / 1_000);
    const store: Store = {
      sql: transaction,
      now: (customer) => seconds + (customer?._ahead ?? 0),
      async get<K extends Kind>(id: string, kind: K, param?: string) {
        const found = await findObject(transaction, id);
        if (found?.object !== kind) throw resourceMissing(param);
        return found as Objects[K];
      },
      list: (kind, customer) => listObjects(transaction, kind, customer),
      async put(object, event) {
        await putObject(transaction, object);
        if (event !== undefined) await store.emit(event, object);
        return object;
      },
      async emit(type, object) {
        const id = newId('evt');
        const event = {
          id,
          object: 'event',
          api_version: '2026-10-28.endive',
          created: seconds,
          type,
          livemode: false,
          data: { object: toPublicObject(object) },
          pending_webhooks: 1,
          request: { id: null, idempotency_key: null },
        };
        const payload = JSON.stringify(event);
        await insertMessage(transaction, OUTBOX, { id, type, url: WEBHOOK_URL, payload, dueAt: now() });
      },
    };
    return work(store);
  });
}
