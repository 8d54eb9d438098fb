import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SearchResponse } from '../../investments/contract.ts';
import { callApi } from '../../web/lib/api.ts';
import type { Security } from './changed-list.ts';
import { popularSix } from './popular.ts';

export interface SecurityGroup {
  label: string;
  results: readonly (Security & { exchange?: string | null })[];
}

export interface SecuritySearch {
  groups: readonly SecurityGroup[];
  /** The groups belong to the text as it stands now, not to what was typed before. */
  current: boolean;
  error: Error | null;
  retry: () => void;
}

const DEBOUNCE_MS = 150;

/** Securities that match the text, in the specification's groups; the popular six without one. Late answers are dropped. */
export function useSecuritySearch(text: string): SecuritySearch {
  const wanted = text.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), wanted === '' ? 0 : DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['investments', 'search', asked],
    queryFn: ({ signal }) => callApi<SearchResponse>({ path: `/api/investments/search?q=${encodeURIComponent(asked)}&limit=20`, signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  });
  if (wanted === '') return { groups: popular, current: true, error: null, retry: () => undefined };
  return { groups: data?.groups ?? [], current: asked === wanted && data !== undefined && !isPlaceholderData, error: asked === wanted ? error : null, retry: () => void refetch() };
}

const popular: readonly SecurityGroup[] = [{ label: 'Popular', results: popularSix }];

/** What Enter takes where nothing is highlighted: the symbol that was typed, else the first result. */
export function bestMatch(groups: readonly SecurityGroup[], text: string): Security | undefined {
  const all = groups.flatMap(({ results }) => results);
  return all.find(({ symbol }) => symbol === text.trim().toUpperCase()) ?? all[0];
}
