import type { z } from 'zod';
import type { Explanation } from '../../portfolio/net-worth/contract.ts';
import type { Cell, ToolTable } from '../contract.ts';
import type { ToolContext } from './tool-context.ts';

/** Result of a tool: a table, or a sentence that suggests a valid input. */
export type ToolOutcome = { ok: true; result: ToolTable } | { ok: false; message: string };

/** A read-only tool on a member's data. The assistant, the plain reports and MCP clients share the tools. */
export interface Tool {
  /** Name by which a model calls the tool. */
  readonly name: string;
  /** Title for people. */
  readonly title: string;
  /** Description for a model: the result, and when to use the tool. */
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  /**
   * Reads in the member's name. `input` has been validated. Throws `AppError` UNAVAILABLE if the data is unavailable.
   */
  run(context: ToolContext, input: unknown): Promise<ToolOutcome>;
}

/** Defines a tool whose input is typed by its schema. `runTool` validates the input. */
export function defineTool<Schema extends z.ZodObject>(
  tool: Omit<Tool, 'inputSchema' | 'run'> & {
    inputSchema: Schema;
    run: (context: ToolContext, input: z.output<Schema>) => Promise<ToolOutcome>;
  },
): Tool {
  return { ...tool, run: (context, input) => tool.run(context, input as z.output<Schema>) };
}

interface ResultExtras extends Partial<Pick<ToolTable, 'notes' | 'links' | 'truncated'>> {
  explain?: ToolTable['explain'];
}

/** Creates a table, with optional remarks, links and explanation. */
export const createTableResult = (
  columns: string[],
  rows: ToolTable['rows'],
  { notes = [], links = [], truncated = false, explain }: ResultExtras,
): ToolOutcome => ({
  ok: true,
  result: { columns, rows, truncated, notes, links, ...(explain && limitExplanation(explain, notes)) },
});

/** Maximum numbers of terms and of omissions in an explanation, since a model reads all of them. */
const MAX_TERMS = 40;
const MAX_EXCLUDED = 20;

/** Keeps the largest terms. If some are missing, the notes say so. */
function limitExplanation(
  { terms, excluded }: Explanation,
  notes: readonly string[],
): Pick<ToolTable, 'explain'> & Partial<Pick<ToolTable, 'notes'>> {
  const largest = terms.toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount)).slice(0, MAX_TERMS);
  const explain = { terms: largest, excluded: excluded.slice(0, MAX_EXCLUDED) };
  if (terms.length <= MAX_TERMS && excluded.length <= MAX_EXCLUDED) return { explain };
  const remark =
    `explain has the ${explain.terms.length} largest of ${terms.length} terms and ${explain.excluded.length} ` +
    `of ${excluded.length} omissions.`;
  return { explain, notes: [...notes, remark] };
}

/** Creates a table of records whose fields are named by the columns. */
export const createRecordsResult = <Column extends string>(
  columns: readonly Column[],
  records: readonly Record<NoInfer<Column>, Cell>[],
  extras: ResultExtras,
): ToolOutcome => {
  const rows = records.map((record) => columns.map((column) => record[column]));
  return createTableResult([...columns], rows, extras);
};
