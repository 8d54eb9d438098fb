import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SearchResponse } from '../../../features/search/contract.ts';
import { callApi } from '../api/api.ts';
import { ApiError } from '../../kit/api-error.ts';

interface SecuritySearch {
  groups: SearchResponse['groups'];
  /** How many more securities match than `groups` holds. */
  more: number;
  /** The groups belong to the text as it stands now, not to what was typed before. */
  current: boolean;
  error: Error | null;
  retry: () => void;
}

const DEBOUNCE_MS = 150;
const offline = new ApiError(0, 'OFFLINE', 'You are offline, and a search needs the network.');

/** Securities that match the text, grouped as the search answers; none without a text. Late answers are dropped. */
export function useSecuritySearch(text: string): SecuritySearch {
  const wanted = text.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), wanted === '' ? 0 : DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error, isPaused, isPlaceholderData, refetch } = useQuery({
    queryKey: ['investments', 'search', asked],
    queryFn: ({ signal }) => callApi('GET /api/investments/search', { query: { q: asked, limit: 20 }, signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  });
  const retry = (): void => void refetch();
  if (wanted === '') return { groups: [], more: 0, current: false, error: null, retry };
  return {
    groups: data?.groups ?? [],
    more: data?.more ?? 0,
    current: asked === wanted && data !== undefined && !isPlaceholderData,
    error: asked === wanted ? (isPaused ? offline : error) : null,
    retry,
  };
}

/** The line below a list of results when more securities match; null when all are shown. */
export const moreWords = (more: number): string | null =>
  more === 0 ? null : `${more} more ${more === 1 ? 'matches' : 'match'}. Type more to narrow the search.`;
