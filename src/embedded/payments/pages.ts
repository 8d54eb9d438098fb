import { formatMinorUnits } from '../../features/billing/minor-units.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { addHostedPage } from '../shared/hosted-page.ts';
import { CANCEL, renderErrorSummary, escapeHtml } from '../shared/render-page.ts';
import { CARDS, type CardName } from './cards.ts';
import type { Customer, Objects, Price } from './objects.ts';
import { type PaymentsContext, PAYMENTS_PATH } from './payments-context.ts';
import { CardDeclinedError } from './payments-error.ts';
import { findByToken } from './queries.ts';
import { withStoreTransaction, type Store } from './store.ts';
import { getItem, renew, payOpenInvoice, subscribe } from './subscriptions.ts';

/** Objects that have a page. */
type PageKind = 'checkout.session' | 'invoice' | 'billing_portal.session';

/** Page visit, with the states of the shared hosted page. */
interface Visit<K extends PageKind> {
  state: 'open' | 'finished' | 'exited';
  data: { error?: string };
  expires_at: Date;
  about: Objects[K];
  price?: Price;
  returnUrl: string;
}

/** Page with a choice of cards, the content above the cards and the buttons below. */
interface PaymentsPage<K extends PageKind> {
  /** Kind of the object that the token references. */
  kind: K;
  title: string;
  visit(about: Objects[K]): Promise<Omit<Visit<K>, 'data' | 'about'>>;
  intro?(visit: Visit<K>): string;
  buttons: string;
  /** Applies a submitted form in one transaction. Throws `CardDeclinedError` if the card is declined. */
  act(step: { store: Store; customer: Customer; visit: Visit<K>; form: URLSearchParams }): Promise<Visit<K>['state']>;
}

const NAME = {
  name: 'Sandbox Payments',
  kind: 'payment',
  advice: 'Nothing is charged, and no card is needed.',
};
const REASONS: Readonly<Record<string, string>> = {
  card_declined: 'The card was declined. Choose another one.',
  insufficient_funds: 'The card has insufficient funds. Choose another one.',
};
const PAY = '<button name="action" value="pay">Pay</button>';
const NO_EXPIRY = new Date(8_640_000_000_000_000);

const renderCardChoice = (selectedCard: string | null | undefined): string => {
  const options = Object.entries(CARDS).map(
    ([card, { label }], index) =>
      `<label><input type="radio" name="card" value="${card}" ${index === 0 ? 'id="card"' : ''}
${card === (selectedCard ?? '4242') ? ' checked' : ''}> ${label}</label>`,
  );
  return `<fieldset><legend>Test card</legend>${options.join('')}</fieldset>`;
};

const parseCard = (form: URLSearchParams): CardName => {
  const card = form.get('card') ?? '';
  return Object.hasOwn(CARDS, card) ? (card as CardName) : '0002';
};

