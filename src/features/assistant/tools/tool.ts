import type { z } from 'zod';
import type { Cell, ToolTable } from '../contract.ts';
import type { ToolContext } from './tool-context.ts';

/** What a tool answers: a table, or a sentence that says what to ask instead. */
export type ToolOutcome = { ok: true; result: ToolTable } | { ok: false; message: string };

/**
 * One way to read a member's data; none can write. The assistant, the plain reports and other programs of the member
 * use the same ones.
 */
export interface Tool {
  /** As a model calls it. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For a model: what it answers, and when to use it. */
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  /** Reads in the member's name; `input` has been checked. Throws `Failure` UNAVAILABLE where the data is away. */
  run(context: ToolContext, input: unknown): Promise<ToolOutcome>;
}

/** A tool with its input typed by its schema; `runTool` has checked it. */
export function defineTool<Schema extends z.ZodObject>(
  tool: Omit<Tool, 'inputSchema' | 'run'> & {
    inputSchema: Schema;
    run: (context: ToolContext, input: z.output<Schema>) => Promise<ToolOutcome>;
  },
): Tool {
  return { ...tool, run: (context, input) => tool.run(context, input as z.output<Schema>) };
}

type ResultExtras = Partial<Pick<ToolTable, 'notes' | 'links' | 'truncated'>>;

/** A table, with remarks and links where it has any. */
export const createTableResult = (
  columns: string[],
  rows: ToolTable['rows'],
  { notes = [], links = [], truncated = false }: ResultExtras,
): ToolOutcome => ({ ok: true, result: { columns, rows, truncated, notes, links } });

/** A table of records whose fields the columns name. */
export const createRecordsResult = <Column extends string>(
  columns: readonly Column[],
  records: readonly Record<NoInfer<Column>, Cell>[],
  extras: ResultExtras,
): ToolOutcome => {
  const rows = records.map((record) => columns.map((column) => record[column]));
  return createTableResult([...columns], rows, extras);
};
