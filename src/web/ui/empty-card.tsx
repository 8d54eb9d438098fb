import { Button } from './button.tsx';

interface EmptyCardProps {
  title: string;
  text: string;
  /** Without it there is nothing the member has to do. */
  onAddInvestment?: (() => void) | undefined;
}

/** What a card without rows says: what will stand here, and the one thing to do for it. */
export function EmptyCard({ title, text, onAddInvestment }: EmptyCardProps) {
  return (
    <div className="grid flex-1 place-items-center px-6 pb-8 text-center">
      <div className="grid max-w-sm justify-items-center gap-1.5">
        <p className="font-semibold">{title}</p>
        <p className="text-small text-ink-soft">{text}</p>
        {onAddInvestment && (
          <Button look="plain" className="mt-2.5" onClick={onAddInvestment}>
            Add investment
          </Button>
        )}
      </div>
    </div>
  );
}
