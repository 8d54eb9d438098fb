import { readFileSync } from 'node:fs';

/** Modes of TLS to PostgreSQL, with the meaning that libpq gives them. */
export const sslModes = ['disable', 'require', 'verify-full'] as const;

/** Modes that a URL may have of its own. */
const URL_MODES: readonly string[] = [...sslModes, 'verify-ca'];

/** The settings that are connection URLs of PostgreSQL. */
export const databaseUrlNames = ['DB_URL', 'DB_OWNER_URL', 'DB_WORKER_URL', 'DB_REPLICA_URL'] as const;

interface TlsSettings {
  DB_SSLMODE?: (typeof sslModes)[number] | undefined;
  DB_SSLROOTCERT?: string | undefined;
}

/** Returns what is wrong with a database URL's own TLS parameters, as the end of a sentence. */
export function findTlsProblem(url: string, { DB_SSLMODE: mode }: TlsSettings): string | undefined {
  const ownMode = getParameter(url, 'sslmode');
  if (ownMode === null) return undefined;
  if (mode !== undefined) return 'must not contain sslmode when DB_SSLMODE is set';
  return URL_MODES.includes(ownMode) ? undefined : `must not have sslmode=${ownMode}, but ${URL_MODES.join(', ')}`;
}

/** Returns why a file holds no certificates of authorities, as the end of a sentence. */
export function findCertificateProblem(file: string): string | undefined {
  try {
    if (readFileSync(file, 'latin1').includes('-----BEGIN CERTIFICATE-----')) return undefined;
    return 'must name a file of PEM certificates, and that file has none';
  } catch (error) {
    return `must name a readable file of PEM certificates (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** Returns a database URL with the TLS settings as parameters, which the driver reads as libpq does. */
export function addTlsParameters(url: string, { DB_SSLMODE: mode, DB_SSLROOTCERT: file }: TlsSettings): string {
  const parameters = new URLSearchParams();
  if (mode !== undefined) parameters.set('sslmode', mode);
  if (file !== undefined && getParameter(url, 'sslrootcert') === null) parameters.set('sslrootcert', file);
  if (getParameter(url, 'sslmode') !== null || mode !== undefined) parameters.set('uselibpqcompat', 'true');
  if (parameters.size === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${parameters.toString()}`;
}

/** The text is cut at the question mark, because the URL of a socket has no host and would not parse. */
const getParameter = (url: string, name: string): string | null =>
  new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length)).get(name);
