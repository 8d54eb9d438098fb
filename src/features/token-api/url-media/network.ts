import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from './public-address.ts';

/** Network functions of the SSRF guard. Production has only `PUBLIC_INTERNET`. Tests pass their own. */
export interface UrlNetwork {
  /** Returns the addresses of a name, or an empty list if there are none or DNS fails. Never rejects. */
  resolve(name: string, signal: AbortSignal): Promise<string[]>;
  /** Returns whether a connection to this address may be opened. */
  allows(address: string): boolean;
  /** Returns the port to connect to. */
  port(url: URL): number;
}

const DNS_TIMEOUT_MS = 2_000;
const DNS_ATTEMPTS = 2;

/** Uses DNS only, public addresses of other machines, and standard ports. */
export const PUBLIC_INTERNET: UrlNetwork = {
  resolve: resolveName,
  allows: (address) => isPublicAddress(address) && !isLocalAddress(address),
  port: (url) => (url.protocol === 'https:' ? 443 : 80),
};

/**
 * Resolves a name without `dns.lookup`, which reads the hosts file. With it, an untrusted name server could also block
 * one of the four threads for files and the database's names.
 */
async function resolveName(name: string, signal: AbortSignal): Promise<string[]> {
  if (signal.aborted) return [];
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_ATTEMPTS });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const lookups = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  signal.removeEventListener('abort', cancel);
  return lookups.flatMap((lookup) => (lookup.status === 'fulfilled' ? lookup.value : []));
}

/**
 * Returns whether an address belongs to this machine. Fetching from it is unsafe, because the machine trusts itself.
 */
function isLocalAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((entries) => entries?.some((entry) => entry.address === address));
}
