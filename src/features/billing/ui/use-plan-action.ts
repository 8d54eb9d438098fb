import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import type { BillingResponse } from '../contract.ts';
import { BILLING_QUERY_KEY } from './billing-query.ts';

type PlanAction = 'cancel' | 'resume';

/** Cancels the paid plan at the end of its period, or withdraws the cancellation. */
export function usePlanAction(): UseMutationResult<BillingResponse, Error, PlanAction> {
  const queries = useQueryClient();
  const planAction: UseMutationResult<BillingResponse, Error, PlanAction> = useMutation({
    mutationFn: (action: PlanAction) => callApi(`POST /api/billing/${action}`),
    onSuccess(updatedBilling, action) {
      queries.setQueryData(BILLING_QUERY_KEY, updatedBilling);
      showToast(
        action === 'cancel' ? 'Your plan will end at the end of the billing period.' : 'Your plan will continue.',
        'good',
      );
    },
    onError: (error, action) => showErrorToast('Could not change your plan.', error, () => planAction.mutate(action)),
  });
  return planAction;
}
