/** Returns the text of the field with that name, or an empty string if the form has no such field. */
export function getFieldText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
