import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from './public-address.ts';

/** What the guard must know of the network. There is one in production, `PUBLIC_INTERNET`; tests hand in their own. */
export interface UrlNetwork {
  /** Addresses of a name; none when it has none or no name server answers. Never rejects. */
  resolve(name: string, signal: AbortSignal): Promise<string[]>;
  /** Whether a connection to this address may be opened. */
  allows(address: string): boolean;
  /** The port to dial. */
  port(url: URL): number;
}

const DNS_TIMEOUT_MS = 2_000;
const DNS_ATTEMPTS = 2;

/** Names by DNS alone, public addresses that are not this machine's own, standard ports. */
export const PUBLIC_INTERNET: UrlNetwork = {
  resolve: resolveName,
  allows: (address) => isPublicAddress(address) && !isLocalAddress(address),
  port: (url) => (url.protocol === 'https:' ? 443 : 80),
};

/**
 * Not `dns.lookup`: it reads the hosts file, and an untrusted name server could block one of the four threads that
 * files and the database's names need too.
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

/** A machine with a public address of its own must not be fetched from, since it trusts itself. */
function isLocalAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((entries) => entries?.some((entry) => entry.address === address));
}
