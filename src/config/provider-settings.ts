import { type Config, LOOPBACK } from './load-config.ts';

/** Returns whether simulated banks, brokerages and payments are offered: on a loopback address, or with SANDBOX=on. */
export const isSandboxAllowed = ({ SANDBOX, HOST }: Pick<Config, 'SANDBOX' | 'HOST'>, baseUrl: string): boolean =>
  SANDBOX || (LOOPBACK.test(HOST) && LOOPBACK.test(new URL(baseUrl).hostname));

/** Secrets that the first start generated for missing settings. */
interface GeneratedSecrets {
  idp_secret_key: string;
  idp_publishable_key: string;
  idp_webhook_secret: string;
  demo_access_operator_token: string;
  revenue_operator_token?: string | undefined;
  connections_key?: string | undefined;
}

/** Returns the settings of the identity provider. `hosted` is absent if the embedded one runs. */
export const getIdentitySettings = (config: Config, generated: GeneratedSecrets) => ({
  hosted: config.IDP_API_URL ? { apiUrl: config.IDP_API_URL, frontendApiUrl: config.IDP_FRONTEND_API_URL! } : undefined,
  secretKey: config.IDP_SECRET_KEY ?? generated.idp_secret_key,
  publishableKey: config.IDP_PUBLISHABLE_KEY ?? generated.idp_publishable_key,
  webhookSecret: config.IDP_WEBHOOK_SECRET ?? (config.IDP_API_URL ? undefined : generated.idp_webhook_secret),
  accounts: {
    demoAccountId: config.DEMO_ACCOUNT_IDP_USER_ID,
    sampleUserId: config.SAMPLE_USER_IDP_USER_ID,
    hidesSample: !(config.SAMPLE_DATA ?? (!config.DB_URL || config.SAMPLE_USER_IDP_USER_ID !== undefined)),
  },
});

/** Returns the mail server, if one is configured. Only on this machine, or with `?tls=off`, may it lack encryption. */
export const getMailSettings = ({ SMTP_URL: url, MAIL_FROM: from }: Config) =>
  url && from
    ? { url, from, requiresTls: !LOOPBACK.test(new URL(url).hostname) && !url.endsWith('?tls=off') }
    : undefined;

/** Returns the operator token of sign-in links. A generated token is used with the embedded identity provider. */
export const getDemoOperatorToken = (config: Config, generated: GeneratedSecrets): string | undefined =>
  config.DEMO_ACCESS_OPERATOR_TOKEN ?? (config.IDP_API_URL ? undefined : generated.demo_access_operator_token);

/** Returns the token of the revenue report. A generated token is used with the embedded database. */
export const getRevenueToken = (
  config: Config,
  generated: Pick<GeneratedSecrets, 'revenue_operator_token'>,
): string | undefined =>
  config.REVENUE_OPERATOR_TOKEN ?? (config.DB_URL ? undefined : generated.revenue_operator_token);

/**
 * Returns the keys that encrypt credentials of connected accounts. A generated key is used with the embedded database.
 * `isPreviousLost` deletes stored credentials that they do not decrypt.
 */
export const getConnectionKeys = (config: Config, generated: Pick<GeneratedSecrets, 'connections_key'>) => {
  const current = config.CONNECTIONS_KEY ?? (config.DB_URL ? undefined : generated.connections_key);
  const isPreviousLost = config.CONNECTIONS_KEY_PREVIOUS === 'lost';
  const previous = isPreviousLost ? undefined : config.CONNECTIONS_KEY_PREVIOUS;
  return current ? { current, previous, isPreviousLost } : undefined;
};

/** Addresses that tests use instead of the market-data providers. */
export interface MarketUrls {
  fmp?: string;
  finnhub?: string;
  ecb?: string;
}

/** Returns the market-data providers that have a key. */
export const getMarketProviders = (config: Config, urls: MarketUrls = {}) => ({
  fmp: config.FMP_API_KEY
    ? {
        key: config.FMP_API_KEY,
        baseUrl: urls.fmp,
        callsPerMinute: config.FMP_CALLS_PER_MINUTE,
        callsPerDay: config.FMP_CALLS_PER_DAY,
      }
    : undefined,
  finnhub: config.FINNHUB_API_KEY
    ? { key: config.FINNHUB_API_KEY, baseUrl: urls.finnhub, callsPerMinute: config.FINNHUB_CALLS_PER_MINUTE }
    : undefined,
});

/** Returns the address of the European Central Bank's rates, or undefined for sample rates. */
export const getEcbSettings = ({ EXCHANGE_RATES: source }: Config, urls: MarketUrls = {}) =>
  source === 'ecb' ? { baseUrl: urls.ecb } : undefined;

/** Returns the settings of Plaid, if it has keys. */
export const getPlaidSettings = ({
  PLAID_CLIENT_ID: clientId,
  PLAID_SECRET: secret,
  PLAID_BASE_URL: baseUrl,
}: Config) => (clientId && secret ? { clientId, secret, baseUrl } : undefined);

/** Returns the settings of SnapTrade, if it has keys. */
export const getSnaptradeSettings = (config: Config) =>
  config.SNAPTRADE_CLIENT_ID && config.SNAPTRADE_CONSUMER_KEY
    ? {
        clientId: config.SNAPTRADE_CLIENT_ID,
        secret: config.SNAPTRADE_CONSUMER_KEY,
        baseUrl: config.SNAPTRADE_BASE_URL,
      }
    : undefined;

/** Returns the settings of Stripe, if it has keys. */
export const getStripeSettings = ({ STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret }: Config) =>
  secretKey && webhookSecret
    ? {
        secretKey: async () => secretKey,
        webhookSecret: async () => webhookSecret,
        livemode: /^[rs]k_live_/.test(secretKey),
        isTest: false,
      }
    : undefined;

/** Returns the analytics service that captured events are forwarded to, if one is configured. */
export const getAnalyticsSettings = ({ POSTHOG_API_KEY: apiKey, POSTHOG_URL: host }: Config) =>
  apiKey ? { apiKey, host } : undefined;

/** Returns the collector that traces are sent to, if one is configured. */
export const getTracingSettings = (config: Config) =>
  config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? undefined
    : {
        endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
      };

/** Returns the model of the assistant and its daily limits. */
export const getAssistantSettings = (config: Config) => ({
  model: { apiKey: config.ANTHROPIC_API_KEY, baseUrl: config.ANTHROPIC_BASE_URL, model: config.ASSISTANT_MODEL },
  limits: {
    answers: config.ASSISTANT_DAILY_ANSWERS,
    tokens: config.ASSISTANT_DAILY_TOKENS,
    installationTokens: config.ASSISTANT_DAILY_TOKENS_TOTAL,
  },
});
