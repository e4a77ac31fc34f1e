/** Bytes as people read them. */
import { t } from '../locales/offline';
import { locale } from '../ui/format';

/** A number of megabytes, with one decimal below 100. */
export function megabytes(bytes: number): string {
  const amount = bytes / 1_000_000;
  const digits = amount >= 100 ? 0 : 1;
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(amount);
}

/** The same with its unit; little as kilobytes. */
export function size(bytes: number): string {
  if (bytes >= 100_000) return t('size', { amount: megabytes(bytes) });
  return t('size.small', { amount: new Intl.NumberFormat(locale()).format(Math.ceil(bytes / 1000)) });
}
