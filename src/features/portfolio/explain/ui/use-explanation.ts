import { type QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { investmentsQueryKey } from '../../../../ui/shell/api/investment-query.ts';
import type { ExplainedFigure } from './explained-figure.ts';
import {
  type ExplainedResponse,
  explanationRequests,
  getRequestName,
  type RequestName,
} from './explanation-requests.ts';
import { selectExplanation, type FigureExplanation } from './select-explanation.ts';

const createExplanationQuery = (name: RequestName) =>
  queryOptions({
    queryKey: [...investmentsQueryKey, 'explain', name],
    queryFn: async ({ client, signal }: { client: QueryClient; signal: AbortSignal }): Promise<ExplainedResponse> => {
      const response = await explanationRequests[name](signal);
      // The explanation has the newest prices, so the page reads its figures again.
      void client.invalidateQueries({ queryKey: [...investmentsQueryKey, response.from] });
      return response;
    },
  });

/** Returns how a figure came about, with the newest prices. */
export const useExplanation = (figure: ExplainedFigure): UseQueryResult<FigureExplanation> =>
  useQuery({
    ...createExplanationQuery(getRequestName(figure)),
    select: (response: ExplainedResponse) => selectExplanation(response, figure),
  });
