import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { CustomerState } from '../../src/features/billing/payments/payments.ts';
import { type BillingRunner, createBillingRunner } from './billing-runner.ts';
import { billingSequence, type BillingSequence, applyChange, scheduleDeliveries } from './billing-sequences.ts';
import type { TestDatabase } from './database.ts';

interface PropertyReport {
  sequences: number;
  deliveries: number;
  crashes: number;
  movements: number;
}

/** Starts a runner in its own process. */
async function startSecondProcess(db: TestDatabase): Promise<BillingRunner> {
  // This variable would make the process a test file.
  const { NODE_TEST_CONTEXT: _none, ...env } = process.env;
  const file = fileURLToPath(new URL('./billing-runner.ts', import.meta.url));
  const child = fork(file, [JSON.stringify(db.urls)], { env, execArgv: [] });
  await once(child, 'message');
  return {
    async run(customer, deliveries) {
      if (deliveries.length === 0) return;
      const answered = once(child, 'message') as Promise<[{ done: boolean; message?: string }]>;
      child.send({ customer, deliveries });
      const [{ done, message }] = await answered;
      if (!done) throw new Error(`The second process failed: ${message}`);
    },
    async close() {
      if (!child.connected) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

let sequences = 0;

/**
 * Runs `runs` random sequences at a provider. Each event is delivered 1 to 5 times, late, in random order and partly at
 * once, while processes crash. The stored state must equal the provider's final state. Throws with the smallest
 * sequence that violates this rule. With the source `payload` the runner trusts the contents of an event.
 */
export async function checkBilling(
  db: TestDatabase,
  runs: number,
  seed: number,
  { source = 'provider', processes = 1 }: { source?: 'provider' | 'payload'; processes?: 1 | 2 } = {},
): Promise<PropertyReport> {
  await db.owner(`create table if not exists public.model_states (
    customer text, change int, state jsonb not null, primary key (customer, change))`);
  await db.owner(`grant select on public.model_states to service_role`);
  await db.owner(`insert into public.billing_prices (price_id, tier, amount_minor, currency, price_interval) values
    ('price_pro', 'pro', 999, 'USD', 'month'), ('price_max', 'max', 1999, 'USD', 'month') on conflict do nothing`);
  const runners = [createBillingRunner(db.urls), ...(processes === 2 ? [await startSecondProcess(db)] : [])];
  const outcome: PropertyReport = { sequences: 0, deliveries: 0, crashes: 0, movements: 0 };
  const property = fc.asyncProperty(billingSequence, async (sequence) => {
    sequences += 1;
    const customer = `cus_${sequences}`;
    await runSequence(db, runners, customer, sequence, source);
    const deliveries = scheduleDeliveries(sequence).flat();
    outcome.sequences += 1;
    outcome.deliveries += deliveries.length;
    outcome.crashes += deliveries.filter(({ crash }) => crash !== 'none').length;
    outcome.movements += await assertMatchesProvider(db, customer);
  });
  try {
    await fc.assert(property, { numRuns: runs, seed, ...(source === 'payload' && { endOnFailure: true }) });
  } finally {
    for (const runner of runners) await runner.close();
  }
  return outcome;
}

async function runSequence(
  db: TestDatabase,
  runners: readonly BillingRunner[],
  customer: string,
  sequence: BillingSequence,
  source: 'provider' | 'payload',
): Promise<void> {
  const idpId = `user_${customer.slice(4)}`;
  await db.owner(
    `with m as (insert into public.all_users (idp_id) values ($1) returning idp_id),
          p as (insert into public.billing_payers (customer_id) values ($2) returning payer)
     insert into public.billing_customers (idp_id, payer) select $1, p.payer from p, m`,
    [idpId, customer],
  );
  let state: CustomerState = { subscriptions: [], invoices: [], reversals: [] };
  for (const [index, deliveries] of scheduleDeliveries(sequence).entries()) {
    state = applyChange(state, sequence.changes[index]!, customer);
    await db.owner('insert into public.model_states (customer, change, state) values ($1, $2, $3)', [
      customer,
      index,
      JSON.stringify(state),
    ]);
    await Promise.all(
      runners.map((runner, runnerIndex) =>
        runner.run(
          customer,
          deliveries.filter((_delivery, number) => number % runners.length === runnerIndex),
          source,
        ),
      ),
    );
  }
}

interface StoredState {
  tier: string;
  net: number;
  mrr: number;
  movements: number;
  /** True if each movement may follow the one before it. */
  isSound: boolean;
}

/**
 * Asserts that stored tier, money and recurring revenue equal the provider's final state. Returns the number of
 * movements.
 */
async function assertMatchesProvider(db: TestDatabase, customer: string): Promise<number> {
  const [stored] = await db.owner<StoredState>(
    `select public.get_tier(c.idp_id) as tier,
            (select coalesce(sum(i.net_minor), 0)::int from public.billing_invoices i where i.payer = p.payer)
              - (select coalesce(sum(r.net_minor), 0)::int from public.billing_refunds_and_disputes r
                  where r.payer = p.payer) as net,
            coalesce(m.mrr, 0) as mrr, coalesce(m.movements, 0) as movements, coalesce(m.is_sound, true) as "isSound"
       from public.billing_payers p join public.billing_customers c using (payer)
       left join lateral (
         select sum(o.mrr_minor)::int as mrr, count(*)::int as movements,
                bool_and(case o.kind when 'new' then o.before = 0 when 'reactivation' then o.before = 0
                  when 'churn' then o.before = -o.mrr_minor else o.before > 0 end) as is_sound
           from (select v.*, coalesce(sum(v.mrr_minor) over (order by v.id rows between unbounded preceding and
                   1 preceding), 0) as before from public.billing_movements v where v.payer = p.payer) o) m on true
      where p.customer_id = $1`,
    [customer],
  );
  const [row] = await db.owner<{ state: CustomerState }>(
    'select state from public.model_states where customer = $1 order by change desc limit 1',
    [customer],
  );
  const { subscriptions, invoices, reversals } = row!.state;
  const activeSubscription = subscriptions.find(({ status }) => status === 'active' || status === 'past_due');
  const sum = (figures: readonly { netMinor: number }[]): number =>
    figures.reduce((total, figure) => total + figure.netMinor, 0);
  const { movements, ...storedState } = stored!;
  assert.deepEqual(storedState, {
    tier: activeSubscription ? activeSubscription.priceId.replace('price_', '') : 'free',
    net: sum(invoices) - sum(reversals),
    mrr: activeSubscription?.amountMinor ?? 0,
    isSound: true,
  });
  return movements;
}
