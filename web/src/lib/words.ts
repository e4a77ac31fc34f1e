/**
 * Text in two languages. An area has a file of words in each (`words/en/table.ts`, `words/fr/table.ts`); the French
 * one must have exactly the keys of the English one, or the types do not agree.
 *
 *     export const t = speak({ en, fr });
 *     t('seats.free', { count: 2 })
 *
 * `{name}` in a text is a placeholder; a text `{ one: …, other: … }` follows the placeholder `count`.
 */
import type { Language } from './protocol';
import { settings } from './settings.svelte';

export type Text = string | { readonly one: string; readonly other: string };
export type WordList = Readonly<Record<string, Text>>;

/** The type of a translation: the same keys, and a plural where there is one. */
export type Translation<English extends WordList> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : { readonly one: string; readonly other: string };
};

type Placeholders<Template> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
type Needed<T> = T extends string
  ? Placeholders<T>
  : T extends { readonly one: infer One; readonly other: infer Other }
    ? 'count' | Placeholders<One> | Placeholders<Other>
    : never;

export type Values = Readonly<Record<string, string | number>>;
type Arguments<T> = [Needed<T>] extends [never] ? [values?: Values] : [values: Readonly<Record<Needed<T>, string | number>>];

export type Speak<English extends WordList> = <Key extends keyof English & string>(
  key: Key,
  ...values: Arguments<English[Key]>
) => string;

const plurals: Record<Language, Intl.PluralRules> = {
  en: new Intl.PluralRules('en'),
  fr: new Intl.PluralRules('fr'),
};

const numbers: Record<Language, Intl.NumberFormat> = {
  en: new Intl.NumberFormat('en'),
  fr: new Intl.NumberFormat('fr'),
};

/** French typography: no break before ; : ! ? » or after «. */
export function frenchSpaces(text: string): string {
  return text
    .replace(/ ([;!?])/g, '\u202f$1')
    .replace(/ (:|»)/g, '\u00a0$1')
    .replace(/« /g, '«\u00a0');
}

/** A text of one language with its placeholders filled in. */
export function fill(text: Text, values: Values, language: Language): string {
  let template: string;
  if (typeof text === 'string') {
    template = text;
  } else {
    const form = plurals[language].select(Number(values.count));
    template = form === 'one' ? text.one : text.other;
  }
  if (language === 'fr') template = frenchSpaces(template);
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? numbers[language].format(value) : value;
  });
}

/** The words of an area in the visitor's language, whichever that is at the moment of asking. */
export function speak<const English extends WordList>(lists: {
  en: English;
  fr: Translation<English>;
}): Speak<English> {
  return (key, ...values) => {
    const { language } = settings;
    return fill(lists[language][key] as Text, (values[0] ?? {}) as Values, language);
  };
}

/** How the visitor writes dates and times: his own kind of the language, else the British or the French one. */
export function locale(): string {
  const own = navigator.languages.find((one) => one.startsWith(`${settings.language}-`));
  return own ?? { en: 'en-GB', fr: 'fr-FR' }[settings.language];
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
