import { createHmac } from 'node:crypto';
import { stringifySorted } from '../../platform/http/webhook-schemes/sorted-json-hmac.ts';

export interface SignedRequest {
  /** Body, or null without a body. */
  content: unknown;
  /** Path without the aggregator's base path. */
  path: string;
  /** Query string as sent. */
  query: string;
}

/** Returns the expected header `Signature` of a request: the HMAC of its sorted parts with the URL-encoded key. */
export const signRequest = (request: SignedRequest, consumerKey: string): string =>
  createHmac('sha256', encodeURI(consumerKey)).update(stringifySorted(request)).digest('base64');

/** Returns the header `Signature` of a webhook: the HMAC of its sorted body with the unencoded key. */
export const signWebhook = (payload: string, consumerKey: string): string =>
  createHmac('sha256', consumerKey)
    .update(stringifySorted(JSON.parse(payload)))
    .digest('base64');
