/** What was typed into the field of that name; empty where the form has none. */
export function getFieldText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
