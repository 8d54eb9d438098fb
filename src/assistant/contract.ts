import { z } from 'zod';
import { defineRoutes } from '../http/contract.ts';

/** The shapes of the member's own SQL. */

const sqlRequest = z
  .strictObject({ sql: z.string().min(1).max(4000).describe('One SELECT over the tables of docs/assistant-sql.md.') })
  .meta({ id: 'SqlRequest' });
/** Rows as arrays in the order of `columns`. At most 200, and 500 kB. */
const sqlAnswer = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
    truncated: z.boolean().describe('There were more rows.'),
  })
  .meta({ id: 'SqlAnswer' });

export const routes = defineRoutes(
  { tag: { name: 'Assistant', description: "The member's data as tools: read-only SQL." } },
  {
    runSql: {
      method: 'POST',
      path: '/api/assistant/sql',
      summary: "Runs one SELECT over the member's own data and the catalog",
      description: 'Changes nothing. 503 NOT_CONFIGURED where the deployment has no login for it.',
      body: sqlRequest,
      responses: { 200: sqlAnswer },
      refusals: ['SQL_REFUSED', 'SQL_TOO_EXPENSIVE', 'SQL_TIMED_OUT', 'NOT_CONFIGURED', 'UNAVAILABLE'],
      example: {
        body: { sql: 'table holdings' },
        response: {
          columns: ['symbol', 'quantity'],
          rows: [
            ['AAPL', 12],
            ['VTI', 30.5],
          ],
          truncated: false,
        },
      },
    },
  },
);
