import { z } from 'zod';
import {
  defineRoutes,
  instant,
  namedObject,
  namedStrictObject,
  noContent,
  errorSchema,
} from '../../platform/http/contract.ts';
import { explanation } from '../portfolio/net-worth/contract.ts';

/** Schemas of the member's own SQL, the answers of the assistant and their stream, and the plain reports. */

// SQL and tools

const sqlRequest = namedStrictObject('SqlRequest', {
  sql: z
    .string()
    .min(1)
    .max(4000)
    .describe('One SELECT over the tables of the page "Assistant and MCP" in docs/reference.'),
});

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** A cell of a tool result. */
export type Cell = z.infer<typeof cell>;

const table = {
  columns: z.array(z.string()),
  rows: z.array(z.array(cell)),
  truncated: z.boolean().describe('True if there were more rows.'),
};
const sqlResponse = namedObject('SqlAnswer', {
  ...table,
  rows: table.rows.describe('Rows in the order of `columns`: at most 200 rows and 500 kB.'),
});

const sourceLink = namedObject('SourceLink', {
  url: z.string().describe('http or https only; always one that a tool has returned.'),
  title: z.string(),
  source: z.string().describe('Publisher of the article.'),
  published_at: instant.nullable(),
});
/** A page named by a tool result. Answers link only to such pages. */
export type SourceLink = z.infer<typeof sourceLink>;

/** Result of a tool: a table, remarks on it, and the pages that it names. */
export const toolResult = namedObject('ToolResult', {
  ...table,
  notes: z.array(z.string()).describe('Notes on the figures, such as that they are sample data.'),
  links: z.array(sourceLink),
  explain: explanation
    .optional()
    .describe('How the value of a position or the net worth in the base currency came about: its largest terms.'),
});
export type ToolTable = z.infer<typeof toolResult>;

const toolCall = {
  id: z.string(),
  name: z.string(),
  title: z.string().describe('Label for people: "Your position".'),
  input: z.record(z.string(), z.unknown()).describe('The arguments; `sql` of run_sql is the statement.'),
};
const toolCallState = z
  .discriminatedUnion('status', [
    z.object({ ...toolCall, status: z.literal('running') }),
    z.object({ ...toolCall, status: z.literal('ok'), result: toolResult }),
    z.object({ ...toolCall, status: z.literal('refused'), message: z.string() }),
  ])
  .meta({ id: 'ToolCall', description: 'One call of a tool: `running`, then `ok` or `refused`.' });
export type ToolCall = z.infer<typeof toolCallState>;

// Answers

/** Reason for the end of an answer: completed, stopped by the member, or stopped by a limit. */
const endReason = z
  .enum(['complete', 'stopped', 'too_long', 'too_many_tools', 'refused', 'timed_out'])
  .meta({ id: 'AnswerEnd' });
export type EndReason = z.infer<typeof endReason>;

/** Reason for the lack of a complete answer. */
const failureCode = z
  .enum(['OVERLOADED', 'CUT_SHORT', 'DAILY_LIMIT_REACHED', 'NOT_CONFIGURED', 'UNAVAILABLE', 'INTERRUPTED', 'INTERNAL'])
  .meta({ id: 'AnswerFailure' });

const usage = z
  .object({
    counted: z.int().describe('Input tokens, which the service counts before each call.'),
    input: z.int().nullable().describe('Input tokens according to the model API, or null if it did not return them.'),
    output: z.int(),
    calls: z.int(),
  })
  .meta({ id: 'AnswerUsage', description: 'Tokens of an answer so far, over all its model calls.' });
export type AnswerUsage = z.infer<typeof usage>;

const failure = { code: failureCode, message: z.string(), retry: z.boolean().describe('True if a retry can succeed.') };

