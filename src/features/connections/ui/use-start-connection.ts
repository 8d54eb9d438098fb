import { useMutation } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import type { ConnectionKind } from '../contract.ts';

interface StartRequest {
  kind: ConnectionKind;
  /** The connection to sign in to again. */
  repair?: string;
}

/**
 * Begins an attempt and leaves for the aggregator's page, in this tab. By a call and not by a form: of a form's
 * redirects the policy would allow our own addresses alone.
 */
export const useStartConnection = () =>
  useMutation({
    mutationFn: async (body: StartRequest) =>
      navigateToExternal((await callApi('POST /api/connections/start', { body })).url),
  });

/** Goes to a page of another service; an address of another scheme would run here instead. */
function navigateToExternal(address: string): void {
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('The address is no page.');
  window.location.assign(url);
}
