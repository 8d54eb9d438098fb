import type { SignedWebhook } from '../../platform/http/signed-webhook.ts';
import type { ConnectionKind } from './contract.ts';

/** An amount in decimal digits, which PostgreSQL reads as `numeric`. */
type Decimal = string;

/** Where an aggregator is, and with what it is asked. */
export interface ClientSettings {
  clientId: string;
  secret: string;
  baseUrl: string;
  /** Another way than the network, such as one inside the process. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Nothing real is behind it. */
  isSandbox?: boolean;
}

/**
 * A call without a good answer. `refused`: the aggregator said no to this very request; `unavailable`: it could not be
 * asked, or asks to come again. `code` is its own word or ours and holds nothing of the request; `retryAfter` is in
 * seconds.
 */
export interface FailedCall {
  ok: false;
  reason: 'refused' | 'unavailable';
  code: string;
  retryAfter?: number | undefined;
}

export interface StartRequest {
  idpId: string;
  /** Where the browser comes back to, without a query of ours. */
  returnUrl: string;
  webhookUrl: string;
  /** The access of the connection that is signed in to again. */
  repairCredential?: string | undefined;
}

/** `reference` is what the aggregator calls the attempt; it is a secret of the server's. */
type StartResult = { ok: true; url: string; reference: string; expiresAt: Date } | FailedCall;

/** What the browser says that it was sent back with: a hint of which the aggregator's own answer decides. */
export interface RedirectParams {
  status: 'succeeded' | 'abandoned' | 'failed';
  /** The connection that was made, with `succeeded`. */
  externalId?: string | undefined;
  code?: string | undefined;
}

export interface AttemptToRead {
  idpId: string;
  reference: string;
  redirectParams?: RedirectParams | undefined;
  /** The access of the connection that is signed in to again. */
  repairCredential?: string | undefined;
  /** External ids of the connections that the member has already. */
  existingIds: readonly string[];
}

/** What the institution is called and which accounts were chosen, known before anything is redeemed. */
export interface LinkedItem {
  institution: { id: string | null; name: string };
  accounts: readonly { name: string; mask: string | null }[];
  /** What `redeem` takes; spent by it. */
  publicToken: string;
  /** Of the connection, where it stands at the aggregator before it is redeemed, and must be ended if it is not. */
  externalId?: string;
  /** The sign-in may have ended an older access to the same accounts, whose place it then takes. */
  replacesExisting?: boolean;
}

export type AttemptResult =
  | { state: 'open' }
  /** `unknown`: the aggregator could not be asked. */
  | { state: 'abandoned' | 'failed' | 'unknown'; code: string }
  | { state: 'offered'; linkedItem: LinkedItem }
  /** A repair is done: the access that we hold works again. */
  | { state: 'repaired' }
  /** The connection that was returned is not this member's. */
  | { state: 'foreign' };

/** `credential` is all that later calls need; it is a secret of the server's. */
type ExchangeResult = { ok: true; externalId: string; credential: string } | FailedCall;

export interface ProviderAccount {
  externalId: string;
  name: string;
  mask: string | null;
  type: string | null;
  /** ISO 4217. */
  currency: string;
  /** Cash alone, what is invested stands in the holdings; below zero where it is owed, null where not known now. */
  balance: Decimal | null;
}

export interface ProviderHolding {
  /** Of the account, and of the holding within it: repeated in each reading. */
  accountId: string;
  externalId: string;
  /** Null for what no catalog prices by the share: short positions, options, coins, bonds. */
  symbol: string | null;
  name: string;
  quantity: Decimal;
  /** What was paid in all. */
  costBasis: Decimal | null;
  currency: string;
  /** What the institution says it is worth in all. */
  value: Decimal | null;
  asOf: Date;
}

/** One reading. `holdings` is null where they could not be read now: what is stored then stays. */
export interface Portfolio {
  accounts: readonly ProviderAccount[];
  holdings: readonly ProviderHolding[] | null;
  /** The institution will ask for a new sign-in soon. */
  isExpiring: boolean;
  /** The aggregator is still fetching a part for the first time. */
  isPopulating?: boolean;
}

export type PortfolioRead =
  | { ok: true; portfolio: Portfolio }
  | { ok: false; reason: 'login_required' | 'revoked' | 'unavailable'; code: string };

/** What a webhook makes worth a sync; never the fact itself. */
export type Hint =
  | { about: 'attempt'; reference: string }
  /** `user`: the aggregator's name of the member, who may just be making it; `isRemoval`: it was removed there. */
  | {
      about: 'connection';
      externalId: string;
      isExpiring?: boolean | undefined;
      user?: string | undefined;
      isRemoval?: boolean | undefined;
    }
  /** Everything of the member whom the aggregator calls so. */
  | { about: 'member'; user: string }
  | { about: 'nothing' };

export interface WebhookEvent {
  hint: Hint;
  /** The sender's own id of the delivery, where it has one. */
  id?: string | undefined;
}

/**
 * An aggregator of either kind. Nothing is thrown for what its service does: outcomes are returned, and neither they
 * nor an error that escapes hold a token, a key or a part of a request. Each call ends by its own timeout.
 */
export interface Aggregator {
  readonly kind: ConnectionKind;
  /** As stored beside each connection. */
  readonly provider: string;
  /** Nothing real is behind it, and members are told so. */
  readonly isSandbox: boolean;
  start(request: StartRequest): Promise<StartResult>;
  readAttempt(attempt: AttemptToRead): Promise<AttemptResult>;
  /** Spends the claim for lasting access. Asked twice for the same claim it may refuse. */
  exchangeToken(publicToken: string, idpId: string): Promise<ExchangeResult>;
  readPortfolio(credential: string): Promise<PortfolioRead>;
  /** Ends the access; an access that is gone already is done. */
  revoke(credential: string): Promise<{ ok: true } | FailedCall>;
  /** The connection that a removal would end, where the same sign-in may have brought it back meanwhile. */
  getConnectionId?(credential: string): string | undefined;
  /** Its path is what stands behind `/api/webhooks/`; its event may say nothing to us. */
  readonly webhook: Pick<SignedWebhook<WebhookEvent>, 'path' | 'sender' | 'scheme' | 'tolerance' | 'event'>;
}
