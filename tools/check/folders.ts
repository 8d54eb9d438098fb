/** Folders of `src/features/`, each one area of the product from contract to screens. */
export const features = [
  'token-api',
  'portfolio',
  'watchlist',
  'search',
  'securities',
  'alerts',
  'connections',
  'referrals',
  'demo-access',
  'billing',
  'assistant',
  'site',
  'settings',
  'operator',
] as const;

/** Folders of `src/` that features use, by the name under which they own tables. */
export const sharedFolders = [
  'database',
  'http',
  'jobs',
  'identity',
  'analytics',
  'feature-flags',
  'market-data',
  'embedded/identity',
  'embedded/bank',
  'embedded/brokerage',
  'embedded/payments',
  'embedded/market-data',
  'embedded/shared',
] as const;

/** Returns the folder of `src/` that owns what a file's SQL names, or the name of a file in `src/` itself (`app`). */
export function getFolder(path: string): string {
  const [, first = '', second = ''] = path.split('/');
  if (first === 'features' || first === 'platform') return second;
  return first === 'embedded' ? `embedded/${second}` : first.replace(/\.ts$/, '');
}
