import type { SandboxOptions } from '../shared/sandbox.ts';

/** Where the stand-in's wire and pages hang. */
export const SANDBOX_BROKERAGE_PATH = '/_brokerage';

/** The one client that it knows. */
export const SANDBOX_CLIENT_ID = 'SANDBOX';

/** What every part of the stand-in works with; `secret` signs requests to it and webhooks of it. */
export interface BrokerageContext extends Required<Pick<SandboxOptions, 'sql' | 'secret' | 'now'>> {
  /** Tells the webhook delivery that a message waits. */
  wake(): void;
}
