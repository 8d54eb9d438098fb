import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { CardId } from '../../../features/portfolio/dashboard/contract.ts';
import type { EventProperties } from '../../../platform/analytics/contract.ts';

/** A card that a feature offers. The dashboard shows it where the member's layout names its id. */
export interface DashboardCard {
  id: CardId;
  title: string;
  /** One sentence for the list of cards that can be added. */
  description: string;
  /** `narrow`: one column. `wide`: two of three columns. `row`: a row of its own, as high as its content. */
  size: 'narrow' | 'wide' | 'row';
  /** What the member must have for the card to have rows; without it the card is always high. */
  needs?: keyof PortfolioPresence;
  Content: ComponentType<CardProps>;
  /** What the list of cards shows instead of `Content`. */
  Preview?: ComponentType;
  /** Starts reading what the card shows, before it is rendered. */
  prefetch?: (queries: QueryClient) => void;
}

/** Whether a member is worth something, holds something, and holds or watches something. */
export interface PortfolioPresence {
  worth: boolean;
  holdings: boolean;
  follows: boolean;
}

/** The security that "I bought this" hands to Add Investment. */
export interface BoughtSecurity {
  symbol: string;
  name: string | null;
}

/** A question for the assistant: in words, and as the plain report that answers the same. */
export interface AssistantQuestion {
  text: string;
  symbol: string;
  about: 'why_moving' | 'whats_new';
}

export type DashboardEvent = 'dashboard_news_article_clicked' | 'dashboard_earnings_view_all_clicked';

/** What the dashboard gives to each card. */
export interface CardProps {
  /** Amounts that are the member's own are blurred and unread. */
  privacy: boolean;
  /** The member watches something: then a card without rows asks for nothing. */
  hasWatchlist: boolean;
  /** What was there when the page came: a card of what was not is small until it has rows. */
  presence: PortfolioPresence;
  /** Opens the dialog in which connecting an account begins. */
  onConnect: () => void;
  /** Opens Add Investment with the security preset. */
  onBought: (security: BoughtSecurity) => void;
  /** Opens the assistant with a question. */
  onAsk: (question: AssistantQuestion) => void;
  /** Sends an event of the dashboard. */
  onEvent: (event: DashboardEvent, properties: EventProperties) => void;
}
