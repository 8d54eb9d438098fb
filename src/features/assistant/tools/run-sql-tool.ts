import { z } from 'zod';
import { readableTables } from '../sql/readable-tables.ts';
import { runSql } from '../sql/run-sql.ts';
import { createTableResult, defineTool } from './tool.ts';

const tableDescriptions = Object.entries(readableTables)
  .map(([name, { columns, about }]) => {
    const typedColumns = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
    return `${name}(${typedColumns.join(', ')}): ${about}`;
  })
  .join('\n');

/** Tool that runs the member's own SQL behind all its guards. */
export const runSqlTool = defineTool({
  name: 'run_sql',
  title: 'Query your data',
  description:
    'Runs one read-only PostgreSQL SELECT over the member’s own rows and the shared catalog; at most 200 rows. Plain ' +
    'SELECTs with joins, WITH, aggregates and window functions work; functions in FROM, casts to unusual types and ' +
    `catalog tables do not. An error says what to write instead.\nTables:\n${tableDescriptions}`,
  inputSchema: z.strictObject({ sql: z.string().min(1).max(4000).describe('One SELECT, without a semicolon.') }),
  async run(context, { sql }) {
    if (!context.readOnly)
      return { ok: false, message: 'SQL is not available in this deployment; use the other tools.' };
    const dependencies = { database: context.readOnly, isWatchlistOn: () => context.isWatchlistOn() };
    const result = await runSql(dependencies, context.member.idpId, sql);
    return result.ok ? createTableResult(result.columns, result.rows, { truncated: result.truncated }) : result;
  },
});
