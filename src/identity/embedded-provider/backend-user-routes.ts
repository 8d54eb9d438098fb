import { z } from 'zod';
import type { HttpApp } from '../../http/app-type.ts';
import { deviceOf } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { createUser } from './create-user.ts';
import { emitEvent } from './emit-event.ts';
import { hashPassword } from './passwords.ts';
import { listQuery, pageOf } from './list-query.ts';
import { refusals } from './provider-error.ts';
import { emailField, isId, metadataField, nameField, passwordField, readFields } from './read-body.ts';
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

const byId = { params: z.object({ id: z.string() }) };

/** Backend API: people. */
export function addBackendUserRoutes(app: HttpApp, context: ProviderContext): void {
  app.get('/v1/users', { schema: { querystring: listQuery } }, async (request) => {
    const { limit, offset } = pageOf(request.query);
    return (await listUsers(context.sql, filterOf(request.query), limit, offset)).map(backendUserShape);
  });

  app.get('/v1/users/count', { schema: { querystring: listQuery } }, async (request) => ({
    object: 'total_count',
    total_count: await countUsers(context.sql, filterOf(request.query)),
  }));

  app.get('/v1/users/:id', { schema: byId }, async (request) => {
    const { id } = request.params;
    const user = isId(id) ? await findUser(context.sql, id) : undefined;
    if (!user) throw refusals.notFound('user', id);
    return backendUserShape(user);
  });

  app.post('/v1/users', async (request) => {
    const fields = readFields(newUserFields, request.body);
    if (fields.password === undefined && !fields.skip_password_requirement) throw refusals.missing('password');
    const how = { checked: !fields.skip_password_checks, cost: context.passwordCost };
    const passwordHash = fields.password === undefined ? null : await hashPassword(fields.password, how);
    const user = await context.sql.transaction((sql) =>
      createUser(
        sql,
        context,
        {
          email: fields.email_address[0]!,
          passwordHash,
          firstName: fields.first_name ?? null,
          lastName: fields.last_name ?? null,
          publicMetadata: fields.public_metadata ?? {},
          privateMetadata: fields.private_metadata ?? {},
          unsafeMetadata: fields.unsafe_metadata ?? {},
        },
        deviceOf(request),
      ),
    );
    if (!user) throw refusals.identifierExists();
    context.wake();
    return backendUserShape(user);
  });

  app.delete('/v1/users/:id', { schema: byId }, async (request) => {
    const { id } = request.params;
    const gone = { id, object: 'user', deleted: true };
    const deleted =
      isId(id) &&
      (await context.sql.transaction(async (sql) => {
        if (!(await deleteUser(sql, id))) return false;
        await emitEvent(sql, context, 'user.deleted', gone, deviceOf(request));
        return true;
      }));
    if (!deleted) throw refusals.notFound('user', id);
    context.wake();
    return gone;
  });
}

function filterOf(query: z.infer<typeof listQuery>) {
  return { emails: query.email_address ?? null, ids: query.user_id ?? null };
}
