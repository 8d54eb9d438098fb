import { z } from 'zod';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { addJobInTransaction } from '../../platform/jobs/add-job.ts';
import type { Schedule, TaskName, Tasks } from '../../platform/jobs/task.ts';
import { cancelAllSubscriptions } from './change-plan.ts';
import { type BillingContext, PaymentProviderUnavailable } from './context.ts';
import { deleteCustomer, purgeExpiredEvents, selectOverdueCustomers } from './queries.ts';
import { syncCustomer } from './sync-customer.ts';

const SYNC = 'billing-sync' as TaskName<{ customer_id: string } | { charge_id: string }>;
const CANCEL_CUSTOMER = 'billing-cancel-customer' as TaskName<{ customer_id: string }>;
const RECONCILE = 'billing-reconcile';

/** Maximum number of syncs per run. The remaining customers follow the next night. */
const MAX_PER_RUN = 1_000;

export const billingSchedules: readonly Schedule[] = [
  // Finds changes whose events were missed.
  { task: RECONCILE, match: '17 2 * * *', backfillMinutes: 600 },
];

const customerJob = z.object({ customer_id: z.string() });
const syncJob = z.union([customerJob, z.object({ charge_id: z.string() })]);

/** Enqueues a sync of a customer in the transaction that requires the sync. */
export async function enqueueSync(sql: ServiceSql, job: z.output<typeof syncJob>): Promise<void> {
  const id = 'customer_id' in job ? job.customer_id : job.charge_id;
  await addJobInTransaction(sql, SYNC, job, { key: `billing-sync:${id}` });
}

/** Deletes the member's payer record. A job that does not need the member cancels the subscriptions. */
export async function enqueueCustomerCancellation(sql: ServiceSql, idpId: string): Promise<void> {
  const customerId = await deleteCustomer(sql, idpId);
  if (customerId !== null)
    await addJobInTransaction(
      sql,
      CANCEL_CUSTOMER,
      { customer_id: customerId },
      { key: `billing-cancel-customer:${customerId}` },
    );
}

/** Enqueues a sync of every customer without one for `hours` hours. Returns their number. */
export async function reconcile(sql: ServiceSql, hours = 20): Promise<number> {
  const ids = (await selectOverdueCustomers(sql, hours, MAX_PER_RUN)).sort();
  for (const id of ids) await enqueueSync(sql, { customer_id: id });
  await purgeExpiredEvents(sql);
  return ids.length;
}

/** Creates the tasks of billing. Payloads contain only ids of the provider. */
export function billingTasks(context: BillingContext): Tasks {
  return {
    [SYNC]: async (payload: unknown) => {
      const job = syncJob.parse(payload);
      if ('customer_id' in job) return syncCustomer(context, job.customer_id);
      const customer = await context.payments.findCustomerOfCharge(job.charge_id);
      if (!customer.ok && customer.reason === 'unavailable') throw new PaymentProviderUnavailable(customer.code);
      if (customer.ok && customer.value !== null) await syncCustomer(context, customer.value);
    },
    [CANCEL_CUSTOMER]: (payload: unknown) => cancelAllSubscriptions(context, customerJob.parse(payload).customer_id),
    [RECONCILE]: async () => {
      await reconcile(context.sql);
    },
  };
}
