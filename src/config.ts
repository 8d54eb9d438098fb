import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseEnv } from 'node:util';
import { z } from 'zod';

/** An empty value means "not set". */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
const withDefault = <T extends z.ZodType>(schema: T, value: z.input<T>) =>
  z.preprocess((given) => (given === '' || given === undefined ? value : given), schema);

const whole = (min: number, max: number) =>
  z.coerce
    .number({ error: `must be a whole number from ${min} to ${max}` })
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);
/** A socket's URL has no host behind the @, which the WHATWG parser would refuse. */
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
/** Pages, cookies and links stand at the root of their host. */
const baseUrl = httpUrl.refine(
  (url) => new URL(url).href === `${new URL(url).origin}/`,
  'must have nothing behind the host and port, such as https://tally.example.com: the service stands at the root',
);
/** What consists of digits and dots is meant as an address; a look-up of it as a name would take seconds to fail. */
const host = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || (/^[a-z0-9.-]+$/i.test(text) && !/^[\d.]+$/.test(text)),
    'must be an address of this machine such as 127.0.0.1, 0.0.0.0 or ::, or its name',
  );
const userId = z.string().regex(/^user_[A-Za-z0-9]+$/, 'must be a user id such as user_2abc…');
const hex32Bytes = z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal characters (32 random bytes)');
const onOff = z.enum(['on', 'off'], { error: 'must be "on" or "off"' }).transform((value) => value === 'on');

/** `undefined` for "off". */
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

