import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { EventProperties } from '../../../../platform/analytics/contract.ts';
import type { DashboardCard, DashboardEvent } from './shared/dashboard-card.ts';
import type { Connection } from '../../../connections/contract.ts';

/** Parts of other features on the dashboard, passed by the shell's routes. */
export interface DashboardFeatures {
  /** Cards in their default order. */
  cards: readonly DashboardCard[];
  /** Dialog that connects an account. */
  ConnectDialog: ComponentType<ConnectDialogProps>;
  /** Captures an event of the dashboard with the state of the watchlist. */
  captureEvent: (queries: QueryClient, event: DashboardEvent, properties: EventProperties) => void;
}

export interface ConnectDialogProps {
  /** Connection to reauthenticate. Without it a new one is created. */
  repair?: Connection | undefined;
  onClose: () => void;
}

/** State of the watchlist for the dashboard. */
export interface WatchlistSummary {
  /** True while the offered watchlist loads. */
  isPending: boolean;
  count: number;
  /** True if some of its prices are simulated. */
  isSample: boolean;
}
