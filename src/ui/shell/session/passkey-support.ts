import { useStore } from '../../kit/use-store.ts';
import { publicConfig } from './public-config.ts';

/** Matches the host names of IP addresses, at which browsers offer no passkeys. */
const ADDRESS = /^\[|^[\d.]+$/;

/** Returns whether this page can use passkeys: `unknown` until the public settings are loaded. */
export function usePasskeySupport(): 'yes' | 'no' | 'unknown' {
  const config = useStore(publicConfig);
  const { hostname } = window.location;
  if (!('PublicKeyCredential' in window) || ADDRESS.test(hostname)) return 'no';
  if (!config) return 'unknown';
  return config.passkey_domain === hostname ? 'yes' : 'no';
}
