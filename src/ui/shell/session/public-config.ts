import type { PublicSettings } from '../../../platform/http/contract.ts';
import { fields, oneOf, optional, type Decoder, text } from './decode.ts';
import { createStore } from '../../kit/store.ts';

const decodeConfig: Decoder<PublicSettings> = fields({
  frontend_api_url: text,
  publishable_key: text,
  base_url: text,
  sign_up: oneOf('open', 'invite', 'closed'),
  password_recovery: optional(oneOf('email', 'operator')),
  demo_account: optional(fields({ idp_user_id: text, reset_at: optional(text) })),
  sample_user: optional(fields({ idp_user_id: text })),
});

/** Result of `loadConfig`. null until the result is loaded. */
export const publicConfig = createStore<PublicSettings | null>(null);

let loading: Promise<PublicSettings> | undefined;

/** Reads the identity provider's URL from `GET /api/config`. The read is cached, and repeated after a failure. */
export function loadConfig(): Promise<PublicSettings> {
  loading ??= fetch('/api/config', { signal: AbortSignal.timeout(10_000) })
    .then(async (response) => {
      if (!response.ok) throw new Error(`config answered ${response.status}`);
      const config = decodeConfig(await response.json());
      publicConfig.set(config);
      return config;
    })
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}
