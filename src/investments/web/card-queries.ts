import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { readOwned } from '../../web/lib/read-owned.ts';
import type { Reading } from '../../web/lib/use-unhurried.ts';
import { useUnhurried } from '../../web/lib/use-unhurried.ts';
import type { Account, Holding, NetWorthResponse, Position } from '../contract.ts';

export interface Positions {
  positions: Position[];
  sample_data: boolean;
}

export interface Holdings {
  holdings: Holding[];
  limit: number;
}

export interface Accounts {
  accounts: Account[];
  limit: number;
}

export const netWorth = readOwned<NetWorthResponse>('net-worth', '/api/net-worth?days=366');
export const positions = readOwned<Positions>('positions', '/api/investments/positions');
const holdings = readOwned<Holdings>('holdings', '/api/investments/holdings');
const accounts = readOwned<Accounts>('accounts', '/api/accounts');

/** What the member is worth, per currency, with a year of history. */
export const useNetWorth = (): Reading<NetWorthResponse> => useUnhurried(useQuery(netWorth));

/** What the member owns of each security, across accounts. */
export const usePositions = (): Reading<Positions> => useUnhurried(useQuery(positions));

/** Each holding by itself, by account. */
export const useHoldings = (): UseQueryResult<Holdings> => useQuery(holdings);

/** The member's accounts, oldest first. */
export const useAccounts = (): UseQueryResult<Accounts> => useQuery(accounts);
