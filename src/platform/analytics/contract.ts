import { z } from 'zod';
import { STORABLE_TEXT } from '../database/contract.ts';
import { defineRoutes, namedStrictObject, noContent } from '../http/contract.ts';

/** Limits a text. Events are written in one statement, so a single event that the database rejects would fail all. */
const text = (maxLength: number) =>
  z.string().max(maxLength).regex(STORABLE_TEXT, 'must not hold NUL or lone surrogate characters');

/** A property of an event: flat and of limited size. */
const property = z.union([text(500), z.number(), z.boolean(), z.null(), z.array(text(64)).max(250)]);

/** `POST /api/analytics/events`: events of the signed-in member that the web app captured. */
const captureRequest = namedStrictObject('CapturedEvents', {
  events: z
    .array(
      z.strictObject({
        id: z.uuid().optional().describe('Id from the browser. An event that arrives twice is stored once.'),
        occurred_at: z.iso.datetime().optional().describe('Time of the event, at most seven days ago. Default: now.'),
        event: z.string().regex(/^[a-z][a-z0-9_]{0,99}$/, 'must be lower case words joined by _'),
        properties: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), property).default({}),
      }),
    )
    .min(1)
    .max(50),
});

const choice = namedStrictObject('AnalyticsChoice', { enabled: z.boolean() });

export type EventProperties = Readonly<Record<string, z.infer<typeof property>>>;

export const routes = defineRoutes(
  { tag: { name: 'Analytics', description: 'Analytics events of the signed-in member from the web app.' } },
  {
    captureEvents: {
      endpoint: 'POST /api/analytics/events',
      summary: 'Capture events',
      body: captureRequest,
      responses: {
        202: noContent('The events are stored, or discarded if the member or the browser declines analytics.'),
      },
    },
    readAnalyticsChoice: {
      endpoint: 'GET /api/analytics/choice',
      summary: 'Get the analytics choice',
      responses: { 200: choice },
    },
    setAnalyticsChoice: {
      endpoint: 'PUT /api/analytics/choice',
      summary: 'Set the analytics choice',
      body: choice,
      responses: { 200: choice },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE'],
    },
  },
);

type Values = { text: string; number: number; boolean: boolean; texts: readonly string[] };
type Kind = keyof Values;
type Kinds = Readonly<Record<string, Kind>>;

/** The properties and the source of an event. */
interface EventShape {
  /** The area whose capture function sends the event. */
  area: 'watchlist' | 'alerts' | 'billing';
  /** `browser`: sent by the web app. `service`: written with the change that it reports. */
  from: 'browser' | 'service';
  /** Time of the event, as the end of a sentence that begins with "Sent when". */
  when: string;
  /** Properties in addition to those of every event of the area. */
  properties: Kinds;
}

/** Properties of each event of an area. */
export const sharedProperties = {
  watchlist: { feature: 'text', tier: 'text', limit: 'number', item_count: 'number', locked_count: 'number' },
  alerts: {},
  billing: {},
} as const satisfies Record<EventShape['area'], Kinds>;

const symbol = { symbol: 'text' } as const;
const added = { symbol: 'text', asset_type: 'text' } as const;
const BILLING_PROPERTIES = {
  entry_source: 'text',
  bucket: 'text',
  from_tier: 'text',
  to_tier: 'text',
  amount_minor: 'number',
  mrr_minor: 'number',
  currency: 'text',
  interval: 'text',
  checkout_id: 'text',
} as const;
const NO_PROPERTIES = {} as const;

const browserEvent = <const Own extends Kinds = typeof NO_PROPERTIES>(
  when: string,
  properties: Own = NO_PROPERTIES as Own,
) => ({ area: 'watchlist', from: 'browser', when, properties }) as const;
const serviceEvent = <const Own extends Kinds = typeof NO_PROPERTIES>(
  when: string,
  properties: Own = NO_PROPERTIES as Own,
) => ({ area: 'watchlist', from: 'service', when, properties }) as const;
const alertEvent = <const Own extends Kinds>(when: string, properties: Own) =>
  ({ area: 'alerts', from: 'service', when, properties }) as const;
const browserBillingEvent = (when: string) =>
  ({ area: 'billing', from: 'browser', when, properties: { ...BILLING_PROPERTIES, tier: 'text' } }) as const;
