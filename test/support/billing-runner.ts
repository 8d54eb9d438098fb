import { syncCustomer } from '../../src/features/billing/sync-customer.ts';
import type { CustomerState, Payments } from '../../src/features/billing/payments/payments.ts';
import { recordEvent } from '../../src/features/billing/queries.ts';
import { connectDatabase, type DatabaseUrls } from '../../src/platform/database/connect.ts';
import type { ServiceSql } from '../../src/platform/database/roles.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import type { Crash, Delivery } from './billing-sequences.ts';

/** Handles deliveries like a process of the service. */
export interface BillingRunner {
  run(customer: string, deliveries: readonly Delivery[], source: 'provider' | 'payload'): Promise<void>;
  close(): Promise<void>;
}

class ProcessKilled extends Error {}

/**
 * Attempts of the queue. A retry also covers work that a busy machine did not complete in time because of a lock or a
 * missing connection.
 */
const MAX_ATTEMPTS = 25;
const isRetryable = (error: unknown): boolean =>
  ['55P03', 'UNAVAILABLE'].includes((error as { code?: string }).code ?? '');

/** Returns the customer's state after this number of changes, or the current state. Times become dates. */
async function readModel(sql: ServiceSql, customer: string, change?: number): Promise<CustomerState> {
  const [row] = await sql.query<{ state: string }>(
    `select m.state::text as state from public.model_states m
      where m.customer = $1 and ($2::int is null or m.change = $2) order by m.change desc limit 1`,
    [customer, change ?? null],
  );
  const isTime = (name: string) => /(At|End)$/.test(name);
  return JSON.parse(row!.state, (name, value: unknown) =>
    isTime(name) && typeof value === 'string' ? new Date(value) : value,
  ) as CustomerState;
}

/** Handles deliveries like the service, on a provider whose state is a table, and crashes at the given step. */
export function createBillingRunner(urls: DatabaseUrls): BillingRunner {
  const database = connectDatabase(urls);
  const { service } = database;
  const syncWithCrash = async (
    customer: string,
    event: number,
    crash: Crash,
    source: 'provider' | 'payload',
  ): Promise<void> => {
    const payments = {
      async readCustomer() {
        const value = await readModel(service, customer, source === 'payload' ? event : undefined);
        if (crash === 'after-sync') throw new ProcessKilled();
        return { ok: true as const, value };
      },
    } as Partial<Payments> as Payments;
    const crashingSql: ServiceSql = {
      privilege: 'service',
      query: (text, values) => service.query(text, values),
      transaction: (work) =>
        service.transaction(async (sql) => {
          const done = await work(sql);
          if (crash === 'before-commit') throw new ProcessKilled();
          return done;
        }),
    };
    await syncCustomer(
      {
        sql: crashingSql,
        logger: createLogger('silent'),
        payments,
        captureInTransaction: async () => {},
        hasDeclinedAnalytics: false,
      },
      customer,
    );
    if (crash === 'after-commit') throw new ProcessKilled();
  };
  /** Repeats the work after a crash: the event is delivered again and its job is retried. */
  const retryUntilDone = async (
    work: (crash: Crash) => Promise<void>,
    crash: Crash,
    attempts = MAX_ATTEMPTS,
  ): Promise<void> => {
    try {
      await work(crash);
    } catch (error) {
      if (!(error instanceof ProcessKilled) && !(isRetryable(error) && attempts > 1)) throw error;
      await retryUntilDone(work, error instanceof ProcessKilled ? 'none' : crash, attempts - 1);
    }
  };
  const handle = async (
    customer: string,
    { event, crash }: Delivery,
    source: 'provider' | 'payload',
  ): Promise<void> => {
    let isNew = false;
    const storeInInbox = (crashPoint: Crash): Promise<void> =>
      service.transaction(async (sql) => {
        isNew = await recordEvent(sql, `evt_${customer}_${event}`, 'x');
        if (crashPoint === 'before-inbox') throw new ProcessKilled();
      });
    await retryUntilDone(storeInInbox, crash);
    if (isNew) await retryUntilDone((crashPoint) => syncWithCrash(customer, event, crashPoint, source), crash);
  };
  return {
    async run(customer, deliveries, source) {
      await Promise.all(deliveries.map((delivery) => handle(customer, delivery, source)));
    },
    close: () => database.close(),
  };
}

if (import.meta.main) {
  const runner = createBillingRunner(JSON.parse(process.argv[2]!) as DatabaseUrls);
  process.on('disconnect', () => {
    void runner.close();
  });
  process.on('message', async (message: { customer: string; deliveries: Delivery[] }) => {
    try {
      await runner.run(message.customer, message.deliveries, 'provider');
      process.send!({ done: true });
    } catch (error) {
      process.send!({ done: false, message: String(error) });
    }
  });
  process.send!('ready');
}
