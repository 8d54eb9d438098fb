import { type DragEvent, type FormEvent, useRef, useState } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormErrors } from '../../../../ui/kit/form-errors.tsx';
import { TextArea } from '../../../../ui/kit/text-area.tsx';
import type { FileTable } from './file-tables.ts';
import { readFile } from './read-file.ts';

/** Some brokers name text files .xls. */
const ACCEPTED_FILES = '.csv,.txt,.tsv,.xlsx,.xlsm,.xls,text/csv,text/plain';

interface ChooseFileProps {
  isPending: boolean;
  /** Called with the tables, and with the name of a file. */
  onChoose: (tables: readonly FileTable[], fileName: string | null) => void;
  onClose: () => void;
}

/** Takes a file by choice or by dropping it, or pasted rows. */
export function ChooseFile({ isPending, onChoose, onClose }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOver, setIsOver] = useState(false);
  const [isReading, setReading] = useState(false);
  const [problems, setProblems] = useState<{ field: string | null; message: string }[]>([]);
  const isBusy = isPending || isReading;

  async function read(file: File | undefined): Promise<void> {
    if (!file || isBusy) return;
    setReading(true);
    const result = await readFile(file);
    setReading(false);
    setProblems(result.ok ? [] : [{ field: null, message: result.message }]);
    if (result.ok) onChoose(result.tables, file.name);
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsOver(false);
    void read(event.dataTransfer.files[0]);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy) return;
    const isEmpty = text.trim() === '';
    setProblems(isEmpty ? [{ field: 'import-text', message: 'Choose a file, or paste some rows.' }] : []);
    if (!isEmpty) onChoose([{ name: null, text }], null);
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <FormErrors problems={problems} title="The file cannot be imported" />
      {/* Dropping is a second way. The button below serves keyboards and screen readers. */}
      <div
        className={`grid justify-items-center gap-3 rounded-control border border-dashed px-4 py-6 text-center ${
          isOver ? 'border-accent bg-sunken' : 'border-line-strong'
        }`}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <p className="text-small text-balance text-ink-soft">
          CSV or Excel file of positions or transactions from your broker
        </p>
        <input
          ref={input}
          type="file"
          accept={ACCEPTED_FILES}
          aria-label="A CSV or Excel file"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            void read(event.target.files?.[0]);
            // The reset lets the member choose the corrected file again.
            event.target.value = '';
          }}
        />
        <Button pending={isBusy} onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <p className="text-small text-ink-faint">
          <span className="max-sm:hidden">or drop it here · </span>
          <a href="/holdings-template.csv" download className="link">
            Download the template
          </a>
        </p>
      </div>
      <TextArea
        name="import-text"
        label="Or paste rows with their header"
        rows={4}
        spellCheck={false}
        placeholder={'Symbol,Quantity,Cost basis\nAAPL,10,1850.50'}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblems([]);
        }}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" pending={isBusy}>
          Preview
        </Button>
      </div>
    </form>
  );
}
