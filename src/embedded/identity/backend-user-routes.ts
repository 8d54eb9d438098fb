import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { readDevice } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { createUser } from './create-user.ts';
import { commitWithEvents } from './emit-event.ts';
import { hashPassword, OPERATOR } from './passwords.ts';
import { listQuery, toPage } from './list-query.ts';
import { providerErrors } from './provider-error.ts';
import { emailField, metadataField, nameField, passwordField, readFields } from './read-body.ts';
import { idParamsSchema, findOrThrow } from './route-helpers.ts';
import { removeUser } from './remove-user.ts';
import { toBackendUserResponse } from './responses.ts';
import { countUsers, findUser, listUsers } from './user-queries.ts';

const newUserFields = z.strictObject({
  email_address: z.array(emailField).length(1, { error: 'must hold exactly one address.' }),
  password: passwordField.optional(),
  skip_password_requirement: z.boolean().optional(),
  skip_password_checks: z.boolean().optional(),
  first_name: nameField.nullish(),
  last_name: nameField.nullish(),
  public_metadata: metadataField.optional(),
  private_metadata: metadataField.optional(),
  unsafe_metadata: metadataField.optional(),
});

/** Adds the Backend API routes for users. */
export function addBackendUserRoutes(app: HttpApp, context: ProviderContext): void {
  app.get('/v1/users', { schema: { querystring: listQuery } }, async (request) => {
    const users = await listUsers(context.sql, toUserFilter(request.query), toPage(request.query));
    return users.map(toBackendUserResponse);
  });

  app.get('/v1/users/count', { schema: { querystring: listQuery } }, async (request) => ({
    object: 'total_count',
    total_count: await countUsers(context.sql, toUserFilter(request.query)),
  }));

  app.get('/v1/users/:id', { schema: idParamsSchema }, async (request) =>
    toBackendUserResponse(await findOrThrow('user', request.params.id, (id) => findUser(context.sql, id))),
  );

  app.post('/v1/users', async (request) => {
    const fields = readFields(newUserFields, request.body);
    const { email_address, password, skip_password_requirement, skip_password_checks, ...person } = fields;
    if (password === undefined && !skip_password_requirement) throw providerErrors.missing('password');
    const hashOptions = { checksStrength: !skip_password_checks, email: email_address[0]!, cost: context.passwordCost };
    const password_hash = password === undefined ? null : await hashPassword(password, OPERATOR, hashOptions);
    const newUser = { ...person, email: email_address[0]!, password_hash };
    const user = await commitWithEvents(context, (sql) => createUser(sql, context, newUser, readDevice(request)));
    if (!user) throw providerErrors.identifierExists();
    return toBackendUserResponse(user);
  });

  app.delete('/v1/users/:id', { schema: idParamsSchema }, (request) =>
    findOrThrow('user', request.params.id, (id) => removeUser(context, id)),
  );
}

function toUserFilter(query: z.infer<typeof listQuery>) {
  return { emails: query.email_address?.map((email) => email.toLowerCase()), ids: query.user_id };
}
