import { createApi } from './call-api.ts';
import { session } from './session.ts';

/** Calls the service as the signed-in member; throws `ApiError`. */
export const callApi = createApi(session);
