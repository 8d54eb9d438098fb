import type { PublicSettings } from '../../../platform/http/contract.ts';
import { createStore } from '../../kit/store.ts';

/** Result of `loadConfig`. null until the result is loaded. */
export const publicConfig = createStore<PublicSettings | null>(null);

let loading: Promise<PublicSettings> | undefined;

/** Reads the identity provider's URL from `GET /api/config`. The read is cached, and repeated after a failure. */
export function loadConfig(): Promise<PublicSettings> {
  loading ??= fetch('/api/config', { signal: AbortSignal.timeout(10_000) })
    .then(async (response) => {
      if (!response.ok) throw new Error(`config answered ${response.status}`);
      // Our own API: its contract has the shape, and decoders would add to every page's script.
      const config = (await response.json()) as PublicSettings;
      if (typeof config.frontend_api_url !== 'string') throw new TypeError('config has no provider');
      publicConfig.set(config);
      return config;
    })
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}
