import setup from './global-setup.ts';
import { startSharedService } from './forked-service.ts';

/** Prepares the common setup of all tests and the shared service before the browser tests of a run. */
export default async function browserSetup(): Promise<() => Promise<void>> {
  const teardown = await setup();
  const service = await startSharedService();
  Object.assign(process.env, service.env);
  return async () => {
    await service.stop();
    await teardown();
  };
}
