import { z } from 'zod';

/** What a member pays for; `Free`, `Pro` and `Max` on screen. */
export const tier = z.enum(['free', 'pro', 'max']);

export type Tier = z.infer<typeof tier>;