/** Adds the pages of the embedded provider: checkout, open invoice and change of the card. */
export async function addPaymentsPages(app: HttpApp, context: PaymentsContext): Promise<void> {
  const { sql, now } = context;
  const addPage = <K extends PageKind>(name: string, page: PaymentsPage<K>): Promise<void> =>
    addHostedPage<Visit<K>>(app, {
      name: NAME,
      now,
      markOpened: async () => {},
      getReturnUrl: ({ returnUrl }) => returnUrl,
      path: `${PAYMENTS_PATH}/${name}/:token`,
      async find(token) {
        const about = await findByToken(sql, page.kind, token);
        return about && { ...(await page.visit(about)), data: {}, about };
      },
      async advance(_token, visit, form) {
        if (form.get('action') === 'cancel') return { ...visit, state: 'exited' };
        try {
          const state = await withStoreTransaction(context, async (store) =>
            page.act({ store, customer: await store.get(visit.about.customer, 'customer'), visit, form }),
          );
          context.wake();
          return { ...visit, state, data: {} };
        } catch (error) {
          if (error instanceof CardDeclinedError) return { ...visit, data: { error: error.message } };
          throw error;
        }
      },
      render(visit, form) {
        const { error } = visit.data;
        return {
          title: page.title,
          isError: error !== undefined,
          body: `${renderErrorSummary(error === undefined ? undefined : (REASONS[error] ?? error), 'card')}
<form method="post">${page.intro?.(visit) ?? ''}${renderCardChoice(form?.get('card'))}${page.buttons}${CANCEL}</form>`,
        };
      },
    });

  await addPage('checkout', {
    kind: 'checkout.session',
    title: 'Subscribe',
    async visit(about) {
      const price = await withStoreTransaction(context, (store) => store.get(about._price, 'price'));
      const closedState = about.status === 'complete' ? 'finished' : 'exited';
      const state = about.status === 'open' ? 'open' : closedState;
      const returnUrl = state === 'finished' ? about.success_url : about.cancel_url;
      return { state, expires_at: new Date(about.expires_at * 1_000), price, returnUrl };
    },
    intro: ({ price }) => `<p>${escapeHtml(String(price?.nickname))}:
 <strong>${formatMinorUnits(price!.unit_amount, price!.currency)}</strong> a
 ${escapeHtml(String(price?.recurring.interval))}</p>
`,
    buttons: PAY,
    async act({ store, customer, visit, form }) {
      const session = await store.get(visit.about.id, 'checkout.session');
      if (session.status !== 'open') return session.status === 'complete' ? 'finished' : 'exited';
      const payingCustomer = await store.put({ ...customer, _card: parseCard(form) });
      const price = await store.get(session._price, 'price');
      const { id } = await subscribe(store, payingCustomer, price, session._subscription);
      session.status = 'complete';
      session.payment_status = 'paid';
      session.subscription = id;
      session.url = null;
      await store.put(session, 'checkout.session.completed');
      visit.returnUrl = session.success_url;
      return 'finished';
    },
  });

  await addPage('invoice', {
    kind: 'invoice',
    title: 'Pay the invoice',
    async visit(about) {
      const returnUrl = `${new URL(about.hosted_invoice_url).origin}/settings/billing`;
      return { state: about.status === 'open' ? 'open' : 'finished', expires_at: NO_EXPIRY, returnUrl };
    },
    intro: ({ about }) => `<p>Invoice ${escapeHtml(String(about.number))}:
 <strong>${formatMinorUnits(about.amount_due, about.currency)}</strong></p>
`,
    buttons: PAY,
    async act({ store, customer, visit, form }) {
      await store.put({ ...customer, _card: parseCard(form) });
      const invoice = await store.get(visit.about.id, 'invoice');
      if (invoice.status === 'open') await payOpenInvoice(store, invoice);
      return 'finished';
    },
  });

  await addPage('portal', {
    kind: 'billing_portal.session',
    title: 'Payment method',
    visit: async (about) => ({ state: 'open', expires_at: NO_EXPIRY, returnUrl: about.return_url }),
    buttons: `<button name="action" value="card">Use this card</button>
<button name="action" value="advance" class="secondary" formnovalidate>Advance to the next renewal</button>`,
    async act({ store, customer, form }) {
      if (form.get('action') === 'advance') {
        await advancePeriod(store, customer);
        return 'finished';
      }
      const card = parseCard(form);
      if (CARDS[card].now !== null) throw new CardDeclinedError(CARDS[card].now);
      await store.put({ ...customer, _card: card });
      return 'finished';
    },
  });
}

/** Moves the customer's clock past the end of the current period and processes everything due. */
async function advancePeriod(store: Store, customer: Customer): Promise<void> {
  const subscriptions = await store.list('subscription', customer.id);
  const periodEnds = subscriptions
    .filter(({ status }) => status === 'active' || status === 'past_due')
    .map((subscription) => getItem(subscription).current_period_end);
  if (periodEnds.length === 0) return;
  const secondsAhead = Math.min(...periodEnds) + 1 - store.now();
  await store.put({ ...customer, _ahead: Math.max(secondsAhead, customer._ahead ?? 0) });
  for (const { id } of subscriptions) await renew(store, await store.get(id, 'subscription'));
}
