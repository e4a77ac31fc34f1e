/**
 * Messages in the visitor's language. The texts are `src/meldroom/i18n/locales/<language>/web/*.toml`; the build makes
 * a module per area of them: `import { t } from '../locales/table'`, then `t('seat.tiles', { count })`.
 *
 * `{name}` in a text is a placeholder; a text with plural forms (`one`, `other`, …) follows the placeholder `count`.
 * What a language lacks is English already when it gets here.
 */
import { settings } from './settings.svelte';

export type Text = string | Readonly<Record<string, string>>;
export type Texts = Readonly<Record<string, Text>>;
export type Values = Readonly<Record<string, string | number>>;
type Loaders = Readonly<Record<string, () => Promise<{ default: unknown }>>>;

/** Looks a message up; `M` maps every key to the names of its placeholders. */
export type Translate<M> = <Key extends keyof M & string>(
  key: Key,
  ...values: [M[Key]] extends [never] ? [values?: Values] : [values: Readonly<Record<M[Key] & string, string | number>>]
) => string;

/** As scores are written everywhere; Intl writes a hyphen. */
const MINUS = '−';

const plurals = new Map<string, Intl.PluralRules>();
const numbers = new Map<string, Intl.NumberFormat>();

function cached<Kind>(kinds: Map<string, Kind>, language: string, make: () => Kind): Kind {
  let found = kinds.get(language);
  if (!found) kinds.set(language, (found = make()));
  return found;
}

/** A text of one language with its placeholders filled in. */
export function fill(text: Text, values: Values, language: string): string {
  const rules = () => cached(plurals, language, () => new Intl.PluralRules(language));
  const template = typeof text === 'string' ? text : (text[rules().select(Number(values.count))] ?? text.other ?? '');
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (typeof value === 'string') return value;
    return cached(numbers, language, () => new Intl.NumberFormat(language)).format(value).replace('-', MINUS);
  });
}

/** The texts of one area, loaded language by language as they are needed. */
class Area {
  private texts: Readonly<Record<string, Texts>> = $state.raw({});
  private readonly loading = new Map<string, Promise<void>>();
  private last = '';

  constructor(private readonly loaders: Loaders) {}

  load(language: string): Promise<void> {
    let loading = this.loading.get(language);
    if (!loading) {
      loading = this.loaders[language]().then(
        ({ default: texts }) => void (this.texts = { ...this.texts, [language]: texts as Texts }),
      );
      this.loading.set(language, loading);
      loading.catch(() => this.loading.delete(language));
    }
    return loading;
  }

  /** The texts of a language; while they are on their way, those that were shown before. */
  get(language: string): [Texts, string] {
    if (this.texts[language]) this.last = language;
    else this.load(language).catch(() => undefined);
    return [this.texts[this.last] ?? {}, this.last || language];
  }
}

const areas: Area[] = [];

/** The messages of an area; the ones in the visitor's language begin to load at once. */
export function catalogue<M>(loaders: Loaders): Translate<M> {
  const area = new Area(loaders);
  areas.push(area);
  area.load(settings.language).catch(() => undefined);
  return (key, ...values) => {
    const [texts, language] = area.get(settings.language);
    return fill(texts[key] ?? key, (values[0] ?? {}) as Values, language);
  };
}

/** Resolves when every area that the page has imported can be shown in a language. */
export async function messagesReady(language: string = settings.language): Promise<void> {
  await Promise.all(areas.map((area) => area.load(language)));
}