/** What `read` makes of a text; `null` is refused. */
const readAs = <T>(read: (text: string) => T | null, message: string) =>
  z.string().transform((text, context) => {
    const value = read(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
const figuresIn = (text: string): number[] => text.split(',').map((part) => Number(part.trim()));

const tierRates = readAs((text) => {
  if (text === 'off') return 'off' as const;
  const figures = figuresIn(text);
  const areFair = figures.every((figure) => Number.isInteger(figure) && figure >= 1 && figure <= 1_000_000);
  return areFair && figures.length === 4 ? (figures as [number, number, number, number]) : null;
}, 'must be four whole numbers a minute such as 100,2000,4000,8000 (for usage tiers 1 to 4), or "off"');

/** `undefined` for "off"; the third figure may be left out. */
const referralRates = readAs((text) => {
  if (text === 'off') return undefined;
  const [perIdentifier = 0, perAddress = 0, inAll = 600, ...more] = figuresIn(text);
  const isFair = (figure: number): boolean => Number.isInteger(figure) && figure >= 1 && figure <= 10_000;
  if (more.length > 0 || ![perIdentifier, perAddress, inAll].every(isFair)) return null;
  return { perIdentifier, perAddress, inAll };
}, 'must be whole numbers a minute up to 10000 such as 10,30,600 (per identifier, per address, in all), or "off"');

/** `name=value,name=value`, values in percent-encoding, as the standard has it. */
const otelHeaders = readAs((text) => {
  const pairs = text.split(',').map((part) => /^\s*([\w-]+)\s*=\s*((?:[^\s%]|%[\da-f]{2})+)\s*$/i.exec(part));
  if (!pairs.every((pair) => pair !== null)) return null;
  return Object.fromEntries(pairs.map(([, name, value]) => [name!.toLowerCase(), decodeURIComponent(value!)]));
}, 'must look like name=value,name=value');
const share = z
  .string()
  .refine((text) => /^(0(\.\d+)?|1(\.0+)?)$/.test(text), 'must be a share from 0 to 1 such as 0.1')
  .transform(Number);

const BOTH = 'one is worth nothing without the other';
const SEALED = 'access to accounts is sealed with it';

/** One of them, leaked, must not open what another one guards. */
const distinctTokens = [
  'DEMO_ACCESS_OPERATOR_TOKEN',
  'INTERNAL_API_TOKEN',
  'METRICS_TOKEN',
  'REVENUE_OPERATOR_TOKEN',
] as const;

/** A setting, what must be set beside it, why, and a setting that asks for it as much as the first. */
const needsOf = ({ SANDBOX }: { SANDBOX: boolean }) =>
  [
    ['DB_REPLICA_URL', 'DB_URL', 'the embedded database has no replica'],
    ['DB_URL', 'DB_SERVICE_ROLE_KEY', 'it is the password of the service login'],
    ['PLAID_SECRET', 'PLAID_CLIENT_ID', BOTH],
    ['PLAID_CLIENT_ID', 'PLAID_SECRET', BOTH],
    ['PLAID_CLIENT_ID', 'CONNECTIONS_KEY', SEALED, 'PLAID_SECRET'],
    ['SNAPTRADE_CONSUMER_KEY', 'SNAPTRADE_CLIENT_ID', BOTH],
    ['SNAPTRADE_CLIENT_ID', 'SNAPTRADE_CONSUMER_KEY', BOTH],
    ['SNAPTRADE_CLIENT_ID', 'CONNECTIONS_KEY', SEALED, 'SNAPTRADE_CONSUMER_KEY'],
    ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', BOTH],
    ['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY', BOTH],
    ...(SANDBOX ? [['DB_URL', 'CONNECTIONS_KEY', `with SANDBOX=on, ${SEALED}`] as const] : []),
    ['CONNECTIONS_KEY_PREVIOUS', 'CONNECTIONS_KEY', 'it takes the place of that one'],
    ['IDP_API_URL', 'IDP_SECRET_KEY', 'the hosted provider asks for it'],
    ['IDP_API_URL', 'IDP_FRONTEND_API_URL', 'sessions are issued under it'],
  ] as const;

/** Every setting of the service. `.env.example` documents the same names; the checks compare the two. */
export const settings = z
  .object({
    HOST: withDefault(host, '127.0.0.1'),
    PORT: withDefault(whole(0, 65_535), 3000),
    BASE_URL: optional(baseUrl),
    DATA_DIR: withDefault(z.string(), './data'),
    LOG_LEVEL: withDefault(z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }), 'info'),
    TRUSTED_PROXIES: withDefault(proxies, ''),
    REQUEST_TIMEOUT_SECONDS: withDefault(whole(1, 600), 60),
    SHUTDOWN_TIMEOUT_SECONDS: withDefault(whole(1, 600), 20),
    SHUTDOWN_DRAIN_SECONDS: withDefault(whole(0, 60), 0),

    DB_URL: optional(postgresUrl),
    DB_SERVICE_ROLE_KEY: optional(z.string()),
    DB_ASSISTANT_KEY: optional(z.string()),
    DB_OWNER_URL: optional(postgresUrl),
    DB_PREPARED_STATEMENTS: withDefault(onOff, 'off'),
    DB_WORKER_URL: optional(postgresUrl),
    DB_REPLICA_URL: optional(postgresUrl),
    DB_REPLICA_MAX_LAG_SECONDS: withDefault(whole(2, 3600), 10),
    DB_MEMBER_CONNECTIONS: withDefault(whole(1, 1_000), 10),
    DB_SERVICE_CONNECTIONS: withDefault(whole(1, 1_000), 10),
    DB_REQUEST_TIMEOUT_SECONDS: withDefault(whole(1, 600), 15),
    REDIS_URL: optional(
      z
        .string()
        .refine(
          (url) => /^rediss?:\/\//.test(url) && URL.canParse(url),
          'must be a Redis URL such as redis://host:6379',
        ),
    ),

    IDP_SECRET_KEY: optional(z.string().min(16, 'must have at least 16 characters')),
    IDP_API_URL: optional(httpUrl),
    IDP_FRONTEND_API_URL: optional(httpUrl),
    IDP_PUBLISHABLE_KEY: optional(z.string()),
    IDP_WEBHOOK_SECRET: optional(
      z.string().regex(/^whsec_[A-Za-z0-9+/=]{16,}$/, 'must look like whsec_… with a base64 part'),
    ),
    IDP_INSTANCE_ID: optional(z.string()),

    DEMO_ACCOUNT_IDP_USER_ID: optional(userId),
    DEMO_ACCESS_OPERATOR_TOKEN: optional(hex32Bytes),
    DEMO_ACCESS_STRICT: withDefault(onOff, 'on'),
    DEMO_ACCESS_RATE_LIMIT: withDefault(whole(1, 1_000_000), 20),
    INTERNAL_API_TOKEN: optional(z.string()),
    DEMO_ACCESS_RESET: withDefault(timeOfDay, '04:30'),
    SAMPLE_USER_IDP_USER_ID: optional(userId),

    PLAID_CLIENT_ID: optional(z.string()),
    PLAID_SECRET: optional(z.string()),
    PLAID_BASE_URL: withDefault(httpUrl, 'https://production.plaid.com'),
    STRIPE_SECRET_KEY: optional(z.string().regex(/^[rs]k_(live|test)_\w+$/, 'must look like sk_live_… or sk_test_…')),
    STRIPE_WEBHOOK_SECRET: optional(z.string().regex(/^whsec_\S{8,}$/, 'must look like whsec_…')),
    REVENUE_OPERATOR_TOKEN: optional(hex32Bytes),
    SNAPTRADE_CLIENT_ID: optional(z.string()),
    SNAPTRADE_CONSUMER_KEY: optional(z.string()),
    SNAPTRADE_BASE_URL: withDefault(httpUrl, 'https://api.snaptrade.com'),
    CONNECTIONS_KEY: optional(hex32Bytes),
    CONNECTIONS_KEY_PREVIOUS: optional(hex32Bytes),
    SANDBOX: withDefault(onOff, 'off'),

    FMP_API_KEY: optional(z.string()),
    FMP_CALLS_PER_MINUTE: withDefault(whole(1, 1_000_000), 300),
    FMP_CALLS_PER_DAY: optional(whole(1, 100_000_000)),
    FMP_BASE_URL: optional(baseUrl),
    FINNHUB_API_KEY: optional(z.string()),
    FINNHUB_CALLS_PER_MINUTE: withDefault(whole(1, 1_000_000), 60),
    FINNHUB_CALLS_PER_DAY: optional(whole(1, 100_000_000)),
    FINNHUB_BASE_URL: optional(baseUrl),
    POSTHOG_API_KEY: optional(z.string()),
    POSTHOG_URL: withDefault(httpUrl, 'https://us.i.posthog.com'),
    ANALYTICS_KEPT_DAYS: withDefault(whole(35, 3650), 400),

    ANTHROPIC_API_KEY: optional(z.string().min(8, 'must have at least 8 characters')),
    ANTHROPIC_BASE_URL: withDefault(httpUrl, 'https://api.anthropic.com'),
    ASSISTANT_MODEL: withDefault(
      z.string().regex(/^[\w.:-]{1,100}$/, 'must be the id of a model'),
      'claude-sonnet-5-5',
    ),
    ASSISTANT_DAILY_ANSWERS: withDefault(whole(1, 1_000_000), 30),
    ASSISTANT_DAILY_TOKENS: withDefault(whole(1_000, 1_000_000_000), 400_000),
    ASSISTANT_DAILY_TOKENS_OF_ALL: withDefault(whole(1_000, 1_000_000_000_000), 10_000_000),
    ASSISTANT_SQL_SECONDS: withDefault(whole(1, 60), 10),

    TOKEN_COUNT_RATE_LIMITS: withDefault(tierRates, '100,2000,4000,8000'),
    TOKEN_COUNT_FETCH_URLS: withDefault(onOff, 'on'),
    TOKEN_COUNT_WORKERS: withDefault(whole(0, 64), 2),
    API_RATE_LIMIT: withDefault(whole(1, 1_000_000), 300),
    REFERRAL_RATE_LIMITS: withDefault(referralRates, '10,30,600'),
    REFERRAL_SHOWS_IDENTIFIER: withDefault(onOff, 'on'),

    OTEL_EXPORTER_OTLP_ENDPOINT: optional(httpUrl),
    OTEL_EXPORTER_OTLP_HEADERS: optional(otelHeaders),
    OTEL_SERVICE_NAME: withDefault(z.string(), 'tally'),
    OTEL_TRACES_SAMPLER_ARG: withDefault(share, '1'),
    WORKER: withDefault(onOff, 'on'),
    METRICS_TOKEN: optional(z.string().min(16, 'must have at least 16 characters')),
    METRICS_PORT: optional(whole(1, 65_535)),
  })
  .superRefine((config, context) => {
    const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
    for (const [index, name] of distinctTokens.entries()) {
      const same = distinctTokens.slice(0, index).find((other) => config[name] && config[name] === config[other]);
      if (same) refuse(name, `must have another value than ${same}`);
    }
    if (config.METRICS_PORT === config.PORT) refuse('METRICS_PORT', 'must be another port than PORT');
    for (const [name, wanted, because, ...others] of needsOf(config))
      if ([name, ...others].some((set) => config[set]) && config[wanted] === undefined)
        refuse(wanted, `must be set when ${name} is: ${because}`);
  });

export type Config = z.output<typeof settings>;

/** A setting that is missing or wrong, in one sentence that names it; the start stops with it. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting';
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

/** Whether stand-ins of paid services may be mounted: on this machine alone, or where an operator says so. */
export const allowsSandbox = ({ SANDBOX, HOST }: Pick<Config, 'SANDBOX' | 'HOST'>, baseUrl: string): boolean =>
  SANDBOX || (LOOPBACK.test(HOST) && LOOPBACK.test(new URL(baseUrl).hostname));

/** What opens the revenue report: the setting, or beside the embedded database a secret of its own. */
export const revenueTokenOf = (
  { REVENUE_OPERATOR_TOKEN: set, DB_URL: url }: Config,
  local: { revenue_operator_token?: string | undefined },
): string | undefined => set ?? (url ? undefined : local.revenue_operator_token);

const provider = (key?: string, baseUrl?: string, callsPerMinute?: number, callsPerDay?: number) =>
  key ? { key, baseUrl, callsPerMinute, callsPerDay } : undefined;

/** The providers of market data, each where there is a key for it. */
export const marketProviders = (config: Config) => ({
  fmp: provider(config.FMP_API_KEY, config.FMP_BASE_URL, config.FMP_CALLS_PER_MINUTE, config.FMP_CALLS_PER_DAY),
  finnhub: provider(
    ...([config.FINNHUB_API_KEY, config.FINNHUB_BASE_URL] as const),
    ...([config.FINNHUB_CALLS_PER_MINUTE, config.FINNHUB_CALLS_PER_DAY] as const),
  ),
});

/** Where captured events go, if anywhere, and how long they are kept. */
export const outboxOf = ({ POSTHOG_API_KEY: apiKey, POSTHOG_URL: host, ANALYTICS_KEPT_DAYS }: Config) => ({
  service: apiKey ? { apiKey, host } : undefined,
  keptDays: ANALYTICS_KEPT_DAYS,
});

/** The collector of traces, where there is one. */
export const tracingOf = (config: Config) =>
  config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? undefined
    : {
        endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
        serviceName: config.OTEL_SERVICE_NAME,
        ratio: config.OTEL_TRACES_SAMPLER_ARG,
      };

/** The model behind the assistant, and what it may take in a day. */
export const assistantSettings = (config: Config) => ({
  model: { apiKey: config.ANTHROPIC_API_KEY, baseUrl: config.ANTHROPIC_BASE_URL, model: config.ASSISTANT_MODEL },
  sqlSeconds: config.ASSISTANT_SQL_SECONDS,
  limits: {
    answers: config.ASSISTANT_DAILY_ANSWERS,
    tokens: config.ASSISTANT_DAILY_TOKENS,
    ofAll: config.ASSISTANT_DAILY_TOKENS_OF_ALL,
  },
});

/** Reads the settings from the environment and, where the environment is silent, from `.env` in the working folder. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const fromFile = readEnvFile(ENV_FILE);
  const misspelt = unreadIn(fromFile).find((name) => families.has(familyOf(name)));
  if (misspelt !== undefined)
    throw new WrongSetting(`The setting ${misspelt} in ${ENV_FILE} is none of ours; .env.example lists their names.`);
  const merged: Record<string, string | undefined> = { ...fromFile, ...environment };
  const given = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, merged[name]]));
  const result = settings.safeParse(given);
  if (result.success) return result.data;
  const [first] = result.error.issues;
  throw new WrongSetting(`The setting ${first?.path.join('.') ?? ''} ${first?.message ?? 'is wrong'}.`);
}

/** The environment for a process that this one starts, with settings on top; empty ones count as not set. */
export const environmentWith = (own: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...own,
});

