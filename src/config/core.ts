import { z } from 'zod';
import { sslModes } from './database-tls.ts';
import {
  baseUrl,
  certificateFile,
  hex32Bytes,
  host,
  httpUrl,
  mailSender,
  onOff,
  optional,
  postgresUrl,
  proxies,
  redisUrl,
  smtpUrl,
  userId,
  wholeNumber,
  withDefault,
} from './setting-types.ts';

/** Settings that a deployment chooses, listed in `.env.example`. */
export const core = {
  HOST: withDefault(
    host,
    '127.0.0.1',
    'Address to listen on. Use 0.0.0.0 to serve other machines. The image sets 0.0.0.0.',
    { example: '0.0.0.0' },
  ),
  PORT: withDefault(
    wholeNumber(0, 65_535),
    3000,
    'Port to listen on. Use 0 for any free port. With Compose and Kubernetes it stays 3000, which their checks ask.',
    { example: '8080' },
  ),
  BASE_URL: optional(
    baseUrl,
    'Public address of the service, without a path. Links, cookies and tokens use it, and https turns on HSTS.',
    { example: 'https://tally.example.com', whenEmpty: 'http://HOST:PORT' },
  ),
  TRUSTED_PROXIES: withDefault(
    proxies,
    '',
    'Addresses or networks of proxies whose x-forwarded-for is trusted, separated by commas.',
    { example: '10.0.0.1,192.168.0.0/16' },
  ),
  PRIVACY_FILE: optional(
    z.string(),
    'Markdown file (UTF-8, at most 256 KiB) that /privacy shows. HTML in it is shown as text. Read at the start.',
    { example: '/etc/tally/privacy.md', whenEmpty: 'what the software stores and where' },
  ),
  TERMS_FILE: optional(z.string(), 'Markdown file that /terms shows, like PRIVACY_FILE.', {
    example: '/etc/tally/terms.md',
    whenEmpty: 'a note that no terms are published',
  }),

  DB_URL: optional(
    postgresUrl,
    'PostgreSQL URL of the login "authenticator", which may only become "anon" or "authenticated".',
    {
      example: 'postgres://authenticator:PASSWORD@db.internal:5432/tally',
      whenEmpty: 'embedded PostgreSQL in DATA_DIR',
    },
  ),
  DB_SERVICE_ROLE_KEY: optional(
    z.string(),
    'Password of the login "service_authenticator" on the server of DB_URL. Required with DB_URL.',
    { example: 'output of openssl rand -hex 32' },
  ),
  DB_ASSISTANT_KEY: optional(
    z.string(),
    'Password of the login "assistant_authenticator", which runs the SQL of members.',
    { example: 'output of openssl rand -hex 32', whenEmpty: 'with DB_URL, members cannot run SQL' },
  ),
  DB_OWNER_URL: optional(
    postgresUrl,
    'PostgreSQL URL of the owner, for "tally migrate", backup and restore. A serving process does not need it.',
    { example: 'postgres://owner:PASSWORD@db.internal:5432/tally' },
  ),
  DB_SSLMODE: optional(
    z.enum(sslModes, { error: `must be one of ${sslModes.join(', ')}` }),
    'TLS to PostgreSQL as libpq names it: "verify-full" checks the certificate and its host name, "require" checks neither.',
    { example: 'verify-full', whenEmpty: 'sslmode of each URL, else no TLS' },
  ),
  DB_SSLROOTCERT: optional(
    certificateFile,
    'PEM file with the certificate authorities of PostgreSQL. Read at each connection.',
    { example: '/etc/tally/postgresql-ca.pem', whenEmpty: 'authorities of Node' },
  ),
  REDIS_URL: optional(
    redisUrl,
    'Redis in which several processes share rate limits and known API keys. If Redis is unavailable, each process counts separately.',
    { example: 'redis://redis.internal:6379', whenEmpty: 'each process counts separately' },
  ),
  REDIS_CA_FILE: optional(
    certificateFile,
    'PEM file with the certificate authorities of Redis, for a REDIS_URL that begins with rediss://.',
    { example: '/etc/tally/redis-ca.pem', whenEmpty: 'authorities of Node' },
  ),

  IDP_API_URL: optional(httpUrl, 'Backend API of a hosted identity provider.', {
    example: 'https://api.example.com',
    whenEmpty: 'embedded provider under /_idp',
  }),
  IDP_FRONTEND_API_URL: optional(
    httpUrl,
    'Frontend API of the hosted identity provider, which issues sessions. Required with IDP_API_URL.',
    { example: 'https://auth.example.com' },
  ),
  IDP_SECRET_KEY: optional(
    z.string().min(16, 'must have at least 16 characters'),
    'Secret key of the identity provider. Required with IDP_API_URL.',
    { example: 'sk_live_…', whenEmpty: 'generated for the embedded provider' },
  ),
  IDP_PUBLISHABLE_KEY: optional(z.string(), 'Publishable key of the identity provider, which pages contain.', {
    example: 'pk_live_…',
    whenEmpty: 'generated for the embedded provider',
  }),
  IDP_WEBHOOK_SECRET: optional(
    z.string().regex(/^whsec_[A-Za-z0-9+/=]{16,}$/, 'must look like whsec_… with a base64 part'),
    'Secret of the webhook BASE_URL/api/webhooks/identity. Without it a hosted provider cannot report ' +
      'changed e-mail addresses, deleted members and referred sign-ups.',
    { example: 'whsec_…', whenEmpty: 'generated for the embedded provider' },
  ),

  SIGN_UP: withDefault(
    z.enum(['open', 'invite', 'closed'], { error: 'must be "open", "invite" or "closed"' }),
    'open',
    'Who may create an account: everybody, holders of a link of "tally members invite", or nobody.',
    { example: 'invite' },
  ),
  SAMPLE_DATA: optional(
    onOff,
    'Whether visitors may open the portfolio of a read-only sample user. With "off" the first start creates none.',
    { example: 'off', whenEmpty: 'on with the embedded database or SAMPLE_USER_IDP_USER_ID, else off' },
  ),
  SMTP_URL: optional(
    smtpUrl,
    'Mail server for price alerts, and for links of the embedded identity provider: forgotten passwords, addresses.',
    { example: 'smtp://USER:PASSWORD@mail.example.com:587', whenEmpty: 'no mail; the operator gives links out' },
  ),
  MAIL_FROM: optional(mailSender, 'Sender of these mails. Required with SMTP_URL.', {
    example: 'Tally <no-reply@tally.example.com>',
  }),

  DEMO_ACCOUNT_IDP_USER_ID: optional(userId, 'Id of the shared demo account that sign-in links open.', {
    example: 'user_2abc…',
    whenEmpty: 'account of the first start, with the embedded provider',
  }),
  DEMO_ACCESS_OPERATOR_TOKEN: optional(
    hex32Bytes,
    'Token of the operator of sign-in links, 64 hexadecimal characters. It must differ from other tokens.',
    { example: 'output of openssl rand -hex 32', whenEmpty: 'generated for the embedded provider' },
  ),

  OPERATOR_TOKEN: optional(
    hex32Bytes,
    'Token of the page /operator for health, queue, members, keys and flags, 64 hexadecimal characters. It must differ ' +
      'from other tokens.',
    { example: 'output of openssl rand -hex 32', whenEmpty: 'no /operator' },
  ),

  PLAID_CLIENT_ID: optional(z.string(), 'Client id at Plaid, for banks. The account needs Hosted Link.', {
    example: 'client_id of the Plaid dashboard',
    whenEmpty: 'sandbox on this machine',
  }),
  PLAID_SECRET: optional(z.string(), 'Secret at Plaid. Required with PLAID_CLIENT_ID.', {
    example: 'secret of the Plaid dashboard',
  }),
  SNAPTRADE_CLIENT_ID: optional(
    z.string(),
    'Client id at SnapTrade, for brokerages. Its dashboard needs the webhook BASE_URL/api/webhooks/brokerage.',
    { example: 'TALLY-ABCDE', whenEmpty: 'sandbox on this machine' },
  ),
  SNAPTRADE_CONSUMER_KEY: optional(z.string(), 'Consumer key at SnapTrade. Required with SNAPTRADE_CLIENT_ID.', {
    example: 'consumer key of the SnapTrade dashboard',
  }),
  CONNECTIONS_KEY: optional(
    hex32Bytes,
    'Key that encrypts access to connected accounts, 64 hexadecimal characters. Required with Plaid or SnapTrade. ' +
      'If it is lost, every member must connect again.',
    { example: 'output of openssl rand -hex 32', whenEmpty: 'generated for the embedded database' },
  ),
  STRIPE_SECRET_KEY: optional(
    z.string().regex(/^[rs]k_(live|test)_\w+$/, 'must look like sk_live_… or sk_test_…'),
    'Secret key of Stripe, for payments.',
    { example: 'sk_live_…', whenEmpty: 'sandbox on this machine, no sales elsewhere' },
  ),
  STRIPE_WEBHOOK_SECRET: optional(
    z.string().regex(/^whsec_\S{8,}$/, 'must look like whsec_…'),
    'Signing secret of the webhook BASE_URL/api/webhooks/payments at Stripe. Required with STRIPE_SECRET_KEY.',
    { example: 'whsec_…' },
  ),
  FMP_API_KEY: optional(z.string(), 'Key of Financial Modeling Prep, for market data.', {
    example: 'key of the FMP dashboard',
    whenEmpty: 'sample data, unless FINNHUB_API_KEY is set',
  }),
  ANTHROPIC_API_KEY: optional(
    z.string().min(8, 'must have at least 8 characters'),
    'Key of the model that answers the questions of members.',
    { example: 'sk-ant-…', whenEmpty: 'plain reports' },
  ),
};
