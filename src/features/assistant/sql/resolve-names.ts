import type { CommonTableExpr, SelectStmt } from 'libpg-query';
import { getStrings } from './ast.ts';
import { analyzeSelect } from './analyze-select.ts';
import { analyzeSetOperation } from './analyze-set-operation.ts';
import { analyzeValues } from './analyze-values.ts';
import { SqlRejection } from './rejection.ts';
import { type Analyzer, checkCteName, type Ctes, type Query, renameColumns, type Scope } from './scope.ts';

const MAX_COST = 2_000;
const MAX_TABLES = 8;
/** Maximum number of table reads. A CTE's tables count once for each reference to the CTE. */
const MAX_TABLE_READS = 16;

/**
 * Resolves every name of a statement like the server and returns the tables that it reads. Throws `SqlRejection` for an
 * unknown name and for a statement that is too expensive.
 */
export function resolveNames(select: SelectStmt): ReadonlySet<string> {
  const analyzer = new SqlAnalyzer();
  analyzer.analyze(select, new Map(), undefined);
  return analyzer.usedTables;
}

/**
 * Analyzes the queries of a statement, each in its scope. PostgreSQL inlines CTEs and subqueries, so each reference to
 * a column becomes the full expression behind it. `cost` counts the expressions after inlining.
 */
class SqlAnalyzer implements Analyzer {
  readonly usedTables = new Set<string>();
  #tableRefs = 0;

  /** Analyzes a query. `ctes` are the CTEs around the query, and `outer` is the scope of the enclosing query. */
  analyze(select: SelectStmt, ctes: Ctes, outer: Scope | undefined): Query {
    const ctesInScope = this.#addCtes(select.withClause?.ctes as { CommonTableExpr: CommonTableExpr }[], ctes, outer);
    const query = this.#analyzeBody(select, ctesInScope, outer);
    if (query.cost > MAX_COST)
      throw new SqlRejection(
        'weight',
        'The statement multiplies too many expressions; use each WITH query once or twice.',
      );
    if (query.tableReads > MAX_TABLE_READS) throw new SqlRejection('size', 'The statement reads too many tables.');
    return query;
  }

  addTableRef(name: string, { isCte }: { isCte: boolean }): void {
    if (!isCte) this.usedTables.add(name);
    this.#tableRefs += 1;
    if (this.#tableRefs > MAX_TABLES)
      throw new SqlRejection('size', `FROM names more than ${MAX_TABLES} tables in total.`);
  }

  #analyzeBody(select: SelectStmt, ctes: Ctes, outer: Scope | undefined): Query {
    if (select.larg) return analyzeSetOperation(this, select, ctes, outer);
    return select.valuesLists ? analyzeValues(this, select, ctes, outer) : analyzeSelect(this, select, ctes, outer);
  }

  /** Adds CTEs in order: each sees only the preceding ones. */
  #addCtes(cteNodes: { CommonTableExpr: CommonTableExpr }[] = [], outerCtes: Ctes, outer: Scope | undefined): Ctes {
    const ctes = new Map(outerCtes);
    for (const { CommonTableExpr: cte } of cteNodes) {
      const name = cte.ctename ?? '';
      checkCteName(name);
      if (!cte.ctequery || !('SelectStmt' in cte.ctequery))
        throw new SqlRejection('shape', 'Only SELECT is available, in WITH too.');
      const query = this.analyze(cte.ctequery.SelectStmt, ctes, outer);
      ctes.set(name, { ...query, columns: renameColumns(query.columns, getStrings(cte.aliascolnames)) });
    }
    return ctes;
  }
}
