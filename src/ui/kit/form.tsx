import { type FormEvent, type ReactNode, type Ref, useState } from 'react';
import { FormErrors, type FormProblem, getFieldProblem } from './form-errors.tsx';

/** State that the content of a form is drawn from. */
export interface FormState {
  /** Whether a request is on its way. */
  pending: boolean;
  /** Returns the problem of the field with this name, or null. */
  getProblem: (field: string) => string | null;
}

interface FormProps {
  /** Heading of the error summary. */
  errorTitle: string;
  /** Sends the input and returns the problems, or none after a success. */
  send: (data: FormData, form: HTMLFormElement) => Promise<readonly FormProblem[]>;
  className?: string;
  /** Such as `guardInput`, which asks before typed text is lost. */
  formRef?: Ref<HTMLFormElement>;
  children: (state: FormState) => ReactNode;
}

/**
 * Form with an error summary. It sends one request at a time and keeps its input after every response. The problem of a
 * field goes with its next change.
 */
export function Form({ errorTitle, send, className = 'gap-5', formRef, children }: FormProps) {
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);

  async function submit(form: HTMLFormElement): Promise<void> {
    setPending(true);
    setProblems([]);
    setProblems(await send(new FormData(form), form));
    setPending(false);
  }

  return (
    <form
      ref={formRef}
      noValidate
      className={`grid ${className}`}
      onInput={({ target }) => {
        const { name } = target as HTMLInputElement;
        setProblems((shown) =>
          shown.some(({ field }) => field === name) ? shown.filter(({ field }) => field !== name) : shown,
        );
      }}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (!pending) void submit(event.currentTarget);
      }}
    >
      <FormErrors problems={problems} title={errorTitle} />
      {children({ pending, getProblem: (field) => getFieldProblem(problems, field) })}
    </form>
  );
}
