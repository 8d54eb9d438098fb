import { useEffect } from 'react';
import { navigate } from '../lib/location.ts';

/** Goes elsewhere, leaving no trace in the history. */
export function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}
