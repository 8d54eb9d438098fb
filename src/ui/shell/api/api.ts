import { createApi, createSend } from './call-api.ts';
import { announceChange } from './tab-sync.ts';
import { getTourHeaders } from '../session/demo-tour.ts';
import { requestReauthentication } from '../reauthentication/reauthentication-request.ts';
import { session } from '../session/session.ts';

const send = createSend(session, getTourHeaders, requestReauthentication);

/** Sends a request to the service as the signed-in member and tells other tabs of a change. Throws `ApiError`. */
export const sendToApi: ReturnType<typeof createSend> = async (name, ...parts) => {
  const response = await send(name, ...parts);
  announceChange(name);
  return response;
};

/** Calls the service as the signed-in member. Throws `ApiError`. */
export const callApi = createApi(sendToApi);
