import type { ConnectedAccount, ConnectedHolding } from '../portfolio/accounts/contract.ts';
import type { SignedWebhook } from '../../platform/http/signed-webhook.ts';
import type { ConnectionKind } from './contract.ts';

/** URL and credentials of an aggregator. */
export interface ClientSettings {
  clientId: string;
  secret: string;
  baseUrl: string;
  /** Alternative fetch function, such as one inside the process. */
  fetch?: typeof globalThis.fetch | undefined;
  /** True if the aggregator has no real institutions. */
  isSandbox?: boolean;
  /** Deletes the pages of a deleted member, where this service stores them. */
  deletePages?: ((idpId: string) => Promise<void>) | undefined;
}

/**
 * Failed call. `rejected`: the aggregator rejected this request. `unavailable`: it was unreachable or requires a later
 * retry. `code` is the aggregator's code or ours and contains nothing of the request. `retryAfter` is in seconds.
 */
export interface FailedCall {
  ok: false;
  reason: 'rejected' | 'unavailable';
  code: string;
  retryAfter?: number | undefined;
}

export interface StartRequest {
  idpId: string;
  /** URL to which the browser returns, without a query of ours. */
  returnUrl: string;
  webhookUrl: string;
  /** Credential of the connection to reauthenticate. */
  repairCredential?: string | undefined;
}

/** Result of a started attempt. `reference` is the aggregator's name of the attempt and must stay on the server. */
type StartResult = { ok: true; url: string; reference: string; expiresAt: Date } | FailedCall;

/**
 * Parameters that the browser reports from the redirect. They are only a hint: the aggregator's own response decides.
 */
export interface RedirectParams {
  status: 'succeeded' | 'abandoned' | 'failed';
  /** Id of the created connection, with `succeeded`. */
  externalId?: string | undefined;
  code?: string | undefined;
}

export interface AttemptToRead {
  idpId: string;
  reference: string;
  redirectParams?: RedirectParams | undefined;
  /** Credential of the connection to reauthenticate. */
  repairCredential?: string | undefined;
  /** External ids of the member's existing connections. */
  existingIds: readonly string[];
}

/** Institution name and selected accounts, known before the token exchange. */
export interface LinkedItem {
  institution: { id: string | null; name: string };
  accounts: readonly { name: string; mask: string | null }[];
  /** Token for `exchangeToken`, which can use the token once. */
  publicToken: string;
  /** Id of a connection that exists at the aggregator before the exchange. It must be revoked if it is not used. */
  externalId?: string;
  /** This sign-in may have invalidated the previous access to these accounts. If so, the new access replaces it. */
  replacesExisting?: boolean;
}

export type AttemptResult =
  | { state: 'open' }
  /** `unknown`: the aggregator was unavailable. */
  | { state: 'abandoned' | 'failed' | 'unknown'; code: string }
  | { state: 'linked'; linkedItem: LinkedItem }
  /** A repair is complete: the stored access works again. */
  | { state: 'repaired' }
  /** The returned connection belongs to another member. */
  | { state: 'not-owned' };

/** Result of an exchange. `credential` is sufficient for later calls and must stay on the server. */
type ExchangeResult = { ok: true; externalId: string; credential: string } | FailedCall;

/** Result of one reading. `holdings` is null if they were unavailable. In this case the stored holdings are kept. */
export interface Portfolio {
  accounts: readonly ConnectedAccount[];
  holdings: readonly ConnectedHolding[] | null;
  /** The institution will require a new sign-in soon. */
  isExpiring: boolean;
  /** The aggregator is still fetching a part for the first time. */
  isPopulating?: boolean;
}

export type PortfolioRead =
  | { ok: true; portfolio: Portfolio }
  | { ok: false; reason: 'login_required' | 'revoked' | 'unavailable'; code: string };

/** Reason for a sync in a webhook. A hint never contains the data itself. */
export type Hint =
  | { target: 'attempt'; reference: string }
  /**
   * `user` is the aggregator's id of the member, whose connection may not be stored yet. `isRemoval`: the connection
   * was removed at the aggregator.
   */
  | {
      target: 'connection';
      externalId: string;
      isExpiring?: boolean | undefined;
      user?: string | undefined;
      isRemoval?: boolean | undefined;
    }
  /** All connections of the member with this id at the aggregator. */
  | { target: 'member'; user: string }
  | { target: 'none' };

export interface WebhookEvent {
  hint: Hint;
  /** Id of the delivery, if the sender has one. */
  id?: string | undefined;
}

/**
 * Aggregator of either kind. Failures of its service are returned and not thrown. Neither results nor errors contain a
 * token, a key or a part of a request. Each call has its own timeout.
 */
export interface Aggregator {
  readonly kind: ConnectionKind;
  /** Name that is stored with each connection. */
  readonly provider: string;
  /** True if the aggregator has no real institutions. Members see a notice. */
  readonly isSandbox: boolean;
  start(request: StartRequest): Promise<StartResult>;
  /** Deletes the pages of a deleted member, where this service stores them. */
  deletePages?: ((idpId: string) => Promise<void>) | undefined;
  readAttempt(attempt: AttemptToRead): Promise<AttemptResult>;
  /** Exchanges a public token for lasting access. A second exchange of one token may be rejected. */
  exchangeToken(publicToken: string, idpId: string): Promise<ExchangeResult>;
  readPortfolio(credential: string): Promise<PortfolioRead>;
  /** Revokes the access. An access that no longer exists counts as success. */
  revoke(credential: string): Promise<{ ok: true } | FailedCall>;
  /**
   * Returns the id of the connection that a revocation would end. A repeated sign-in may have restored this connection
   * since.
   */
  getConnectionId?(credential: string): string | undefined;
  /** Settings of the webhook. The path is relative to `/api/webhooks/`. The parser may return no event. */
  readonly webhook: Pick<SignedWebhook<WebhookEvent>, 'path' | 'sender' | 'scheme' | 'tolerance' | 'event'>;
}
