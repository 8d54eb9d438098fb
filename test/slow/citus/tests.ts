/** Tests of what reads and writes members' rows, which run on a cluster too. */
export const ON_THE_CLUSTER = [
  'src/features/watchlist',
  'src/features/portfolio',
  'src/features/portfolio/dashboard',
  'src/features/search',
  'src/platform/identity',
  'src/features/billing',
  'src/features/referrals',
  'src/platform/analytics',
  'src/features/connections',
  'src/features/demo-access',
  'src/features/assistant',
  'src/market-data',
  'src/platform/feature-flags',
  'src/features/token-api/api-keys',
  'src/features/token-api/member-key',
  'test/account-deletion',
  'test/rls-attacks',
  'test/retention',
] as const;

/** Those of them that look at the inside of one server, by the beginning of their path, and what they do. */
export const ONE_SERVER: Readonly<Record<string, string>> = {
  'src/features/watchlist/lock-order.test.ts': 'look at what waits for what on one server',
  'src/features/portfolio/reset-locks.test.ts': 'look at what waits for what on one server',
  'src/features/assistant/sql/': "run members' own SQL, which is not offered on a cluster",
  'src/features/assistant/mcp/mcp.test.ts': "run members' own SQL, which is not offered on a cluster",
};
