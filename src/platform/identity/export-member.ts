import type { ServiceSql } from '../database/roles.ts';
import type { Feature } from '../../feature.ts';
import { lockMember, selectAsJson } from './queries.ts';

/** A member's data as JSON text in consecutive parts, with `left_out` among them. */
interface MemberExport {
  parts: string[];
  tables: number;
  rows: number;
}

/**
 * Reads every row of a member that an owner names, in one transaction that blocks the deletion of the member. Rows stay
 * text as PostgreSQL writes them, so that no number is rounded.
 */
export async function exportMember(
  sql: ServiceSql,
  idpId: string,
  owners: readonly Pick<Feature, 'memberRows'>[],
): Promise<MemberExport> {
  const namedRows = owners.flatMap(({ memberRows = {} }) => Object.entries(memberRows));
  const omittedTables: Record<string, string> = {};
  const tables: string[] = [];
  let rows = 0;
  await sql.transaction(async (transaction) => {
    await lockMember(transaction, idpId);
    for (const [table, entry] of namedRows.toSorted(([left], [right]) => (left < right ? -1 : 1))) {
      if ('omitReason' in entry) omittedTables[table] = entry.omitReason;
      else {
        const selected = await selectAsJson(transaction, entry.rows, idpId);
        rows += selected.count;
        tables.push(`${JSON.stringify(table)}: ${selected.json}`);
        for (const [column, reason] of Object.entries(entry.omittedColumns ?? {}))
          omittedTables[`${table}.${column}`] = reason;
      }
    }
  });
  const header = {
    format: 'tally-member-1',
    exported_at: new Date().toISOString(),
    idp_id: idpId,
    left_out: omittedTables,
  };
  const headerText = JSON.stringify(header, null, 2).slice(0, -2);
  return { parts: [`${headerText},\n  "tables": {\n`, tables.join(',\n'), '\n  }\n}\n'], tables: tables.length, rows };
}
