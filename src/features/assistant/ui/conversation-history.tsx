import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { formatDay, formatMoment } from '../../../ui/kit/formats.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { IconButton } from '../../../ui/kit/icon-button.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { conversationsQuery } from './queries.ts';
import { MaskedText } from './masked-text.tsx';

interface ConversationHistoryProps {
  privacy: boolean;
  onOpen: (id: string) => void;
  /** Called after the deletion of one conversation, or of all with null. */
  onDeleted: (id: string | null) => void;
}

/** Lists the stored conversations. Each can be opened and deleted. */
export function ConversationHistory({ privacy, onOpen, onDeleted }: ConversationHistoryProps) {
  const queries = useQueryClient();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const { data, error, isPending, refetch } = useQuery(conversationsQuery);
  const [idToDelete, setIdToDelete] = useState<string | null | undefined>(undefined);
  const remove = useMutation({
    mutationFn: (id: string | null) =>
      id === null
        ? callApi('DELETE /api/assistant/conversations')
        : callApi('DELETE /api/assistant/conversations/{id}', { params: { id } }),
    onSuccess(_answer, id) {
      setIdToDelete(undefined);
      onDeleted(id);
      showToast(id === null ? 'All conversations were deleted.' : 'The conversation was deleted.');
      // The deleted row contained the focused button.
      headingRef.current?.focus();
      return queries.invalidateQueries({ queryKey: conversationsQuery.queryKey });
    },
    onError: (failure, id) => showErrorToast('Could not delete the conversation.', failure, () => remove.mutate(id)),
  });
  if (isPending) return <Skeleton lines={5} label="Loading your conversations" />;
  if (!data)
    return (
      <ErrorMessage
        error={error}
        retry={() => {
          void refetch();
        }}
      />
    );
  const { conversations } = data;
  const dialogProps = { isPending: remove.isPending, onCancel: cancelDeletion };
  return (
    <section aria-label="Conversation history" className="grid gap-3">
      <h3 ref={headingRef} tabIndex={-1} className="font-semibold">
        Conversation history
      </h3>
      <p className="text-small text-ink-soft">
        {conversations.length === 0
          ? 'No conversations yet. They are kept for 30 days.'
          : 'Conversations are deleted 30 days after the last message.'}
      </p>
      <ul className="grid">
        {conversations.map(({ id, title: conversationTitle, updated_at: updatedAt, deleted_at: deletedAt }) => (
          <li key={id} className="border-t border-line py-1">
            <div className="flex items-center gap-1">
              <button
                type="button"
                className="min-w-0 flex-1 rounded-control px-2 py-1.5 text-start hover:bg-sunken"
                onClick={() => onOpen(id)}
              >
                <span className="line-clamp-2 font-medium break-words">
                  <MaskedText text={conversationTitle} privacy={privacy} />
                </span>
                <span className="block text-micro text-ink-faint">
                  {`${formatMoment(updatedAt)}, kept until ${formatDay(deletedAt)}`}
                </span>
              </button>
              <IconButton
                icon="close"
                label={`Delete “${conversationTitle}”`}
                title="Delete"
                className="shrink-0"
                onClick={() => setIdToDelete(id)}
              />
            </div>
            {idToDelete === id && (
              <ConfirmDeletion
                message="Delete this conversation? This cannot be undone."
                confirmLabel="Delete the conversation"
                {...dialogProps}
                onDelete={() => remove.mutate(id)}
              />
            )}
          </li>
        ))}
      </ul>
      {conversations.length > 1 &&
        (idToDelete === null ? (
          <ConfirmDeletion
            message={`Delete all ${conversations.length} conversations? This cannot be undone.`}
            confirmLabel="Delete all conversations"
            {...dialogProps}
            onDelete={() => remove.mutate(null)}
          />
        ) : (
          <div>
            <Button variant="danger" onClick={() => setIdToDelete(null)}>
              Delete all
            </Button>
          </div>
        ))}
    </section>
  );

  function cancelDeletion(): void {
    setIdToDelete(undefined);
    headingRef.current?.focus();
  }
}

interface ConfirmDeletionProps {
  message: string;
  confirmLabel: string;
  isPending: boolean;
  onCancel: () => void;
  onDelete: () => void;
}

/** Asks for confirmation in place of the conversation to be deleted. */
function ConfirmDeletion({ message, confirmLabel, isPending, onCancel, onDelete }: ConfirmDeletionProps) {
  const id = useId();
  return (
    <div className="grid gap-2 px-2 py-2">
      <p id={id} className="text-small">
        {message}
      </p>
      <div className="flex flex-wrap gap-2">
        {/* Another press at the same place must not delete. */}
        <Button autoFocus aria-describedby={id} onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="danger" pending={isPending} onClick={onDelete}>
          {confirmLabel}
        </Button>
      </div>
    </div>
  );
}
