import type { Logger } from 'pino';
import type { Config } from '../config/load-config.ts';
import type { SiteDocuments } from '../config/read-site-documents.ts';
import type { MarketUrls } from '../config/provider-settings.ts';
import type { ServiceSecrets } from './local-secrets.ts';
import type { Database } from '../platform/database/connect.ts';
import type { HttpApp } from '../platform/http/app-type.ts';
import type { RequestMetrics } from '../platform/http/metrics.ts';
import type { MetricsPeers } from '../platform/http/process-metrics-channel.ts';
import type { RunningFeatures } from './run-features.ts';

/** What an application of this process is created from. */
export interface AppDependencies {
  config: Config;
  secrets: ServiceSecrets;
  database: Database;
  logger: Logger;
  /** Public base URL, used by people and by the identity provider. */
  baseUrl: string;
  /** Folder of the built web app. Without a folder only the API is served. */
  webRoot?: string | undefined;
  metricsPeers?: MetricsPeers | undefined;
  marketUrls?: MarketUrls | undefined;
  /** Limits and costs of the embedded identity provider in place of its own, for tests. */
  embeddedIdentity?:
    | {
        limits?: Partial<
          Record<'signInPerPerson' | 'mailsPerRecipientAndHour' | 'mailsToUnprovedPerRecipientAndHour', number>
        >;
        passwordCost?: { memory: number; passes: number };
      }
    | undefined;
  /** Markdown of the operator's pages (default: none is published). */
  siteDocuments?: SiteDocuments | undefined;
}

export interface App extends RunningFeatures {
  http: HttpApp;
  metrics: RequestMetrics;
}
