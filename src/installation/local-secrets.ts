import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { getOrCreateSecrets, hasSecrets } from '../platform/database/shared-secrets.ts';
import type { ServiceSql } from '../platform/database/roles.ts';
import {
  DataDirectoryError,
  ensureDataDirectory,
  explainDataDirectoryError,
  getClusterFolder,
  hasEmbeddedDatabase,
} from '../platform/database/data-directory.ts';
import { renameDurably, writeFileDurably } from '../platform/database/durable-files.ts';
import { parseJson } from '../platform/http/parse-json.ts';

const localSecrets = z.object({
  db_authenticator_password: z.string(),
  db_service_role_key: z.string(),
  db_assistant_key: z.string(),
  idp_secret_key: z.string(),
  idp_publishable_key: z.string(),
  idp_webhook_secret: z.string(),
  demo_access_operator_token: z.string(),
  revenue_operator_token: z.string(),
  /** Encrypts stored credentials of connections. */
  connections_key: z.string(),
  /** Time at which the first run was complete, or null before that. */
  seeded_at: z.string().nullable(),
  demo_account_idp_user_id: z.string().nullable(),
});

/**
 * The credentials of the embedded database and identity provider. The first start creates them in the data directory.
 */
export type LocalSecrets = z.infer<typeof localSecrets>;

/** The secrets that the service itself uses, wherever they are stored. */
export type ServiceSecrets = SharedSecrets & Partial<LocalSecrets>;

type SharedSecrets = Pick<LocalSecrets, (typeof SHARED_SECRET_NAMES)[number]>;

/** Returns the path of the secrets in a data directory or a backup of it. */
export const getSecretsPath = (dataDir: string): string => join(dataDir, 'secrets.json');

/**
 * Reads the secrets of the data directory, or creates them. Concurrent starts agree, because the file appears complete
 * or not at all. The second process reads the file of the first.
 */
export function loadOrCreateLocalSecrets(dataDir: string): LocalSecrets {
  ensureDataDirectory(dataDir);
  try {
    return readLocalSecrets(dataDir) ?? createSecrets(dataDir);
  } catch (error) {
    throw explainDataDirectoryError(dataDir, error);
  }
}

/**
 * Returns the secrets that all processes on one database share and the database stores. The first process creates them,
 * or copies those of an earlier version from the data directory. It writes no file.
 */
export async function loadOrCreateSharedSecrets(
  dataDir: string,
  sql: Pick<ServiceSql, 'query'>,
): Promise<ServiceSecrets> {
  return getOrCreateSecrets(sql, SHARED_SECRET_NAMES, () => readLocalSecrets(dataDir) ?? generateSecrets());
}

/**
 * Throws `DataDirectoryError` if the next start needs the secrets in the data directory and cannot read them: the
 * database has none yet, and the file is damaged or belongs to another account.
 */
export async function assertSharedSecretsReadable(dataDir: string, sql: Pick<ServiceSql, 'query'>): Promise<void> {
  if (!(await hasSecrets(sql, SHARED_SECRET_NAMES))) readLocalSecrets(dataDir);
}

/**
 * Only these names are shared. The other secrets open the embedded database, or encrypt data that must not be stored
 * beside its key.
 */
const SHARED_SECRET_NAMES = [
  'idp_secret_key',
  'idp_publishable_key',
  'idp_webhook_secret',
  'demo_access_operator_token',
] as const;

/**
 * Gives a restored data directory the secrets that an external database shared between its processes. `owner` reads the
 * restored database. The first start then seeds nothing.
 */
export async function adoptSharedSecrets(
  dataDir: string,
  owner: Pick<ServiceSql, 'query'>,
  demoAccountId: string | null,
): Promise<void> {
  const secrets = loadOrCreateLocalSecrets(dataDir);
  const shared = await loadOrCreateSharedSecrets(dataDir, owner);
  saveLocalSecrets(dataDir, {
    ...secrets,
    ...shared,
    seeded_at: new Date().toISOString(),
    demo_account_idp_user_id: demoAccountId,
  });
}

/** Returns the passwords of the embedded database's logins. */
export function getLoginPasswords(secrets: LocalSecrets): {
  authenticator: string;
  service: string;
  assistant: string;
} {
  return {
    authenticator: secrets.db_authenticator_password,
    service: secrets.db_service_role_key,
    assistant: secrets.db_assistant_key,
  };
}

