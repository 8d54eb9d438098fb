import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { formatDay, formatMoment } from '../../../ui/kit/formats.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Failure } from '../../../ui/kit/failure.tsx';
import { Icon } from '../../../ui/kit/icon.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { conversationsQuery } from './queries.ts';
import { ShownText } from './shown-text.tsx';

interface EarlierListProps {
  privacy: boolean;
  onOpen: (id: string) => void;
  /** This one is gone, or with null all are: what is shown of them goes too. */
  onDeleted: (id: string | null) => void;
}

/** The conversations that are kept: each can be opened and deleted. */
export function EarlierList({ privacy, onOpen, onDeleted }: EarlierListProps) {
  const queries = useQueryClient();
  const title = useRef<HTMLHeadingElement>(null);
  const { data, error, isPending, refetch } = useQuery(conversationsQuery);
  const [asks, setAsks] = useState<string | null | undefined>(undefined);
  const remove = useMutation({
    mutationFn: (id: string | null) =>
      id === null
        ? callApi('DELETE /api/assistant/conversations')
        : callApi('DELETE /api/assistant/conversations/{id}', { params: { id } }),
    onSuccess(_answer, id) {
      setAsks(undefined);
      onDeleted(id);
      showToast(id === null ? 'All conversations are deleted.' : 'The conversation is deleted.');
      // The row goes with the button that was pressed.
      title.current?.focus();
      return queries.invalidateQueries({ queryKey: conversationsQuery.queryKey });
    },
    onError: (failure, id) => showErrorToast('It was not deleted.', failure, () => remove.mutate(id)),
  });
  if (isPending) return <Skeleton lines={5} label="Loading your conversations" />;
  if (!data) return <Failure error={error} retry={() => void refetch()} />;
  const { conversations } = data;
  const asking = { pending: remove.isPending, onKeep: keep };
  return (
    <section aria-label="Earlier conversations" className="grid gap-3">
      <h3 ref={title} tabIndex={-1} className="font-semibold">
        Earlier conversations
      </h3>
      <p className="text-small text-ink-soft">
        {conversations.length === 0
          ? 'There are none. What is asked of the assistant is kept here for 30 days.'
          : 'Each deletes itself 30 days after its last message.'}
      </p>
      <ul className="grid">
        {conversations.map(({ id, title: words, updated_at: at, deleted_at: end }) => (
          <li key={id} className="border-t border-line py-1">
            <div className="flex items-center gap-1">
              <button
                type="button"
                className="min-w-0 flex-1 rounded-control px-2 py-1.5 text-start hover:bg-sunken"
                onClick={() => onOpen(id)}
              >
                <span className="line-clamp-2 font-medium break-words">
                  <ShownText text={words} privacy={privacy} />
                </span>
                <span className="block text-micro text-ink-faint">
                  {`${formatMoment(at)}, until ${formatDay(end)}`}
                </span>
              </button>
              <button
                type="button"
                aria-label={`Delete “${words}”`}
                title="Delete"
                className={
                  'grid size-9 shrink-0 place-items-center rounded-control text-ink-soft hover:bg-sunken ' +
                  'hover:text-ink'
                }
                onClick={() => setAsks(id)}
              >
                <Icon name="close" />
              </button>
            </div>
            {asks === id && (
              <AskDeletion
                words="Delete this conversation? This cannot be undone."
                verb="Delete the conversation"
                {...asking}
                onDelete={() => remove.mutate(id)}
              />
            )}
          </li>
        ))}
      </ul>
      {conversations.length > 1 &&
        (asks === null ? (
          <AskDeletion
            words={`Delete all ${conversations.length} conversations? This cannot be undone.`}
            verb="Delete all of them"
            {...asking}
            onDelete={() => remove.mutate(null)}
          />
        ) : (
          <div>
            <Button look="danger" onClick={() => setAsks(null)}>
              Delete all
            </Button>
          </div>
        ))}
    </section>
  );

  function keep(): void {
    setAsks(undefined);
    title.current?.focus();
  }
}

interface AskDeletionProps {
  words: string;
  verb: string;
  pending: boolean;
  onKeep: () => void;
  onDelete: () => void;
}

/** Asks in the place of what would be deleted. */
function AskDeletion({ words, verb, pending, onKeep, onDelete }: AskDeletionProps) {
  const id = useId();
  return (
    <div className="grid gap-2 px-2 py-2">
      <p id={id} className="text-small">
        {words}
      </p>
      <div className="flex flex-wrap gap-2">
        {/* Pressing once more what asked must not delete. */}
        <Button autoFocus aria-describedby={id} onClick={onKeep}>
          Keep
        </Button>
        <Button look="danger" pending={pending} onClick={onDelete}>
          {verb}
        </Button>
      </div>
    </div>
  );
}
