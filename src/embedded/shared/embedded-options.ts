import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';

/** What the embedded bank and brokerage are made with. */
export interface EmbeddedOptions {
  sql: ServiceSql;
  logger: Logger;
  /** The service's own address, under which pages and API hang. */
  baseUrl: string;
  /** CONNECTIONS_KEY, from which the secret of the callers follows: every process must have the same. */
  key: string;
  /** The clock of pages, tokens and webhooks; tests set it. */
  now?: (() => Date) | undefined;
  /** How a slow institution waits, in milliseconds; tests replace it. */
  wait?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

/** With what the adapter of the real aggregator reaches an embedded one. */
export interface EmbeddedClient {
  clientId: string;
  secret: string;
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  isSandbox: true;
}

/** The secret that callers of an embedded provider must have. */
export const deriveSecret = (key: string, kind: 'bank' | 'brokerage'): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(`sandbox ${kind}`).digest('hex');
