import { z } from 'zod';
import { STORABLE_TEXT } from '../../platform/database/contract.ts';
import { hasAnyField, noChangesError } from '../portfolio/holdings/contract.ts';
import {
  defineRoutes,
  instant,
  limitReached,
  namedObject,
  namedStrictObject,
  noContent,
} from '../../platform/http/contract.ts';

const MAX_NOTE_LENGTH = 200;
/** Smallest and largest day's move of an alert in percent. */
const MIN_MOVE = 0.1;
const MAX_MOVE = 100;

const kind = z
  .enum(['above', 'below', 'move'])
  .describe('`above` and `below` wait for a price, `move` for a day’s move in either direction.');
const threshold = z
  .number()
  .positive()
  .max(1e9)
  .describe(
    'Price in the listing’s currency (of a bond, in percent of par), or percentage of a move from 0.1 to 100. ' +
      'A price of exactly the threshold fires.',
  );
const repeats = z.enum(['once', 'daily']).describe('Once, or again on each trading day.');
const note = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NOTE_LENGTH)
  .regex(STORABLE_TEXT, 'must not hold NUL or lone surrogate characters');

const security = {
  symbol: z.string(),
  name: z.string().nullable(),
  currency: z.string().nullable().describe('ISO 4217 code of the listing.'),
  price_unit: z.enum(['currency', 'percent_of_par']),
};

const alert = namedObject('Alert', {
  id: z.uuid(),
  ...security,
  kind,
  threshold,
  repeats,
  note: z.string().nullable(),
  created_at: instant,
});

const firedAlert = namedObject('FiredAlert', {
  id: z.uuid(),
  ...security,
  kind,
  threshold: z.number(),
  note: z.string().nullable(),
  price: z.number().describe('The price that fired the alert.'),
  change_1d: z.number().nullable().describe('Day’s move in percent at that price.'),
  price_at: instant,
  delayed_minutes: z.int().nonnegative(),
  sample: z.boolean().describe('True if the price came from the simulator.'),
  stale: z.boolean().describe('True if the price was more than an hour old when the alert fired.'),
  fired_at: instant,
  read: z.boolean(),
});

const alertList = namedObject('Alerts', {
  limit: z.int().positive().describe('Tickers of the plan, which is the most alerts at a time.'),
  alerts: z.array(alert).describe('Alerts that wait for a price, newest first.'),
  fired: z.array(firedAlert).describe('The newest 100 alerts that fired in the last 90 days, newest first.'),
  unread_count: z.int().nonnegative(),
  mail: z.object({
    available: z.boolean().describe('Whether this installation sends mail.'),
    enabled: z.boolean(),
  }),
});

/** Returns whether a threshold is possible for the kind: a price, or a percentage of a day's move. */
export const isPossibleThreshold = ({ kind, threshold }: Pick<AlertTerms, 'kind' | 'threshold'>): boolean =>
  kind !== 'move' || (threshold >= MIN_MOVE && threshold <= MAX_MOVE);
export const MOVE_MESSAGE = `must be from ${MIN_MOVE} to ${MAX_MOVE} percent`;

const addRequest = z
  .strictObject({
    symbol: z.string().min(1).max(64).describe('In any spelling (`NASDAQ:AAPL`, `BRK B`), or an ISIN.'),
    kind,
    threshold,
    repeats: repeats.default('once'),
    note: note.optional(),
  })
  .refine(isPossibleThreshold, { path: ['threshold'], message: MOVE_MESSAGE })
  .meta({ id: 'AddAlertRequest' });
const changeRequest = z
  .strictObject({ kind, threshold, repeats, note: note.nullable() })
  .partial()
  .refine(hasAnyField, noChangesError)
  .meta({ id: 'ChangeAlertRequest' });

export const routes = defineRoutes(
  { tag: { name: 'Alerts', description: 'Alerts at prices and day’s moves of tickers.' }, variesByDemoTour: true },
  {
    listAlerts: {
      endpoint: 'GET /api/alerts',
      summary: 'List alerts',
      responses: { 200: alertList },
      errors: ['TIER_UNAVAILABLE'],
    },
    countUnreadAlerts: {
      endpoint: 'GET /api/alerts/unread',
      summary: 'Count the unread alerts that fired',
      responses: { 200: namedObject('UnreadAlerts', { unread_count: z.int().nonnegative() }) },
    },
    addAlert: {
      endpoint: 'POST /api/alerts',
      summary: 'Add an alert',
      description: 'The next price is the first that is evaluated.',
      body: addRequest,
      responses: { 201: namedObject('AddedAlert', { alert }) },
      errors: [
        'DEMO_ACCOUNT',
        'DEMO_MODE',
        'UNKNOWN_SYMBOL',
        'UNSUPPORTED_ASSET',
        'FORBIDDEN',
        'CONFLICT',
        'TIER_UNAVAILABLE',
        limitReached,
      ],
    },
    changeAlert: {
      endpoint: 'PATCH /api/alerts/{id}',
      summary: 'Change an alert',
      description:
        'Terms that are not named stay. A new `kind` or `threshold` starts the alert anew: the next price is the first ' +
        'that is evaluated. A change between a price and a move needs a `threshold` too.',
      params: z.object({ id: z.string() }),
      body: changeRequest,
      responses: { 200: namedObject('ChangedAlert', { alert }) },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_FOUND'],
    },
    removeAlert: {
      endpoint: 'DELETE /api/alerts/{id}',
      summary: 'Remove an alert',
      params: z.object({ id: z.string() }),
      responses: { 204: noContent('It is deleted.') },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_FOUND'],
    },
    markAlertsRead: {
      endpoint: 'POST /api/alerts/read',
      summary: 'Mark fired alerts as read',
      body: namedStrictObject('ReadAlertsRequest', {
        ids: z.array(z.uuid()).min(1).max(100).describe('Fired alerts that the member has seen.'),
      }),
      responses: { 204: noContent('They are marked. Unknown ids are ignored.') },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE'],
    },
    setAlertMail: {
      endpoint: 'PUT /api/alerts/mail',
      summary: 'Choose whether alerts come by mail',
      body: namedStrictObject('AlertMailRequest', { enabled: z.boolean() }),
      responses: { 204: noContent('The choice is stored.') },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_CONFIGURED', 'CONFLICT'],
    },
    unsubscribeFromAlerts: {
      endpoint: 'POST /api/alerts/unsubscribe',
      summary: 'Stop alerts by mail',
      description: 'The link of a mail, without a sign-in (RFC 8058). The body is ignored.',
      access: 'public',
      query: z.object({ code: z.string().min(1).max(100) }),
      responses: { 204: noContent('Mails have stopped. Also for a code that does not exist.') },
    },
  },
);

export type Alert = z.infer<typeof alert>;
export type FiredAlert = z.infer<typeof firedAlert>;
export type AlertList = z.infer<typeof alertList>;
/** What an alert waits for. */
export type AlertTerms = Pick<Alert, 'kind' | 'threshold' | 'repeats' | 'note'>;
export type AlertChanges = z.infer<typeof changeRequest>;
