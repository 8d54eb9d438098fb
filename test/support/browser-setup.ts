import setup from './global-setup.ts';
import { startSharedService } from './forked-service.ts';

/** Before the browser tests of a run: what all tests need, and the service that the files share. */
export default async function browserSetup(): Promise<() => Promise<void>> {
  const teardown = await setup();
  const service = await startSharedService();
  Object.assign(process.env, service.env);
  return async () => {
    await service.stop();
    await teardown();
  };
}
