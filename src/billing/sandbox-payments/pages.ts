import type { HttpApp } from '../../http/app-type.ts';
import { addHostedPage } from '../../http/sandbox/hosted-page.ts';
import { CANCEL, errorSummary, escape, type SandboxPage } from '../../http/sandbox/render-page.ts';
import { CARDS, type CardName } from './charge-invoice.ts';
import { type PayContext, SANDBOX_PAY_PATH } from './pay-context.ts';
import { findByToken, type PayObject } from './sandbox-queries.ts';
import { inStore, type Store } from './store.ts';
import { renew, settle, subscribe } from './subscriptions.ts';

/** What a page is about, in the states that the shared hosted page knows. */
interface Visit {
  state: 'open' | 'finished' | 'exited';
  data: { error?: string };
  expires_at: Date;
  about: PayObject;
  price?: PayObject;
  returnUrl: string;
}

const NAME = {
  name: 'Sandbox Payments',
  kind: 'payment',
  advice: 'Test payment, no money: nothing is charged, and no card is asked for.',
};
const REASONS: Readonly<Record<string, string>> = {
  card_declined: 'The card was declined. Choose another one.',
  insufficient_funds: 'The card has insufficient funds. Choose another one.',
};
const NEVER = new Date(8_640_000_000_000_000);

const moneyOf = ({ unit_amount: amount, currency }: PayObject): string =>
  `${(Number(amount) / 100).toFixed(2)} ${String(currency).toUpperCase()}`;

const choice = (chosen: string | null | undefined): string => {
  const options = Object.entries(CARDS).map(
    ([card, { label }], index) =>
      `<label><input type="radio" name="card" value="${card}" ${index === 0 ? 'id="card"' : ''}
${card === (chosen ?? '4242') ? ' checked' : ''}> ${label}</label>`,
  );
  return `<fieldset><legend>Test card</legend>${options.join('')}</fieldset>`;
};

const page = (title: string, { data: { error } }: Visit, body: string): SandboxPage => ({
  ...{ title, isError: error !== undefined },
  body: `${errorSummary(error === undefined ? undefined : (REASONS[error] ?? error), 'card')}
<form method="post">${body}</form>`,
});

const cardIn = (form: URLSearchParams): CardName => {
  const card = form.get('card') ?? '';
  return Object.hasOwn(CARDS, card) ? (card as CardName) : '0002';
};

/** Ends a step that the card refused, so that nothing of it stays. */
class Refused extends Error {}

