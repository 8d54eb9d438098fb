import { z } from 'zod';
import { refundCharge } from '../charges.ts';
import { resourceMissing, PaymentsError } from '../payments-error.ts';
import { handler, type Handlers, page, toPage, integer } from './call.ts';

export const charges: Handlers = {
  'GET /charges': handler({ customer: z.string(), ...page }, async (store, { params }) =>
    toPage(await store.list('charge', params.customer), params),
  ),
  'GET /charges/:id': handler({}, (store, { id }) => store.get(id, 'charge')),
  'GET /disputes': handler({ charge: z.string(), ...page }, async (store, { params }) => {
    const { customer } = await store.get(params.charge, 'charge', 'charge');
    const all = await store.list('dispute', customer);
    const found = all.filter(({ charge }) => charge === params.charge);
    return toPage(found, params);
  }),
  'POST /refunds': handler(
    { payment_intent: z.string(), amount: integer.positive().optional() },
    async (store, { params }) => {
      const all = await store.list('charge');
      const charge = all.find(({ payment_intent: payment }) => payment === params.payment_intent);
      if (!charge) throw resourceMissing('payment_intent');
      const refund = await refundCharge(store, charge, params.amount);
      if (!refund) throw new PaymentsError('charge_already_refunded');
      return refund;
    },
  ),
};
