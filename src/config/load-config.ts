import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { addTlsParameters, databaseUrlNames } from './database-tls.ts';
import { settings } from './settings.ts';

export type Config = z.output<typeof settings>;

/** Thrown when settings are missing or wrong. The message names each of them and describes the problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Matches the names and addresses of this machine. */
export const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

/**
 * Reads the settings from the environment. Empty or missing ones are read from `.env` in the working directory, or from
 * the file that `NAME_FILE` names. Throws `ConfigError` that names every wrong setting.
 */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { result, problems } = readSettings(environment);
  if (result.success && problems.size === 0) return withTlsParameters(result.data);
  throw new ConfigError(describeProblems([...problems]));
}

/**
 * Reads the settings like `loadConfig`, but replaces each wrong one by its default. Returns the settings, and the
 * problems by the names of the wrong ones.
 */
export function loadUsableConfig(environment: NodeJS.ProcessEnv = process.env): {
  config: Config;
  problems: ReadonlyMap<string, string>;
} {
  const { given, problems } = readSettings(environment);
  const usable = Object.fromEntries(
    Object.entries(given).filter(([name]) => settings.shape[name as keyof Config].safeParse(given[name]).success),
  );
  return { config: withTlsParameters(z.object(settings.shape).parse(usable)), problems };
}

/** Returns the given values by name, the problems by name, and the result of the schema. */
function readSettings(environment: NodeJS.ProcessEnv) {
  const envFile = readEnvFile(ENV_FILE);
  const problems = new Map<string, string>();
  const given = Object.fromEntries(
    Object.keys(settings.shape).map((name) => [name, readValue(name, environment, envFile, problems)]),
  );
  const result = settings.safeParse(given);
  for (const name of listUnknownNames(envFile))
    if (prefixes.has(getPrefix(name)))
      problems.set(name, `in ${ENV_FILE} is unknown; docs/reference/settings.md lists the names`);
  for (const [name, rightName] of listMisspelledNames({ ...envFile, ...environment }))
    problems.set(name, `is unknown: set ${rightName} instead, or remove it`);
  for (const { path, message } of result.error?.issues ?? [])
    if (!problems.has(String(path[0]))) problems.set(String(path[0]), message);
  return { given, problems, result };
}

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Returns the value of a setting, or the content of the file that `NAME_FILE` names, without its last line end. Adds a
 * problem if both are set or the file cannot be read.
 */
function readValue(
  name: string,
  environment: Values,
  envFile: Values,
  problems: Map<string, string>,
): string | undefined {
  const value = environment[name] || envFile[name];
  const fileName = `${name}${FILE_SUFFIX}`;
  const path = environment[fileName] || envFile[fileName];
  if (!path) return value;
  if (value) {
    problems.set(fileName, `must be empty when ${name} is set`);
    return undefined;
  }
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    problems.set(fileName, `must name a readable file (${(error as NodeJS.ErrnoException).code})`);
    return undefined;
  }
}

/** Returns the settings with the TLS settings as parameters of the database URLs. */
function withTlsParameters(config: Config): Config {
  const urls = databaseUrlNames.map((name) => [name, config[name] && addTlsParameters(config[name], config)] as const);
  return { ...config, ...Object.fromEntries(urls) };
}

/** Returns one sentence about one problem, or a list of several. */
function describeProblems(problems: readonly (readonly [name: string, problem: string])[]): string {
  if (problems.length === 1) return `The setting ${problems[0]!.join(' ')}.`;
  return [`${problems.length} settings are wrong:`, ...problems.map((problem) => `  ${problem.join(' ')}.`)].join('\n');
}

/** Returns the environment of a child process, with these settings instead of our own. */
export const extendEnvironment = (overrides: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...overrides,
});

const ENV_FILE = '.env';
const FILE_SUFFIX = '_FILE';
/** Returns the first word of a name: `DB` of `DB_URL`. */
const getPrefix = (name: string): string => name.split('_')[0]!;
const prefixes = new Set(Object.keys(settings.shape).map(getPrefix));
const isKnownName = (name: string): boolean => name in settings.shape || name.replace(/_FILE$/, '') in settings.shape;
const listUnknownNames = (values: Values): string[] => Object.keys(values).filter((name) => !isKnownName(name));

/** Returns a name without underscores and plurals. */
const simplifyName = (name: string): string =>
  name
    .split('_')
    .map((word) => (word.length > 3 ? word.replace(/IES$/, 'Y').replace(/S$/, '') : word))
    .join('');

const knownNames = Object.keys(settings.shape)
  .flatMap((name) => [name, `${name}${FILE_SUFFIX}`])
  .map((name) => ({ name, simplified: simplifyName(name) }));

