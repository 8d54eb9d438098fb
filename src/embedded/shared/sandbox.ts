import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { WebhookDelivery } from '../../platform/http/deliver-webhooks.ts';

/** A stand-in of an aggregator's service. */
export interface Sandbox {
  /** Its wire without a socket. */
  readonly fetch: typeof globalThis.fetch;
  /** Its wire and its pages. */
  addRoutes(app: HttpApp): Promise<void>;
  /** Sends its webhooks to the service at `localUrl`. */
  startDelivery(localUrl: string): WebhookDelivery;
  /** Forgets what is long over. */
  tidy(): Promise<void>;
}

export interface SandboxOptions {
  sql: ServiceSql;
  logger: Logger;
  /** The secret that its callers must prove to have. */
  secret: string;
  /** The clock of pages, tokens and webhooks; tests set it. */
  now?: () => Date;
  /** How a slow institution waits, in milliseconds; tests replace it. */
  wait?: (milliseconds: number) => Promise<unknown>;
}
