/** Folders of `src/` that each hold one area of the product, from contract to screens. */
export const features = [
  'token-counting',
  'dashboard',
  'watchlist',
  'search',
  'investments',
  'connections',
  'referrals',
  'demo-access',
  'billing',
  'assistant',
] as const;

/** Folders of `src/` that several features use. */
export const sharedFolders = [
  'identity',
  'market-data',
  'database',
  'jobs',
  'analytics',
  'feature-flags',
  'http',
] as const;

/** Shared folders that other shared folders may import. */
export const foundations = ['database', 'http', 'jobs'] as const;
