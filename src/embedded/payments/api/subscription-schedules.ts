import { z } from 'zod';
import { newId } from '../store.ts';
import { getItem } from '../subscriptions.ts';
import { handler, type Handlers, items, integer } from './call.ts';

const phase = z.strictObject({
  items,
  start_date: integer,
  end_date: integer.optional(),
  proration_behavior: z.literal('none').optional(),
});

const change = {
  end_behavior: z.literal('release'),
  proration_behavior: z.literal('none'),
  phases: z.array(phase),
};

export const subscriptionSchedules: Handlers = {
  'POST /subscription_schedules': handler({ from_subscription: z.string() }, async (store, { params }) => {
    const subscription = await store.get(params.from_subscription, 'subscription', 'from_subscription');
    const { current_period_start: start, current_period_end: end, price } = getItem(subscription);
    const schedule = await store.put({
      id: newId('sub_sched'),
      object: 'subscription_schedule',
      customer: subscription.customer,
      status: 'active',
      subscription: subscription.id,
      end_behavior: 'release',
      created: store.now(),
      metadata: {},
      phases: [{ start_date: start, end_date: end, items: [{ price: price.id, quantity: 1 }], metadata: {} }],
    });
    subscription.schedule = schedule.id;
    await store.put(subscription);
    return schedule;
  }),
  'GET /subscription_schedules/:id': handler({}, (store, { id }) => store.get(id, 'subscription_schedule')),
  'POST /subscription_schedules/:id': handler(change, async (store, { id, params }) => {
    const schedule = await store.get(id, 'subscription_schedule');
    schedule.phases = params.phases;
    return store.put(schedule, 'subscription_schedule.updated');
  }),
  'POST /subscription_schedules/:id/release': handler({}, async (store, { id }) => {
    const schedule = await store.get(id, 'subscription_schedule');
    const subscription = await store.get(schedule.subscription, 'subscription');
    subscription.schedule = null;
    await store.put(subscription);
    schedule.status = 'released';
    schedule.released_at = store.now();
    return store.put(schedule, 'subscription_schedule.released');
  }),
};
