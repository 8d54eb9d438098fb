import type { HttpApp } from '../http/app-type.ts';
import type { WebhookDelivery } from '../http/deliver-webhooks.ts';

/** A stand-in of an aggregator's service. */
export interface Sandbox {
  /** Its wire and its pages. */
  addRoutes(app: HttpApp): Promise<void>;
  /** Sends its webhooks to the service at `localUrl`. */
  startDelivery(localUrl: string): WebhookDelivery;
  /** Forgets what is long over. */
  tidy(): Promise<void>;
}
