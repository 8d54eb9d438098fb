import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';

/** Options of the embedded bank and brokerage. */
export interface EmbeddedOptions {
  sql: ServiceSql;
  logger: Logger;
  /** Base URL of the service, which serves the pages and the API. */
  baseUrl: string;
  /** CONNECTIONS_KEY, from which the secret of the callers is derived. It must be equal in every process. */
  key: string;
  /** Clock of pages, tokens and webhooks, which tests set. */
  now?: (() => Date) | undefined;
  /** Wait of a slow institution in ms, which tests replace. */
  wait?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

/** The fetch function and credentials with which the aggregator's adapter calls an embedded provider. */
export interface EmbeddedClient {
  clientId: string;
  secret: string;
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  isSandbox: true;
}

/** Returns the secret that callers of an embedded provider need. */
export const deriveSecret = (key: string, kind: 'bank' | 'brokerage'): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(`sandbox ${kind}`).digest('hex');
