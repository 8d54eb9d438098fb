import type { ComponentType } from 'react';
import type { CardId } from '../../contract.ts';
import type { EventProperties } from '../../../../../platform/analytics/contract.ts';

/** Card that a feature offers. The dashboard shows a card if the member's layout contains its id. */
export interface DashboardCard {
  id: CardId;
  title: string;
  /** One sentence for the list of available cards. */
  description: string;
  /** `narrow`: one column. `wide`: two columns. `row`: a full row. */
  size: 'narrow' | 'wide' | 'row';
  /** Data that the member needs for the card to have rows. Without them the card is small. */
  needs?: keyof PortfolioPresence;
  Content: ComponentType<CardProps>;
  /** Content for the list of available cards instead of `Content`. */
  Preview?: ComponentType;
}

/** Whether a member has net worth, has holdings, and has holdings or watched tickers. */
export interface PortfolioPresence {
  netWorth: boolean;
  holdings: boolean;
  heldOrWatched: boolean;
}

/** Security that "I bought this" passes to Add Investment. */
export interface BoughtSecurity {
  symbol: string;
  name: string | null;
}

/** Question for the assistant: as text, and as the equivalent plain report. */
export interface AssistantQuestion {
  text: string;
  symbol: string;
  about: 'why_moving' | 'whats_new';
}

export type DashboardEvent = 'dashboard_news_article_clicked' | 'dashboard_earnings_view_all_clicked';

/** Props that the dashboard passes to each card. */
export interface CardProps {
  /** Whether the member's own amounts are blurred and hidden from screen readers. */
  privacy: boolean;
  /** Whether the member watches a ticker. Without one, a card without rows sends no request. */
  hasWatchlist: boolean;
  /** Data that existed when the page loaded. Without its data, a card is small until it has rows. */
  presence: PortfolioPresence;
  /** Opens the dialog to connect an account. */
  onConnect: () => void;
  /** Opens Add Investment. */
  onAddInvestment: () => void;
  /** Sends an event of the dashboard. */
  onEvent: (event: DashboardEvent, properties: EventProperties) => void;
}
