/** The login that may become `service_role`; its password is the setting DB_SERVICE_ROLE_KEY. */
export const SERVICE_LOGIN = 'service_authenticator';

/**
 * The service login's URL: `DB_URL` with another user and password. A pooler's tenant suffix (`authenticator.<tenant>`)
 * is kept. Works on the text, since the WHATWG parser refuses the empty host of a socket URL.
 */
export function serviceUrl(dbUrl: string, key: string): string {
  const parts = /^(postgres(?:ql)?:\/\/)(?:([^@/?#]*)@)?(.*)$/s.exec(dbUrl);
  if (!parts) throw new Error('The database URL must have the form postgres://user:password@host:port/database.');
  const [, scheme, credentials = '', rest] = parts;
  const user = decodeURIComponent(credentials.split(':')[0] ?? '');
  const tenant = user.includes('.') ? user.slice(user.indexOf('.')) : '';
  return `${scheme}${encodeURIComponent(SERVICE_LOGIN + tenant)}:${encodeURIComponent(key)}@${rest}`;
}
