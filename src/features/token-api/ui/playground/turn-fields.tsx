import { useId, useRef } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { IconButton } from '../../../../ui/kit/icon-button.tsx';
import { isObject } from '../../validation/problem.ts';
import { JsonField } from './json-field.tsx';
import { type Block, simplifyContent, toBlocks, type Turn } from './request-edits.ts';
import { getShortName, isFileName } from './request-files.ts';
import { useFileDrop } from './use-file-drop.ts';

/** File types that the file dialog offers. */
const ACCEPTED_FILES = 'image/png,image/jpeg,image/gif,image/webp,application/pdf';

interface TurnFieldsProps {
  turn: Turn;
  number: number;
  /** Whether the model takes a system turn inside the conversation. */
  mayBeSystem: boolean;
  onChange: (turn: Turn) => void;
  onRemove: () => void;
  onMoveUp: (() => void) | undefined;
  onMoveDown: (() => void) | undefined;
  onFiles: (files: readonly File[]) => void;
}

/** Fields of one turn: its role, its blocks, and its files by drop or by button. */
export function TurnFields(props: TurnFieldsProps) {
  const { turn, number, mayBeSystem, onChange, onRemove, onMoveUp, onMoveDown, onFiles } = props;
  const id = useId();
  const fileInput = useRef<HTMLInputElement>(null);
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const isDragOver = useFileDrop(onFiles, fieldset);
  const roles = ['user', 'assistant', ...(mayBeSystem || turn.role === 'system' ? ['system'] : [])];
  const blocks = typeof turn.content === 'string' ? [{ type: 'text', text: turn.content }] : turn.content;

  function changeBlock(index: number, block: Block): void {
    const changed = blocks.with(index, block);
    onChange({ ...turn, content: typeof turn.content === 'string' ? simplifyContent(changed) : changed });
  }
  function removeBlock(index: number): void {
    onChange({ ...turn, content: simplifyContent(blocks.toSpliced(index, 1)) });
  }
  return (
    <fieldset
      ref={fieldset}
      className={`grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 rounded-control border p-3 ${isDragOver ? 'border-accent bg-accent-soft' : 'border-line'}`}
    >
      <legend className="sr-only">Turn {number}</legend>
      <div className="flex flex-wrap items-center gap-1">
        <label htmlFor={`${id}-role`} className="text-small font-medium">
          {number}
          <span className="sr-only">, role of the turn</span>
        </label>
        <select
          id={`${id}-role`}
          value={turn.role}
          className="field ms-2 w-auto! flex-1 sm:flex-none"
          onChange={(event) => onChange({ ...turn, role: event.target.value })}
        >
          {!roles.includes(turn.role) && <option value={turn.role}>{turn.role}</option>}
          {roles.map((role) => (
            <option key={role} value={role}>
              {role}
            </option>
          ))}
        </select>
        <span className="ms-auto flex gap-1">
          {onMoveUp && (
            <IconButton
              icon="chevron"
              className="[&>svg]:rotate-180"
              variant="row"
              label={`Move turn ${number} up`}
              data-move="up"
              onClick={onMoveUp}
            />
          )}
          {onMoveDown && (
            <IconButton
              icon="chevron"
              variant="row"
              label={`Move turn ${number} down`}
              data-move="down"
              onClick={onMoveDown}
            />
          )}
          <IconButton icon="close" variant="remove" label={`Remove turn ${number}`} onClick={onRemove} />
        </span>
      </div>
      {blocks.map((block, index) => (
        <BlockFields
          key={index}
          block={block}
          label={`Turn ${number}, ${describeBlock(block)}${blocks.length > 1 ? ` ${index + 1}` : ''}`}
          onChange={(changed) => changeBlock(index, changed)}
          onRemove={blocks.length > 1 || block.type !== 'text' ? () => removeBlock(index) : undefined}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        {turn.role !== 'assistant' && (
          <>
            <Button onClick={() => fileInput.current?.click()}>
              Add images or PDFs<span className="sr-only"> to turn {number}</span>
            </Button>
            <input
              ref={fileInput}
              type="file"
              hidden
              multiple
              accept={ACCEPTED_FILES}
              data-testid={`files-${number}`}
              onChange={(event) => {
                onFiles([...(event.target.files ?? [])]);
                event.target.value = '';
              }}
            />
          </>
        )}
        {!blocks.some(({ type }) => type === 'text') && (
          <Button
            variant="quiet"
            onClick={() => onChange({ ...turn, content: [...toBlocks(turn.content), { type: 'text', text: '' }] })}
          >
            Add text<span className="sr-only"> to turn {number}</span>
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface BlockFieldsProps {
  block: Block;
  label: string;
  onChange: (block: Block) => void;
  onRemove: (() => void) | undefined;
}

/** Fields of one block: a text, a file, or another block as JSON. */
function BlockFields({ block, label, onChange, onRemove }: BlockFieldsProps) {
  const fileName = getFileName(block);
  if (block.type === 'text' && typeof block.text === 'string') {
    return (
      <div className="flex items-start gap-1">
        <textarea
          aria-label={label}
          rows={3}
          value={block.text}
          className="field block resize-y py-2"
          onChange={(event) => onChange({ ...block, text: event.target.value })}
        />
        {onRemove && <IconButton icon="close" variant="remove" label={`Remove ${label}`} onClick={onRemove} />}
      </div>
    );
  }
  if (fileName !== undefined) {
    return (
      <div className="flex items-center gap-2 rounded-control bg-sunken ps-3 pe-1 py-1">
        <p className="min-w-0 flex-1 text-small wrap-anywhere">{fileName}</p>
        {onRemove && (
          <IconButton icon="close" variant="remove" label={`Remove ${getShortName(fileName)}`} onClick={onRemove} />
        )}
      </div>
    );
  }
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        <JsonField
          label={label}
          rows={5}
          value={block}
          isAllowed={isObject}
          notAllowed="A block is an object: { … }."
          onChange={onChange}
        />
      </div>
      {onRemove && <IconButton icon="close" variant="remove" label={`Remove ${label}`} onClick={onRemove} />}
    </div>
  );
}

function getFileName({ source }: Block): string | undefined {
  return isObject(source) && isFileName(source['data']) ? source['data'] : undefined;
}

function describeBlock({ type }: Block): string {
  return type === 'text' ? 'text' : `block ${typeof type === 'string' ? type : 'without a type'}`;
}