/** Events of the stream, each sent as `event: <type>` and `data: <this, as JSON>`. */
export const streamEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('start'), conversation_id: z.uuid(), message_id: z.uuid(), model: z.string() }),
    z.object({ type: z.literal('text'), text: z.string().describe('Text to append to the answer.') }),
    z.object({
      type: z.literal('tool'),
      call: toolCallState.describe('Sent twice for each id: at the start and at the end of the call.'),
    }),
    z.object({ type: z.literal('usage'), usage }),
    z.object({ type: z.literal('error'), ...failure }),
    z.object({
      type: z.literal('done'),
      reason: endReason,
      links: z.array(sourceLink).describe('Pages to which the text may link.'),
      removed_links: z.int().describe('Number of links that were removed because no tool returned them.'),
      usage,
    }),
  ])
  .meta({ id: 'AnswerEvent', description: 'The stream begins with `start` and ends with `done` or `error`.' });
export type StreamEvent = z.infer<typeof streamEvent>;

/** Parts of an answer, in order. */
const answerPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool'), call: toolCallState }),
]);
export type AnswerPart = z.infer<typeof answerPart>;

const message = z
  .discriminatedUnion('role', [
    z.object({
      role: z.literal('member'),
      id: z.uuid(),
      text: z.string(),
      symbol: z.string().nullable(),
      created_at: instant,
    }),
    z.object({
      role: z.literal('assistant'),
      id: z.uuid(),
      status: z.enum(['answering', 'done', 'failed']),
      parts: z.array(answerPart),
      reason: endReason.nullable().describe('Reason for the end of the answer. Null unless `status` is `done`.'),
      failure: z.object(failure).nullable(),
      links: z.array(sourceLink),
      removed_links: z.int(),
      usage,
      created_at: instant,
    }),
  ])
  .meta({ id: 'ConversationMessage' });
export type ConversationMessage = z.infer<typeof message>;

const conversationSummary = {
  id: z.uuid(),
  title: z.string().describe('The first question, shortened.'),
  symbol: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
  deleted_at: instant.describe('Time of its deletion, 30 days after its last message.'),
};
const conversation = namedObject('Conversation', { ...conversationSummary, messages: z.array(message) });
export type Conversation = z.infer<typeof conversation>;
const conversations = namedObject('Conversations', { conversations: z.array(z.object(conversationSummary)) });

// Plain reports

export const reportKind = z
  .enum(['why_moving', 'whats_new', 'position', 'list_today', 'reports_ahead', 'net_worth_change'])
  .meta({ id: 'ReportKind' });
export type ReportKind = z.infer<typeof reportKind>;

const report = z
  .object({
    kind: reportKind,
    title: z.string(),
    symbol: z.string().nullable(),
    as_of: instant,
    lines: z.array(
      z.object({
        text: z.string(),
        private: z.boolean().describe('True if the text reveals what the member owns.'),
        amounts: z
          .array(z.string())
          .describe('Money and quantities of the member in the text, in order, to hide in public.'),
      }),
    ),
    table: z
      .object({
        ...table,
        title: z.string(),
        private: z.boolean().describe('True if the table reveals what the member owns.'),
        amount_columns: z.array(z.string()).describe('Columns with money and quantities of the member.'),
      })
      .nullable(),
    sources: z.array(sourceLink),
    incomplete: z.array(z.string()).describe('One sentence for each part that could not be read.'),
    sample_data: z.boolean(),
    with_model: z.string().nullable().describe('What a model’s key would add. Null if there is a key.'),
  })
  .meta({
    id: 'PlainReport',
    description: 'An answer that fixed rules create from the results of the tools, without a model.',
  });
export type Report = z.infer<typeof report>;

const quota = z.object({ answers: z.int(), tokens: z.int() });
const status = namedObject('AssistantStatus', {
  available: z.boolean().describe('Whether a model answers this member.'),
  unavailable_because: z
    .enum(['not_configured', 'demo'])
    .nullable()
    .describe('`demo`: the demo account and the sample user get the plain reports.'),
  model: z.string().nullable(),
  used: quota.describe('Usage of this member since the last reset.'),
  limit: quota,
  resets_at: instant,
  reports: z.array(z.object({ kind: reportKind, title: z.string(), takes_symbol: z.boolean() })),
  with_model: z.string().nullable(),
});

