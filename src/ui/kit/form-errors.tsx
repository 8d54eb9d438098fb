import { useEffect, useRef } from 'react';

/** One problem of a form. `field` is the name of its input. */
export interface FormProblem {
  field: string | null;
  message: string;
}

/** Error summary above a form. The summary takes the focus when it appears and links to each field. */
export function FormErrors({ problems, title }: { problems: readonly FormProblem[]; title: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problems.length > 0) box.current?.focus();
  }, [problems]);
  if (problems.length === 0) return null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="rounded-control border-s-4 border-loss bg-loss-soft px-4 py-3 text-small text-ink"
    >
      <p className="font-semibold">{title}</p>
      <ul className="mt-1 grid gap-0.5">
        {problems.map(({ field, message }) => (
          <li key={`${field}:${message}`}>
            {field === null ? (
              message
            ) : (
              <a
                href={`#${field}`}
                className="link"
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(field)?.focus();
                }}
              >
                {message}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the message for one field. */
export function getFieldProblem(problems: readonly FormProblem[], field: string): string | null {
  return problems.find((problem) => problem.field === field)?.message ?? null;
}