const TOLERANCE_OF_LONG_NAME = 2;

/** Returns how many letters may be wrong: two if the known name has 12 or more and its first word is right, else one. */
const getTolerance = (known: (typeof knownNames)[number], name: string): number =>
  known.simplified.length >= 12 && getPrefix(known.name) === getPrefix(name) ? TOLERANCE_OF_LONG_NAME : 1;

const hasSameFirstOrLastLetter = (one: string, other: string): boolean =>
  one[0] === other[0] || one.at(-1) === other.at(-1);

const hasSimilarLength = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) <= TOLERANCE_OF_LONG_NAME;

/** Returns the number of letters to add, remove, replace or swap with a neighbour. Counts only one swap. */
function countDifferences(one: string, other: string): number {
  if (one === other) return 0;
  let start = 0;
  while (one[start] === other[start]) start += 1;
  const isSwapped = one[start] === other[start + 1] && one[start + 1] === other[start];
  return isSwapped && one.slice(start + 2) === other.slice(start + 2) ? 1 : distance(one, other);
}

/**
 * Returns the known name that an unknown one misspells, or undefined. It is the one with the fewest wrong letters, with
 * or without underscores and plurals, if they are within its tolerance.
 */
function findMisspelledName(given: string): string | undefined {
  const name = given.toUpperCase();
  const simplifiedName = simplifyName(name);
  return knownNames
    .map((known) => {
      const differences = [[name, known.name] as const, [simplifiedName, known.simplified] as const]
        // Counting is slow, and an environment may have thousands of names.
        .filter((pair) => hasSameFirstOrLastLetter(...pair) && hasSimilarLength(...pair))
        .map((pair) => countDifferences(...pair));
      return { name: known.name, difference: Math.min(...differences), tolerance: getTolerance(known, name) };
    })
    .filter(({ difference, tolerance }) => difference <= tolerance)
    .sort((one, other) => one.difference - other.difference)[0]?.name;
}

/**
 * Returns the unknown names in the environment that misspell a setting, each with the right name. A name with the value
 * of its setting is accepted, such as one of another program. Another value stops the start even if the setting is given,
 * because many deployments give settings by themselves, and the misspelled one would have no effect.
 */
const listMisspelledNames = (environment: Values): (readonly [name: string, rightName: string])[] =>
  Object.keys(environment)
    .filter((name) => environment[name] && !isKnownName(name))
    .flatMap((name) => {
      const rightName = findMisspelledName(name);
      return rightName === undefined || environment[rightName] === environment[name]
        ? []
        : [[name, rightName] as const];
    });

/**
 * Returns warnings about unknown names in `.env`. `loadConfig` rejects an unknown name with the first word of a setting
 * (`DB_URI`), because it is likely a mistake.
 */
export const listSettingWarnings = (): string[] =>
  listUnknownNames(readEnvFile(ENV_FILE)).map((name) => `unknown setting ${name} in ${ENV_FILE}.`);

/** Default file of the operator's settings. */
const OPERATOR_FILE = '.env.demo-staging.local';

/**
 * Reads the address and the operator token of a deployment from the environment. Empty or missing ones are read from a
 * file (by default `.env.demo-staging.local`). Throws `ConfigError` if one is missing or wrong, if the named file does
 * not exist, or if the token would be sent unencrypted to another machine.
 */
export function loadOperatorSettings(
  envFile: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): { baseUrl: string; token: string } {
  const file = envFile ?? OPERATOR_FILE;
  if (envFile !== undefined && !existsSync(envFile)) throw new ConfigError(`The file ${envFile} does not exist.`);
  const fromFile = readEnvFile(file);
  const read = (name: 'BASE_URL' | 'DEMO_ACCESS_OPERATOR_TOKEN'): string => {
    const result = settings.shape[name].safeParse(environment[name] || fromFile[name]);
    if (!result.success) throw new ConfigError(`The setting ${name} ${result.error.issues[0]!.message}.`);
    if (result.data === undefined) throw new ConfigError(`The setting ${name} is missing: add it to ${file}.`);
    return result.data;
  };
  const baseUrl = read('BASE_URL');
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== 'https:' && !LOOPBACK.test(hostname))
    throw new ConfigError('The setting BASE_URL must begin with https://, or the token is sent unencrypted.');
  return { baseUrl, token: read('DEMO_ACCESS_OPERATOR_TOKEN') };
}

/** Returns the values of a file of lines `NAME=value`, none if it is missing. Throws `ConfigError` if it is unreadable. */
export function readEnvFile(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new ConfigError(`The file ${path} cannot be read (${code}): make it readable to this account, or remove it.`);
  }
}
