import type { ServiceSql } from '../../platform/database/roles.ts';
import { randomLetters } from '../../platform/http/random-letters.ts';
import { insertMessage } from '../shared/outbox-queries.ts';
import { missing } from './payments-error.ts';
import { findObject, listObjects, lockPayments, OUTBOX, type PayObject, putObject } from './queries.ts';

/** Where events go: to the service's own address, whatever it is called. */
const ENDPOINT = 'http://service/api/webhooks/payments';

export const newId = (prefix: string): string => `${prefix}_${randomLetters(24)}`;

/** One step of the embedded provider: what it reads and writes, and the events that tell of it. */
export interface Store {
  readonly sql: ServiceSql;
  /** Seconds since 1970, on the customer's own clock where they are ahead of ours. */
  now(customer?: PayObject): number;
  get(id: string, kind: string, param?: string): Promise<PayObject>;
  list(kind: string, customer?: string): Promise<PayObject[]>;
  /** Writes it, and with a type the event that tells of it. */
  put(object: PayObject, event?: string): Promise<PayObject>;
  emit(type: string, object: PayObject): Promise<void>;
}

/** Without the embedded provider's own fields, the older of which are its notes. */
export const shown = (object: PayObject): PayObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !name.startsWith('_'))) as PayObject;

/** Runs one step, alone and whole. */
export function inStore<Value>(
  { sql, now }: { sql: ServiceSql; now: () => Date },
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  return sql.transaction(async (transaction) => {
    await lockPayments(transaction);
    const seconds = Math.floor(now().getTime() / 1_000);
    const store: Store = {
      sql: transaction,
      now: (customer) => seconds + Number(customer?.['_ahead'] ?? 0),
      async get(id, kind, param) {
        const found = await findObject(transaction, id);
        if (found?.object !== kind) throw missing(param);
        return found;
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
          ...{ id, object: 'event', api_version: '2026-10-28.endive', created: seconds, type, livemode: false },
          ...{ data: { object: shown(object) }, pending_webhooks: 1, request: { id: null, idempotency_key: null } },
        };
        const payload = JSON.stringify(event);
        await insertMessage(transaction, OUTBOX, { id, type, url: ENDPOINT, payload, dueAt: now() });
      },
    };
    return work(store);
  });
}
