import { createSubcommands, defineSubcommand, formatTable, type WithResource } from '../../command-line.ts';
import type { Database } from '../../platform/database/connect.ts';
import { type AssistantUse, readAssistantUse } from './conversations/queries.ts';

/** Defines `tally assistant usage`, which shows counts and tokens of all members. */
export const assistantCommand = (withDatabase: WithResource<Database>) =>
  createSubcommands({
    name: 'assistant',
    summary: 'Show the use of the assistant',
    help: `tally assistant usage [--json]

usage  shows members, answers and tokens of each of the last eight days (UTC), and the
       stored conversations. It shows nothing that members wrote.

Exit codes: 0 done, 2 usage, 3 the database is unavailable.`,
    subcommands: {
      usage: defineSubcommand({ json: 'boolean' }, 'usage takes only --json.', async ({ json }, io) => {
        const use = await withDatabase(({ service: sql }) => readAssistantUse(sql));
        return io.succeed(json ? use : formatUse(use));
      }),
    },
  });

function formatUse({ days, conversations, questions }: AssistantUse): string {
  const stored = `${conversations} conversations with ${questions} questions are stored.\n`;
  if (days.length === 0) return `No answer used tokens in the last eight days.\n${stored}`;
  const cells = days.map((day) => [day.day, String(day.members), String(day.answers), String(day.tokens)]);
  return `${formatTable([['day', 'members', 'answers', 'tokens'], ...cells])}${stored}`;
}
