import type { ServiceSql } from '../database/roles.ts';
import { createApiKey } from './create-api-key.ts';

/** A key for the first run: organisation "First run", usage tier 4. Returns the key, which is stored nowhere else. */
export async function seedApiKey(sql: ServiceSql): Promise<string> {
  const created = await createApiKey(sql, { organisation: 'First run', usageTier: 4 }, 'first run');
  if (!created.ok) throw new Error('The first key was refused.');
  return created.key;
}