const ENV_FILE = '.env';
const familyOf = (name: string): string => name.split('_')[0]!;
const families = new Set(Object.keys(settings.shape).map(familyOf));
const unreadIn = (file: object): string[] => Object.keys(file).filter((name) => !(name in settings.shape));

/**
 * Names that `.env` holds and nothing reads, for a warning. One that begins like ours (`DB_URI`) stops `loadConfig`; a
 * file may hold others for other programs.
 */
export const unreadSettings = (): string[] => unreadIn(readEnvFile(ENV_FILE));

const OPERATOR_FILE = '.env.demo-staging.local';

/**
 * What an operator of demo access needs of a deployment, from a file (default `.env.demo-staging.local`) over which the
 * environment wins. Throws `WrongSetting` for one that is missing or wrong, for a named file that is not there, and
 * where the token would leave this machine unencrypted.
 */
export function loadOperatorSettings(
  envFile: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): { baseUrl: string; token: string } {
  const file = envFile ?? OPERATOR_FILE;
  if (envFile !== undefined && !existsSync(envFile)) throw new WrongSetting(`There is no file ${envFile}.`);
  const fromFile = readEnvFile(file);
  const read = (name: 'BASE_URL' | 'DEMO_ACCESS_OPERATOR_TOKEN'): string => {
    const result = settings.shape[name].safeParse(environment[name] || fromFile[name]);
    if (!result.success) throw new WrongSetting(`The setting ${name} ${result.error.issues[0]!.message}.`);
    if (result.data === undefined) throw new WrongSetting(`The setting ${name} is missing: write it into ${file}.`);
    return result.data;
  };
  const baseUrl = read('BASE_URL');
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== 'https:' && !LOOPBACK.test(hostname))
    throw new WrongSetting('The setting BASE_URL must begin with https://, or everybody on the way reads the token.');
  return { baseUrl, token: read('DEMO_ACCESS_OPERATOR_TOKEN') };
}

/** The settings of a file in the form `NAME=value`; an absent file holds none. */
export function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
