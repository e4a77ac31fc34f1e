const pad = (value: number): string => String(value).padStart(2, '0');

/** Today's date where this browser is: 2026-11-16. */
export function today(): string {
  const now = new Date();
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}
