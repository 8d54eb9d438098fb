import { isIP } from 'node:net';
import { providerErrors } from './provider-error.ts';

/** The site to which browsers bind passkeys. */
export interface PasskeySite {
  /** The relying party's id. */
  domain: string;
  origin: string;
}

/** Returns the first origin at which browsers offer passkeys: https with a domain, or localhost. */
export function findPasskeySite(origins: Iterable<string>): PasskeySite | undefined {
  for (const origin of origins) {
    const { protocol, hostname } = new URL(origin);
    const isSecure = protocol === 'https:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
    if (isSecure || hostname === 'localhost') return { domain: hostname, origin };
  }
  return undefined;
}

/** Returns the site of passkeys. Throws if `BASE_URL` does not allow them. */
export function requirePasskeySite({ passkeySite }: { passkeySite: PasskeySite | undefined }): PasskeySite {
  if (!passkeySite) throw providerErrors.passkeysUnavailable();
  return passkeySite;
}
