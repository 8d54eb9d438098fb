const VERB = /^\s*(?:with\b[\s\S]*?)?\b(select|insert|update|delete)\b/i;
const RELATION = /\b(?:from|into|update|join)\s+(?:only\s+)?((?:[a-z_]+\.)[a-z_]+)/i;
const MOST = 1_000;

const known = new Map<string, string | undefined>();

/**
 * What a statement of ours does, to the first table or function of a schema that it names (`select public.plans`);
 * `undefined` for what opens and ends transactions. Texts hold placeholders alone, never a value; all the same nothing
 * of them but these words leaves the process.
 */
export function summarise(text: string): string | undefined {
  if (known.has(text)) return known.get(text);
  const verb = VERB.exec(text)?.[1]?.toLowerCase();
  const relation = RELATION.exec(text)?.[1];
  const summary = verb === undefined || relation === undefined ? undefined : `${verb} ${relation}`;
  if (known.size < MOST) known.set(text, summary);
  return summary;
}
