import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SearchResponse } from '../../contract.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { ApiError } from '../../../../ui/kit/api-error.ts';

interface SecuritySearch {
  groups: SearchResponse['groups'];
  /** Number of further matches that `groups` does not contain. */
  moreCount: number;
  /** Whether the groups belong to the current text, not to an earlier one. */
  isCurrent: boolean;
  error: Error | null;
  retry: () => void;
}

const DEBOUNCE_MS = 150;
const offlineError = new ApiError(0, 'OFFLINE', 'You are offline. Search needs a network connection.');

/**
 * Searches securities that match the text, grouped as in the response. Returns none for an empty text. Late responses
 * are dropped.
 */
export function useSecuritySearch(text: string): SecuritySearch {
  const trimmedText = text.trim();
  const [debouncedText, setDebouncedText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedText(trimmedText), trimmedText === '' ? 0 : DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [trimmedText]);
  const { data, error, isPaused, isPlaceholderData, refetch } = useQuery({
    queryKey: ['investments', 'search', debouncedText],
    queryFn: ({ signal }) => callApi('GET /api/investments/search', { query: { q: debouncedText, limit: 20 }, signal }),
    enabled: debouncedText !== '',
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  });
  const retry = (): void => {
    void refetch();
  };
  const isSearched = debouncedText === trimmedText;
  const searchError = isPaused ? offlineError : error;
  if (trimmedText === '') return { groups: [], moreCount: 0, isCurrent: false, error: null, retry };
  return {
    groups: data?.groups ?? [],
    moreCount: data?.more ?? 0,
    isCurrent: isSearched && data !== undefined && !isPlaceholderData,
    error: isSearched ? searchError : null,
    retry,
  };
}

/** Returns the number of results in words, such as "1 result". */
export const formatResultCount = (count: number): string => `${count} ${count === 1 ? 'result' : 'results'}`;

/** Returns the line below the results if more securities match, or null if all are shown. */
export const formatMoreMatches = (moreCount: number): string | null =>
  moreCount === 0
    ? null
    : `${moreCount} more ${moreCount === 1 ? 'matches' : 'match'}. Type more to narrow the search.`;