const askRequest = namedStrictObject('AskRequest', {
  text: z.string().trim().min(1).max(2000),
  conversation_id: z.uuid().optional().describe('Conversation to continue. Default: a new conversation.'),
  symbol: z.string().min(1).max(32).optional().describe('Symbol that the question is about.'),
  retry_of: z.uuid().optional().describe('A failed or stopped answer that the new answer replaces.'),
});
export type AskRequest = z.infer<typeof askRequest>;

const dailyLimit = errorSchema('DAILY_LIMIT_REACHED', {
  of: z
    .enum(['answers', 'tokens', 'installation'])
    .describe('The limit that is reached. `installation`: the limit of all members together.'),
  resets_at: instant,
});

const idParams = z.object({ id: z.string() });
/** Fields that the routes of one conversation share. */
const conversationWrite = {
  params: idParams,
  variesByDemoTour: true,
  errors: ['DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_FOUND'],
} as const;

export const routes = defineRoutes(
  { tag: { name: 'Assistant', description: "Answers about the member's data, and that data as read-only tools." } },
  {
    runSql: {
      endpoint: 'POST /api/assistant/sql',
      summary: 'Run a SQL query',
      description: 'Read-only. Returns 503 NOT_CONFIGURED if the deployment has no database login for it.',
      body: sqlRequest,
      responses: { 200: sqlResponse },
      errors: ['SQL_REFUSED', 'SQL_TOO_EXPENSIVE', 'SQL_TIMED_OUT', 'NOT_CONFIGURED', 'UNAVAILABLE'],
    },
    getAssistant: {
      endpoint: 'GET /api/assistant',
      summary: 'Get the assistant status',
      responses: { 200: status },
    },
    getReport: {
      endpoint: 'GET /api/assistant/reports/{kind}',
      summary: 'Get a report',
      variesByDemoTour: true,
      params: z.object({ kind: z.string() }),
      query: z.strictObject({
        symbol: z.string().min(1).max(32).optional(),
        days: z.coerce
          .number()
          .int()
          .min(1)
          .max(366)
          .optional()
          .describe('For the reports net_worth_change and reports_ahead.'),
      }),
      responses: { 200: report },
      errors: ['NOT_FOUND', 'UNAVAILABLE'],
    },
    ask: {
      endpoint: 'POST /api/assistant/messages',
      summary: 'Ask the assistant',
      description:
        'Each event is one AnswerEvent. The answer continues if the connection closes, and can be read ' +
        'from its conversation. CONFLICT: an answer of this conversation is in progress.',
      body: askRequest,
      variesByDemoTour: true,
      responses: { 200: { description: 'The event stream.', mediaTypes: ['text/event-stream'] } },
      errors: ['NOT_CONFIGURED', 'DEMO_ACCOUNT', 'DEMO_MODE', 'NOT_FOUND', dailyLimit, 'CONFLICT'],
    },
    stopAnswer: {
      endpoint: 'POST /api/assistant/conversations/{id}/stop',
      summary: 'Stop an answer',
      description: 'The text received so far is kept.',
      responses: { 204: noContent('The answer is stopped or had ended before.') },
      ...conversationWrite,
    },
    listConversations: {
      endpoint: 'GET /api/assistant/conversations',
      summary: 'List conversations',
      description: 'Conversations of the last 30 days, newest first.',
      responses: { 200: conversations },
    },
    getConversation: {
      endpoint: 'GET /api/assistant/conversations/{id}',
      summary: 'Get a conversation',
      params: idParams,
      responses: { 200: conversation },
      errors: ['NOT_FOUND'],
    },
    deleteConversation: {
      endpoint: 'DELETE /api/assistant/conversations/{id}',
      summary: 'Delete a conversation',
      description: 'An answer in progress is stopped.',
      responses: { 204: noContent('It is deleted.') },
      ...conversationWrite,
    },
    deleteConversations: {
      endpoint: 'DELETE /api/assistant/conversations',
      summary: 'Delete all conversations',
      variesByDemoTour: true,
      responses: { 204: noContent('They are deleted.') },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE'],
    },
  },
);
