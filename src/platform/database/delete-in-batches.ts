import type { ServiceSql } from './roles.ts';

/** Average number of rows per statement, which takes far less than the limit for any number of rows. */
const BATCH_SIZE = 10_000;

/** Number of batches whose ends one statement finds, since it reads all their rows. */
const MAX_ENDS = 20;

interface Deletion {
  /** Statement that would delete all the rows: `delete from … where …`. Each batch extends its condition. */
  statement: string;
  values?: readonly unknown[];
  /** Column with the time of a row. */
  time: string;
  /** Column that differs between the rows. */
  id: string;
  /** Whether to count the rows, for which each is returned. */
  counted?: boolean;
}

/**
 * Runs a deletion in batches by time, oldest first. A batch ends at each row whose hashed id is divisible by the size.
 * Thus the servers of a cluster return the ends and no other rows. Returns the number of counted rows.
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
  for (let isLast = false; !isLast;) {
    const ends = await sql.query<{ until: string }>(findEnds, [...values, size]);
    isLast = ends.length < MAX_ENDS;
    for (const { until } of isLast ? [...ends, { until: 'infinity' }] : ends)
      count += (await sql.query(deleteBatch, [...values, until])).length;
  }
  return count;
}
