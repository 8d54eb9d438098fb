/** The server of `npm run dev`, as a process of its own. It sends its address to its parent and ends with it. */
import { loadConfig } from '../../src/config/load-config.ts';
import { start } from '../../src/main.ts';

const { promise: ended, resolve: end } = Promise.withResolvers<Error | undefined>();
for (const event of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'] as const) process.once(event, () => end(undefined));

const service = await start(loadConfig(), { seed: process.argv.includes('--seed') });
process.send?.({ url: service.url });
const failure = await Promise.race([ended, service.failed]);
await service.stop();
if (failure) console.error(failure.message);
process.exit(failure ? 1 : 0);
