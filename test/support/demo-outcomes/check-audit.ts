import type { TestBench } from './test-bench.ts';

interface Entry {
  action: string;
  outcome: string;
  invitation_id: string | null;
}

/**
 * Returns the violations in the audit's entries after `after` as sentences. Each provider call needs an intent, each
 * intent an outcome after it, and no entry may contain a secret.
 */
export async function checkAudit(
  { demo }: TestBench,
  after: { entry: number; called: number },
  secrets: readonly string[],
): Promise<string[]> {
  const entries = await demo.owner<Entry>(
    'select action, outcome, invitation_id from public.demo_access_audit where id > $1 order by id',
    [after.entry],
  );
  const violations: string[] = [];
  for (const call of new Set(demo.idp.called.slice(after.called).map((candidate) => candidate.call))) {
    if (call === 'session.list') continue;
    if (!entries.some(({ action, outcome }) => action === call && outcome === 'intent'))
      violations.push(`the provider was asked for ${call} without an intent`);
  }
  entries.forEach(({ action, outcome }, i) => {
    if (outcome !== 'intent') return;
    const next = entries.slice(i + 1).find((candidate) => candidate.action === action);
    if (!next || next.outcome === 'intent') violations.push(`an intent of ${action} has no outcome`);
  });
  const text = JSON.stringify(entries);
  if (secrets.some((secret) => text.includes(secret))) violations.push('the audit holds a secret');
  return violations;
}

/** Returns the current positions of the audit and of the provider's call log. */
export async function getAuditMark({ demo }: TestBench): Promise<{ entry: number; called: number }> {
  const [row] = await demo.owner<{ id: number }>(
    'select coalesce(max(id), 0)::int as id from public.demo_access_audit',
  );
  return { entry: row!.id, called: demo.idp.called.length };
}
