import { z } from 'zod';
import {
  baseUrl,
  hex32Bytes,
  host,
  httpUrl,
  optional,
  postgresUrl,
  proxies,
  redisUrl,
  userId,
  wholeNumber,
  withDefault,
} from './setting-types.ts';

/** Settings that a deployment chooses, which `.env.example` lists. */
export const core = {
  HOST: withDefault(host, '127.0.0.1', 'Address to listen on. 0.0.0.0 serves other machines too.'),
  PORT: withDefault(wholeNumber(0, 65_535), 3000, 'Port to listen on. 0 takes a free one.'),
  BASE_URL: optional(
    baseUrl,
    'Address that people and links use, without a path. Empty: http://HOST:PORT. https switches HSTS on.',
  ),
  TRUSTED_PROXIES: withDefault(
    proxies,
    '',
    'Addresses or networks of proxies whose x-forwarded-for is believed, separated by commas. Empty: none.',
  ),

  DB_URL: optional(
    postgresUrl,
    'PostgreSQL URL of the login "authenticator", which may only become "anon" or "authenticated". ' +
      'Empty: an embedded PostgreSQL in DATA_DIR.',
  ),
  DB_SERVICE_ROLE_KEY: optional(
    z.string(),
    'Password of the login that may become "service_role". Needed with DB_URL.',
  ),
  DB_ASSISTANT_KEY: optional(
    z.string(),
    'Password of the login "assistant_authenticator", which runs SQL that members write. Empty with DB_URL: no such SQL.',
  ),
  DB_OWNER_URL: optional(
    postgresUrl,
    'PostgreSQL URL of the owner, for migrations only (tally migrate). No serving process needs it.',
  ),
  REDIS_URL: optional(
    redisUrl,
    'Redis in which several processes count limits together, redis://host:6379. ' +
      'Empty, or while Redis cannot be reached: each process counts by itself.',
  ),

  IDP_API_URL: optional(httpUrl, 'Backend API of the identity provider. Empty: the embedded provider under /_idp.'),
  IDP_FRONTEND_API_URL: optional(
    httpUrl,
    'Frontend API of the identity provider, under which sessions are issued. Needed with IDP_API_URL.',
  ),
  IDP_SECRET_KEY: optional(
    z.string().min(16, 'must have at least 16 characters'),
    'Secret key of the identity provider. Needed with IDP_API_URL.',
  ),
  IDP_PUBLISHABLE_KEY: optional(z.string(), 'Publishable key of the identity provider, which pages contain.'),
  IDP_WEBHOOK_SECRET: optional(
    z.string().regex(/^whsec_[A-Za-z0-9+/=]{16,}$/, 'must look like whsec_… with a base64 part'),
    'Secret that signs webhooks of the identity provider, whsec_…. Without it changed e-mail addresses and deleted members ' +
      'are not noticed, and sign-ups by referral only when the provider is asked.',
  ),

  DEMO_ACCOUNT_IDP_USER_ID: optional(userId, 'The shared demo account that sign-in links open, user_….'),
  DEMO_ACCESS_OPERATOR_TOKEN: optional(
    hex32Bytes,
    'Token of the operator of sign-in links: 32 random bytes as 64 hexadecimal characters, different from other tokens.',
  ),

  PLAID_CLIENT_ID: optional(z.string(), 'Client id of Plaid (banks). The account needs Hosted Link.'),
  PLAID_SECRET: optional(z.string(), 'Secret of Plaid.'),
  SNAPTRADE_CLIENT_ID: optional(
    z.string(),
    'Client id of SnapTrade (brokerages). Set BASE_URL + /api/webhooks/brokerage as webhook address in its dashboard.',
  ),
  SNAPTRADE_CONSUMER_KEY: optional(z.string(), 'Consumer key of SnapTrade.'),
  CONNECTIONS_KEY: optional(
    hex32Bytes,
    'Encrypts access to connected accounts: 32 random bytes as 64 hexadecimal characters. Needed with Plaid or SnapTrade. ' +
      'If it is lost, every member has to connect again.',
  ),
  STRIPE_SECRET_KEY: optional(
    z.string().regex(/^[rs]k_(live|test)_\w+$/, 'must look like sk_live_… or sk_test_…'),
    'Secret key of Stripe. Empty: a test page on this machine, elsewhere nothing is sold.',
  ),
  STRIPE_WEBHOOK_SECRET: optional(
    z.string().regex(/^whsec_\S{8,}$/, 'must look like whsec_…'),
    'Signing secret of the webhook endpoint at Stripe, BASE_URL + /api/webhooks/payments.',
  ),
  FMP_API_KEY: optional(
    z.string(),
    'Key of Financial Modeling Prep. Without this and FINNHUB_API_KEY, prices are sample data and marked as such.',
  ),
  ANTHROPIC_API_KEY: optional(
    z.string().min(8, 'must have at least 8 characters'),
    'Key of the model that answers questions. Empty: members get plain reports.',
  ),
};
