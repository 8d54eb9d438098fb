/**
 * Returns the path to open after sign-in, from `?next=`: a path of this site, or the fallback. Rejects other origins in
 * every spelling that browsers accept (`//host`, `/\host`, control characters).
 */
export function safePath(next: string | null, fallback: string): string {
  if (next === null || !/^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(next)) return fallback;
  const url = new URL(next, 'http://site.invalid');
  return url.origin === 'http://site.invalid' ? url.pathname + url.search + url.hash : fallback;
}
