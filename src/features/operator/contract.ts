import { z } from 'zod';
import { defineRoutes, instant, namedObject, namedStrictObject, noContent } from '../../platform/http/contract.ts';

const finding = namedObject('Finding', {
  name: z.string(),
  state: z.enum(['ok', 'warning', 'wrong', 'unavailable']),
  message: z.string(),
});

const installation = namedObject('Installation', {
  version: z.string(),
  findings: z.array(finding).describe('Results of the checks of "tally doctor", except the settings.'),
});
export type Installation = z.infer<typeof installation>;

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

const flag = namedObject('Flag', { flag: z.string(), percentage: z.int(), members: z.int() });
const flags = namedObject('Flags', { flags: z.array(flag) });
export type Flags = z.infer<typeof flags>;

const exampleTime = '2026-11-26T10:00:00.000Z';
const exampleId = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a47';
const done = { 204: noContent('Done.') } as const;

export const routes = defineRoutes(
  {
    tag: {
      name: 'Operator',
      description:
        'Health, queue, members, keys and flags. A sign-in with OPERATOR_TOKEN sets the cookie of a session.',
    },
    access: 'operator',
    errors: ['NOT_FOUND'],
  },
  {
    startOperatorSession: {
      endpoint: 'POST /api/operator/session',
      summary: 'Sign in as operator',
      description: 'Takes OPERATOR_TOKEN as bearer token. The session ends after 15 idle minutes.',
      responses: done,
    },
    endOperatorSession: {
      endpoint: 'DELETE /api/operator/session',
      summary: 'Sign out as operator',
      responses: done,
      errors: ['CROSS_ORIGIN'],
    },
    getInstallation: {
      endpoint: 'GET /api/operator/installation',
      summary: 'Get version and health',
      responses: { 200: installation },
      example: {
        response: { version: '0.2.0', findings: [{ name: 'worker', state: 'ok', message: '1 worker is connected.' }] },
      },
    },
    listStuckJobs: {
      endpoint: 'GET /api/operator/jobs',
      summary: 'List failed and overdue jobs',
      responses: { 200: jobs },
      example: {
        response: {
          jobs: [
            {
              id: '12',
              task: 'send-account-mail',
              state: 'failed',
              attempts: 9,
              max_attempts: 9,
              run_at: exampleTime,
              last_error: 'Connection refused.',
            },
          ],
        },
      },
    },
    retryJob: {
      endpoint: 'POST /api/operator/jobs/{id}/retry',
      summary: 'Run a job again',
      params: z.object({ id: z.string().regex(/^[1-9]\d{0,17}$/) }),
      responses: done,
      errors: ['CROSS_ORIGIN'],
      example: { params: { id: '12' } },
    },
    listMembers: {
      endpoint: 'GET /api/operator/members',
      summary: 'List members',
      query: z.strictObject({
        search: z.string().max(320).optional().describe('A whole id, or a part of an address.'),
        after: z.string().max(128).optional(),
      }),
      responses: { 200: memberPage },
      example: {
        response: {
          members: [
            {
              idp_id: 'user_2abc',
              email: 'ada@example.com',
              tier: 'pro',
              sessions: 1,
              reserved: null,
              created_at: exampleTime,
            },
          ],
          next: null,
        },
      },
    },
    deleteMember: {
      endpoint: 'DELETE /api/operator/members/{id}',
      summary: 'Delete a member',
      description: 'Deletes the account and every row of the member. It cannot be undone.',
      params: z.object({ id: z.string().max(128) }),
      responses: done,
      errors: ['CROSS_ORIGIN', 'CONFLICT'],
      example: { params: { id: 'user_2abc' } },
    },
    listOperatorKeys: {
      endpoint: 'GET /api/operator/keys',
      summary: 'List active API keys',
      responses: { 200: operatorKeys },
      example: {
        response: {
          keys: [
            {
              id: exampleId,
              name: 'Billing',
              hint: 'abcd',
              organisation: 'Acme',
              usage_tier: 1,
              created_at: exampleTime,
              last_used_at: null,
            },
          ],
        },
      },
    },
    revokeOperatorKey: {
      endpoint: 'DELETE /api/operator/keys/{id}',
      summary: 'Revoke an API key',
      params: z.object({ id: z.uuid() }),
      responses: done,
      errors: ['CROSS_ORIGIN'],
      example: { params: { id: exampleId } },
    },
    listFlags: {
      endpoint: 'GET /api/operator/flags',
      summary: 'List rollout flags',
      responses: { 200: flags },
      example: { response: { flags: [{ flag: 'watchlist', percentage: 100, members: 0 }] } },
    },
    setFlag: {
      endpoint: 'PUT /api/operator/flags/{flag}',
      summary: 'Set the share of a rollout flag',
      params: z.object({ flag: z.string().regex(/^[a-z0-9-]{1,100}$/) }),
      body: namedStrictObject('FlagShare', { percentage: z.int().min(0).max(100) }),
      responses: done,
      errors: ['CROSS_ORIGIN'],
      example: { params: { flag: 'watchlist' }, body: { percentage: 10 } },
    },
  },
);
