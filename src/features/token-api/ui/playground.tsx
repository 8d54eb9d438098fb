import { type ChangeEvent, useState } from 'react';
import { Card } from '../../../ui/kit/card.tsx';
import { TextArea } from '../../../ui/kit/text-area.tsx';
import { listModels } from '../../../../packages/token-counter/src/index.ts';
import type { Draft } from './count-worker.ts';
import { CountResult } from './count-result.tsx';
import { useCount } from './use-count.ts';

const models = listModels().filter(({ status }) => status !== 'retired');
/** The newest model whose rules match recorded counts. */
const first = models.find(({ evidence }) => evidence.level === 'recorded') ?? models[0];

/** Counts a request while it is typed, with the counter of the service in the browser. No data is sent. */
export function Playground() {
  const counter = useCount();
  const [draft, setDraft] = useState<Draft>({ model: first?.id ?? '', system: '', message: '' });

  function change(event: ChangeEvent<HTMLTextAreaElement | HTMLSelectElement>): void {
    const next = { ...draft, [event.target.name]: event.target.value };
    setDraft(next);
    counter.count(next);
  }

  return (
    <Card title="Playground">
      <p className="mb-4 max-w-prose text-ink-soft">
        Counts in your browser as you type, with the counter of the service. Your text is not sent or stored.
      </p>
      <div className="grid gap-5 lg:grid-cols-[1fr_17rem]" onFocus={counter.warmUp}>
        <div className="grid content-start gap-4">
          <div className="grid gap-1.5">
            <label htmlFor="model" className="text-small font-medium">
              Model
            </label>
            <select id="model" name="model" value={draft.model} onChange={change} className="field">
              {models.map(({ id, displayName }) => (
                <option key={id} value={id}>
                  {displayName}
                </option>
              ))}
            </select>
          </div>
          <TextArea name="system" label="System prompt" rows={2} value={draft.system} onChange={change} />
          <TextArea name="message" label="Message" rows={6} value={draft.message} onChange={change} />
        </div>
        <CountResult state={counter.state} retry={() => counter.count(draft)} />
      </div>
    </Card>
  );
}
