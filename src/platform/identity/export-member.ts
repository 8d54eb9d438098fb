import type { ServiceSql } from '../database/roles.ts';
import type { Slice } from '../../slice.ts';
import { lockMember, selectAsJson } from './queries.ts';

/** A member's data as JSON text, in parts that follow one another; `leftOut` is in it too. */
interface MemberExport {
  parts: string[];
  tables: number;
  rows: number;
}

/**
 * Reads every row of a member that an owner names, in one transaction in which the member cannot be deleted. The rows
 * stay the text that the database writes, so that no figure is rounded.
 */
export async function exportMember(
  sql: ServiceSql,
  idpId: string,
  owners: readonly Pick<Slice, 'memberRows'>[],
): Promise<MemberExport> {
  const named = owners.flatMap(({ memberRows = {} }) => Object.entries(memberRows));
  const leftOut: Record<string, string> = {};
  const tables: string[] = [];
  let rows = 0;
  await sql.transaction(async (transaction) => {
    await lockMember(transaction, idpId);
    for (const [table, entry] of named.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      if ('leftOut' in entry) leftOut[table] = entry.leftOut;
      else {
        const found = await selectAsJson(transaction, entry.rows, idpId);
        rows += found.count;
        tables.push(`${JSON.stringify(table)}: ${found.json}`);
        for (const [column, why] of Object.entries(entry.without ?? {})) leftOut[`${table}.${column}`] = why;
      }
    }
  });
  const head = { format: 'tally-member-1', exported_at: new Date().toISOString(), idp_id: idpId, left_out: leftOut };
  const opening = JSON.stringify(head, null, 2).slice(0, -2);
  return { parts: [`${opening},\n  "tables": {\n`, tables.join(',\n'), '\n  }\n}\n'], tables: tables.length, rows };
}
