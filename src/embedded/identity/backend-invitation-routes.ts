import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import type { Invitation } from '../../platform/identity/identity-provider.ts';
import type { ProviderContext } from './context.ts';
import { findInvitationById } from './invitation-queries.ts';
import { createInvitations } from './invitations.ts';
import { providerErrors } from './provider-error.ts';
import { emailField, readFields } from './read-body.ts';
import { findOrThrow, idParamsSchema } from './route-helpers.ts';

const newInvitationFields = z.strictObject({ email_address: emailField });

/** Adds the Backend API routes for invitations. */
export function addBackendInvitationRoutes(app: HttpApp, context: ProviderContext): void {
  const invitations = createInvitations(context);

  app.get('/v1/invitations', async () => (await invitations.list()).map((invitation) => toResponse(invitation)));

  app.post('/v1/invitations', async (request) => {
    const { link, ...invitation } = await invitations.create(
      readFields(newInvitationFields, request.body).email_address,
    );
    return toResponse(invitation, link);
  });

  app.post('/v1/invitations/:id/revoke', { schema: idParamsSchema }, async (request) => {
    const { id } = request.params;
    const { status } = await findOrThrow('invitation', id, (found) => findInvitationById(context.sql, found));
    if (status !== 'pending') throw providerErrors.invitationNotPending(status);
    await invitations.revoke(id);
    const revoked = (await invitations.list()).find((invitation) => invitation.id === id);
    if (!revoked) throw providerErrors.notFound('invitation', id);
    return toResponse(revoked);
  });
}

/** Returns an invitation. The link is only in the response that creates it. */
function toResponse({ id, email, status, createdAt }: Invitation, link?: string): object {
  const at = createdAt.getTime();
  return {
    object: 'invitation',
    id,
    email_address: email ?? '',
    public_metadata: {},
    revoked: status === 'revoked',
    status,
    created_at: at,
    updated_at: at,
    ...(link !== undefined && { url: link }),
  };
}
