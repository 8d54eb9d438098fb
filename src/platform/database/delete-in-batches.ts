import type { ServiceSql } from './roles.ts';

/** Average number of rows per statement, which takes far less than the limit for any number of rows. */
const BATCH_SIZE = 10_000;

/** Number of batches whose ends one statement finds, since it reads all their rows. */
const MAX_ENDS = 20;

interface Deletion {
  /** Statement that would delete all the rows: `delete from … where …`. Each batch extends its condition. */
  statement: string;
  values?: readonly unknown[];
  /** Column by whose time the batches are divided. */
  time: string;
  /** Column with a different value in each row. */
  id: string;
  /** Whether to return the number of deleted rows. Then the server responds with a row for each. */
  counted?: boolean;
}

/**
 * Runs a deletion in batches by time, oldest first. Returns the number of deleted rows if they are counted. A batch
 * ends at each row whose hashed id is divisible by `size`, so that the workers of a cluster find the ends by themselves
 * and return no other rows.
 */
export async function deleteInBatches(
  sql: ServiceSql,
  { statement, values = [], time, id, counted = false }: Deletion,
  size = BATCH_SIZE,
): Promise<number> {
  const last = `$${values.length + 1}`;
  const findEnds = `${statement.replace('delete', `select ${time}::text as until`)}
     and mod(hashtextextended(${id}::text, 0), ${last}::bigint) = 0 order by ${time} limit ${MAX_ENDS}`;
  const deleteBatch = `${statement} and ${time} <= ${last}::timestamptz ${counted ? 'returning 1' : ''}`;
  let count = 0;
  let ends: { until: string }[];
  do {
    ends = await sql.query(findEnds, [...values, size]);
    for (const { until } of ends) count += (await sql.query(deleteBatch, [...values, until])).length;
  } while (ends.length === MAX_ENDS);
  return count + (await sql.query(deleteBatch, [...values, 'infinity'])).length;
}
