import pg from 'pg';

/**
 * Replays Ghostfolio's access pattern for one watchlist (WatchlistService.getWatchlistItems, 3.58): the user, the
 * profiles, the quotes, and for every symbol its all-time high and its rows of 400 days. It uses our schema and ten
 * connections. Its call to a quote provider is replaced by a read of the stored prices. Returns ms and statements.
 */
export function createGhostfolio(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  return {
    async read(idpId: string): Promise<{ ms: number; statements: number }> {
      const started = performance.now();
      let statements = 0;
      const query = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => {
        statements += 1;
        return pool.query<Row>(text, values);
      };
      const watched = await query<{ symbol: string }>(
        'select u.*, w.symbol from public.all_users u join public.watchlist_items w using (idp_id) where u.idp_id = $1',
        [idpId],
      );
      const symbols = watched.rows.map(({ symbol }) => symbol);
      const profiles = await query<{ ticker_id: number }>(
        'select * from public.tracked_tickers_latest where symbol = any($1)',
        [symbols],
      );
      await query('select symbol, current_price, price_at from public.tracked_tickers_latest where symbol = any($1)', [
        symbols,
      ]);
      await Promise.all(
        profiles.rows.map(async ({ ticker_id }) => {
          await query(
            'select * from public.tracked_tickers_historical where ticker_id = $1 order by close desc limit 1',
            [ticker_id],
          );
          await query(
            'select * from public.tracked_tickers_historical where ticker_id = $1 and d >= current_date - 400 ' +
              'order by d',
            [ticker_id],
          );
        }),
      );
      return { ms: performance.now() - started, statements };
    },
    close: () => pool.end(),
  };
}
