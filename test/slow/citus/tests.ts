/** Tests that read and write members' rows, which also run on a cluster. */
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

/** Tests that inspect one server, by the prefix of their path, with their purpose. */
export const ONE_SERVER: Readonly<Record<string, string>> = {
  'src/features/portfolio/accounts/reset-locks.test.ts': 'look at what waits for what on one server',
  'src/features/assistant/sql/': "run members' own SQL, which is not offered on a cluster",
  'src/features/assistant/mcp/mcp.test.ts': "run members' own SQL, which is not offered on a cluster",
};
