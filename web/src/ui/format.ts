/** Times, dates, numbers and names as people write them. */
import { t } from '../locales/shell';
import { settings } from './settings.svelte';

/** How the visitor writes dates and times: their own kind of the language if the browser names one. */
export function locale(): string {
  const { language } = settings;
  const own = navigator.languages.find((one) => one.startsWith(`${language}-`));
  return own ?? t('locale');
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
