import { z } from 'zod';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { enqueueAccountMail, toMailbox } from './account-mail.ts';
import { readBrowser, toClientResponse } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { newId } from './ids.ts';
import { enforceRateLimit, limitAddress } from './limit-attempts.ts';
import { assertFresh, lockSignedIn, requireOwnAccount, type SignedIn } from './own-account.ts';
import { providerErrors } from './provider-error.ts';
import { emailField, passwordField, readFields } from './read-body.ts';
import { toEmailAddress } from './responses.ts';
import { cancelAddressChange } from './revoke-credentials.ts';
import { getMethodOverride, idParamsSchema } from './route-helpers.ts';
import { setNewEmail } from './user-queries.ts';
import { stopEmailChange, verifyEmailByLink } from './verify-email.ts';

const newAddressFields = z.strictObject({ email_address: emailField });
const preparationFields = z.strictObject({
  strategy: z.literal('email_link', { error: 'must be email_link.' }),
  redirect_url: z.string().optional(),
});
const linkFields = z.strictObject({ token: z.string({ error: 'must be a string.' }).max(200) });
const confirmationFields = linkFields.extend({ password: passwordField.optional() });

/**
 * Adds the routes of a user's address. An account has one address, and at most one more that replaces it once a link
 * sent there is opened.
 */
export function addEmailRoutes(app: HttpApp, context: ProviderContext): void {
  const { sql, limits } = context;

  /** Consumes one mail of the user and one to each recipient. */
  async function limitMail(user: SignedIn['user'], recipients: readonly string[]): Promise<void> {
    if (!context.sendsMail) throw providerErrors.noMail();
    await enforceRateLimit(limits.mailAddress.consume(user.id));
    for (const recipient of recipients) await enforceRateLimit(limits.mailRecipient.consume(toMailbox(recipient)));
  }

  /** Sends a link that stops the change to the current address, and then one to the new address. */
  const mailChange = (tx: ServiceSql, userId: string): Promise<void> =>
    enqueueAccountMail(tx, context, { kind: 'email_change_requested', userId });

  app.post('/v1/me/email_addresses', async (request) => {
    const signedIn = await requireOwnAccount(context, request);
    const { user, client, session, origin } = signedIn;
    const { email_address: email } = readFields(newAddressFields, request.body);
    assertFresh(session);
    if (email === user.email) throw providerErrors.malformed('email_address', 'is the current address.');
    await limitMail(user, [email, user.email.toLowerCase()]);
    // An address of another account gets no other response. The mail goes to its owner, whose link then fails.
    const changed = await sql.transaction(async (tx) => {
      await lockSignedIn(tx, signedIn);
      await cancelAddressChange(tx, user.id);
      const row = (await setNewEmail(tx, user.id, email, newId('idn')))!;
      await mailChange(tx, user.id);
      return row;
    });
    return {
      response: toEmailAddress(changed.new_email_id!, email, false, changed.updated_at),
      client: await toClientResponse(context, client, origin),
    };
  });

  app.post('/v1/me/email_addresses/:id/prepare_verification', { schema: idParamsSchema }, async (request) => {
    const signedIn = await requireOwnAccount(context, request);
    const { user, client, origin } = signedIn;
    readFields(preparationFields, request.body);
    const { id } = request.params;
    const isNew = id === user.new_email_id;
    if (!isNew && id !== user.email_address_id) throw providerErrors.notFound('email address', id);
    const email = isNew ? user.new_email! : user.email;
    const isVerified = !isNew && user.email_verified_at !== null;
    if (!isVerified) {
      await limitMail(user, isNew ? [email, user.email.toLowerCase()] : [email]);
      await sql.transaction(async (tx) => {
        await lockSignedIn(tx, signedIn);
        await (isNew
          ? mailChange(tx, user.id)
          : enqueueAccountMail(tx, context, { kind: 'verify_email', userId: user.id }));
      });
    }
    return {
      response: toEmailAddress(id, email, isVerified, user.updated_at),
      client: await toClientResponse(context, client, origin),
    };
  });

  const removeAddress = async (request: Parameters<typeof requireOwnAccount>[1], id: string): Promise<object> => {
    const signedIn = await requireOwnAccount(context, request);
    await sql.transaction(async (tx) => {
      const user = await lockSignedIn(tx, signedIn);
      if (id !== user.new_email_id) throw providerErrors.notFound('email address', id);
      await cancelAddressChange(tx, user.id);
    });
    return {
      response: { object: 'email_address', id, deleted: true },
      client: await toClientResponse(context, signedIn.client, signedIn.origin),
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

  const linkLimit = limitAddress(limits.signInAddress, limits.signInAddressDay);
  // The hosted provider verifies by GET, which a mail scanner would trigger.
  app.post('/v1/verify', linkLimit, async (request) => {
    const { token: code, password } = readFields(confirmationFields, request.body);
    const browser = await readBrowser(context, request);
    const user = await verifyEmailByLink(context, { code, password, browser });
    return { response: toEmailAddress(user.email_address_id, user.email, true, user.updated_at), client: null };
  });

  // The hosted provider has no such route.
  app.post('/v1/stop_email_change', linkLimit, async (request) => {
    const { token } = readFields(linkFields, request.body);
    const { id } = await stopEmailChange(context, token);
    return { response: { object: 'email_change', id, deleted: true }, client: null };
  });
}
