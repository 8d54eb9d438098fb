import { z } from 'zod';

/** `GET /api/me`: who is signed in. */
export const meResponse = z.object({
  idp_user_id: z.string(),
  /** Null until the provider's user-created event has arrived. */
  email: z.string().nullable(),
  /** The shared demo account: it may look and edit, but not touch credentials, plans or connections. */
  is_demo_account: z.boolean(),
  /** The read-only sample portfolio user: every write is refused. */
  is_sample_user: z.boolean(),
});

export type MeResponse = z.infer<typeof meResponse>;
