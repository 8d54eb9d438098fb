import { useState } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { FieldError } from '../../../ui/kit/text-field.tsx';

interface ActionButtonProps {
  label: string;
  /** Name of the row, so that buttons of a table differ for screen readers. */
  subject: string;
  /** Question before the action. Without it the action runs at once. */
  question?: string;
  action(): Promise<unknown>;
  onDone(): void;
}

/** Button of a table row that runs an action, after a question if there is one. Shows why the action failed. */
export function ActionButton({ label, subject, question, action, onDone }: ActionButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function runAction(): Promise<void> {
    setPending(true);
    setFailure(undefined);
    try {
      await action();
      setAsking(false);
      onDone();
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setPending(false);
    }
  }

  const start = (): void => {
    if (question === undefined) void runAction();
    else setAsking(true);
  };
  return (
    <>
      <Button
        variant={question === undefined ? 'plain' : 'danger'}
        pending={isPending && !isAsking}
        aria-label={`${label} ${subject}`}
        onClick={start}
      >
        {label}
      </Button>
      {failure !== undefined && !isAsking && <FieldError text={failure} />}
      {isAsking && (
        <Dialog title={`${label} ${subject}?`} onClose={() => setAsking(false)}>
          <p className="text-ink-soft wrap-anywhere">{question}</p>
          {failure !== undefined && <FieldError text={failure} />}
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button
              variant="danger"
              pending={isPending}
              onClick={() => {
                void runAction();
              }}
            >
              {label}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
