/**
 * Returns the value of one cookie of a Cookie header. Of duplicates the first counts, since browsers put the closest
 * path first.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (!header) return undefined;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals <= 0 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    return value.replace(/^"(.*)"$/, '$1') || undefined;
  }
  return undefined;
}
