import { z } from 'zod';
import {
  hex32Bytes,
  httpUrl,
  logLevels,
  onOff,
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
    'Folder of the embedded database, the local secrets and first-run.json. One running service per folder.',
  ),
  LOG_LEVEL: withDefault(
    z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }),
    'info',
    `One of ${logLevels.join(', ')}. The log goes to standard error, a JSON line each.`,
  ),
  SHUTDOWN_TIMEOUT_SECONDS: withDefault(
    wholeNumber(1, 600),
    20,
    'Time that requests under way have when the service stops. After it they are cut off and the exit code is 1.',
    'seconds',
  ),
  WORKER: withDefault(onOff, 'on', '"off" leaves background jobs to "tally worker" in a process of its own.'),
  METRICS_TOKEN: optional(
    z.string().min(16, 'must have at least 16 characters'),
    'Opens /metrics to requests that send "Authorization: Bearer <METRICS_TOKEN>". Empty: there is no /metrics.',
  ),

  DB_WORKER_URL: optional(
    postgresUrl,
    'The same database past a pooler in transaction mode, for the job worker. The service adds its login.',
  ),
  DB_REPLICA_URL: optional(
    postgresUrl,
    'A streaming standby, from which market data is read. The service adds its login.',
  ),
  DB_CONNECTIONS: withDefault(
    wholeNumber(1, 1_000),
    10,
    'Maximum of connections that a process opens for statements of members, and as many again for its own.',
    'connections',
  ),

  SAMPLE_USER_IDP_USER_ID: optional(
    userId,
    'The read-only sample portfolio user, user_…, never the demo account. The first run with the embedded provider creates one.',
  ),
  DEMO_ACCESS_RESET: withDefault(
    timeOfDay,
    '04:30',
    'When the demo account gets its sample data back each day, HH:MM in UTC, or "off". ' +
      'An account that was never reset by an operator keeps its data.',
  ),
  DEMO_ACCESS_STRICT: withDefault(
    onOff,
    'on',
    '"off" accepts sessions of the demo account that no sign-in link started.',
  ),
  DEMO_ACCESS_RATE_LIMIT: withDefault(
    wholeNumber(1, 1_000_000),
    20,
    'Requests of one address to the routes of sign-in links. IPv6 addresses of one /64 count as one.',
    'a minute',
  ),
  INTERNAL_API_TOKEN: optional(
    z.string(),
    'Token of the deployment’s other internal calls. It opens no route of sign-in links and must differ from other tokens.',
  ),
  REVENUE_OPERATOR_TOKEN: optional(
    hex32Bytes,
    'Opens the revenue report: 64 hexadecimal characters, different from other tokens. ' +
      'Empty: the report answers 404, but with the embedded database a token is generated.',
  ),

  PLAID_BASE_URL: withDefault(httpUrl, 'https://production.plaid.com', 'API of Plaid.'),
  SNAPTRADE_BASE_URL: withDefault(httpUrl, 'https://api.snaptrade.com', 'API of SnapTrade.'),
  CONNECTIONS_KEY_PREVIOUS: optional(
    hex32Bytes,
    'The key before CONNECTIONS_KEY, until "tally connections rotate-keys" has run.',
  ),
  SANDBOX: withDefault(
    onOff,
    'off',
    '"on" offers test banks, brokerages and payments on a public address too, to everybody who reaches it.',
  ),

  FMP_CALLS_PER_MINUTE: withDefault(
    wholeNumber(1, 1_000_000),
    300,
    'Calls that the plan at Financial Modeling Prep allows.',
    'a minute',
  ),
  FMP_CALLS_PER_DAY: optional(
    wholeNumber(1, 100_000_000),
    'Calls that the plan at Financial Modeling Prep allows (a free key: 250). Empty: no limit.',
    'a day',
  ),
  FINNHUB_API_KEY: optional(z.string(), 'Key of Finnhub, instead of or beside FMP_API_KEY.'),
  FINNHUB_CALLS_PER_MINUTE: withDefault(
    wholeNumber(1, 1_000_000),
    60,
    'Calls that the plan at Finnhub allows.',
    'a minute',
  ),

  ANTHROPIC_BASE_URL: withDefault(httpUrl, 'https://api.anthropic.com', 'API of the model.'),
  ASSISTANT_MODEL: withDefault(
    z.string().regex(/^[\w.:-]{1,100}$/, 'must be the id of a model'),
    'claude-sonnet-5-5',
    'Model that answers questions.',
  ),
  ASSISTANT_DAILY_ANSWERS: withDefault(wholeNumber(1, 1_000_000), 30, 'Answers of one member.', 'a day (UTC)'),
  ASSISTANT_DAILY_TOKENS: withDefault(
    wholeNumber(1_000, 1_000_000_000),
    400_000,
    'Tokens of one member, read and written.',
    'a day (UTC)',
  ),
  ASSISTANT_DAILY_TOKENS_OF_ALL: withDefault(
    wholeNumber(1_000, 1_000_000_000_000),
    10_000_000,
    'Tokens of all members together.',
    'a day (UTC)',
  ),

  TOKEN_COUNT_RATE_LIMITS: withDefault(
    tierRates,
    '100,2000,4000,8000',
    'Token-counting requests of an organisation in usage tiers 1 to 4, or "off".',
    'a minute',
  ),
  TOKEN_COUNT_FETCH_URLS: withDefault(
    onOff,
    'on',
    'Whether images and PDFs named by URL are fetched to be counted. "off" answers such requests with 400.',
  ),
  API_RATE_LIMIT: withDefault(wholeNumber(1, 1_000_000), 300, 'Requests of one member to /api.', 'a minute'),
  REFERRAL_RATE_LIMITS: withDefault(
    referralRates,
    '10,30,600',
    'Calls of the open referral routes for one identifier, from one address, and to one process in all, or "off".',
    'a minute',
  ),

  POSTHOG_API_KEY: optional(
    z.string(),
    'Project key of PostHog, to which captured events are forwarded. Empty: they stay in the database.',
  ),
  POSTHOG_URL: withDefault(httpUrl, 'https://us.i.posthog.com', 'Address of the region at PostHog.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    httpUrl,
    'OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318. Empty: no traces.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(otelHeaders, 'Headers for the collector, name=value,name=value.'),
};
