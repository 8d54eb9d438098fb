import { z } from 'zod';
import { STORABLE_TEXT, line } from '../../platform/database/contract.ts';
import { defineRoutes, instant, namedObject, namedStrictObject } from '../../platform/http/contract.ts';

const newInvitation = namedStrictObject('NewDemoInvitation', {
  label: line.min(1).max(120).regex(STORABLE_TEXT).describe('Name of the viewer, for the operator.'),
});

const createdInvitation = z
  .object({
    id: z.uuid(),
    label: z.string(),
    link: z.string().describe('Returned only here, and only once.'),
    expires_at: instant.describe('Deadline of the first use.'),
  })
  .meta({ id: 'CreatedDemoInvitation', description: 'A link that signs one viewer in to the demo account, once.' });

const invitationStatus = z.enum(['unused', 'link_expired', 'in_use', 'session_ended', 'revoked', 'revocation_pending']);

const endedStatuses = ['revoked', 'ended', 'expired', 'removed', 'abandoned', 'replaced', 'not_found'] as const;
const sessionStatus = z.enum(['active', 'pending', ...endedStatuses, 'unknown']);

const invitation = namedObject('DemoInvitation', {
  id: z.uuid(),
  label: z.string(),
  status: invitationStatus.describe(
    '`link_expired`: the link expired without being used. `revocation_pending`: the link and its ' +
      'session are invalid, but the provider has not confirmed the revocation yet.',
  ),
  active: z.boolean().describe('True if the link or its session can be used.'),
  created_at: instant,
  expires_at: instant,
  /** The specification requires this spelling. */
  usedAt: instant.nullable().describe('First use of the link.'),
  idp_user_id: z.string(),
  session_id: z.string().nullable(),
  session_last_active_at: instant.nullable(),
  session_expires_at: instant.nullable(),
  session_status: sessionStatus
    .nullable()
    .describe('`unknown`: the provider did not respond, and the times are the last known ones.'),
});

const invitationPage = z
  .object({ invitations: z.array(invitation), next_cursor: z.string().nullable().describe('Null on the last page.') })
  .meta({ id: 'DemoInvitations', description: 'Newest first.' });

const orphanedSessions = z
  .object({
    sessions: z.array(
      z.object({ idp_user_id: z.string(), session_id: z.string(), created_at: instant, last_active_at: instant }),
    ),
  })
  .meta({
    id: 'DemoSessionCandidates',
    description:
      'Active sessions of the demo account that belong to no invitation. An operator decides whether to end them.',
  });

/** Limits the length only. The route validates the content. */
const signIn = z
  .strictObject({ invitation_id: z.string().min(1).max(64), ticket: z.string().min(1).max(8192) })
  .meta({ id: 'CompleteDemoSignIn', description: 'Both parts of the link. The session is that of the request.' });
const operatorRoutes = defineRoutes(
  {
    tag: { name: 'Demo access', description: 'Single-use links that sign a viewer in to the shared demo account.' },
    access: 'operator',
  },
  {
    createDemoInvitation: {
      endpoint: 'POST /api/internal/demo-access',
      summary: 'Create a demo link',
      description: 'After 503 no link can be used. Send the request again.',
      body: newInvitation,
      responses: { 201: createdInvitation },
      errors: ['ACCOUNT_MISMATCH', 'DEMO_ACCOUNT_NOT_READY'],
    },
    listDemoInvitations: {
      endpoint: 'GET /api/internal/demo-access',
      summary: 'List demo links',
      query: z.strictObject({ cursor: z.string().max(200).optional().describe('`next_cursor` of the previous page.') }),
      responses: { 200: invitationPage },
    },
    listDemoSessionCandidates: {
      endpoint: 'GET /api/internal/demo-access/candidates',
      summary: 'List sessions without a demo link',
      responses: { 200: orphanedSessions },
    },
    revokeDemoInvitation: {
      endpoint: 'DELETE /api/internal/demo-access/{id}',
      summary: 'Revoke a demo link',
      description:
        'The first call makes the link and its session in this API invalid. Status 200 means that the provider has ' +
        'confirmed the revocation. Safe to repeat.',
      params: z.object({ id: z.string() }),
      responses: {
        200: namedObject('RevokedDemoInvitation', {
          id: z.uuid(),
          status: z.literal('revoked'),
          warning: z
            .string()
            .optional()
            .describe(
              'With DEMO_ACCESS_STRICT=off: the link may have created a session that is not recorded and stays ' +
                'active.',
            ),
        }),
      },
      errors: ['NOT_FOUND', 'ACCOUNT_MISMATCH', 'REVOCATION_UNCONFIRMED'],
    },
  },
);

const viewerRoutes = defineRoutes(
  { tag: { name: 'Demo sign-in', description: 'The sign-in of a viewer who has opened a demo link.' } },
  {
    completeDemoSignIn: {
      endpoint: 'POST /api/demo-access/complete',
      summary: 'Complete a demo sign-in',
      description: 'Requires the token of the new session. After 503 the same request may be sent again.',
      body: signIn,
      responses: { 200: namedObject('CompletedDemoSignIn', { redirect_to: z.literal('/dashboard') }) },
      errors: ['NOT_CONFIGURED', 'NOT_DEMO_ACCOUNT', 'LINK_USED', 'LINK_EXPIRED', 'LINK_REVOKED'],
    },
  },
);

export const routes = { ...operatorRoutes, ...viewerRoutes };

export type InvitationStatus = z.infer<typeof invitationStatus>;
export type Invitation = z.infer<typeof invitation>;
