import { AppError } from '../../../errors.ts';
import { alertsTool } from './alerts-tool.ts';
import { dividendsTool } from './dividends-tool.ts';
import { listTodayTool } from './list-today-tool.ts';
import { netWorthChangeTool } from './net-worth-change-tool.ts';
import { newsTool } from './news-tool.ts';
import { positionTool } from './position-tool.ts';
import { reportsAheadTool } from './reports-ahead-tool.ts';
import { runSqlTool } from './run-sql-tool.ts';
import type { Tool, ToolOutcome } from './tool.ts';
import type { ToolContext } from './tool-context.ts';
import { whyMovingTool } from './why-moving-tool.ts';

/** All tools. Each reads in the name of one member. */
export const tools: readonly Tool[] = [
  runSqlTool,
  positionTool,
  listTodayTool,
  reportsAheadTool,
  newsTool,
  netWorthChangeTool,
  whyMovingTool,
  alertsTool,
  dividendsTool,
];

/**
 * Runs a tool by the name and the unvalidated input of a program. Returns an outcome with a message if either is
 * invalid or the data is unavailable. Throws only for internal errors.
 */
export async function runTool(context: ToolContext, name: string, input: unknown): Promise<ToolOutcome> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) {
    const names = tools.map((candidate) => candidate.name).join(', ');
    return { ok: false, message: `There is no tool ${name.slice(0, 64)}. There are: ${names}.` };
  }
  const parsed = tool.inputSchema.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
    return { ok: false, message: `The input is not valid. ${problems.slice(0, 5).join('; ')}` };
  }
  try {
    return await tool.run(context, parsed.data);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INTERNAL') return { ok: false, message: error.message };
    throw error;
  }
}
