import { randomBytes } from 'node:crypto';
import { settings } from '../../src/config/settings.ts';

const createHexSecret = (): string => randomBytes(32).toString('hex');
export const createWordSecret = (name: string): string => `${name}${randomBytes(12).toString('hex')}`;

/** A unique value for each secret setting. */
export const SECRETS = {
  IDP_SECRET_KEY: createWordSecret('sk_live_'),
  IDP_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
  DEMO_ACCESS_OPERATOR_TOKEN: createHexSecret(),
  OPERATOR_TOKEN: createHexSecret(),
  INTERNAL_API_TOKEN: createHexSecret(),
  PLAID_SECRET: createWordSecret('plaid'),
  STRIPE_SECRET_KEY: createWordSecret('sk_test_'),
  STRIPE_WEBHOOK_SECRET: createWordSecret('whsec_'),
  REVENUE_OPERATOR_TOKEN: createHexSecret(),
  SNAPTRADE_CONSUMER_KEY: createWordSecret('snaptrade'),
  CONNECTIONS_KEY: createHexSecret(),
  CONNECTIONS_KEY_PREVIOUS: createHexSecret(),
  FMP_API_KEY: createWordSecret('fmp'),
  FINNHUB_API_KEY: createWordSecret('finnhub'),
  POSTHOG_API_KEY: createWordSecret('phc_'),
  ANTHROPIC_API_KEY: createWordSecret('sk-ant-'),
  OTEL_EXPORTER_OTLP_HEADERS: `x-key=${createWordSecret('otel')}`,
  METRICS_TOKEN: createHexSecret(),
  // No mail server listens there, so that every mail fails and is logged.
  SMTP_URL: `smtp://tally:${createWordSecret('smtp')}@127.0.0.1:1`,
} as const;

/** Settings with the name or the form of a secret that are tested elsewhere, or that are no secrets. */
export const OTHERS: Readonly<Record<string, string>> = {
  DB_URL: "the test database's own, looked for in the walk",
  DB_SERVICE_ROLE_KEY: 'the same',
  DB_ASSISTANT_KEY: 'the same',
  DB_OWNER_URL: 'only of "tally migrate" and "tally restore"',
  DB_WORKER_URL: 'the login of DB_URL',
  DB_REPLICA_URL: 'the login of DB_URL',
  REDIS_URL: 'the walk has no Redis',
  MAIL_FROM: 'an address',
  IDP_PUBLISHABLE_KEY: 'public',
  ASSISTANT_DAILY_TOKENS: 'a number',
  ASSISTANT_DAILY_TOKENS_TOTAL: 'a number',
  TOKEN_COUNT_RATE_LIMITS: 'numbers',
  TOKEN_COUNT_FETCH_URLS: 'on or off',
  TOKEN_COUNT_BROWSER_ACCESS: 'on or off',
};

/** Returns the part of each secret that nothing but it contains. */
export const listSecretValues = (): string[] =>
  Object.values(SECRETS).map((value) => value.replace(/^(x-key=|whsec_|smtp:\/\/tally:)/, '').replace(/@127.*$/, ''));

const URLS_WITH_PASSWORD = [
  'postgres://user:password@db/name',
  'redis://user:password@db:6379',
  'smtp://user:password@mail.example.com:587',
];

/** Returns the settings whose name is that of a secret, and those that accept a URL with a password. */
export function listSecretSettings(): string[] {
  return Object.entries(settings.shape)
    .filter(([name, schema]) => {
      const isAnyText = schema.safeParse('words that are no URL').success;
      const holdsPassword = !isAnyText && URLS_WITH_PASSWORD.some((url) => schema.safeParse(url).success);
      return holdsPassword || /KEY|SECRET|TOKEN|PASSWORD|HEADERS/.test(name);
    })
    .map(([name]) => name);
}
