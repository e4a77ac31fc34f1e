/** The names of a typed or pasted list, as the server reads them: one a line, or with commas between. */
export function namesIn(text: string): string[] {
  return text
    .split(/[\n\r,;\t]+/)
    .map((part) => part.replace(/^\s*(?:\d{1,3}[.)]|[-*•])\s+/, '').split(/\s+/).filter(Boolean).join(' '))
    .filter(Boolean);
}
