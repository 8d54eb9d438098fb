import type { AssistantQuestion } from '../../portfolio/dashboard/ui/shared/dashboard-card.ts';
import { useRef } from 'react';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { AssistantView } from './assistant-view.tsx';
import { chat } from './chat.ts';
import { getPanelUrl } from './panel-url.ts';
import { getPendingAnswer } from './thread.ts';

export interface AssistantPanelProps {
  /** The id of a conversation, or `open`. */
  target: string;
  question: AssistantQuestion | null;
  privacy: boolean;
  onClose: () => void;
}

/** The assistant beside a page, with its own URL (`?assistant=…`). */
export default function AssistantPanel({ target, question, privacy, onClose }: AssistantPanelProps) {
  const scrollRef = useRef<HTMLDivElement>(null);

  function handleEscape(): void {
    const dialog = scrollRef.current?.closest('dialog');
    const pendingAnswer = getPendingAnswer(chat.thread.get());
    // Escape first stops an answer. Ignore a dialog that the browser has already closed.
    if (pendingAnswer && !pendingAnswer.isStopping && dialog?.open) void chat.stop();
    else onClose();
  }

  return (
    <Dialog
      title="Assistant"
      startsAtHeading
      hasUrl
      onClose={handleEscape}
      className={
        'me-0 h-dvh max-h-none max-w-none w-[min(32rem,100vw)] rounded-none border-y-0 border-e-0 p-0 ' +
        'overflow-hidden sm:rounded-s-card flex-col open:flex [&>h2]:px-5 [&>h2]:py-4 [--toasts-bottom:8rem]'
      }
    >
      <AssistantView
        target={target}
        question={question}
        privacy={privacy}
        scrollRef={scrollRef}
        getUrl={getPanelUrl}
        onClose={onClose}
      />
    </Dialog>
  );
}
