import type { ServiceSql } from '../../database/roles.ts';

/** Forgets sessions, browsers and tickets that have been over for 30 days, and webhooks settled that long ago. */
export async function forgetOldSessions(sql: ServiceSql): Promise<void> {
  const old = `now() - interval '30 days'`;
  await sql.query(`delete from idp.sessions where expire_at < ${old} or (status <> 'active' and updated_at < ${old})`);
  await sql.query(
    `delete from idp.clients c
     where c.updated_at < ${old} and not exists (select from idp.sessions s where s.client_id = c.id)`,
  );
  await sql.query(
    `delete from idp.sign_in_tokens where expires_at < ${old} or (status <> 'pending' and updated_at < ${old})`,
  );
  await sql.query(`delete from idp.webhook_messages where next_attempt_at is null and created_at < ${old}`);
}
