import type { Handle } from './roles.ts';

/** The first row that a statement answers with; `undefined` where it answers with none. */
export const queryFirstRow = async <Row extends object>(
  sql: Handle,
  text: string,
  values?: readonly unknown[],
): Promise<Row | undefined> => (await sql.query<Row>(text, values))[0];
