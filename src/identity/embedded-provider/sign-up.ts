import { beginSession, type BegunSession } from './begin-session.ts';
import { type Browser, refuseSecondSession } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { createUser } from './create-user.ts';
import { takeOne } from './limit-attempts.ts';
import { hashPassword } from './passwords.ts';
import { refusals } from './provider-error.ts';
import type { UserRow } from './rows.ts';
import { findUser, findUserByEmail } from './user-queries.ts';

interface SignUpInput {
  email: string;
  password: string;
  firstName: string | null;
  lastName: string | null;
  unsafeMetadata: Record<string, unknown>;
}

/** Makes a person and signs them in, or leaves nothing behind. Throws the provider's refusals. */
export async function signUp(
  context: ProviderContext,
  input: SignUpInput,
  browser: Browser,
): Promise<BegunSession & { user: UserRow }> {
  await takeOne(context.limits.signUpAddress, browser.device.ipAddress ?? '');
  await refuseSecondSession(context, browser);
  const passwordHash = await hashPassword(input.password, { cost: context.passwordCost });
  // Looked up after the hash, so that the time to answer tells no more than the answer itself.
  if (await findUserByEmail(context.sql, input.email)) throw refusals.identifierExists();
  const begun = await context.sql.transaction(async (sql) => {
    const user = await createUser(sql, context, { ...input, passwordHash }, browser.device);
    if (!user) throw refusals.identifierExists();
    const session = await beginSession(sql, context, user.id, browser);
    return { ...session, user: (await findUser(sql, user.id))! };
  });
  context.wake();
  return begun;
}