const serviceBillingEvent = (when: string) =>
  ({ area: 'billing', from: 'service', when, properties: BILLING_PROPERTIES }) as const;

/**
 * All events with their properties, from which docs/reference/analytics-events.md is generated. Names are lower case
 * and past tense. No property contains an e-mail address, a key or a sign-in ticket.
 */
export const eventContract = {
  watchlist_viewed: browserEvent('the list is shown'),
  watchlist_symbol_added: serviceEvent('a symbol was added', added),
  watchlist_symbol_removed: serviceEvent('a symbol was removed', symbol),
  watchlist_removal_undone: serviceEvent('a removed symbol was restored', added),
  watchlist_reordered: serviceEvent('the order was changed'),
  watchlist_imported: serviceEvent('a pasted list was imported', { rows: 'number', added: 'number' }),
  watchlist_exported: browserEvent('the list was exported'),
  watchlist_limit_reached: browserEvent('the page or the service rejected an add because the list is full'),
  watchlist_search_opened: browserEvent('the symbol search was opened'),
  watchlist_sort_changed: browserEvent('the sort order was changed', { sort: 'text' }),
  watchlist_second_line_changed: browserEvent('the second line was changed', { line: 'text' }),
  watchlist_detail_opened: browserEvent('a symbol was opened', symbol),
  watchlist_range_changed: browserEvent("another range of a symbol's chart was chosen", {
    symbol: 'text',
    range: 'text',
  }),
  watchlist_assistant_asked: browserEvent('the assistant was asked about a symbol', symbol),
  watchlist_bought_clicked: browserEvent('"I bought this" was chosen', symbol),
  upgrade_cta_clicked: browserEvent('an upgrade prompt was clicked', { source: 'text' }),
  dashboard_news_article_clicked: browserEvent('a news article was opened', {
    from_watchlist: 'boolean',
    related_watched: 'texts',
  }),
  dashboard_earnings_view_all_clicked: browserEvent('all earnings reports were opened', { watching_count: 'number' }),
  alert_added: alertEvent('a price alert was added', { ...symbol, kind: 'text', repeats: 'text' }),
  alert_removed: alertEvent('a price alert was removed', symbol),
  alert_fired: alertEvent('a price fired an alert', { ...symbol, kind: 'text' }),
  plans_viewed: browserBillingEvent('the plans are shown'),
  upgrade_modal_viewed: browserBillingEvent('a plan is offered for confirmation'),
  upgrade_modal_confirmed: browserBillingEvent('the plan was confirmed'),
  upgrade_modal_dismissed: browserBillingEvent('the offer was closed'),
  checkout_started: serviceBillingEvent('a checkout was opened'),
  checkout_completed: serviceBillingEvent('a checkout was paid'),
  checkout_abandoned: serviceBillingEvent('a checkout expired unpaid'),
  subscription_started: serviceBillingEvent('a paid plan began'),
  subscription_changed: serviceBillingEvent('a paid plan was changed'),
  subscription_cancel_scheduled: serviceBillingEvent('a cancellation was scheduled'),
  subscription_resumed: serviceBillingEvent('a scheduled cancellation was reversed'),
  subscription_canceled: serviceBillingEvent('a paid plan ended'),
  invoice_paid: serviceBillingEvent('an invoice was paid'),
  invoice_payment_failed: serviceBillingEvent('an invoice payment failed'),
  invoice_refunded: serviceBillingEvent('an invoice was refunded, in part or whole'),
} as const satisfies Record<string, EventShape>;

/** The event's own properties, in addition to those of every event of its area. */
export type OwnProperties<Name extends keyof typeof eventContract> = {
  [Key in keyof (typeof eventContract)[Name]['properties']]?:
    | Values[(typeof eventContract)[Name]['properties'][Key] & Kind]
    | null;
};

/** Returns the shape of an event by name, or `undefined` for an unknown name. */
export const findEventShape = (event: string): EventShape | undefined =>
  Object.hasOwn(eventContract, event) ? eventContract[event as keyof typeof eventContract] : undefined;

/** Events of the upgrade funnel. */
export const funnelEvents: readonly string[] = Object.entries<EventShape>(eventContract).flatMap(([event, { area }]) =>
  area === 'billing' || event === 'upgrade_cta_clicked' ? [event] : [],
);
