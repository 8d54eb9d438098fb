import { type SeededRun, startService } from './service.ts';

/** What the process sends once its service is ready. */
export interface SharedService {
  url: string;
  firstRun: SeededRun;
  /** The name of the service's database. */
  database: string;
}

// The service that the browser tests of a run share; it ends with the process that started it.

// Each member signs up from an address of their own, because the provider limits what comes from one.
const service = await startService({ TRUSTED_PROXIES: '127.0.0.1' });
process.once('disconnect', () => {
  void service.stop().then(() => process.exit(0));
});
const shared: SharedService = { url: service.url, firstRun: service.firstRun, database: service.database.name };
process.send!(shared);
