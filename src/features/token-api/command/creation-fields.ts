/**
 * Fields of a creation request that counting does not take: parameters of the official client's `create` that its
 * `countTokens` lacks, parameters that the client sends as headers, and fields that Bedrock and Vertex AI put into the
 * body. Of them only a beta can add tokens to the input, see `listBetas`.
 */
export const CREATION_FIELDS: ReadonlySet<string> = new Set([
  'anthropic_beta',
  'anthropic_version',
  'betas',
  'container',
  'diagnostics',
  'fallback_credit_token',
  'fallbacks',
  'inference_geo',
  'max_tokens',
  'metadata',
  'service_tier',
  'stop_sequences',
  'stream',
  'temperature',
  'thread',
  'top_k',
  'top_p',
  'user_profile_id',
  'workspace_id',
]);

/** Returns the request without the fields that only creation takes. */
export function omitCreationFields(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !CREATION_FIELDS.has(name)));
}

/** Returns the values of the beta header that a saved request contains, as the official client or Bedrock name them. */
export function listBetas({ betas, anthropic_beta }: Record<string, unknown>): string[] {
  const values = betas ?? anthropic_beta;
  if (typeof values === 'string') return values.split(',').map((value) => value.trim());
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}
