import { Button } from './button.tsx';

interface FormActionsProps {
  submitLabel: string;
  cancelLabel?: string;
  variant?: 'primary' | 'danger';
  /** Whether a request is on its way. */
  pending: boolean;
  onCancel: () => void;
}

/** Last row of a form in a dialog: the buttons that leave the form and submit it. */
export const FormActions = ({
  submitLabel,
  cancelLabel = 'Cancel',
  variant = 'primary',
  pending,
  onCancel,
}: FormActionsProps) => (
  <div className="flex flex-wrap justify-end gap-3">
    <Button variant="quiet" onClick={onCancel}>
      {cancelLabel}
    </Button>
    <Button type="submit" variant={variant} pending={pending}>
      {submitLabel}
    </Button>
  </div>
);
