import { z } from 'zod';
import { PAYMENTS_PATH } from '../payments-context.ts';
import { newId } from '../store.ts';
import { handler, type Handlers, getOrigin } from './call.ts';

export const portalSessions: Handlers = {
  'POST /billing_portal/sessions': handler({ customer: z.string(), return_url: z.url() }, async (store, { given }) => {
    await store.get(given.customer, 'customer', 'customer');
    const token = newId('portal');
    return store.put({
      id: newId('bps'),
      object: 'billing_portal.session',
      customer: given.customer,
      return_url: given.return_url,
      created: store.now(),
      url: `${getOrigin(given.return_url)}${PAYMENTS_PATH}/portal/${token}`,
      _token: token,
    });
  }),
};
