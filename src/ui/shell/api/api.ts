import { createApi, createSend } from './call-api.ts';
import { getTourHeaders } from '../session/demo-tour.ts';
import { session } from '../session/session.ts';

/** Sends a request to the service as the signed-in member. Throws `ApiError`. */
export const sendToApi = createSend(session, getTourHeaders);

/** Calls the service as the signed-in member. Throws `ApiError`. */
export const callApi = createApi(sendToApi);
