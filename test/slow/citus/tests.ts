/** Tests of what reads and writes members' rows, which run on a cluster too. */
export const ON_THE_CLUSTER = [
  'src/watchlist',
  'src/investments',
  'src/dashboard',
  'src/search',
  'src/identity',
  'src/billing',
  'src/referrals',
  'src/analytics',
  'src/connections',
  'src/demo-access',
  'src/assistant',
  'src/market-data',
  'src/feature-flags',
  'src/token-counting/api-keys',
  'src/token-counting/member-key',
  'test/account-deletion',
  'test/rls-attacks',
  'test/retention',
] as const;

/** Those of them that look at the inside of one server, by the beginning of their path, and what they do. */
export const ONE_SERVER: Readonly<Record<string, string>> = {
  'src/watchlist/lock-order.test.ts': 'look at what waits for what on one server',
  'src/investments/reset-locks.test.ts': 'look at what waits for what on one server',
  'src/assistant/sql/': "run members' own SQL, which is not offered on a cluster",
  'src/assistant/mcp/mcp.test.ts': "run members' own SQL, which is not offered on a cluster",
};
