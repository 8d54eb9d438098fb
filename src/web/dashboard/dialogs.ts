import { lazy } from 'react';

const loadAddInvestment = () => import('../../investments/web/add-investment.tsx');
export const AddInvestment = lazy(loadAddInvestment);

const loadAddWidget = () => import('./add-widget.tsx');
export const AddWidget = lazy(loadAddWidget);

/** For an address that was followed; the card brings the panel for what is pressed in it. */
export const TickerElsewhere = lazy(() => import('../../watchlist/web/ticker-elsewhere.tsx'));

const quietly = (load: () => Promise<unknown>) => (): void => void load().catch(() => undefined);

/** Ahead of the click, when a pointer or the focus comes near. */
export const preloadAddInvestment = quietly(loadAddInvestment);
export const preloadAddWidget = quietly(loadAddWidget);
