import { z } from 'zod';
import { PAYMENTS_PATH } from '../payments-context.ts';
import { PaymentsError } from '../payments-error.ts';
import { newId } from '../store.ts';
import { handler, type Handlers, metadata, page, toPage, getOrigin, integer } from './call.ts';

const SESSION_SECONDS = 86_400;

const newSession = {
  mode: z.literal('subscription'),
  customer: z.string(),
  client_reference_id: z.string(),
  line_items: z.array(z.strictObject({ price: z.string(), quantity: integer })).length(1),
  metadata,
  subscription_data: z.strictObject({ metadata }),
  success_url: z.url(),
  cancel_url: z.url(),
};

export const checkoutSessions: Handlers = {
  'POST /checkout/sessions': handler(newSession, async (store, { params }) => {
    const customer = await store.get(params.customer, 'customer', 'customer');
    const price = await store.get(params.line_items[0]!.price, 'price', 'line_items[0][price]');
    const site = getOrigin(params.success_url);
    if (customer._site !== site) await store.put({ ...customer, _site: site });
    const token = newId('cs_page');
    return store.put({
      id: newId('cs_test'),
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      created: store.now(),
      expires_at: store.now() + SESSION_SECONDS,
      livemode: false,
      subscription: null,
      mode: params.mode,
      customer: params.customer,
      client_reference_id: params.client_reference_id,
      metadata: params.metadata ?? {},
      success_url: params.success_url,
      cancel_url: params.cancel_url,
      url: `${site}${PAYMENTS_PATH}/checkout/${token}`,
      _token: token,
      _price: price.id,
      _subscription: params.subscription_data.metadata ?? {},
    });
  }),
  'GET /checkout/sessions': handler(
    { customer: z.string(), status: z.string().optional(), ...page },
    async (store, { params }) => {
      const all = await store.list('checkout.session', params.customer);
      const found = all.filter(({ status }) => params.status === undefined || status === params.status);
      return toPage(found, params);
    },
  ),
  'GET /checkout/sessions/:id': handler({}, (store, { id }) => store.get(id, 'checkout.session')),
  'POST /checkout/sessions/:id/expire': handler({}, async (store, { id }) => {
    const session = await store.get(id, 'checkout.session');
    if (session.status !== 'open') throw new PaymentsError('checkout_session_not_open');
    session.status = 'expired';
    session.url = null;
    return store.put(session, 'checkout.session.expired');
  }),
};
