/** Figures of a profile as people write them. */
import { locale } from '../ui/format';

/** A mean with one digit after the point; a dash for nothing. */
export const mean = (value: number | null): string =>
  value === null ? '–' : new Intl.NumberFormat(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value).replace('-', '−');

/** A part of a whole in percent; a dash for nothing of nothing. */
export const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : new Intl.NumberFormat(locale(), { style: 'percent' }).format(part / whole);

/** The month somebody came. */
export const month = (at: number): string => new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }).format(at);
