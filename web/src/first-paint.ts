/** Runs before the first paint, see ../first-paint.ts: settings on <html>, and an early start for the page's files. */

declare const __PAGES__: Record<string, { files: string[]; messages: Record<string, string[]> }>;
declare const __LANGUAGES__: string[];

type Stored = Partial<Record<'language' | 'theme' | 'tiles', string>> &
  Partial<Record<'large' | 'calm', boolean>>;

const root = document.documentElement;
let stored: Stored = {};
let met = false;
try {
  met = localStorage.getItem('meldroom.met') !== null;
  stored = JSON.parse(localStorage.getItem('meldroom.settings') ?? '{}') as Stored;
} catch {
  // Storage may be forbidden or hold something else: the defaults serve.
}

const asks = (query: string): boolean => matchMedia(query).matches;
const system = asks('(prefers-contrast: more)') ? 'contrast' : asks('(prefers-color-scheme: dark)') ? 'dark' : 'light';
const languages = __LANGUAGES__;
const known = (tag: string | undefined): boolean => languages.includes(tag ?? '');
const wanted = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]);

root.lang = [stored.language, ...wanted].find(known) ?? languages[0];
root.dataset.theme = stored.theme && stored.theme !== 'system' ? stored.theme : system;
root.dataset.tiles = stored.tiles ?? 'book';
root.dataset.large = String(stored.large ?? false);
root.dataset.calm = String(stored.calm ?? asks('(prefers-reduced-motion: reduce)'));

// Our files lie around this one, on whatever host and in whatever folder.
const files = new URL('..', (document.currentScript as HTMLScriptElement).src);
const offline = document.querySelector<HTMLMetaElement>('meta[name="meldroom-base"]');
const top = offline ? new URL(offline.content, location.href).pathname : '/';
const folder = location.pathname.slice(top.length).split('/')[0].replace('index.html', '');
const FIRST_PARTS: Record<string, string> = {
  '': offline ? 'OfflineHome' : 'Landing',
  r: 'Room',
  g: 'Replay',
  rules: 'Rules',
  new: 'NewRoom',
  tutorial: 'Tutorial',
};
const page = FIRST_PARTS[folder] ?? '';
root.dataset.page = page;

function early(rel: string, href: string, as?: string): void {
  const link = document.createElement('link');
  link.rel = rel;
  link.href = href;
  if (as) link.as = as;
  if (as) link.crossOrigin = 'anonymous';
  document.head.append(link);
}

const pages = __PAGES__;
const needed = pages[page] ?? pages.NotFound ?? { files: [], messages: {} };
for (const file of [...needed.files, ...(needed.messages[root.lang] ?? [])]) {
  const { href } = new URL(file, files);
  if (file.endsWith('.css')) early('preload', href, 'style');
  else early('modulepreload', href);
}
if (!offline && (page === 'Landing' || page === 'Room')) early('preload', `/api/v1/catalogue?language=${root.lang}`, 'fetch');
if (!offline && met) early('preload', '/api/v1/me', 'fetch');
// The app is installed under a name and with a menu that its owner can read.
early('manifest', new URL(root.lang === languages[0] ? 'manifest.webmanifest' : `manifest.${root.lang}.webmanifest`, files).href);

export {};
