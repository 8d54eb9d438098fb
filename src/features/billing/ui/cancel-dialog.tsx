import { formatDay } from '../../../ui/kit/formats.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import type { BillingResponse } from '../contract.ts';
import { describeCancellation } from './plan-messages.ts';
import { usePlanAction } from './use-plan-action.ts';

interface CancelDialogProps {
  billing: BillingResponse;
  onClose: () => void;
}

/** Says what ends with the paid plan and when, and cancels it. */
export default function CancelDialog({ billing, onClose }: CancelDialogProps) {
  const { paid_tier: paid, granted_tier: granted, current_period_end: end } = billing;
  const planAction = usePlanAction();
  if (!paid || !end) return null;
  return (
    <Dialog title="Cancel the plan?" onClose={onClose}>
      <p className="mt-3 text-ink-soft">{describeCancellation(paid, formatDay(end), granted)}</p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button autoFocus onClick={onClose}>
          Don’t cancel
        </Button>
        <Button
          variant="danger"
          pending={planAction.isPending}
          onClick={() => planAction.mutate('cancel', { onSuccess: onClose })}
        >
          Cancel the plan
        </Button>
      </div>
    </Dialog>
  );
}
