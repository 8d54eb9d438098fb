import { DiscardQuestion } from '../../kit/dialog.tsx';
import { leaveRequest, setUnsavedCheck } from '../../kit/leave-guard.ts';

/** Asks whether the page may be left although typed text is lost. */
export default function LeaveQuestion({ leave }: { leave: () => void }) {
  return (
    <DiscardQuestion
      onKeep={() => leaveRequest.set(null)}
      onDiscard={() => {
        leaveRequest.set(null);
        setUnsavedCheck(() => false);
        leave();
      }}
    />
  );
}
