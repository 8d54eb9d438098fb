/** Codes of Node for a certificate that no trusted authority issued. */
const UNTRUSTED_CODES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Returns the requirement that a failed TLS connection to a server shows, as the end of a sentence, or undefined if the
 * error is another one. `caSetting` is the setting that names the certificate authorities.
 */
export function findTlsRequirement(error: Error & { code?: string }, caSetting: string): string | undefined {
  const { code = '', message } = error;
  if (message === 'The server does not support SSL connections')
    return 'name a server with TLS, and that one has it turned off: turn it on there, or set DB_SSLMODE=disable';
  if (message.includes('no encryption'))
    // PgBouncer passes on the server's message with a code of its own.
    return code === '28000'
      ? `name a server that accepts this connection without TLS, or set DB_SSLMODE=verify-full (${message})`
      : `name a pooler that connects to the server over TLS: set server_tls_sslmode of PgBouncer (${message})`;
  if (UNTRUSTED_CODES.has(code))
    return `name a server with a trusted certificate: set ${caSetting} to the file of its authority (${message})`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `have the host name of the server's certificate (${message})`;
  if (code.startsWith('CERT_') || code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_'))
    return `name a server with a valid certificate (${message})`;
  return undefined;
}
