import type { Handle } from './roles.ts';

/** Returns the first row of a statement, or `undefined` if there is none. */
export const queryFirstRow = async <Row extends object>(
  sql: Pick<Handle, 'query'>,
  text: string,
  values?: readonly unknown[],
): Promise<Row | undefined> => (await sql.query<Row>(text, values))[0];
