/**
 * The closed list of failures a person can cause, with the sentence that tells them what to do.
 * Slices name a code; only `http/` knows which status it becomes.
 */
export const errorMessages = {
  INVALID_REQUEST: 'The request is not valid; see issues for each place.',
  UNAUTHENTICATED: 'Sign in and send the session token as "Authorization: Bearer <token>".',
  FORBIDDEN: 'You may not do this.',
  CROSS_ORIGIN:
    'A write that is authenticated by cookie must come from this site; send the token as a bearer header instead.',
  DEMO_ACCOUNT: 'The shared demo account may not do this.',
  DEMO_MODE: 'Edits are switched off in the demo.',
  NOT_FOUND: 'There is nothing here under this address.',
  REFERRER_NOT_FOUND: 'This link is nobody’s.',
  UNKNOWN_SYMBOL: 'No stock, ETF, mutual fund or bond has this symbol.',
  UNSUPPORTED_ASSET: 'Crypto is not supported; stocks, ETFs, mutual funds and bonds are.',
  ALREADY_WATCHED: 'This symbol is on the watchlist already.',
  WATCHLIST_LIMIT_REACHED: 'The watchlist is full; remove a ticker or upgrade.',
  ORDER_CONFLICT: 'The watchlist has changed meanwhile; take the order from ids and try again.',
  ALREADY_SUBSCRIBED: 'There is a paid plan already; change that one instead.',
  PAYMENT_REQUIRED: 'The payment did not go through; nothing has changed yet.',
  PAYMENTS_UNAVAILABLE: 'Payments cannot be reached right now; nothing was charged. Try again shortly.',
  TIER_UNAVAILABLE: 'Your plan cannot be looked up right now; try again shortly.',
  NOT_DEMO_ACCOUNT: 'You are signed in with an account of your own; open the link in a private window.',
  LINK_USED: 'This link has been used already; ask for a new one.',
  LINK_EXPIRED: 'This link has expired; ask for a new one.',
  LINK_REVOKED: 'This link has been withdrawn; ask for a new one.',
  ACCOUNT_MISMATCH:
    'The demo account does not match; verify the keys of the deployment and DEMO_ACCOUNT_IDP_USER_ID first.',
  DEMO_ACCOUNT_NOT_READY: 'The demo account is not ready to be shown.',
  REVOCATION_UNCONFIRMED: 'The revocation is not confirmed yet; nobody can use the link, retry the same id later.',
  METHOD_NOT_ALLOWED: 'This address does not answer that method; see the allow header.',
  PAYLOAD_TOO_LARGE: 'The body is larger than this address accepts.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body as application/json.',
  SQL_REFUSED: 'This SQL is not available here; the message says what to write instead.',
  SQL_TOO_EXPENSIVE: 'This SQL would read or compute too much; ask for less at a time.',
  SQL_TIMED_OUT: 'This SQL took too long; ask for less at a time.',
  CONFLICT: 'The state has changed meanwhile; read it again and retry.',
  LIMIT_REACHED: 'The limit is reached; remove something first.',
  DAILY_LIMIT_REACHED: 'The assistant has answered as much as it may today; ask again after resets_at.',
  RATE_LIMITED: 'Too many requests; wait for the time in retry-after.',
  NOT_CONFIGURED: 'This part of the deployment is not configured.',
  UNAVAILABLE: 'This is not available right now; try again later.',
  TIMEOUT: 'The request took too long to arrive.',
  INTERNAL: 'Something went wrong on our side; quote the request id.',
} as const;

export type ErrorCode = keyof typeof errorMessages;

/** A place in the request and what is wrong there. `path` uses dots: `items.0.symbol`. */
export interface Issue {
  path: string;
  message: string;
}

export interface ErrorDetails {
  message?: string;
  issues?: readonly Issue[];
  /** Seconds after which a retry can succeed; becomes `retry-after`. */
  retryAfter?: number;
  /** Allowed methods, for METHOD_NOT_ALLOWED. */
  allow?: readonly string[];
  /** Further fields of the body, such as `limit` or `item`. */
  body?: Readonly<Record<string, unknown>>;
  /** The body is the code and these fields alone, without a message: clients rely on exactly these. */
  exactBody?: boolean;
  /** Encoding of a body that would have been accepted; becomes `accept-encoding`. */
  acceptedEncoding?: string;
  /** What `www-authenticate` says beside it; 401 has `Bearer` without. */
  challenge?: string;
  /** What is behind it, for the log alone. */
  cause?: Error;
}

/** Thrown by routes to answer with a failure of the list; every other error is a fault of ours (500). */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? errorMessages[code], { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}
