import { z } from 'zod';
import { refundCharge } from '../charges.ts';
import { resourceMissing, PaymentsError } from '../payments-error.ts';
import { handler, type Handlers, page, toPage, integer } from './call.ts';

export const charges: Handlers = {
  'GET /charges': handler({ customer: z.string(), ...page }, async (store, { given }) =>
    toPage(await store.list('charge', given.customer), given),
  ),
  'GET /charges/:id': handler({}, (store, { id }) => store.get(id, 'charge')),
  'GET /disputes': handler({ charge: z.string(), ...page }, async (store, { given }) => {
    const { customer } = await store.get(given.charge, 'charge', 'charge');
    const all = await store.list('dispute', customer);
    const found = all.filter(({ charge }) => charge === given.charge);
    return toPage(found, given);
  }),
  'POST /refunds': handler(
    { payment_intent: z.string(), amount: integer.positive().optional() },
    async (store, { given }) => {
      const all = await store.list('charge');
      const charge = all.find(({ payment_intent: payment }) => payment === given.payment_intent);
      if (!charge) throw resourceMissing('payment_intent');
      const refund = await refundCharge(store, charge, given.amount);
      if (!refund) throw new PaymentsError('charge_already_refunded');
      return refund;
    },
  ),
};
