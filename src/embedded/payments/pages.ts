import { formatMinorUnits } from '../../features/billing/minor-units.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { addHostedPage } from '../shared/hosted-page.ts';
import { CANCEL, errorSummary, escape } from '../shared/render-page.ts';
import { CARDS, type CardName } from './charge-invoice.ts';
import { type PaymentsContext, PAYMENTS_PATH } from './payments-context.ts';
import { Refused } from './payments-error.ts';
import { findByToken, type PayObject } from './queries.ts';
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

/** One of the pages: a choice of cards, with what stands above it and the buttons below it. */
interface PayPage {
  /** Of the object that its token names. */
  kind: string;
  title: string;
  visit(about: PayObject): Promise<Omit<Visit, 'data' | 'about'>>;
  intro?(visit: Visit): string;
  buttons: string;
  /** What a sent form does, as one step; throws `Refused` where the card refuses. */
  act(step: { store: Store; customer: PayObject; visit: Visit; form: URLSearchParams }): Promise<Visit['state']>;
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
const PAY = '<button name="action" value="pay">Pay</button>';
const NEVER = new Date(8_640_000_000_000_000);

const choice = (chosen: string | null | undefined): string => {
  const options = Object.entries(CARDS).map(
    ([card, { label }], index) =>
      `<label><input type="radio" name="card" value="${card}" ${index === 0 ? 'id="card"' : ''}
${card === (chosen ?? '4242') ? ' checked' : ''}> ${label}</label>`,
  );
  return `<fieldset><legend>Test card</legend>${options.join('')}</fieldset>`;
};

const cardIn = (form: URLSearchParams): CardName => {
  const card = form.get('card') ?? '';
  return Object.hasOwn(CARDS, card) ? (card as CardName) : '0002';
};

/** Pages of the embedded provider: the checkout, an invoice that is open, and the place to change the card. */
export async function addPayPages(app: HttpApp, context: PaymentsContext): Promise<void> {
  const { sql, now } = context;
  const addPage = (name: string, page: PayPage): Promise<void> =>
    addHostedPage<Visit>(app, {
      name: NAME,
      now,
      open: async () => {},
      returnUrlOf: ({ returnUrl }) => returnUrl,
      path: `${PAYMENTS_PATH}/${name}/:token`,
      async find(token) {
        const about = await findByToken(sql, page.kind, token);
        return about && { ...(await page.visit(about)), data: {}, about };
      },
      async advance(_token, visit, form) {
        if (form.get('action') === 'cancel') return { ...visit, state: 'exited' };
        try {
          const state = await inStore(context, async (store) =>
            page.act({ store, customer: await store.get(visit.about.customer!, 'customer'), visit, form }),
          );
          context.wake();
          return { ...visit, state, data: {} };
        } catch (error) {
          if (error instanceof Refused) return { ...visit, data: { error: error.message } };
          throw error;
        }
      },
      show(visit, form) {
        const { error } = visit.data;
        return {
          title: page.title,
          isError: error !== undefined,
          body: `${errorSummary(error === undefined ? undefined : (REASONS[error] ?? error), 'card')}
<form method="post">${page.intro?.(visit) ?? ''}${choice(form?.get('card'))}${page.buttons}${CANCEL}</form>`,
        };
      },
    });

  await addPage('checkout', {
    kind: 'checkout.session',
    title: 'Subscribe',
    async visit(about) {
      const price = await inStore(context, (store) => store.get(about['_price'], 'price'));
      const state = about['status'] === 'open' ? 'open' : about['status'] === 'complete' ? 'finished' : 'exited';
      const returnUrl = state === 'finished' ? about['success_url'] : about['cancel_url'];
      return { state, expires_at: new Date(about['expires_at'] * 1_000), price, returnUrl };
    },
    intro: ({ price }) => `<p>${escape(String(price?.['nickname']))}:
 <strong>${formatMinorUnits(price!['unit_amount'], price!['currency'])}</strong> a
 ${escape(String(price?.['recurring'].interval))}</p>
`,
    buttons: PAY,
    async act({ store, customer, visit, form }) {
      const session = await store.get(visit.about.id, 'checkout.session');
      if (session['status'] !== 'open') return session['status'] === 'complete' ? 'finished' : 'exited';
      const paying = await store.put({ ...customer, _card: cardIn(form) });
      const price = await store.get(session['_price'], 'price');
      const { id } = await subscribe(store, paying, price, session['_subscription']);
      const done = { ...session, status: 'complete', payment_status: 'paid', subscription: id, url: null };
      await store.put(done, 'checkout.session.completed');
      visit.returnUrl = session['success_url'];
      return 'finished';
    },
  });

  await addPage('invoice', {
    kind: 'invoice',
    title: 'Pay the invoice',
    async visit(about) {
      const returnUrl = `${new URL(about['hosted_invoice_url']).origin}/settings/billing`;
      return { state: about['status'] === 'open' ? 'open' : 'finished', expires_at: NEVER, returnUrl };
    },
    intro: ({ about }) => `<p>Invoice ${escape(String(about['number']))}:
 <strong>${formatMinorUnits(about['amount_due'], about['currency'])}</strong></p>
`,
    buttons: PAY,
    async act({ store, customer, visit, form }) {
      await store.put({ ...customer, _card: cardIn(form) });
      const invoice = await store.get(visit.about.id, 'invoice');
      if (invoice['status'] === 'open') await settle(store, invoice);
      return 'finished';
    },
  });

  await addPage('portal', {
    kind: 'billing_portal.session',
    title: 'Payment method',
    visit: async (about) => ({ state: 'open', expires_at: NEVER, returnUrl: about['return_url'] }),
    buttons: `<button name="action" value="card">Use this card</button>
<button name="action" value="advance" formnovalidate>Go on to the next renewal</button>`,
    async act({ store, customer, form }) {
      if (form.get('action') === 'advance') {
        await passPeriod(store, customer);
        return 'finished';
      }
      const card = cardIn(form);
      if (CARDS[card].now !== null) throw new Refused(CARDS[card].now);
      await store.put({ ...customer, _card: card });
      return 'finished';
    },
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
