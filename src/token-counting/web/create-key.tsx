import { type FormEvent, useState } from 'react';
import { fieldText } from '../../web/lib/field-text.ts';
import { Button } from '../../web/ui/button.tsx';
import { FormErrors, type FormProblem, problemOf } from '../../web/ui/form-errors.tsx';
import { ShownOnce } from '../../web/ui/shown-once.tsx';
import { TextField } from '../../web/ui/text-field.tsx';
import { useCreateKey } from './key-requests.ts';

/** Makes a key by name; the new key stands below until the page is left or it is put away. */
export function CreateKey() {
  const create = useCreateKey();
  const { data: made } = create;
  const [missing, setMissing] = useState<readonly FormProblem[]>([]);
  const problems: readonly FormProblem[] = create.isError ? [{ field: null, message: create.error.message }] : missing;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (create.isPending) return;
    const form = event.currentTarget;
    const name = fieldText(new FormData(form), 'key-name').trim();
    create.reset();
    setMissing(name === '' ? [{ field: 'key-name', message: 'Give the key a name that tells where it is used.' }] : []);
    if (name !== '') create.mutate(name, { onSuccess: () => form.reset() });
  }

  function putAway(): void {
    create.reset();
    document.getElementById('key-name')?.focus();
  }

  return (
    <div className="grid gap-4">
      <form noValidate onSubmit={submit} className="grid gap-4">
        <FormErrors problems={problems} title="The key was not created" />
        <div className="flex flex-wrap items-end gap-3">
          <div className="flex-1 basis-60">
            <TextField
              name="key-name"
              label="Name"
              maxLength={120}
              autoComplete="off"
              placeholder="Build server"
              error={problemOf(problems, 'key-name')}
            />
          </div>
          <Button type="submit" look="primary" pending={create.isPending} className="min-h-10">
            Create key
          </Button>
        </div>
      </form>
      {made && (
        <ShownOnce key={made.api_key.id} what="key" name={made.api_key.name} secret={made.key} onDone={putAway} />
      )}
    </div>
  );
}
