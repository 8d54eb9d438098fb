/**
 * Every error that a client can cause, with a sentence that describes what to do. Features use a code, and only `http/`
 * maps codes to statuses.
 */
export const errorMessages = {
  INVALID_REQUEST: 'The request is not valid; see issues for each place.',
  UNAUTHENTICATED: 'Sign in and send the session token as "Authorization: Bearer <token>".',
  FORBIDDEN: 'You may not do this.',
  CROSS_ORIGIN:
    'A write that is authenticated by cookie must come from this site; send the token as a bearer header instead.',
  SESSION_REVERIFICATION_REQUIRED:
    'Sign in again, or confirm the session with the password at the identity provider, and retry with a new token.',
  DEMO_ACCOUNT: 'The shared demo account may not do this.',
  DEMO_MODE: 'The sample cannot be changed.',
  NOT_FOUND: 'Not found.',
  REFERRER_NOT_FOUND: 'This referral link is not valid.',
  UNKNOWN_SYMBOL: 'No stock, ETF, mutual fund or bond has this symbol.',
  UNSUPPORTED_ASSET: 'Crypto is not supported; stocks, ETFs, mutual funds and bonds are.',
  ALREADY_WATCHED: 'This symbol is already on the watchlist.',
  WATCHLIST_LIMIT_REACHED: 'The watchlist is full; remove a ticker or upgrade.',
  ORDER_CONFLICT: 'The watchlist changed. Use the order in ids and retry.',
  ALREADY_SUBSCRIBED: 'You already have a paid plan. Change it instead.',
  PAYMENT_REQUIRED: 'The payment did not go through; nothing has changed yet.',
  PAYMENTS_UNAVAILABLE: 'Payments cannot be reached right now; nothing was charged. Try again shortly.',
  TIER_UNAVAILABLE: 'Your plan cannot be looked up right now; try again shortly.',
  NOT_DEMO_ACCOUNT: 'You are signed in with an account of your own; open the link in a private window.',
  LINK_USED: 'This link has already been used. Request a new one.',
  LINK_EXPIRED: 'This link has expired. Request a new one.',
  LINK_REVOKED: 'This link has been revoked. Request a new one.',
  ACCOUNT_MISMATCH:
    'The demo account does not match; verify the keys of the deployment and DEMO_ACCOUNT_IDP_USER_ID first.',
  DEMO_ACCOUNT_NOT_READY: 'The demo account is not ready to be shown.',
  REVOCATION_UNCONFIRMED: 'The revocation is not confirmed yet. The link is already invalid; retry the same id later.',
  METHOD_NOT_ALLOWED: 'This address does not support that method; see the allow header.',
  PAYLOAD_TOO_LARGE: 'The body is larger than this address accepts.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body as application/json.',
  SQL_REFUSED: 'This SQL is not available here; the message says what to write instead.',
  SQL_TOO_EXPENSIVE: 'This SQL would read or compute too much; request less data.',
  SQL_TIMED_OUT: 'This SQL took too long; request less data.',
  CONFLICT: 'The state changed; read it again and retry.',
  LIMIT_REACHED: 'The limit is reached; remove something first.',
  DAILY_LIMIT_REACHED: 'The daily limit of the assistant is reached; try again after resets_at.',
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
  /** Seconds after which a retry can succeed, sent as `retry-after`. */
  retryAfter?: number;
  /** Allowed methods, for METHOD_NOT_ALLOWED. */
  allow?: readonly string[];
  /** Further fields of the body, such as `limit` or `item`. */
  body?: Readonly<Record<string, unknown>>;
  /** Whether the body has only the code and the fields of `body`, without a message. Clients rely on it. */
  exactBody?: boolean;
  /** Encoding of a body that would have been accepted, sent as `accept-encoding`. */
  acceptedEncoding?: string;
  /** Value of `www-authenticate`. A 401 has `Bearer` by default. */
  challenge?: string;
  /** The underlying error, which is only logged. */
  cause?: Error;
}

/** Thrown by routes to respond with a listed error. Any other error is unexpected (500). */
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
