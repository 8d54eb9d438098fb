import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { retiredSettings, settings } from './settings.ts';

export type Config = z.output<typeof settings>;

/** Settings that are missing or wrong, each named with what is wrong; the start stops with it. */
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

/** Other addresses of the providers of market data than their own, for tests. */
export interface MarketUrls {
  fmp?: string;
  finnhub?: string;
}

/** The providers of market data, each where there is a key for it. */
export const marketProviders = (config: Config, urls: MarketUrls = {}) => ({
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

/** Where captured events go, if anywhere. */
export const outboxOf = ({ POSTHOG_API_KEY: apiKey, POSTHOG_URL: host }: Config) =>
  apiKey ? { apiKey, host } : undefined;

/** The collector of traces, where there is one. */
export const tracingOf = (config: Config) =>
  config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? undefined
    : {
        endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
      };

/** The model behind the assistant, and what it may take in a day. */
export const assistantSettings = (config: Config) => ({
  model: { apiKey: config.ANTHROPIC_API_KEY, baseUrl: config.ANTHROPIC_BASE_URL, model: config.ASSISTANT_MODEL },
  limits: {
    answers: config.ASSISTANT_DAILY_ANSWERS,
    tokens: config.ASSISTANT_DAILY_TOKENS,
    ofAll: config.ASSISTANT_DAILY_TOKENS_OF_ALL,
  },
});

/**
 * Reads the settings from the environment and, where the environment is silent, from `.env` in the working folder.
 * Throws `WrongSetting` that names every wrong setting.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const fromFile = readEnvFile(ENV_FILE);
  const merged: Record<string, string | undefined> = { ...fromFile, ...environment };
  const given = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, merged[name]]));
  const result = settings.safeParse(given);
  const problems = new Map<string, string>();
  for (const name of unreadIn(fromFile))
    if (families.has(familyOf(name)) && !(name in retiredSettings))
      problems.set(name, `in ${ENV_FILE} is not known; docs/reference/settings.md lists the names`);
  for (const { path, message } of result.error?.issues ?? [])
    if (!problems.has(String(path[0]))) problems.set(String(path[0]), message);
  if (result.success && problems.size === 0) return result.data;
  throw new WrongSetting(describeProblems([...problems]));
}

function describeProblems(problems: readonly (readonly [name: string, problem: string])[]): string {
  if (problems.length === 1) return `The setting ${problems[0]!.join(' ')}.`;
  return [`${problems.length} settings are wrong:`, ...problems.map((one) => `  ${one.join(' ')}.`)].join('\n');
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
 * Warnings about settings that have no effect: names in `.env` that nothing reads, and settings of earlier versions. A
 * name in `.env` that begins like ours (`DB_URI`) stops `loadConfig`; a file may hold others for other programs.
 */
export function settingWarnings(environment: NodeJS.ProcessEnv = process.env): string[] {
  const fromFile = readEnvFile(ENV_FILE);
  const retired = Object.keys(retiredSettings).filter((name) => environment[name] || fromFile[name]);
  const unread = unreadIn(fromFile).filter((name) => !(name in retiredSettings));
  return [
    ...retired.map((name) => `the setting ${name} has no effect any more: ${retiredSettings[name]}.`),
    ...unread.map((name) => `nothing reads the setting ${name} in ${ENV_FILE}.`),
  ];
}

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
