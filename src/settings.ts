import { isIP } from 'node:net';
import { z } from 'zod';

/** A setting without a default, for which an empty value means "not set". The documentation shows `does` and `unit`. */
const optional = <T extends z.ZodType>(schema: T, does: string, unit?: string) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).meta({ does, unit });
/** A setting that has the default `value` when it is empty or not set. */
const withDefault = <T extends z.ZodType>(schema: T, value: z.input<T>, does: string, unit?: string) =>
  z
    .preprocess((given) => (given === '' || given === undefined ? value : given), schema)
    .meta({ does, unit, default: String(value) });

const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number({ error: `must be a whole number from ${min} to ${max}` })
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);
/** The URL of a socket has no host after the @, which URL.canParse would refuse. */
const postgresUrl = z
  .string()
  .refine(
    (url) => /^postgres(ql)?:\/\/./.test(url) && URL.canParse(url.replace('@/', '@socket/')),
    'must be a PostgreSQL URL such as postgres://user:password@host:5432/name',
  );
const httpUrl = z
  .string()
  .refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), 'must be an http or https URL')
  .transform((url) => url.replace(/\/+$/, ''));
/** Without a path, since pages, cookies and links use the root of the host. */
const baseUrl = httpUrl.refine(
  (url) => new URL(url).href === `${new URL(url).origin}/`,
  'must have nothing behind the host and port, such as https://tally.example.com: the service stands at the root',
);
/** Digits and dots are not accepted as a host name, since the look-up of a mistyped address takes seconds to fail. */
const host = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || (/^[a-z0-9.-]+$/i.test(text) && !/^[\d.]+$/.test(text)),
    'must be an address of this machine such as 127.0.0.1, 0.0.0.0 or ::, or its name',
  );
const userId = z.string().regex(/^user_[A-Za-z0-9]+$/, 'must be a user id such as user_2abc…');
const hex32Bytes = z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal characters (32 random bytes)');
const onOff = z.enum(['on', 'off'], { error: 'must be "on" or "off"' }).transform((value) => value === 'on');

/** "off" becomes `undefined`. */
const timeOfDay = z
  .string()
  .regex(/^(off|([01]\d|2[0-3]):[0-5]\d)$/, 'must be a time of the day in UTC such as 04:30, or "off"')
  .transform((text) => (text === 'off' ? undefined : text));

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

const proxies = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine(
    (parts) => parts.every(isAddressOrNetwork),
    'must be addresses or networks separated by commas, such as 10.0.0.1,192.168.0.0/16',
  );

