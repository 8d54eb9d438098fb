import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { EventProperties } from '../../../../platform/analytics/contract.ts';
import type {
  AssistantQuestion,
  BoughtSecurity,
  DashboardCard,
  DashboardEvent,
} from '../../../../ui/shell/dashboard/dashboard-card.ts';
import type { LazyComponentHandle } from '../../../../ui/shell/loading/lazy-component.tsx';
import type { Connection } from '../../../connections/contract.ts';

/** What other features bring to the dashboard. The shell's routes hand it over. */
export interface DashboardFeatures {
  /** In the order of a member who has changed nothing. */
  cards: readonly DashboardCard[];
  /** In which connecting an account begins. */
  ConnectDialog: ComponentType<ConnectDialogProps>;
  /** Panels that the page's address opens. */
  Panels: ComponentType<PanelsProps>;
  openAssistant: () => void;
  preloadAssistant: LazyComponentHandle<never>['preloadProps'];
  /** Sends an event of the dashboard with what is known of the watchlist. */
  captureEvent: (queries: QueryClient, event: DashboardEvent, properties: EventProperties) => void;
}

export interface ConnectDialogProps {
  /** The connection to sign in to again; a new one without it. */
  repair?: Connection | undefined;
  onClose: () => void;
}

/** What the dashboard tells the panels. */
export interface PanelsProps {
  privacy: boolean;
  /** What the assistant was asked on the page; null for nothing in particular. */
  assistantQuestion: AssistantQuestion | null;
  onBought: (security: BoughtSecurity) => void;
  onAsk: (question: AssistantQuestion) => void;
}

/** What the dashboard must know of the watchlist. */
export interface WatchlistSummary {
  /** It is offered and not read yet. */
  isPending: boolean;
  count: number;
  /** Some of its prices are the simulator's. */
  isSample: boolean;
}
