import { SelectField } from '../../../../ui/kit/select-field.tsx';
import type { FileTable } from './file-tables.ts';

interface SheetFieldProps {
  tables: readonly FileTable[];
  index: number;
  onChange: (index: number) => void;
}

/** Selects the sheet of a workbook. Only if several have a table. */
export function SheetField({ tables, index, onChange }: SheetFieldProps) {
  if (tables.length < 2) return null;
  return (
    <SelectField
      id="import-sheet"
      label="Sheet"
      value={index}
      onChange={({ target }) => onChange(Number(target.value))}
      className="min-w-40 flex-1"
    >
      {tables.map(({ name }, place) => (
        <option key={place} value={place}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
