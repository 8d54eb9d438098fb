import { fields, optional, type Read, text } from './shapes.ts';
import { createStore } from './store.ts';

const shape = fields({
  frontend_api_url: text,
  publishable_key: text,
  base_url: text,
  demo_account: optional(fields({ idp_user_id: text, reset_at: optional(text) })),
});

type SiteConfig = Read<typeof shape>;

/** What `loadConfig` has read; null until then. */
export const siteConfig = createStore<SiteConfig | null>(null);

let loading: Promise<SiteConfig> | undefined;

/** Where the identity provider answers, from `GET /api/config`; read once, again after a failure. */
export function loadConfig(): Promise<SiteConfig> {
  loading ??= fetch('/api/config', { signal: AbortSignal.timeout(10_000) })
    .then(async (response) => {
      if (!response.ok) throw new Error(`config answered ${response.status}`);
      const config = shape(await response.json());
      siteConfig.set(config);
      return config;
    })
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}
