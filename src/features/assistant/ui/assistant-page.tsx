import { useEffect, useRef } from 'react';
import { openDialogs } from '../../../ui/kit/open-dialogs.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { useSearchParams } from '../../../ui/shell/navigation/location.ts';
import { AssistantView } from './assistant-view.tsx';
import { chat } from './chat.ts';
import { ASSISTANT_PATH, getPageUrl } from './panel-url.ts';
import { pendingQuestion } from './pending-question.ts';
import { getPendingAnswer } from './thread.ts';

/** The assistant as a page of its own, for phones and links. */
export function AssistantPage({ privacy }: { privacy: boolean }) {
  const question = useStore(pendingQuestion);
  const target = useSearchParams().get('conversation') ?? 'open';
  const scrollRef = useRef<HTMLElement>(document.documentElement);
  useEffect(
    () => () => {
      if (window.location.pathname !== ASSISTANT_PATH) pendingQuestion.set(null);
    },
    [],
  );
  useEffect(() => {
    const stopOnEscape = ({ key }: KeyboardEvent): void => {
      const pendingAnswer = getPendingAnswer(chat.thread.get());
      if (key === 'Escape' && openDialogs.get().length === 0 && pendingAnswer && !pendingAnswer.isStopping)
        void chat.stop();
    };
    addEventListener('keydown', stopOnEscape);
    return () => removeEventListener('keydown', stopOnEscape);
  }, []);
  return (
    <div className="mx-auto flex min-h-[calc(100dvh-14rem)] max-w-[56rem] flex-col">
      <AssistantView target={target} question={question} privacy={privacy} scrollRef={scrollRef} getUrl={getPageUrl} />
    </div>
  );
}
