import { useRef } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';
import { useAnnouncer } from '../../../../ui/kit/use-announcer.tsx';
import { useFocusAfterUpdate } from '../../../../ui/kit/use-focus-after-update.ts';
import { JsonField } from './json-field.tsx';
import { ModelSelect } from './model-select.tsx';
import { type BuildableRequest, type Block, editTurns, moveItem, setField, type Turn } from './request-edits.ts';
import { ThinkingFields } from './thinking-fields.tsx';
import { TurnFields } from './turn-fields.tsx';

interface BuildFormProps {
  request: BuildableRequest;
  modelsWithSystemTurns: readonly string[];
  onChange: (request: BuildableRequest) => void;
  /** Adds files to a turn. */
  onFiles: (files: readonly File[], turnIndex: number) => void;
}

/** Form of a request: model, system prompt, thinking, effort, turns and tools. */
export function BuildForm({ request, modelsWithSystemTurns, onChange, onFiles }: BuildFormProps) {
  const container = useRef<HTMLDivElement>(null);
  const focusAfterUpdate = useFocusAfterUpdate(container);
  const { announce, liveRegion } = useAnnouncer();
  const turns = request.messages ?? [];
  const model = typeof request.model === 'string' ? request.model : '';

  function changeTurn(index: number, turn: Turn): void {
    onChange(editTurns(request, (all) => all.with(index, turn)));
  }
  function addTurn(): void {
    const role = turns.at(-1)?.role === 'user' ? 'assistant' : 'user';
    onChange(editTurns(request, (all) => [...all, { role, content: '' }]));
    focusAfterUpdate(`[data-turn="${turns.length}"] textarea`);
  }
  function removeTurn(index: number): void {
    onChange(editTurns(request, (all) => all.toSpliced(index, 1)));
    announce(`Turn ${index + 1} removed.`);
    const next = Math.min(index, turns.length - 2);
    focusAfterUpdate(next < 0 ? '[data-add-turn]' : `[data-turn="${next}"] select`);
  }
  function moveTurn(from: number, to: number): void {
    onChange(editTurns(request, (all) => moveItem(all, from, to)));
    announce(`Turn ${from + 1} is now turn ${to + 1} of ${turns.length}.`);
    const isAtEnd = to === 0 || to === turns.length - 1;
    const direction = to < from ? 'up' : 'down';
    focusAfterUpdate(`[data-turn="${to}"] ${isAtEnd ? 'select' : `[data-move="${direction}"]`}`);
  }

  return (
    <div ref={container} className="grid grid-cols-[minmax(0,1fr)] gap-5 pt-2">
      <ModelSelect label="Model" value={model} onChange={(id) => onChange(setField(request, 'model', id))} />
      <SystemFields system={request.system} onChange={(system) => onChange(setField(request, 'system', system))} />
      <ThinkingFields
        model={model}
        thinking={request.thinking}
        outputConfig={request.output_config}
        onThinkingChange={(thinking) => onChange(setField(request, 'thinking', thinking))}
        onOutputConfigChange={(config) => onChange(setField(request, 'output_config', config))}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h3 className="text-small font-medium">Turns</h3>
        <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {turns.map((turn, index) => (
            <li key={index} data-turn={index}>
              <TurnFields
                turn={turn}
                number={index + 1}
                mayBeSystem={modelsWithSystemTurns.includes(model)}
                onChange={(changed) => changeTurn(index, changed)}
                onRemove={() => removeTurn(index)}
                onMoveUp={index > 0 ? () => moveTurn(index, index - 1) : undefined}
                onMoveDown={index < turns.length - 1 ? () => moveTurn(index, index + 1) : undefined}
                onFiles={(files) => onFiles(files, index)}
              />
            </li>
          ))}
        </ol>
        <div>
          <Button data-add-turn onClick={addTurn}>
            <Icon name="plus" />
            Add turn
          </Button>
        </div>
      </div>
      <JsonField
        label="Tools as JSON"
        rows={6}
        value={request.tools ?? []}
        isAllowed={(value): value is unknown[] => Array.isArray(value)}
        notAllowed="Tools are a list: [ … ]."
        onChange={(tools) => onChange(setField(request, 'tools', tools.length > 0 ? tools : undefined))}
      />
      {liveRegion}
    </div>
  );
}

interface SystemFieldsProps {
  system: string | Block[] | undefined;
  onChange: (system: string | Block[] | undefined) => void;
}

/** Fields of the system prompt: one text, or a text for each block. */
function SystemFields({ system = '', onChange }: SystemFieldsProps) {
  if (typeof system === 'string') {
    return (
      <SystemField label="System prompt" text={system} onChange={(text) => onChange(text === '' ? undefined : text)} />
    );
  }
  return (
    <div className="grid gap-3">
      {system.map((block, index) => (
        <SystemField
          key={index}
          label={`System prompt, block ${index + 1}`}
          text={typeof block.text === 'string' ? block.text : ''}
          onChange={(text) => onChange(system.with(index, { ...block, text }))}
        />
      ))}
    </div>
  );
}

interface SystemFieldProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
}

function SystemField({ label, text, onChange }: SystemFieldProps) {
  return (
    <label className="grid gap-1.5 text-small font-medium">
      {label}
      <textarea
        rows={2}
        value={text}
        className="field block resize-y py-2 font-normal"
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
