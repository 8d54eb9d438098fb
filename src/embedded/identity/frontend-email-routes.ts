import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { enqueueAccountMail } from './account-mail.ts';
import { readDevice, toClientResponse } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { newId } from './ids.ts';
import { enforceRateLimit, limitAddress } from './limit-attempts.ts';
import { closeLinks } from './link-queries.ts';
import { assertFresh, requireOwnAccount, type SignedIn } from './own-account.ts';
import { providerErrors } from './provider-error.ts';
import { emailField, readFields } from './read-body.ts';
import { toEmailAddress } from './responses.ts';
import { getMethodOverride, idParamsSchema } from './route-helpers.ts';
import { setNewEmail } from './user-queries.ts';
import { verifyEmailByLink } from './verify-email.ts';

const newAddressFields = z.strictObject({ email_address: emailField });
const preparationFields = z.strictObject({
  strategy: z.literal('email_link', { error: 'must be email_link.' }),
  redirect_url: z.string().optional(),
});
const linkFields = z.strictObject({ token: z.string({ error: 'must be a string.' }).max(200) });

/**
 * Adds the routes of a user's address. An account has one address, and at most one more that replaces it once a link
 * sent there is opened.
 */
export function addEmailRoutes(app: HttpApp, context: ProviderContext): void {
  const { sql, limits } = context;

  /** Consumes one mail of the user and one to the recipient. */
  async function limitMail(user: SignedIn['user'], recipient: string): Promise<void> {
    if (!context.sendsMail) throw providerErrors.noMail();
    await enforceRateLimit(limits.mailAddress.consume(user.id));
    await enforceRateLimit(limits.mailRecipient.consume(recipient));
  }

  app.post('/v1/me/email_addresses', async (request) => {
    const { user, client, session, origin } = await requireOwnAccount(context, request);
    const { email_address: email } = readFields(newAddressFields, request.body);
    assertFresh(session);
    if (email === user.email) throw providerErrors.malformed('email_address', 'is the current address.');
    await limitMail(user, email);
    // An address of another account gets no other response. The mail goes to its owner, whose link then fails.
    const changed = await sql.transaction(async (tx) => {
      await closeLinks(tx, user.id, 'change_email');
      const row = await setNewEmail(tx, user.id, email, newId('idn'));
      if (row) await enqueueAccountMail(tx, context, { kind: 'change_email', userId: user.id });
      return row;
    });
    if (!changed) throw providerErrors.signedOut();
    return {
      response: toEmailAddress(changed.new_email_id!, email, false, changed.updated_at),
      client: await toClientResponse(context, client, origin),
    };
  });

  app.post('/v1/me/email_addresses/:id/prepare_verification', { schema: idParamsSchema }, async (request) => {
    const { user, client, origin } = await requireOwnAccount(context, request);
    readFields(preparationFields, request.body);
    const { id } = request.params;
    const isNew = id === user.new_email_id;
    if (!isNew && id !== user.email_address_id) throw providerErrors.notFound('email address', id);
    const email = isNew ? user.new_email! : user.email;
    const isVerified = !isNew && user.email_verified_at !== null;
    if (!isVerified) {
      await limitMail(user, email);
      await enqueueAccountMail(sql, context, { kind: isNew ? 'change_email' : 'verify_email', userId: user.id });
    }
    return {
      response: toEmailAddress(id, email, isVerified, user.updated_at),
      client: await toClientResponse(context, client, origin),
    };
  });

  const removeAddress = async (request: Parameters<typeof requireOwnAccount>[1], id: string): Promise<object> => {
    const { user, client, origin } = await requireOwnAccount(context, request);
    if (id !== user.new_email_id) throw providerErrors.notFound('email address', id);
    await sql.transaction(async (tx) => {
      await closeLinks(tx, user.id, 'change_email');
      await setNewEmail(tx, user.id, null, null);
    });
    return {
      response: { object: 'email_address', id, deleted: true },
      client: await toClientResponse(context, client, origin),
    };
  };
  app.delete('/v1/me/email_addresses/:id', { schema: idParamsSchema }, (request) =>
    removeAddress(request, request.params.id),
  );
  app.post(
    '/v1/me/email_addresses/:id',
    { schema: { ...idParamsSchema, ...getMethodOverride('DELETE').schema } },
    (request) => removeAddress(request, request.params.id),
  );

  // The hosted provider verifies by GET, which a mail scanner would trigger.
  app.post('/v1/verify', limitAddress(limits.signInAddress), async (request) => {
    const { token } = readFields(linkFields, request.body);
    const user = await verifyEmailByLink(context, token, readDevice(request));
    return { response: toEmailAddress(user.email_address_id, user.email, true, user.updated_at), client: null };
  });
}