/** Pages of the stand-in: the checkout, an invoice that is open, and the place to change the card. */
export async function addPayPages(app: HttpApp, context: PayContext): Promise<void> {
  const { sql, now } = context;
  const find = async (kind: string, token: string): Promise<PayObject | undefined> => findByToken(sql, kind, token);
  /** One step with its outcome; a refusal of the card is shown. */
  const step = async (visit: Visit, work: (store: Store, customer: PayObject) => Promise<Visit['state']>) => {
    try {
      const state = await inStore(context, async (store) =>
        work(store, await store.get(visit.about.customer!, 'customer')),
      );
      context.wake();
      return { ...visit, state, data: {} };
    } catch (error) {
      if (error instanceof Refused) return { ...visit, data: { error: error.message } };
      throw error;
    }
  };
  const shared = { name: NAME, now, open: async () => {}, returnUrlOf: ({ returnUrl }: Visit) => returnUrl };

  await addHostedPage<Visit>(app, {
    ...shared,
    path: `${SANDBOX_PAY_PATH}/checkout/:token`,
    async find(token) {
      const about = await find('checkout.session', token);
      const price = about && (await inStore(context, (store) => store.get(about['_price'], 'price')));
      if (!about || !price) return undefined;
      const state = about['status'] === 'open' ? 'open' : about['status'] === 'complete' ? 'finished' : 'exited';
      const returnUrl = state === 'finished' ? about['success_url'] : about['cancel_url'];
      return { state, data: {}, expires_at: new Date(about['expires_at'] * 1_000), about, price, returnUrl };
    },
    advance(_token, visit, form) {
      if (form.get('action') === 'cancel') return Promise.resolve({ ...visit, state: 'exited' as const });
      return step(visit, async (store, customer) => {
        const session = await store.get(visit.about.id, 'checkout.session');
        if (session['status'] !== 'open') return session['status'] === 'complete' ? 'finished' : 'exited';
        const paying = await store.put({ ...customer, _card: cardIn(form) });
        const price = await store.get(session['_price'], 'price');
        const subscription = await subscribe(store, paying, price, session['_subscription'], (reason) => {
          throw new Refused(reason);
        });
        const done = {
          ...session,
          status: 'complete',
          payment_status: 'paid',
          subscription: subscription.id,
          url: null,
        };
        await store.emit('checkout.session.completed', await store.put(done));
        visit.returnUrl = session['success_url'];
        return 'finished';
      });
    },
    show: (visit, form) =>
      page(
        'Subscribe',
        visit,
        `<p>${escape(String(visit.price?.['nickname']))}: <strong>${moneyOf(visit.price!)}</strong> a
 ${escape(String(visit.price?.['recurring'].interval))}</p>
${choice(form?.get('card'))}<button name="action" value="pay">Pay</button>${CANCEL}`,
      ),
  });

  await addHostedPage<Visit>(app, {
    ...shared,
    path: `${SANDBOX_PAY_PATH}/invoice/:token`,
    async find(token) {
      const about = await find('invoice', token);
      if (!about) return undefined;
      const state = about['status'] === 'open' ? 'open' : 'finished';
      const returnUrl = `${new URL(about['hosted_invoice_url']).origin}/settings/billing`;
      return { state, data: {}, expires_at: NEVER, about, returnUrl };
    },
    advance(_token, visit, form) {
      if (form.get('action') === 'cancel') return Promise.resolve({ ...visit, state: 'exited' as const });
      return step(visit, async (store, customer) => {
        await store.put({ ...customer, _card: cardIn(form) });
        const invoice = await store.get(visit.about.id, 'invoice');
        const reason = invoice['status'] === 'open' ? await settle(store, invoice) : null;
        if (reason !== null) throw new Refused(reason);
        return 'finished';
      });
    },
    show: (visit, form) =>
      page(
        'Pay the invoice',
        visit,
        `<p>Invoice ${escape(String(visit.about['number']))}:
 <strong>${moneyOf({ ...visit.about, unit_amount: visit.about['amount_due'] })}</strong></p>
${choice(form?.get('card'))}<button name="action" value="pay">Pay</button>${CANCEL}`,
      ),
  });

  await addHostedPage<Visit>(app, {
    ...shared,
    path: `${SANDBOX_PAY_PATH}/portal/:token`,
    async find(token) {
      const about = await find('billing_portal.session', token);
      return about && { state: 'open', data: {}, expires_at: NEVER, about, returnUrl: about['return_url'] };
    },
    advance(_token, visit, form) {
      const action = form.get('action');
      if (action === 'cancel') return Promise.resolve({ ...visit, state: 'exited' as const });
      return step(visit, async (store, customer) => {
        if (action === 'advance') {
          await passPeriod(store, customer);
          return 'finished';
        }
        const card = cardIn(form);
        if (CARDS[card].now !== null) throw new Refused(CARDS[card].now);
        await store.put({ ...customer, _card: card });
        return 'finished';
      });
    },
    show: (visit, form) =>
      page(
        'Payment method',
        visit,
        `${choice(form?.get('card'))}<button name="action" value="card">Use this card</button>
<button name="action" value="advance" formnovalidate>Go on to the next renewal</button>${CANCEL}`,
      ),
  });
}

/** Sets the customer's clock behind the end of what runs, and does what is due then. */
async function passPeriod(store: Store, customer: PayObject): Promise<void> {
  const all = await store.list('subscription', customer.id);
  const ends = all
    .filter(({ status }) => status === 'active' || status === 'past_due')
    .map((subscription) => Number(subscription['items'].data[0].current_period_end));
  if (ends.length === 0) return;
  const ahead = Math.min(...ends) + 1 - store.now();
  await store.put({ ...customer, _ahead: Math.max(ahead, Number(customer['_ahead'] ?? 0)) });
  for (const { id } of all) await renew(store, await store.get(id, 'subscription'));
}
