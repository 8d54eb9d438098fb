/** Reserves the space of a card while the card or its content is unknown. */
export function CardPlaceholder({ className = 'min-h-106' }: { className?: string | undefined }) {
  return (
    <div className={`card px-4 pt-4 sm:px-5 ${className}`}>
      <span aria-hidden="true" className="skeleton h-5 w-32" />
    </div>
  );
}