/** Replaces the secrets atomically. */
export function saveLocalSecrets(dataDir: string, secrets: LocalSecrets): void {
  writeFileDurably(getSecretsPath(dataDir), formatSecrets(secrets));
}

/** Returns the secrets of the data directory, or `undefined` before the first start. */
export function readLocalSecrets(dataDir: string): LocalSecrets | undefined {
  const text = readText(getSecretsPath(dataDir));
  if (text === undefined) return undefined;
  const secrets = parseLocalSecrets(text);
  if (secrets === undefined)
    throw new DataDirectoryError(
      `${getSecretsPath(dataDir)} is damaged` +
        (hasEmbeddedDatabase(dataDir)
          ? ': restore it from a backup, or run "tally secrets create", which says what ends without it.'
          : `, and the database ${getClusterFolder(dataDir)} is missing: put both back, restore a backup into an ` +
            'empty DATA_DIR, or move the file away to begin without members.'),
    );
  return secrets;
}

/** Returns the secrets in the text of their file, or `undefined` if it is damaged. */
export const parseLocalSecrets = (text: string): LocalSecrets | undefined =>
  localSecrets.safeParse(parseJson(text)).data;

/**
 * Throws `DataDirectoryError` if the data directory has a database without its secrets, or the secrets of a complete
 * first run without its database. A start would create what is missing, and change or hide the existing members.
 */
export function assertSecretsMatchDatabase(dataDir: string): void {
  // Another process may complete a first start meanwhile, which creates the secrets, the database and `seeded_at` in
  // this order. Of two things the later one is read first, so the database is looked up before and after the secrets.
  const hasDatabase = hasEmbeddedDatabase(dataDir);
  const secrets = readLocalSecrets(dataDir);
  if (hasDatabase && secrets === undefined)
    throw new DataDirectoryError(
      `${getSecretsPath(dataDir)} is missing, which belongs to the database beside it: restore it from a backup, or ` +
        'run "tally secrets create", which says what ends without it.',
    );
  if (secrets && secrets.seeded_at !== null && !hasEmbeddedDatabase(dataDir)) {
    const folder = getClusterFolder(dataDir);
    throw new DataDirectoryError(
      existsSync(join(folder, 'base'))
        ? `The database ${folder} is damaged, since its PG_VERSION is missing: restore a backup into another DATA_DIR.`
        : `The database ${folder} is missing: put it back, or set DATA_DIR to an empty folder, to restore a backup ` +
            'there or to begin without members.',
    );
  }
}

/**
 * Creates secrets for a database whose secrets are lost or damaged. No start is a first one with them. Returns the path
 * to which a damaged file was moved, if there was one. Throws `DataDirectoryError` if none are lost.
 */
export function replaceLostSecrets(dataDir: string): string | undefined {
  const path = getSecretsPath(dataDir);
  const folder = `The data directory ${resolve(dataDir)}`;
  if (!hasEmbeddedDatabase(dataDir)) {
    // Throws if a start would not create both.
    assertSecretsMatchDatabase(dataDir);
    throw new DataDirectoryError(`${folder} has no database: run "tally start", which creates both.`);
  }
  const text = readText(path);
  if (text !== undefined && parseLocalSecrets(text)) throw new DataDirectoryError(`${folder} has its secrets.`);
  const damaged = text === undefined ? undefined : `${path}.damaged`;
  if (damaged !== undefined) renameDurably(path, damaged);
  saveLocalSecrets(dataDir, { ...generateSecrets(), seeded_at: new Date().toISOString() });
  return damaged;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw explainDataDirectoryError(dirname(file), error);
  }
}

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

const generateSecrets = (): LocalSecrets => ({
  db_authenticator_password: randomHex(24),
  db_service_role_key: randomHex(24),
  db_assistant_key: randomHex(24),
  idp_secret_key: `sk_live_${randomHex(24)}`,
  idp_publishable_key: `pk_live_${randomHex(16)}`,
  idp_webhook_secret: `whsec_${randomBytes(32).toString('base64')}`,
  demo_access_operator_token: randomHex(32),
  revenue_operator_token: randomHex(32),
  connections_key: randomHex(32),
  seeded_at: null,
  demo_account_idp_user_id: null,
});

function createSecrets(dataDir: string): LocalSecrets {
  writeFileDurably(getSecretsPath(dataDir), formatSecrets(generateSecrets()), { replace: false });
  return readLocalSecrets(dataDir)!;
}

const formatSecrets = (secrets: LocalSecrets): string => `${JSON.stringify(secrets, null, 2)}\n`;
