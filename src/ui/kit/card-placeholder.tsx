interface CardPlaceholderProps {
  className?: string;
  /** In px. */
  height?: number | undefined;
  /** Whether the height may change, so that cards after it have no place yet. */
  isUnsettled?: boolean;
}

/** Reserves the space of a card while the card or its content is unknown. */
export function CardPlaceholder({ className = 'min-h-106', height, isUnsettled }: CardPlaceholderProps) {
  return (
    <div data-unsettled={isUnsettled || undefined} className={`card px-4 pt-4 sm:px-5 ${className}`} style={{ height }}>
      <span aria-hidden="true" className="skeleton h-5 w-32" />
    </div>
  );
}
