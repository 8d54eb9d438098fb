import { z } from 'zod';

/** Milliseconds since 1970, within this century. */
export const epochMs = z.number().min(0).max(4.1e12);

/** The fields that the service reads of the provider's responses. Others are dropped. Times are in ms since 1970. */
export const providerUser = z.object({
  object: z.literal('user'),
  id: z.string().min(1),
  created_at: epochMs,
  updated_at: epochMs,
  banned: z.boolean().default(false),
  primary_email_address_id: z.string().nullish(),
  email_addresses: z
    .array(
      z.object({
        id: z.string().nullish(),
        email_address: z.string(),
        verification: z.object({ status: z.string().nullish() }).nullish(),
      }),
    )
    .default([]),
  unsafe_metadata: z.record(z.string(), z.unknown()).nullish(),
});

export const signInToken = z.object({
  object: z.literal('sign_in_token'),
  id: z.string().min(1),
  user_id: z.string().min(1),
  status: z.enum(['pending', 'accepted', 'revoked', 'expired']),
  /** Only present in the response that creates it. */
  token: z.string().nullish(),
  created_at: epochMs,
  updated_at: epochMs,
});

export const providerSession = z.object({
  object: z.literal('session'),
  id: z.string().min(1),
  user_id: z.string().min(1),
  client_id: z.string(),
  status: z.enum(['active', 'revoked', 'ended', 'expired', 'removed', 'abandoned', 'replaced', 'pending']),
  last_active_at: epochMs,
  expire_at: epochMs,
  created_at: epochMs,
  updated_at: epochMs,
  latest_activity: z
    .object({ city: z.string().nullish(), country: z.string().nullish(), browser_name: z.string().nullish() })
    .nullish(),
});

export const sessionPage = z.object({ data: z.array(providerSession), total_count: z.number() });

/** At least one error with a code. An empty code counts as none. */
export const providerErrorBody = z.object({
  errors: z.array(z.object({ code: z.string().min(1), message: z.string().nullish() })).min(1),
  clerk_trace_id: z.string().nullish(),
});

export type ProviderUser = z.infer<typeof providerUser>;
export type SignInToken = z.infer<typeof signInToken>;
export type ProviderSession = z.infer<typeof providerSession>;
