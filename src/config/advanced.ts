import { z } from 'zod';
import {
  hex32Bytes,
  hex32BytesOrLost,
  httpUrl,
  logLevels,
  onOff,
  nodeAddresses,
  optional,
  otelHeaders,
  postgresUrl,
  referralRates,
  tierRates,
  timeOfDay,
  userId,
  wholeNumber,
  withDefault,
} from './setting-types.ts';

/** Settings that few deployments change. */
export const advanced = {
  DATA_DIR: withDefault(
    z.string(),
    './data',
    'Folder of the embedded database, the generated secrets and first-run.json. Only one service may use it.',
    { example: '/var/lib/tally' },
  ),
  LOG_LEVEL: withDefault(
    z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }),
    'info',
    `Detail of the log: ${logLevels.join(', ')}. The log is JSON lines on standard error.`,
    { example: 'warn' },
  ),
  SHUTDOWN_TIMEOUT_SECONDS: withDefault(
    wholeNumber(1, 600),
    20,
    'Time for requests in progress when the service stops. After it they are cut off and the exit code is 1. ' +
      'Longer ones also need a longer stop_grace_period (Compose, 30 s), TimeoutStopSec (systemd, 40 s) or ' +
      'terminationGracePeriodSeconds (Kubernetes, 35 s).',
    { unit: 'seconds', example: '30' },
  ),
  WORKER: withDefault(onOff, 'on', 'Whether this process runs background jobs. With "off", run "tally worker".', {
    example: 'off',
  }),
  METRICS_TOKEN: optional(
    z.string().min(16, 'must have at least 16 characters'),
    'Token of at least 16 characters that opens /metrics to requests with "Authorization: Bearer <METRICS_TOKEN>".',
    { example: 'output of openssl rand -hex 32', whenEmpty: 'no /metrics' },
  ),
  WORKER_PORT: optional(
    wholeNumber(1, 65_535),
    'Port on HOST at which "tally worker" serves /healthz, /readyz and, with METRICS_TOKEN, /metrics.',
    { example: '3001', whenEmpty: 'none' },
  ),

  DB_WORKER_URL: optional(
    postgresUrl,
    'The database of DB_URL without the transaction pooler, for the worker. The service adds its login.',
    { example: 'postgres://db.internal:5432/tally', whenEmpty: 'DB_URL' },
  ),
  DB_REPLICA_URL: optional(
    postgresUrl,
    'A streaming standby, from which market data is read. The service adds its login.',
    { example: 'postgres://standby.internal:5432/tally', whenEmpty: 'DB_URL' },
  ),
  DB_READ_NODES: optional(
    nodeAddresses,
    "Workers of a Citus cluster that answer reads of members' rows, as host:port separated by commas.",
    { example: 'worker-1:5432,worker-2:5432', whenEmpty: 'the coordinator answers them' },
  ),
  DB_CONNECTIONS: withDefault(
    wholeNumber(1, 1_000),
    10,
    'Maximum connections of a process for statements of members, and again for statements of the service.',
    { unit: 'connections', example: '5' },
  ),

  SAMPLE_USER_IDP_USER_ID: optional(
    userId,
    'Id of the read-only sample user, whose portfolio every visitor may open. It must not be the demo account.',
    {
      example: 'user_2def…',
      whenEmpty: 'user of the first start, with the embedded provider',
    },
  ),
  DEMO_ACCESS_RESET: withDefault(
    timeOfDay,
    '04:30',
    'Time of the daily reset of the demo account, or "off". An account that was never reset by hand is skipped.',
    { unit: 'HH:MM in UTC', example: 'off' },
  ),
  DEMO_ACCESS_STRICT: withDefault(
    onOff,
    'on',
    'Whether sessions of the demo account that no sign-in link started are rejected.',
    { example: 'off' },
  ),
  DEMO_ACCESS_RATE_LIMIT: withDefault(
    wholeNumber(1, 1_000_000),
    20,
    'Maximum requests from one address to the routes of sign-in links, and again to open the sample portfolio. An IPv6 ' +
      '/64 counts as one address.',
    { unit: 'requests a minute', example: '60' },
  ),
  INTERNAL_API_TOKEN: optional(
    z.string(),
    'Token of other internal services of the deployment. It opens no route of Tally, and must differ from other tokens.',
    { example: 'output of openssl rand -hex 32' },
  ),
  REVENUE_OPERATOR_TOKEN: optional(
    hex32Bytes,
    'Token that opens the revenue report, 64 hexadecimal characters. It must differ from other tokens.',
    { example: 'output of openssl rand -hex 32', whenEmpty: 'generated for the embedded database, else no report' },
  ),

  PLAID_BASE_URL: withDefault(httpUrl, 'https://production.plaid.com', 'API of Plaid.', {
    example: 'https://sandbox.plaid.com',
  }),
  SNAPTRADE_BASE_URL: withDefault(httpUrl, 'https://api.snaptrade.com', 'API of SnapTrade.', {
    example: 'https://api.snaptrade.com',
  }),
  CONNECTIONS_KEY_PREVIOUS: optional(
    hex32BytesOrLost,
    'The previous CONNECTIONS_KEY, until "tally connections rotate-keys" has run, or "lost" for one start if nobody has it.',
    { example: 'the old CONNECTIONS_KEY' },
  ),
  SANDBOX: withDefault(
    onOff,
    'off',
    'Whether a public address offers sandbox banks, brokerages and payments, to everybody who reaches it.',
    { example: 'on' },
  ),

  FMP_CALLS_PER_MINUTE: withDefault(
    wholeNumber(1, 1_000_000),
    300,
    'Maximum calls of your plan at Financial Modeling Prep.',
    { unit: 'calls a minute', example: '750' },
  ),
  FMP_CALLS_PER_DAY: optional(
    wholeNumber(1, 100_000_000),
    'Maximum calls of your plan at Financial Modeling Prep. A free key has 250.',
    { unit: 'calls a day', example: '250', whenEmpty: 'no limit' },
  ),
  FINNHUB_API_KEY: optional(z.string(), 'Key of Finnhub, instead of or beside FMP_API_KEY.', {
    example: 'key of the Finnhub dashboard',
  }),
  FINNHUB_CALLS_PER_MINUTE: withDefault(wholeNumber(1, 1_000_000), 60, 'Maximum calls of your plan at Finnhub.', {
    unit: 'calls a minute',
    example: '300',
  }),
  EXCHANGE_RATES: withDefault(
    z.enum(['ecb', 'sandbox'], { error: 'must be "ecb" or "sandbox"' }),
    'sandbox',
    'Source of exchange rates: "ecb", the daily reference rates of the European Central Bank, or "sandbox", sample rates.',
    { example: 'ecb' },
  ),

  ANTHROPIC_BASE_URL: withDefault(httpUrl, 'https://api.anthropic.com', 'API of the model.', {
    example: 'https://models.example.com',
  }),
  ASSISTANT_MODEL: withDefault(
    z.string().regex(/^[\w.:-]{1,100}$/, 'must be the id of a model'),
    'claude-sonnet-5-5',
    'Model that answers the questions of members.',
    { example: 'claude-haiku-5-5' },
  ),
  ASSISTANT_DAILY_ANSWERS: withDefault(wholeNumber(1, 1_000_000), 30, 'Maximum answers of one member.', {
    unit: 'answers a day (UTC)',
    example: '100',
  }),
  ASSISTANT_DAILY_TOKENS: withDefault(
    wholeNumber(1_000, 1_000_000_000),
    400_000,
    'Maximum tokens of one member, input and output.',
    { unit: 'tokens a day (UTC)', example: '1000000' },
  ),
  ASSISTANT_DAILY_TOKENS_TOTAL: withDefault(
    wholeNumber(1_000, 1_000_000_000_000),
    10_000_000,
    'Maximum tokens of all members together.',
    { unit: 'tokens a day (UTC)', example: '50000000' },
  ),

  TOKEN_COUNT_RATE_LIMITS: withDefault(
    tierRates,
    '100,2000,4000,8000',
    'Maximum counting requests of an organization in usage tiers 1 to 4, or "off".',
    { unit: 'requests a minute', example: 'off' },
  ),
  TOKEN_COUNT_FETCH_URLS: withDefault(
    onOff,
    'on',
    'Whether images and PDFs named by URL are fetched. With "off" such requests return 400.',
    { example: 'off' },
  ),
  TOKEN_COUNT_BROWSER_ACCESS: withDefault(
    onOff,
    'on',
    'Whether pages of other origins may call /v1 with a key. With "off" such requests return 401.',
    { example: 'off' },
  ),
  API_RATE_LIMIT: withDefault(wholeNumber(1, 1_000_000), 300, 'Maximum requests of one member to /api.', {
    unit: 'requests a minute',
    example: '600',
  }),
  REFERRAL_RATE_LIMITS: withDefault(
    referralRates,
    '10,30,600',
    'Maximum calls of the open referral routes for one identifier, from one address and for one process, or "off".',
    { unit: 'calls a minute', example: '20,60,1200' },
  ),

  POSTHOG_API_KEY: optional(z.string(), 'Project key of PostHog, to which captured events are forwarded.', {
    example: 'phc_…',
    whenEmpty: 'events stay in the database',
  }),
  POSTHOG_URL: withDefault(httpUrl, 'https://us.i.posthog.com', 'Address of your region at PostHog.', {
    example: 'https://eu.i.posthog.com',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(httpUrl, 'OpenTelemetry collector for traces, over OTLP/HTTP.', {
    example: 'http://127.0.0.1:4318',
    whenEmpty: 'no traces',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    otelHeaders,
    'Headers for the collector, as name=value pairs separated by commas.',
    { example: 'api-key=secret' },
  ),
};
