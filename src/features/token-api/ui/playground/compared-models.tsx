import { useState } from 'react';
import { resolveModel } from '../../../../../packages/token-counter/src/index.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { IconButton } from '../../../../ui/kit/icon-button.tsx';
import { ModelSelect } from './model-select.tsx';

/** Maximum number of models beside the one in the request. */
export const MAX_OTHER_MODELS = 3;

interface ComparedModelsProps {
  models: readonly string[];
  onChange: (models: readonly string[]) => void;
}

/** Chooses up to three models that are counted beside the model in the request. */
export function ComparedModels({ models, onChange }: ComparedModelsProps) {
  const [chosen, setChosen] = useState('');
  return (
    <section aria-labelledby="compared-title" className="grid gap-2">
      <h2 id="compared-title" className="sr-only">
        Compared models
      </h2>
      {models.length < MAX_OTHER_MODELS && (
        <div className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <ModelSelect
              label="Compare with"
              value={chosen}
              emptyText="Choose a model"
              omitted={models}
              onChange={setChosen}
            />
          </div>
          <Button
            className="min-h-10"
            onClick={() => {
              if (chosen === '') return;
              onChange([...models, chosen]);
              setChosen('');
            }}
          >
            Add<span className="sr-only"> model</span>
          </Button>
        </div>
      )}
      {models.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {models.map((id) => {
            const name = resolveModel(id)?.displayName ?? id;
            return (
              <li key={id} className="flex items-center rounded-control bg-sunken ps-3 text-small">
                {name}
                <IconButton
                  icon="close"
                  variant="remove"
                  label={`Remove ${name}`}
                  onClick={() => onChange(models.filter((other) => other !== id))}
                />
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
