import { z } from 'zod';
import { PAYMENTS_PATH } from '../payments-context.ts';
import { newId } from '../store.ts';
import { handler, type Handlers, getOrigin } from './call.ts';

export const portalSessions: Handlers = {
  'POST /billing_portal/sessions': handler({ customer: z.string(), return_url: z.url() }, async (store, { params }) => {
    await store.get(params.customer, 'customer', 'customer');
    const token = newId('portal');
    return store.put({
      id: newId('bps'),
      object: 'billing_portal.session',
      customer: params.customer,
      return_url: params.return_url,
      created: store.now(),
      url: `${getOrigin(params.return_url)}${PAYMENTS_PATH}/portal/${token}`,
      _token: token,
    });
  }),
};
