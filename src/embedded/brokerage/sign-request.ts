import { createHmac } from 'node:crypto';
import { stringifySorted } from '../../platform/http/webhook-schemes/sorted-json-hmac.ts';

interface SignedRequest {
  /** The body, null without one. */
  content: unknown;
  /** Without the address that the aggregator stands under. */
  path: string;
  /** As it was sent. */
  query: string;
}

/** What `Signature` of a request must be: the HMAC of its sorted parts, by the key as a URL spells it. */
export const signRequest = (request: SignedRequest, consumerKey: string): string =>
  createHmac('sha256', encodeURI(consumerKey)).update(stringifySorted(request)).digest('base64');

/** What `Signature` of a webhook is: the HMAC of its sorted body, by the key as it is. */
export const signWebhook = (payload: string, consumerKey: string): string =>
  createHmac('sha256', consumerKey)
    .update(stringifySorted(JSON.parse(payload)))
    .digest('base64');
