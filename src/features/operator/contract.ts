import { z } from 'zod';
import { defineRoutes, instant, namedObject, namedStrictObject, noContent } from '../../platform/http/contract.ts';

const finding = namedObject('Finding', {
  name: z.string(),
  state: z.enum(['ok', 'warning', 'wrong', 'unavailable']),
  message: z.string(),
});

const installation = namedObject('Installation', {
  version: z.string(),
  has_revenue: z.boolean().describe('Whether /operator/revenue can be opened, which has a token of its own.'),
  findings: z.array(finding).describe('Results of the checks of "tally doctor", except the settings.'),
});
export type Installation = z.infer<typeof installation>;

const updateNotes = namedObject('UpdateNotes', {
  version: z.string(),
  groups: z
    .array(z.object({ name: z.string(), entries: z.array(z.string()).describe('Markdown, a line each.') }))
    .describe('Empty if the installation has no CHANGELOG.md.'),
});
export type UpdateNotes = z.infer<typeof updateNotes>;

const callBudget = namedObject('CallBudget', {
  provider: z.string(),
  used_today: z.int(),
  quotes_today: z.int().describe('Part of used_today that prices used.'),
  per_day: z.int().nullable().describe('Null if the plan has no such limit.'),
  used_this_minute: z.int(),
  per_minute: z.int().nullable(),
});
const callBudgets = namedObject('CallBudgets', { budgets: z.array(callBudget) });
export type CallBudgets = z.infer<typeof callBudgets>;

const assistantUse = namedObject('AssistantUse', {
  days: z
    .array(z.object({ day: z.iso.date(), members: z.int(), answers: z.int(), tokens: z.number() }))
    .describe('The last eight days (UTC) with answers, newest first.'),
  conversations: z.int().describe('Stored conversations of the last 30 days.'),
  questions: z.int().describe('Stored questions in them.'),
  daily_tokens: z.int().describe('Limit of all members a day, ASSISTANT_DAILY_TOKENS_TOTAL.'),
});
export type AssistantUse = z.infer<typeof assistantUse>;

const stuckJob = namedObject('StuckJob', {
  id: z.string(),
  task: z.string(),
  state: z.enum(['failed', 'overdue']),
  attempts: z.int(),
  max_attempts: z.int(),
  run_at: instant,
  last_error: z.string().nullable(),
});
const jobs = namedObject('StuckJobs', { jobs: z.array(stuckJob) });
export type StuckJobs = z.infer<typeof jobs>;

const managedMember = namedObject('ManagedMember', {
  idp_id: z.string(),
  email: z.string().nullable(),
  tier: z.string(),
  sessions: z.int().nullable().describe('Active sessions, or null if the identity provider did not tell.'),
  reserved: z.enum(['demo', 'sample']).nullable().describe('An account that cannot be deleted.'),
  created_at: instant,
});
const memberPage = namedObject('MemberPage', {
  members: z.array(managedMember),
  next: z.string().nullable().describe('Value of "after" for the next page, or null at the end.'),
});
export type MemberPage = z.infer<typeof memberPage>;

const operatorKey = namedObject('OperatorKey', {
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  organisation: z.string(),
  usage_tier: z.int(),
  created_at: instant,
  last_used_at: instant.nullable(),
});
const operatorKeys = namedObject('OperatorKeys', { keys: z.array(operatorKey) });
export type OperatorKeys = z.infer<typeof operatorKeys>;

const flagMembers = z.object({ count: z.int(), ids: z.array(z.string()).describe('At most 50.') });
const flag = namedObject('Flag', {
  flag: z.string(),
  percentage: z.int(),
  on_for: flagMembers.describe('Members for whom it is on, whatever its share.'),
  off_for: flagMembers.describe('Members for whom it is off, whatever its share.'),
});
const flags = namedObject('Flags', { flags: z.array(flag) });
export type Flags = z.infer<typeof flags>;
const done = { 204: noContent('Done.') } as const;

