import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { createInvestmentQuery } from '../../../../ui/shell/api/investment-query.ts';
import { type DeferredQueryResult, useDeferredQuery } from '../../../../ui/kit/use-deferred-query.ts';
import type { DividendsResponse } from '../contract.ts';

export const dividendsQuery = createInvestmentQuery('dividends', (signal) => callApi('GET /api/dividends', { signal }));

/** Time in ms until dividends of new securities are read again, and the number of reads. */
const RETRY_MS = 5_000;
const MAX_READS = 4;

/** Returns the dividends of held and watched securities. Those of a new one are read again after they were fetched. */
export const useDividends = (): DeferredQueryResult<DividendsResponse> =>
  useDeferredQuery(
    useQuery({
      ...dividendsQuery,
      refetchInterval: ({ state: { data, dataUpdateCount } }) =>
        data?.complete === false && dataUpdateCount < MAX_READS ? RETRY_MS : false,
    }),
  );
