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
    <div className="grid min-w-40 flex-1 gap-1.5">
      <label htmlFor="import-sheet" className="text-small font-medium">
        Sheet
      </label>
      <select
        id="import-sheet"
        className="field"
        value={index}
        onChange={({ target }) => onChange(Number(target.value))}
      >
        {tables.map(({ name }, place) => (
          <option key={place} value={place}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
