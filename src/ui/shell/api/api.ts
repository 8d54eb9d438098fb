import { createApi, createSend } from './call-api.ts';
import { announceChange } from './tab-sync.ts';
import { getTourHeaders } from '../session/demo-tour.ts';
import { requestReauthentication } from '../reauthentication/reauthentication-request.ts';
import { recordResponseTime } from '../layout/offline-since.ts';
import { session } from '../session/session.ts';

const send = createSend(session, getTourHeaders, requestReauthentication, () => !navigator.onLine);

/** Sends a request to the service as the signed-in member tells other tabs of a change, and notes the age of what is shown offline. Throws `ApiError`. */
export const sendToApi: ReturnType<typeof createSend> = async (name, ...parts) => {
  const response = await send(name, ...parts);
  recordResponseTime(response);
  announceChange(name);
  return response;
};

/** Calls the service as the signed-in member. Throws `ApiError`. */
export const callApi = createApi(sendToApi);
