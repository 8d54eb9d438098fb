import { lazy } from 'react';

const loadAddInvestment = () => import('../../investments/web/add-investment.tsx');
export const AddInvestment = lazy(loadAddInvestment);

const loadAddWidget = () => import('./add-widget.tsx');
export const AddWidget = lazy(loadAddWidget);

const quietly = (load: () => Promise<unknown>) => (): void => void load().catch(() => undefined);

/** Ahead of the click, when a pointer or the focus comes near. */
export const preloadAddInvestment = quietly(loadAddInvestment);
export const preloadAddWidget = quietly(loadAddWidget);
