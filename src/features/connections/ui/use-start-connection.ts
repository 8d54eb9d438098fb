import { useMutation } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import type { ConnectionKind } from '../contract.ts';

interface StartRequest {
  kind: ConnectionKind;
  /** Connection to reauthenticate. */
  repair?: string;
}

/**
 * Starts an attempt and navigates this tab to the aggregator's page. The navigation is scripted, because the content
 * security policy allows a form's redirects only to our own addresses.
 */
export const useStartConnection = () =>
  useMutation({
    mutationFn: async (body: StartRequest) =>
      navigateToExternal((await callApi('POST /api/connections/start', { body })).url),
  });

/** Navigates to a page of another service. Other schemes are rejected, since such a URL could run code here. */
function navigateToExternal(address: string): void {
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('Unsupported URL scheme.');
  window.location.assign(url);
}
