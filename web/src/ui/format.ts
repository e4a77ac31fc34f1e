/** Times, dates, numbers and names as people write them. */
import { t } from '../locales/shell';
import { settings } from './settings.svelte';

/** How the visitor writes dates and times: their own kind of the language if the browser names one. */
export function locale(): string {
  const { language } = settings;
  const own = navigator.languages.find((one) => one.startsWith(`${language}-`) && isTag(one));
  return own ?? t('locale');
}

/** Some systems hand their own names of languages through, such as en-US@posix, which dates cannot be written in. */
function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}

/** A text that the server has in several languages. */
export function localized(text: object): string {
  const texts = text as Readonly<Record<string, string>>;
  return texts[settings.language] || texts.en || '';
}

/** A time of day, or a date and time when it was not today, as the visitor writes it. */
export function when(at: number): string {
  const date = new Date(at);
  const today = new Date().toDateString() === date.toDateString();
  return new Intl.DateTimeFormat(locale(), {
    ...(today ? {} : { day: 'numeric', month: 'short' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(date);
}

/** The date of a moment as the visitor writes it. */
export function dateOf(at: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(at);
}

/** A day as the visitor writes it. */
export function day(date: string): string {
  const [year, month, number] = date.split('-').map(Number) as [number, number, number];
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(Date.UTC(year, month - 1, number));
}

/** Time left as 4:05, or 1:02:30. */
export function clock(milliseconds: number): string {
  const all = Math.max(0, Math.ceil(milliseconds / 1000));
  const seconds = String(all % 60).padStart(2, '0');
  const minutes = Math.floor(all / 60) % 60;
  const hours = Math.floor(all / 3600);
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`;
}

/** A score with its sign; a dash for an empty seat. */
export function signed(score: number | null | undefined): string {
  if (score === null || score === undefined) return '–';
  return score > 0 ? `+${score}` : score < 0 ? `−${-score}` : '0';
}

/** A share as a percentage; a small one with a decimal, so that it is not taken for none. */
export function percent(part: number, whole = 1): string {
  const share = whole === 0 ? 0 : part / whole;
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0 }).format(share);
}
