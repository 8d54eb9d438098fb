import { z } from 'zod';

/** Shapes of market data that several slices answer with. */

export const assetType = z.enum(['stock', 'etf', 'mutual_fund', 'bond']);
export type AssetType = z.infer<typeof assetType>;

/** A calendar day, YYYY-MM-DD. */
export const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** Whether anything of the market in the answer is the simulator's; the screen then says "Sample data". */
export const sampleData = { sample_data: z.boolean() };
