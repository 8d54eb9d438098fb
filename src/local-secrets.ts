import { createHmac, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { shareSecrets } from './platform/database/shared-secrets.ts';
import type { ServiceSql } from './platform/database/roles.ts';
import { explainDataDirectory, makeDataDirectory } from './platform/database/data-directory.ts';
import { parseJson } from './platform/http/parse-json.ts';

const localSecrets = z.object({
  db_authenticator_password: z.string(),
  db_service_role_key: z.string(),
  db_assistant_key: z.string(),
  idp_secret_key: z.string(),
  idp_publishable_key: z.string(),
  idp_webhook_secret: z.string(),
  demo_access_operator_token: z.string(),
  revenue_operator_token: z.string(),
  /** Seals what is stored of connections. */
  connections_key: z.string(),
  /** Set once the first run's people and keys exist; the first run is over then. */
  seeded_at: z.string().nullable(),
  demo_account_idp_user_id: z.string().nullable(),
});

/** The credentials of the embedded database and provider; made by the first start, kept in the data directory. */
export type LocalSecrets = z.infer<typeof localSecrets>;

/** Those that the service itself works with, wherever they are kept. */
export type ServiceSecrets = Shared & Partial<LocalSecrets>;

type Shared = Pick<LocalSecrets, (typeof shared)[number]>;

const fileIn = (dataDir: string): string => join(dataDir, 'secrets.json');

/**
 * Reads the data directory's secrets and makes them where there are none. Two processes that start at once agree:
 * the file appears under its name complete or not at all, and the second to arrive reads the first one's.
 */
export function openLocalSecrets(dataDir: string): LocalSecrets {
  makeDataDirectory(dataDir);
  try {
    const secrets = readLocalSecrets(dataDir);
    if (!secrets) return create(dataDir);
    // What an earlier version's file lacks is written down, so that it no longer follows from another secret.
    const text = readText(fileIn(dataDir)) ?? '';
    if (later.some((name) => !text.includes(`"${name}"`))) saveLocalSecrets(dataDir, secrets);
    return secrets;
  } catch (error) {
    throw explainDataDirectory(dataDir, error);
  }
}

/**
 * The secrets that processes on one database have in common, kept in it; the first process makes them, from the data
 * directory's file where an earlier version left one. Writes no file.
 */
export async function openSharedSecrets(dataDir: string, sql: Pick<ServiceSql, 'query'>): Promise<ServiceSecrets> {
  const proposed = readLocalSecrets(dataDir) ?? invent();
  return shareSecrets(sql, Object.fromEntries(shared.map((name) => [name, proposed[name]])) as Shared);
}

/** What else the file holds opens the embedded database, or seals what must not lie beside its key. */
const shared = ['idp_secret_key', 'idp_publishable_key', 'idp_webhook_secret', 'demo_access_operator_token'] as const;

/** The passwords of the embedded database's logins. */
export function passwordsOf(secrets: LocalSecrets): { authenticator: string; service: string; assistant: string } {
  return {
    authenticator: secrets.db_authenticator_password,
    service: secrets.db_service_role_key,
    assistant: secrets.db_assistant_key,
  };
}

/** Replaces the secrets in one step. */
export function saveLocalSecrets(dataDir: string, secrets: LocalSecrets): void {
  renameSync(writeDraft(dataDir, secrets), fileIn(dataDir));
}

/** The data directory's secrets, or `undefined` where no start has made them yet. */
export function readLocalSecrets(dataDir: string): LocalSecrets | undefined {
  const text = readText(fileIn(dataDir));
  if (text === undefined) return undefined;
  const parsed = localSecrets.safeParse(withLater(parseJson(text)));
  if (!parsed.success) {
    const remedy = 'restore it from a backup (the database is locked with it) or start with another DATA_DIR';
    throw new Error(`${fileIn(dataDir)} is damaged: ${remedy}.`);
  }
  return parsed.data;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/**
 * An earlier version's secrets with what came later. It follows from one that is there, so that several processes that
 * start at once agree without a word.
 */
function withLater(stored: unknown): unknown {
  const { db_service_role_key: known } = (stored ?? {}) as Partial<LocalSecrets>;
  if (typeof known !== 'string') return stored;
  const derived = later.map((name) => [name, createHmac('sha256', known).update(name).digest('hex')]);
  return { ...Object.fromEntries(derived), ...(stored as object) };
}

/** Secrets that files of earlier versions lack. */
const later = ['connections_key', 'db_assistant_key', 'revenue_operator_token'] as const;

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

const invent = (): LocalSecrets => ({
  db_authenticator_password: hex(24),
  db_service_role_key: hex(24),
  db_assistant_key: hex(24),
  idp_secret_key: `sk_live_${hex(24)}`,
  idp_publishable_key: `pk_live_${hex(16)}`,
  idp_webhook_secret: `whsec_${randomBytes(32).toString('base64')}`,
  demo_access_operator_token: hex(32),
  revenue_operator_token: hex(32),
  connections_key: hex(32),
  seeded_at: null,
  demo_account_idp_user_id: null,
});

function create(dataDir: string): LocalSecrets {
  const draft = writeDraft(dataDir, invent());
  try {
    linkSync(draft, fileIn(dataDir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readLocalSecrets(dataDir)!;
}

function writeDraft(dataDir: string, secrets: LocalSecrets): string {
  const draft = join(dataDir, `.secrets-${process.pid}-${randomBytes(6).toString('hex')}`);
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(draft, 0o600);
  return draft;
}
