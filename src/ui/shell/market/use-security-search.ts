import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SearchResponse } from '../../../features/search/contract.ts';
import { callApi } from '../api/api.ts';
import { ApiError } from '../../kit/api-error.ts';

interface SecuritySearch {
  groups: SearchResponse['groups'];
  /** How many more securities match than `groups` holds. */
  moreCount: number;
  /** The groups belong to the text as it stands now, not to what was typed before. */
  isCurrent: boolean;
  error: Error | null;
  retry: () => void;
}

const DEBOUNCE_MS = 150;
const offlineError = new ApiError(0, 'OFFLINE', 'You are offline, and a search needs the network.');

/** Securities that match the text, grouped as the search answers; none without a text. Late answers are dropped. */
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
  const retry = (): void => void refetch();
  if (trimmedText === '') return { groups: [], moreCount: 0, isCurrent: false, error: null, retry };
  return {
    groups: data?.groups ?? [],
    moreCount: data?.more ?? 0,
    isCurrent: debouncedText === trimmedText && data !== undefined && !isPlaceholderData,
    error: debouncedText === trimmedText ? (isPaused ? offlineError : error) : null,
    retry,
  };
}

/** The line below a list of results when more securities match; null when all are shown. */
export const formatMoreMatches = (moreCount: number): string | null =>
  moreCount === 0
    ? null
    : `${moreCount} more ${moreCount === 1 ? 'matches' : 'match'}. Type more to narrow the search.`;
