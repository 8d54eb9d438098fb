import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { retiredSettings, settings } from './settings.ts';

export type Config = z.output<typeof settings>;

/** Thrown when settings are missing or wrong. The message names each of them and says what is wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Names of this machine. */
export const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

/**
 * Reads the settings from the environment, and those that are empty or not in it from `.env` in the working directory.
 * Throws `ConfigError` with every setting that is wrong.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const fromFile = readEnvFile(ENV_FILE);
  const given = Object.fromEntries(
    Object.keys(settings.shape).map((name) => [name, environment[name] || fromFile[name]]),
  );
  const result = settings.safeParse(given);
  const problems = new Map<string, string>();
  for (const name of listUnknownNames(fromFile))
    if (prefixes.has(getPrefix(name)) && !(name in retiredSettings))
      problems.set(name, `in ${ENV_FILE} is not known; docs/reference/settings.md lists the names`);
  for (const { path, message } of result.error?.issues ?? [])
    if (!problems.has(String(path[0]))) problems.set(String(path[0]), message);
  if (result.success && problems.size === 0) return result.data;
  throw new ConfigError(describeProblems([...problems]));
}

function describeProblems(problems: readonly (readonly [name: string, problem: string])[]): string {
  if (problems.length === 1) return `The setting ${problems[0]!.join(' ')}.`;
  return [`${problems.length} settings are wrong:`, ...problems.map((problem) => `  ${problem.join(' ')}.`)].join('\n');
}

/** The environment for a child process, with these settings in place of the own ones. */
export const extendEnvironment = (overrides: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...overrides,
});

const ENV_FILE = '.env';
const getPrefix = (name: string): string => name.split('_')[0]!;
const prefixes = new Set(Object.keys(settings.shape).map(getPrefix));
const listUnknownNames = (file: object): string[] => Object.keys(file).filter((name) => !(name in settings.shape));

/**
 * Warnings about names in `.env` that no setting has, and about settings of earlier versions. `loadConfig` refuses an
 * unknown name whose first word a setting has too (`DB_URI`), since that is likely a mistake.
 */
export function listSettingWarnings(environment: NodeJS.ProcessEnv = process.env): string[] {
  const fromFile = readEnvFile(ENV_FILE);
  const retired = Object.keys(retiredSettings).filter((name) => environment[name] || fromFile[name]);
  const unknown = listUnknownNames(fromFile).filter((name) => !(name in retiredSettings));
  return [
    ...retired.map((name) => `the setting ${name} has no effect any more: ${retiredSettings[name]}.`),
    ...unknown.map((name) => `nothing reads the setting ${name} in ${ENV_FILE}.`),
  ];
}

const OPERATOR_FILE = '.env.demo-staging.local';

/**
 * Reads the address and the operator token of a deployment from the environment, or where they are empty or missing from a file
 * (by default `.env.demo-staging.local`). Throws `ConfigError` when one is missing or wrong, when the named file does not exist, or
 * when the token would be sent unencrypted to another machine.
 */
export function loadOperatorSettings(
  envFile: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): { baseUrl: string; token: string } {
  const file = envFile ?? OPERATOR_FILE;
  if (envFile !== undefined && !existsSync(envFile)) throw new ConfigError(`There is no file ${envFile}.`);
  const fromFile = readEnvFile(file);
  const read = (name: 'BASE_URL' | 'DEMO_ACCESS_OPERATOR_TOKEN'): string => {
    const result = settings.shape[name].safeParse(environment[name] || fromFile[name]);
    if (!result.success) throw new ConfigError(`The setting ${name} ${result.error.issues[0]!.message}.`);
    if (result.data === undefined) throw new ConfigError(`The setting ${name} is missing: write it into ${file}.`);
    return result.data;
  };
  const baseUrl = read('BASE_URL');
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== 'https:' && !LOOPBACK.test(hostname))
    throw new ConfigError('The setting BASE_URL must begin with https://, or everybody on the way reads the token.');
  return { baseUrl, token: read('DEMO_ACCESS_OPERATOR_TOKEN') };
}

/** Reads a file of lines `NAME=value`. A missing file has none. */
export function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
