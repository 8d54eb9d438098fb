import ipaddr from 'ipaddr.js';

/** An address as some proxies forward it: in brackets, or followed by a port. */
const ADDRESS_WITH_PORT = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>\d+\.\d+\.\d+\.\d+):\d+)$/;

/**
 * Returns the address for rate limits: an IPv4 address (also if mapped into IPv6), or the /64 network of an IPv6
 * address, since one client controls all of it. All spellings of an address are equal. Text that is no address stays
 * unchanged.
 */
export function toRateLimitAddress({ ip = '' }: { ip?: string }): string {
  const { v6, v4 } = ADDRESS_WITH_PORT.exec(ip)?.groups ?? {};
  const address = v6 ?? v4 ?? ip;
  if (!ipaddr.isValid(address)) return ip;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