function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** A setting that `read` converts, and that is wrong when `read` returns null. */
const parsed = <T>(read: (text: string) => T | null, message: string) =>
  z.string().transform((text, context) => {
    const value = read(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
const numbersIn = (text: string): number[] => text.split(',').map((part) => Number(part.trim()));

const tierRates = parsed((text) => {
  if (text === 'off') return 'off' as const;
  const limits = numbersIn(text);
  const areValid = limits.every((limit) => Number.isInteger(limit) && limit >= 1 && limit <= 1_000_000);
  return areValid && limits.length === 4 ? (limits as [number, number, number, number]) : null;
}, 'must be four whole numbers a minute such as 100,2000,4000,8000 (for usage tiers 1 to 4), or "off"');

/** "off" becomes `undefined`. The third number may be left out. */
const referralRates = parsed((text) => {
  if (text === 'off') return undefined;
  const [perIdentifier = 0, perAddress = 0, inAll = 600, ...more] = numbersIn(text);
  const isValid = (limit: number): boolean => Number.isInteger(limit) && limit >= 1 && limit <= 10_000;
  if (more.length > 0 || ![perIdentifier, perAddress, inAll].every(isValid)) return null;
  return { perIdentifier, perAddress, inAll };
}, 'must be whole numbers a minute up to 10000 such as 10,30,600 (per identifier, per address, in all), or "off"');

/** `name=value,name=value` with percent-encoded values, as OpenTelemetry specifies it. */
const otelHeaders = parsed((text) => {
  const pairs = text.split(',').map((part) => /^\s*([\w-]+)\s*=\s*((?:[^\s%]|%[\da-f]{2})+)\s*$/i.exec(part));
  if (!pairs.every((pair) => pair !== null)) return null;
  return Object.fromEntries(pairs.map(([, name, value]) => [name!.toLowerCase(), decodeURIComponent(value!)]));
}, 'must look like name=value,name=value');
const redisUrl = z
  .string()
  .refine((url) => /^rediss?:\/\//.test(url) && URL.canParse(url), 'must be a Redis URL such as redis://host:6379');

/** These must differ, so that a leaked token opens nothing else. */
const distinctTokens = [
  'DEMO_ACCESS_OPERATOR_TOKEN',
  'INTERNAL_API_TOKEN',
  'METRICS_TOKEN',
  'REVENUE_OPERATOR_TOKEN',
] as const;

const BOTH = 'one is worth nothing without the other';
const ENCRYPTED = 'access to accounts is encrypted with it';

/** Settings that are required as soon as one of others is set. The message names the first of those. */
const requirements: readonly { whenSet: readonly SettingName[]; required: SettingName; reason: string }[] = [
  { whenSet: ['DB_REPLICA_URL'], required: 'DB_URL', reason: 'the embedded database has no replica' },
  { whenSet: ['DB_URL'], required: 'DB_SERVICE_ROLE_KEY', reason: 'it is the password of the service login' },
  { whenSet: ['PLAID_SECRET'], required: 'PLAID_CLIENT_ID', reason: BOTH },
  { whenSet: ['PLAID_CLIENT_ID'], required: 'PLAID_SECRET', reason: BOTH },
  { whenSet: ['PLAID_CLIENT_ID', 'PLAID_SECRET'], required: 'CONNECTIONS_KEY', reason: ENCRYPTED },
  { whenSet: ['SNAPTRADE_CONSUMER_KEY'], required: 'SNAPTRADE_CLIENT_ID', reason: BOTH },
  { whenSet: ['SNAPTRADE_CLIENT_ID'], required: 'SNAPTRADE_CONSUMER_KEY', reason: BOTH },
  { whenSet: ['SNAPTRADE_CLIENT_ID', 'SNAPTRADE_CONSUMER_KEY'], required: 'CONNECTIONS_KEY', reason: ENCRYPTED },
  { whenSet: ['STRIPE_SECRET_KEY'], required: 'STRIPE_WEBHOOK_SECRET', reason: BOTH },
  { whenSet: ['STRIPE_WEBHOOK_SECRET'], required: 'STRIPE_SECRET_KEY', reason: BOTH },
  { whenSet: ['CONNECTIONS_KEY_PREVIOUS'], required: 'CONNECTIONS_KEY', reason: 'it takes the place of that one' },
  { whenSet: ['IDP_API_URL'], required: 'IDP_SECRET_KEY', reason: 'the hosted provider asks for it' },
  { whenSet: ['IDP_API_URL'], required: 'IDP_FRONTEND_API_URL', reason: 'sessions are issued under it' },
];

/** Settings that a deployment chooses, which `.env.example` lists. */
const basic = {
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

/** Settings that few deployments change. */
const advanced = {
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

type SettingName = keyof typeof basic | keyof typeof advanced;

/** Every setting of the service. */
export const settings = z.object({ ...basic, ...advanced }).superRefine(
  (config, context) => {
    const wrong = new Set(context.issues.map(({ path }) => path?.[0]));
    const isSet = (name: SettingName): boolean => Boolean(config[name]) && !wrong.has(name);
    const addProblem = (name: SettingName, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    const requireSetting = (name: SettingName, because: string) => {
      if (config[name] === undefined && !wrong.has(name)) addProblem(name, `must be set when ${because}`);
    };
    for (const [index, name] of distinctTokens.entries()) {
      const same = distinctTokens.slice(0, index).find((other) => isSet(name) && config[name] === config[other]);
      if (same) addProblem(name, `must have another value than ${same}`);
    }
    for (const { whenSet, required, reason } of requirements)
      if (whenSet.some(isSet)) requireSetting(required, `${whenSet[0]} is: ${reason}`);
    if (isSet('SANDBOX') && isSet('DB_URL'))
      requireSetting('CONNECTIONS_KEY', `DB_URL is: with SANDBOX=on, ${ENCRYPTED}`);
  },
  // Runs even when single settings are wrong, so that one message names all problems.
  { when: () => true },
);

/** Name, default, unit and meaning of every setting, for the documentation. Those of `.env.example` come first. */
export const settingDocs = Object.entries({ ...basic, ...advanced }).map(([name, schema]) => ({
  name,
  advanced: name in advanced,
  ...(schema.meta() as { does: string; unit?: string; default?: string }),
}));

/** Settings of earlier versions that have no effect any more, and what applies instead. */
export const retiredSettings: Readonly<Record<string, string>> = {
  REQUEST_TIMEOUT_SECONDS: 'a request may take 60 seconds to arrive',
  SHUTDOWN_DRAIN_SECONDS: 'a server with TRUSTED_PROXIES goes on serving for 2 seconds',
  DB_PREPARED_STATEMENTS: 'the service finds out whether DB_URL keeps prepared statements',
  DB_REPLICA_MAX_LAG_SECONDS: 'a replica that is 10 seconds behind is not read',
  DB_MEMBER_CONNECTIONS: 'DB_CONNECTIONS took its place',
  DB_SERVICE_CONNECTIONS: 'DB_CONNECTIONS took its place',
  DB_REQUEST_TIMEOUT_SECONDS: 'a statement of a request is given up after 15 seconds',
  IDP_INSTANCE_ID: 'events of every instance that signs with IDP_WEBHOOK_SECRET count',
  REFERRAL_SHOWS_IDENTIFIER: 'validate-referrer answers with the identifier of the referrer',
  FMP_BASE_URL: 'the provider is asked at its own address',
  FINNHUB_BASE_URL: 'the provider is asked at its own address',
  FINNHUB_CALLS_PER_DAY: 'Finnhub has no limit a day',
  ANALYTICS_KEPT_DAYS: 'captured events are kept for 400 days',
  ASSISTANT_SQL_SECONDS: 'SQL of a member may take 10 seconds in any minute',
  TOKEN_COUNT_WORKERS: 'two threads count large requests',
  METRICS_PORT: 'read /metrics on PORT with METRICS_TOKEN',
  OTEL_SERVICE_NAME: 'traces carry the service name "tally"',
  OTEL_TRACES_SAMPLER_ARG: 'every trace is sent that the caller has not dropped; let the collector sample',
};
