import * as z from 'zod/mini';
import { createStore } from './store.ts';

const shape = z.object({
  frontend_api_url: z.string(),
  publishable_key: z.string(),
  base_url: z.string(),
  demo_account: z.nullish(z.object({ idp_user_id: z.string(), reset_at: z.nullable(z.string()) })),
});

type SiteConfig = z.infer<typeof shape>;

/** What `loadConfig` has read; null until then. */
export const siteConfig = createStore<SiteConfig | null>(null);

let loading: Promise<SiteConfig> | undefined;

/** Where the identity provider answers, from `GET /api/config`; read once, again after a failure. */
export function loadConfig(): Promise<SiteConfig> {
  loading ??= fetch('/api/config', { signal: AbortSignal.timeout(10_000) })
    .then(async (response) => {
      if (!response.ok) throw new Error(`config answered ${response.status}`);
      const config = shape.parse(await response.json());
      siteConfig.set(config);
      return config;
    })
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}
