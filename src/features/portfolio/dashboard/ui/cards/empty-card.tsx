interface EmptyCardProps {
  /** One line that says what will stand in the card. */
  text: string;
  action?: { label: string; run: () => void } | undefined;
}

/** Describes the future content of a card without rows, with the one action that fills it. */
export function EmptyCard({ text, action }: EmptyCardProps) {
  return (
    <div data-empty className="flex grow flex-col items-start gap-1 px-4 pb-3 sm:px-5">
      <p className="text-small text-ink-soft">{text}</p>
      {action && (
        <button type="button" className="link mt-auto min-h-8 text-small font-medium" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}
