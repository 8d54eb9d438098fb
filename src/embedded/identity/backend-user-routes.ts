import { z } from 'zod';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { deviceOf } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { createUser } from './create-user.ts';
import { commit, emitEvent } from './emit-event.ts';
import { hashPassword } from './passwords.ts';
import { listQuery, pageOf } from './list-query.ts';
import { refusals } from './provider-error.ts';
import { emailField, metadataField, nameField, passwordField, readFields } from './read-body.ts';
import { byId, orNotFound } from './route-parts.ts';
import { backendUserShape } from './shapes.ts';
import { countUsers, deleteUser, findUser, listUsers } from './user-queries.ts';

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

/** Backend API: people. */
export function addBackendUserRoutes(app: HttpApp, context: ProviderContext): void {
  app.get('/v1/users', { schema: { querystring: listQuery } }, async (request) => {
    const users = await listUsers(context.sql, filterOf(request.query), pageOf(request.query));
    return users.map(backendUserShape);
  });

  app.get('/v1/users/count', { schema: { querystring: listQuery } }, async (request) => ({
    object: 'total_count',
    total_count: await countUsers(context.sql, filterOf(request.query)),
  }));

  app.get('/v1/users/:id', { schema: byId }, async (request) =>
    backendUserShape(await orNotFound('user', request.params.id, (id) => findUser(context.sql, id))),
  );

  app.post('/v1/users', async (request) => {
    const fields = readFields(newUserFields, request.body);
    const { email_address, password, skip_password_requirement, skip_password_checks, ...person } = fields;
    if (password === undefined && !skip_password_requirement) throw refusals.missing('password');
    const how = { checked: !skip_password_checks, email: email_address[0]!, cost: context.passwordCost };
    const password_hash = password === undefined ? null : await hashPassword(password, how);
    const named = { ...person, email: email_address[0]!, password_hash };
    const user = await commit(context, (sql) => createUser(sql, context, named, deviceOf(request)));
    if (!user) throw refusals.identifierExists();
    return backendUserShape(user);
  });

  app.delete('/v1/users/:id', { schema: byId }, (request) =>
    orNotFound('user', request.params.id, (id) =>
      commit(context, async (sql) => {
        if (!(await deleteUser(sql, id))) return undefined;
        const gone = { id, object: 'user', deleted: true };
        await emitEvent(sql, context, 'user.deleted', gone, deviceOf(request));
        return gone;
      }),
    ),
  );
}

function filterOf(query: z.infer<typeof listQuery>) {
  return { emails: query.email_address?.map((email) => email.toLowerCase()), ids: query.user_id };
}
