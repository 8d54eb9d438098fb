import * as z from 'zod/mini';

const shape = z.object({ frontend_api_url: z.string(), publishable_key: z.string(), base_url: z.string() });

type SiteConfig = z.infer<typeof shape>;

let loading: Promise<SiteConfig> | undefined;

/** Where the identity provider answers, from `GET /api/config`; read once, again after a failure. */
export function loadConfig(): Promise<SiteConfig> {
  loading ??= fetch('/api/config', { signal: AbortSignal.timeout(10_000) })
    .then(async (response) => {
      if (!response.ok) throw new Error(`config answered ${response.status}`);
      return shape.parse(await response.json());
    })
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}
