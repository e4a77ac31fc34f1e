/** What a visitor prefers: kept in this browser, and shown on <html> as attributes that the styles follow. */
import { LANGUAGES } from '../locales/languages';

export const THEMES = ['system', 'light', 'dark', 'contrast'] as const;
export const TILE_THEMES = ['book', 'classic', 'mahjong', 'distinct'] as const;

export const SPEEDS = ['slow', 'normal', 'fast'] as const;
export type Speed = (typeof SPEEDS)[number];
export type Theme = (typeof THEMES)[number];
export type TileTheme = (typeof TILE_THEMES)[number];

export interface Preferences {
  language: string;
  theme: Theme;
  tiles: TileTheme;
  /** Larger tiles. */
  large: boolean;
  /** Nothing moves. */
  calm: boolean;
  sound: boolean;
  /** 0 to 100. */
  volume: number;
  /** Notifications when it is one's turn, if the browser allows them. */
  notify: boolean;
  /** How fast bots play at tables one opens. */
  speed: Speed;
}

const CODES = LANGUAGES.map(({ code }) => code);

export const STORED_AS = 'meldroom.settings';

const asks = (query: string): boolean => typeof matchMedia === 'function' && matchMedia(query).matches;

/** The first of the browser's languages that we have. */
function preferredLanguage(): string {
  const wanted = typeof navigator === 'undefined' ? [] : (navigator.languages ?? []);
  const bases = wanted.map((tag) => tag.toLowerCase().split('-')[0]);
  return bases.find((base) => CODES.includes(base)) ?? CODES[0];
}

/** The language after this one in the list, for a button that goes from one to the next. */
export function nextLanguage(): (typeof LANGUAGES)[number] {
  return LANGUAGES[(CODES.indexOf(settings.language) + 1) % LANGUAGES.length];
}

function defaults(): Preferences {
  return {
    language: preferredLanguage(),
    theme: 'system',
    tiles: 'book',
    large: false,
    calm: asks('(prefers-reduced-motion: reduce)'),
    sound: true,
    volume: 60,
    notify: false,
    speed: 'normal',
  };
}

function oneOf<Value>(values: readonly Value[], value: unknown, otherwise: Value): Value {
  return values.includes(value as Value) ? (value as Value) : otherwise;
}

const truth = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);

const percent = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && value >= 0 && value <= 100 ? Math.round(value) : otherwise;

/** Preferences from stored text; whatever is missing or strange in it is the default. */
export function parsePreferences(text: string | null): Preferences {
  const base = defaults();
  let stored: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (value && typeof value === 'object') stored = value as Record<string, unknown>;
  } catch {
    return base;
  }
  return {
    language: oneOf(CODES, stored.language, base.language),
    theme: oneOf(THEMES, stored.theme, base.theme),
    tiles: oneOf(TILE_THEMES, stored.tiles, base.tiles),
    large: truth(stored.large, base.large),
    calm: truth(stored.calm, base.calm),
    sound: truth(stored.sound, base.sound),
    volume: percent(stored.volume, base.volume),
    notify: truth(stored.notify, base.notify),
    speed: oneOf(SPEEDS, stored.speed, base.speed),
  };
}

function load(): Preferences {
  try {
    return parsePreferences(localStorage.getItem(STORED_AS));
  } catch {
    return defaults();
  }
}

/** Read it anywhere (it is reactive); change it with `change`. */
export const settings: Preferences = $state(load());

/** The theme that is shown: `system` is what the device asks for. */
export function shownTheme(theme: Theme): Exclude<Theme, 'system'> {
  if (theme !== 'system') return theme;
  if (asks('(prefers-contrast: more)')) return 'contrast';
  return asks('(prefers-color-scheme: dark)') ? 'dark' : 'light';
}

/** Put the settings on <html>, as first-paint.ts did before anything was drawn. */
export function apply(): void {
  const root = document.documentElement;
  root.lang = settings.language;
  root.dataset.theme = shownTheme(settings.theme);
  root.dataset.tiles = settings.tiles;
  root.dataset.large = String(settings.large);
  root.dataset.calm = String(settings.calm);
  // The frame of an installed app, or of a phone's browser, takes the colour of the page.
  const ground = getComputedStyle(root).getPropertyValue('--ground').trim();
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) meta.content = ground || meta.content;
}

/** Change some settings: kept, and shown at once. */
export function change(some: Partial<Preferences>): void {
  Object.assign(settings, some);
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(settings));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  apply();
}

/** Follow the device when its own preference changes, and other tabs when they change ours. */
export function followSystem(): void {
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']) {
    matchMedia(query).addEventListener('change', apply);
  }
  addEventListener('storage', (event) => {
    if (event.key !== STORED_AS) return;
    Object.assign(settings, parsePreferences(event.newValue));
    apply();
  });
}