export const routes = defineRoutes(
  {
    tag: {
      name: 'Operator',
      description:
        'Health, queue, members, keys, flags, calls of providers and use of the assistant. A sign-in with OPERATOR_TOKEN sets the cookie of a session.',
    },
    access: 'operator-session',
    errors: ['NOT_FOUND'],
  },
  {
    startOperatorSession: {
      endpoint: 'POST /api/operator/session',
      access: 'operator',
      summary: 'Sign in as operator',
      description: 'Takes OPERATOR_TOKEN as bearer token. The session ends after 15 idle minutes.',
      responses: done,
    },
    endOperatorSession: {
      endpoint: 'DELETE /api/operator/session',
      summary: 'Sign out as operator',
      responses: done,
    },
    getInstallation: {
      endpoint: 'GET /api/operator/installation',
      summary: 'Get version and health',
      responses: { 200: installation },
    },
    getUpdateNotes: {
      endpoint: 'GET /api/operator/update-notes',
      summary: 'Get what changed in this version',
      responses: { 200: updateNotes },
    },
    getCallBudgets: {
      endpoint: 'GET /api/operator/market-data',
      summary: 'Get the calls of market-data providers',
      description: 'Calls of all processes in the current minute and day (UTC). Empty for sample data.',
      responses: { 200: callBudgets },
    },
    getAssistantUse: {
      endpoint: 'GET /api/operator/assistant',
      summary: 'Get the use of the assistant',
      description: 'Counts and tokens of all members. It holds nothing that members wrote.',
      responses: { 200: assistantUse },
    },
    listStuckJobs: {
      endpoint: 'GET /api/operator/jobs',
      summary: 'List failed and overdue jobs',
      responses: { 200: jobs },
    },
    retryJob: {
      endpoint: 'POST /api/operator/jobs/{id}/retry',
      summary: 'Run a job again',
      params: z.object({ id: z.string().regex(/^[1-9]\d{0,17}$/) }),
      responses: done,
    },
    listMembers: {
      endpoint: 'GET /api/operator/members',
      summary: 'List members',
      query: z.strictObject({
        search: z.string().max(320).optional().describe('A whole id, or a part of an address.'),
        after: z.string().max(128).optional(),
      }),
      responses: { 200: memberPage },
    },
    deleteMember: {
      endpoint: 'DELETE /api/operator/members/{id}',
      summary: 'Delete a member',
      description: 'Deletes the account and every row of the member. It cannot be undone.',
      params: z.object({ id: z.string().max(128) }),
      responses: done,
      errors: ['CONFLICT'],
    },
    listOperatorKeys: {
      endpoint: 'GET /api/operator/keys',
      summary: 'List active API keys',
      responses: { 200: operatorKeys },
    },
    revokeOperatorKey: {
      endpoint: 'DELETE /api/operator/keys/{id}',
      summary: 'Revoke an API key',
      params: z.object({ id: z.uuid() }),
      responses: done,
    },
    listFlags: {
      endpoint: 'GET /api/operator/flags',
      summary: 'List rollout flags',
      responses: { 200: flags },
    },
    setFlag: {
      endpoint: 'PUT /api/operator/flags/{flag}',
      summary: 'Set the share of a rollout flag',
      params: z.object({ flag: z.string().regex(/^[a-z0-9-]{1,100}$/) }),
      body: namedStrictObject('FlagShare', { percentage: z.int().min(0).max(100) }),
      responses: done,
    },
    setFlagMember: {
      endpoint: 'PUT /api/operator/flags/{flag}/member',
      summary: 'Turn a rollout flag on or off for a member',
      params: z.object({ flag: z.string().regex(/^[a-z0-9-]{1,100}$/) }),
      body: namedStrictObject('FlagMember', {
        member: z.string().min(1).max(320).describe('An id or an address.'),
        enabled: z.boolean().nullable().describe('Null removes the setting, so that the share counts again.'),
      }),
      responses: done,
      errors: ['CONFLICT'],
    },
  },
);
