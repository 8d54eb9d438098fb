import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Files of a certificate authority, and of a server certificate that it issued for `localhost`. */
export interface Certificates {
  ca: string;
  key: string;
  certificate: string;
}

/** Issues certificates of one day in a folder, with the openssl command. */
export function issueCertificates(folder: string): Certificates {
  const files = ['ca.pem', 'ca.key', 'server.pem', 'server.key'].map((name) => join(folder, name));
  const [ca, caKey, certificate, key] = files as [string, string, string, string];
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  openssl(...newKey, '-subj', '/CN=Test authority', '-keyout', caKey, '-out', ca);
  const forHost = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  openssl(...newKey, ...forHost, '-CA', ca, '-CAkey', caKey, '-keyout', key, '-out', certificate);
  return { ca, key, certificate };
}
