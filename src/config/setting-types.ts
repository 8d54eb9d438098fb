import { isIP } from 'node:net';
import { z } from 'zod';
import { findCertificateProblem } from './database-tls.ts';

/** Facts for the documentation of a setting: its unit, an example, and the effect of an empty value. */
interface SettingFacts {
  unit?: string;
  example?: string;
  whenEmpty?: string;
}

/**
 * Returns a setting without a default, for which an empty value means "not set". The documentation shows `description`
 * and the facts.
 */
export const optional = <T extends z.ZodType>(schema: T, description: string, facts: SettingFacts = {}) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).meta({ description, ...facts });
/** Returns a setting that has the default `value` if it is empty or not set. */
export const withDefault = <T extends z.ZodType>(
  schema: T,
  value: z.input<T>,
  description: string,
  facts: Omit<SettingFacts, 'whenEmpty'> = {},
) =>
  z
    .preprocess((given) => (given === '' || given === undefined ? value : given), schema)
    .meta({ description, default: String(value), ...facts });

export const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number({ error: `must be a whole number from ${min} to ${max}` })
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);
/** Text before the last @ is user and password, where / and @ and # and ? would end the host's name too early. */
function hasEncodedPassword(url: string): boolean {
  if (/^[^?]*:\/\/[^?]*[/@#][^?]*@/.test(url) || /^[^?]*:\/\/[^/?]*\?[^=]*@/.test(url)) return false;
  const [userAndPassword = ''] = /(?<=:\/\/)[^/?#]*(?=@)/.exec(url) ?? [];
  return !/%(?![0-9a-f]{2})/i.test(userAndPassword);
}
const ENCODE_PASSWORD =
  'must have its password percent-encoded: write %40 for @, %2F for /, %3A for :, %23 for #, %3F for ? and %25 for %';

/** The URL of a socket has no host after the @, which URL.canParse would reject. */
export const postgresUrl = z
  .string()
  .refine(hasEncodedPassword, ENCODE_PASSWORD)
  .refine(
    (url) => /^postgres(ql)?:\/\/./.test(url) && URL.canParse(url.replace('@/', '@socket/')),
    'must be a PostgreSQL URL such as postgres://user:password@host:5432/name',
  );
/** Addresses of servers, named as `citus_add_node()` names them. */
export const nodeAddresses = z
  .string()
  .regex(/^[^\s,:/@?#]+:\d{1,5}(,[^\s,:/@?#]+:\d{1,5})*$/, 'must be host:port, separated by commas')
  .transform((text) => text.split(','));
/** A file of PEM certificates that can be read at the start. */
export const certificateFile = z.string().superRefine((file, context) => {
  const problem = findCertificateProblem(file);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});
export const httpUrl = z
  .string()
  .refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), 'must be an http or https URL')
  .transform((url) => url.replace(/\/+$/, ''));
/** A URL without a path, since pages, cookies and links use the root of the host. */
export const baseUrl = httpUrl.refine(
  (url) => new URL(url).href === `${new URL(url).origin}/`,
  'must end after the host and port, such as https://tally.example.com: the service uses the root path',
);
/** Digits and dots are rejected as a host name, since the look-up of a mistyped address takes seconds to fail. */
export const host = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || (/^[a-z0-9.-]+$/i.test(text) && !/^[\d.]+$/.test(text)),
    'must be an address of this machine such as 127.0.0.1, 0.0.0.0 or ::, or its name',
  );
export const userId = z.string().regex(/^user_[A-Za-z0-9]+$/, 'must be a user id such as user_2abc…');
export const hex32Bytes = z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal characters (32 random bytes)');
export const hex32BytesOrLost = z
  .string()
  .regex(/^([0-9a-fA-F]{64}|lost)$/, 'must be 64 hexadecimal characters (32 random bytes), or "lost"');
export const onOff = z.enum(['on', 'off'], { error: 'must be "on" or "off"' }).transform((value) => value === 'on');

/** A time of day. "off" becomes `undefined`. */
export const timeOfDay = z
  .string()
  .regex(/^(off|([01]\d|2[0-3]):[0-5]\d)$/, 'must be a time of the day in UTC such as 04:30, or "off"')
  .transform((text) => (text === 'off' ? undefined : text));

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

export const proxies = z
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

/** Returns a setting that `parse` converts and that is wrong if `parse` returns null. */
const createParsedSetting = <T>(parse: (text: string) => T | null, message: string) =>
  z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
const parseNumbers = (text: string): number[] => text.split(',').map((part) => Number(part.trim()));

export const tierRates = createParsedSetting((text) => {
  if (text === 'off') return 'off' as const;
  const limits = parseNumbers(text);
  const areValid = limits.every((limit) => Number.isInteger(limit) && limit >= 1 && limit <= 1_000_000);
  return areValid && limits.length === 4 ? (limits as [number, number, number, number]) : null;
}, 'must be four whole numbers a minute such as 100,2000,4000,8000 (for usage tiers 1 to 4), or "off"');

/** Rates of referrals. "off" becomes `undefined`, and the third number is optional. */
export const referralRates = createParsedSetting((text) => {
  if (text === 'off') return undefined;
  const [perIdentifier = 0, perAddress = 0, total = 600, ...more] = parseNumbers(text);
  const isValid = (limit: number): boolean => Number.isInteger(limit) && limit >= 1 && limit <= 10_000;
  if (more.length > 0 || ![perIdentifier, perAddress, total].every(isValid)) return null;
  return { perIdentifier, perAddress, total };
}, 'must be whole numbers a minute up to 10000 such as 10,30,600 (per identifier, per address, in total), or "off"');

/** `name=value,name=value` with percent-encoded values, as OpenTelemetry specifies it. */
export const otelHeaders = createParsedSetting((text) => {
  const pairs = text.split(',').map((part) => /^\s*([\w-]+)\s*=\s*((?:[^\s%]|%[\da-f]{2})+)\s*$/i.exec(part));
  if (!pairs.every((pair) => pair !== null)) return null;
  return Object.fromEntries(pairs.map(([, name, value]) => [name!.toLowerCase(), decodeURIComponent(value!)]));
}, 'must look like name=value,name=value');
export const redisUrl = z
  .string()
  .refine(hasEncodedPassword, ENCODE_PASSWORD)
  .refine((url) => /^rediss?:\/\//.test(url) && URL.canParse(url), 'must be a Redis URL such as redis://host:6379');

/** URL of a mail server. `?tls=off` allows an unencrypted connection to another machine. */
export const smtpUrl = z
  .string()
  .refine(hasEncodedPassword, ENCODE_PASSWORD)
  .refine(
    (url) => /^smtps?:\/\/./.test(url) && URL.canParse(url) && isServerAddress(new URL(url)),
    'must be a URL of a mail server such as smtp://user:password@mail.example.com:587, or smtps://…:465',
  );

const isServerAddress = ({ hostname, pathname, search, hash }: URL): boolean =>
  hostname !== '' && /^\/?$/.test(pathname) && /^(\?tls=off)?$/.test(search) && hash === '';

export const mailSender = z
  .string()
  .regex(
    /^([^<>@"\r\n]+ <[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/,
    'must be an address such as Tally <no-reply@tally.example.com>',
  );
