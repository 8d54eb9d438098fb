/** The login that may become `service_role`. Its password is the setting DB_SERVICE_ROLE_KEY. */
export const SERVICE_LOGIN = 'service_authenticator';

/** The login that may become `assistant`. Its password is the setting DB_ASSISTANT_KEY. */
export const ASSISTANT_LOGIN = 'assistant_authenticator';

/**
 * Returns the URL of the service's login, or another: `DB_URL` with its user and password replaced. A pooler's tenant
 * suffix (`authenticator.<tenant>`) is kept. It edits the text, because the WHATWG parser rejects the empty host of a
 * socket URL.
 */
export function buildServiceUrl(dbUrl: string, key: string, login: string = SERVICE_LOGIN): string {
  const parts = /^(postgres(?:ql)?:\/\/)(?:([^@/?#]*)@)?(.*)$/s.exec(dbUrl);
  if (!parts) throw new Error('The database URL must have the form postgres://user:password@host:port/database.');
  const [, scheme, credentials = '', rest] = parts;
  const user = decodeURIComponent(credentials.split(':')[0] ?? '');
  const tenant = user.includes('.') ? user.slice(user.indexOf('.')) : '';
  return `${scheme}${encodeURIComponent(login + tenant)}:${encodeURIComponent(key)}@${rest}`;
}
